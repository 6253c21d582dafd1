#include "sim/schema/sub_option_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/schema/identifier.h"
#include "sim/schema/java_number.h"

namespace windrow {

std::optional<std::string_view> sub_option(const OptionMap& map, std::string_view name) {
  const auto found = map.find(name);
  if (found == map.end()) return std::nullopt;
  return found->second;
}

void SubOptionReader::refuse(std::string_view name, std::string message, bool server_error) const {
  std::string accepted;
  for (const CompactionSubOption& option : compaction_sub_options(strategy_))
    if (option.name == name) accepted = option.accepted;
  throw CompactionOptionError(std::string(name), std::move(message), std::move(accepted), server_error);
}

void SubOptionReader::read_flag(std::string_view name, bool& value, std::string_view message) const {
  const auto given = text(name);
  if (!given) return;
  value = equals_ignore_case(*given, "true");
  if (!value && !equals_ignore_case(*given, "false")) refuse(name, fmt::format(fmt::runtime(message), *given));
}

void SubOptionReader::read_lenient_flag(std::string_view name, bool& value) const {
  if (const auto given = text(name)) value = equals_ignore_case(*given, "true");
}

void SubOptionReader::read_integer(std::string_view name, std::int32_t& value) const {
  const auto given = text(name);
  if (!given) return;
  const auto parsed = parse_java_int(*given);
  if (!parsed) refuse(name, fmt::format("{} is not a parsable int (base10) for {}", *given, name));
  value = *parsed;
}

void SubOptionReader::read_integer(std::string_view name, std::int64_t& value, std::string_view what) const {
  const auto given = text(name);
  if (!given) return;
  const auto parsed = parse_java_long(*given);
  if (!parsed) refuse(name, fmt::format("{} is not a parsable {} (base10) for {}", *given, what, name));
  value = *parsed;
}

void SubOptionReader::read_double(std::string_view name, double& value, std::string_view what) const {
  const auto given = text(name);
  if (!given) return;
  const auto parsed = parse_java_double(*given);
  if (!parsed) refuse(name, fmt::format("{} is not a parsable {} for {}", *given, what, name));
  value = *parsed;
}

std::string_view SubOptionReader::read_name(std::string_view name, std::string_view otherwise,
                                            std::initializer_list<std::string_view> values) const {
  const auto given = text(name);
  if (!given) return otherwise;
  for (const std::string_view value : values)
    if (*given == value) return value;
  refuse(name, fmt::format("{} is not valid for {}", *given, name));
}

void SubOptionReader::refuse_unknown() const {
  const std::vector<CompactionSubOption> known = compaction_sub_options(strategy_);
  std::vector<std::string_view> unknown;
  for (const auto& [name, value] : map_)
    if (name != "class" && std::ranges::find(known, name, &CompactionSubOption::name) == known.end())
      unknown.push_back(name);
  if (unknown.empty()) return;
  std::vector<std::string_view> names;
  for (const CompactionSubOption& option : known) names.push_back(option.name);
  throw CompactionOptionError(
      std::string(unknown.front()),
      fmt::format("Properties specified [{}] are not understood by {}", fmt::join(unknown, ", "), strategy_),
      fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace windrow
