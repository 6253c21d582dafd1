#include "sim/schema/identifier.h"

#include <algorithm>
#include <array>

namespace windrow {

namespace {

// cql3/reserved_keywords.txt of Cassandra 5.0.9, sorted.
constexpr std::array reserved_keywords = std::to_array<std::string_view>(
    {"ADD",  "ALLOW",        "ALTER",  "AND",          "APPLY",    "ASC",      "AUTHORIZE",   "BATCH",   "BEGIN",
     "BY",   "COLUMNFAMILY", "CREATE", "DELETE",       "DESC",     "DESCRIBE", "DROP",        "ENTRIES", "EXECUTE",
     "FROM", "FULL",         "GRANT",  "IF",           "IN",       "INDEX",    "INFINITY",    "INSERT",  "INTO",
     "IS",   "KEYSPACE",     "LIMIT",  "MATERIALIZED", "MODIFY",   "NAN",      "NORECURSIVE", "NOT",     "NULL",
     "OF",   "ON",           "OR",     "ORDER",        "PRIMARY",  "RENAME",   "REVOKE",      "SCHEMA",  "SELECT",
     "SET",  "TABLE",        "TO",     "TOKEN",        "TRUNCATE", "UNLOGGED", "UPDATE",      "USE",     "USING",
     "VIEW", "WHERE",        "WITH"});

// unreserved_keyword of Parser.g, sorted.
constexpr std::array unreserved_keywords = std::to_array<std::string_view>(
    {"ACCESS",      "AGGREGATE",      "AGGREGATES", "ALL",      "ANN",          "AS",        "ASCII",
     "BIGINT",      "BLOB",           "BOOLEAN",    "CALLED",   "CAST",         "CIDRS",     "CLUSTER",
     "CLUSTERING",  "COLUMNFAMILIES", "COMPACT",    "CONTAINS", "COUNT",        "COUNTER",   "CUSTOM",
     "DATACENTERS", "DATE",           "DECIMAL",    "DEFAULT",  "DISTINCT",     "DOUBLE",    "DURATION",
     "EXISTS",      "FILTERING",      "FINALFUNC",  "FLOAT",    "FROZEN",       "FUNCTION",  "FUNCTIONS",
     "GROUP",       "HASHED",         "IDENTITY",   "INET",     "INITCOND",     "INPUT",     "INT",
     "INTERNALS",   "JSON",           "KEY",        "KEYS",     "KEYSPACES",    "LANGUAGE",  "LIKE",
     "LIST",        "LOGIN",          "MAP",        "MASKED",   "MAXWRITETIME", "MBEAN",     "MBEANS",
     "NOLOGIN",     "NOSUPERUSER",    "ONLY",       "OPTIONS",  "PARTITION",    "PASSWORD",  "PER",
     "PERMISSION",  "PERMISSIONS",    "REPLACE",    "RETURNS",  "ROLE",         "ROLES",     "SELECT_MASKED",
     "SFUNC",       "SMALLINT",       "STATIC",     "STORAGE",  "STYPE",        "SUPERUSER", "TABLES",
     "TEXT",        "TIME",           "TIMESTAMP",  "TIMEUUID", "TINYINT",      "TRIGGER",   "TTL",
     "TUPLE",       "TYPE",           "TYPES",      "UNMASK",   "UNSET",        "USER",      "USERS",
     "UUID",        "VALUES",         "VARCHAR",    "VARINT",   "VECTOR",       "WRITETIME"});

std::string in_quotes(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char letter : text) {
    result += letter;
    if (letter == quote) result += quote;
  }
  return result + quote;
}

constexpr char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}
constexpr char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

bool is_reserved_keyword(std::string_view word) {
  return std::ranges::binary_search(reserved_keywords, std::string_view(upper_case(word)));
}

bool is_unreserved_keyword(std::string_view word) {
  return std::ranges::binary_search(unreserved_keywords, std::string_view(upper_case(word)));
}

std::string quoted_if_needed(std::string_view name) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto later = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  const bool plain = !name.empty() && letter(name.front()) && std::ranges::all_of(name, later);
  return plain && !is_reserved_keyword(name) ? std::string(name) : in_quotes(name, '"');
}

std::string quoted_string(std::string_view text) { return in_quotes(text, '\''); }

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), upper);
  return result;
}

bool equals_ignore_case(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, upper, upper); }

}  // namespace windrow
