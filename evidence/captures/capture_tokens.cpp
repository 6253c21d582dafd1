#include "evidence/captures/capture_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "evidence/captures/hex_text.h"
#include "sim/cql/script.h"
#include "sim/stats/murmur3.h"
#include "sim/values/cql_value.h"

namespace windrow {
namespace {

// One record of RFC 4180 from the front of `rest`: fields may be quoted, with quotes doubled inside.
std::vector<std::string> next_record(std::string_view& rest) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  std::size_t i = 0;
  for (; i < rest.size(); ++i) {
    const char c = rest[i];
    if (quoted && c == '"' && i + 1 < rest.size() && rest[i + 1] == '"') {
      fields.back() += rest[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c == '\n' && !quoted) {
      break;
    } else if (c != '\r' || quoted) {
      fields.back() += c;
    }
  }
  rest.remove_prefix(std::min(i + 1, rest.size()));
  return fields;
}

// Types of the components of a partition key: "text" or "(text, date)".
std::vector<CqlType> key_types(const std::string& text) {
  const bool several = text.starts_with('(');
  const Schema schema = read_schema(fmt::format("CREATE TABLE k.t (k frozen<tuple<{}>> PRIMARY KEY);",
                                                several ? text.substr(1, text.size() - 2) : text));
  return schema.keyspaces.front().tables.front().columns.front().type.arguments;
}

std::string key_bytes(const std::vector<CqlType>& types, const std::string& text) {
  const CqlLiteral literal = parse_cql_literal(text);
  std::vector<std::string> components;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto value = cql_value(types[i], types.size() == 1 ? literal : literal.items.at(i));
    if (!value) throw std::runtime_error("null in a partition key: " + text);
    components.push_back(*value);
  }
  return partition_key(components);
}

}  // namespace

CaptureTokensResult verify_capture_tokens(std::string_view tokens_csv) {
  CaptureTokensResult result;
  std::map<std::string, std::vector<CqlType>> types;
  next_record(tokens_csv);  // the names
  while (!tokens_csv.empty()) {
    const std::vector<std::string> fields = next_record(tokens_csv);
    if (fields.size() < 4) continue;
    auto known = types.find(fields[0]);
    if (known == types.end()) known = types.emplace(fields[0], key_types(fields[0])).first;
    const std::string key = key_bytes(known->second, fields[1]);
    const std::string token = std::to_string(murmur3_token(key));
    const std::string name = "tokens/" + fields[0] + " " + fields[1];
    ++result.keys;
    if (hex_text(key) == fields[2] && token == fields[3]) ++result.agreeing;
    if (hex_text(key) != fields[2]) {
      result.disagreements.push_back(
          {.case_name = name, .field = "key_hex", .expected = fields[2], .ours = hex_text(key)});
    }
    if (token != fields[3]) {
      result.disagreements.push_back({.case_name = name, .field = "token", .expected = fields[3], .ours = token});
    }
  }
  return result;
}

}  // namespace windrow
