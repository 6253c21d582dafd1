#include "sim/cql/wrong_options.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "sim/cql/table_properties.h"
#include "sim/cql/token_cursor.h"

namespace windrow {

namespace {

constexpr std::ptrdiff_t most_complaints = 20;

const Properties* options_of(const Statement& statement) {
  return std::visit(
      [](const auto& each) -> const Properties* {
        using S = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<S, CreateTable> || std::is_same_v<S, CreateView> || std::is_same_v<S, AlterView>) {
          return &each.properties;
        } else if constexpr (std::is_same_v<S, AlterTable>) {
          const auto* options = std::get_if<AlterOptions>(&each.action);
          return options == nullptr ? nullptr : &options->properties;
        } else {
          return nullptr;
        }
      },
      statement);
}

bool same(const Span& a, const Span& b) { return a.offset == b.offset; }

/// Takes out what stands at `at`; false if nothing does.
bool take_out(const Span& at, Properties& properties) {
  for (Property& property : properties) {
    auto* entries = std::get_if<std::vector<MapEntry>>(&property.value);
    if (entries == nullptr) continue;
    const auto entry = std::ranges::find_if(
        *entries, [&](const MapEntry& each) { return same(each.key_at, at) || same(each.value_at, at); });
    if (entry == entries->end() || entry->key == "class") continue;
    entries->erase(entry);
    return true;
  }
  return std::erase_if(properties, [&](const Property& property) {
           const auto* entries = std::get_if<std::vector<MapEntry>>(&property.value);
           return same(property.name.at, at) || same(property.value_at, at) ||
                  (entries != nullptr && std::ranges::any_of(*entries, [&](const MapEntry& entry) {
                     return same(entry.key_at, at) || same(entry.value_at, at);
                   }));
         }) > 0;
}

std::optional<CqlComplaint> first_complaint(const Properties& properties, const CqlSettings& settings) {
  try {
    check_properties(properties, settings);
    return std::nullopt;
  } catch (const Refused& refused) {
    return refused.complaint;
  }
}

/// True if what was said at `a` is not said once `b` is gone: the two are wrong together only, and were said once.
bool one_mistake(const Properties& written, const std::vector<CqlComplaint>& said, const Span& a, const Span& b,
                 const CqlSettings& settings) {
  Properties left = written;
  for (const CqlComplaint& each : said) {
    if (!same(each.at, a)) take_out(each.at, left);
  }
  take_out(b, left);
  const std::optional<CqlComplaint> complaint = first_complaint(left, settings);
  return !complaint || !same(complaint->at, a);
}

}  // namespace

std::vector<CqlComplaint> wrong_options(const Statement& statement, const CqlSettings& settings) {
  const Properties* written = options_of(statement);
  if (written == nullptr) return {};
  Properties left = *written;
  std::vector<CqlComplaint> said;
  for (std::ptrdiff_t tries = 0; tries < most_complaints; ++tries) {
    const std::optional<CqlComplaint> complaint = first_complaint(left, settings);
    if (!complaint) break;
    const bool known = std::ranges::any_of(said, [&](const CqlComplaint& before) {
      return one_mistake(*written, said, before.at, complaint->at, settings);
    });
    if (!known) said.push_back(*complaint);
    if (!take_out(complaint->at, left)) break;
  }
  return said;
}

}  // namespace windrow
