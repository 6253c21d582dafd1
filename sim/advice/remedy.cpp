#include "sim/advice/remedy.h"

#include <fmt/format.h>

#include <regex>

namespace windrow {

std::optional<std::string> with_key_column(std::string_view cql, const KeyColumn& column) {
  const std::string text(cql);
  const auto flags = std::regex::ECMAScript | std::regex::icase;
  const std::regex begin(
      fmt::format(R"(CREATE\s+TABLE\s+(IF\s+NOT\s+EXISTS\s+)?("?\w+"?\.)?"?{}"?\s*\()", column.table), flags);
  std::smatch table;
  if (!std::regex_search(text, table, begin)) return std::nullopt;
  const auto body = text.cbegin() + table.position() + table.length();
  const std::regex key(R"(PRIMARY\s+KEY\s*\(\s*)", flags);
  std::smatch found;
  if (!std::regex_search(body, text.cend(), found, key)) return std::nullopt;
  const std::string before(text.cbegin(), found[0].first);
  const std::string words = found.str();
  std::string rest(found[0].second, text.cend());
  const bool several = rest.front() == '(';
  const std::size_t end = rest.find_first_of(several ? ")" : ",)");
  if (end == std::string::npos) return std::nullopt;
  const std::string columns = rest.substr(several ? 1 : 0, end - (several ? 1 : 0));
  rest = rest.substr(several ? end + 1 : end);
  return fmt::format("{}{} {}, {}({}, {}){}", before, column.name, column.type, words, columns, column.name, rest);
}

std::string key_column_text(const KeyColumn& column) {
  return fmt::format("{} {} in the partition key of {}", column.name, column.type, column.table);
}

}  // namespace windrow
