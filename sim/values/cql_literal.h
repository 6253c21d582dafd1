#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace windrow {

/// A literal that is none, or none of its type; what() says which and what is accepted.
struct CqlValueError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A constant or collection of constants as CQL writes them, before its type is known.
struct CqlLiteral {
  enum class Kind { null, word, string, list, tuple, set, map };

  Kind kind = Kind::null;
  std::string text{};               // of a word or string, without quotes
  std::vector<CqlLiteral> items{};  // of a map or udt: key, value, key, value, ...; names of fields are words
};

/// Throws CqlValueError.
CqlLiteral parse_cql_literal(std::string_view text);

}  // namespace windrow
