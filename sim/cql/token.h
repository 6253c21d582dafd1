#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cql/cql_error.h"

namespace windrow {

/// One word or sign of CQL (Lexer.g, Cassandra 5.0.9).
struct CqlToken {
  enum class Kind {
    identifier,  // also keywords
    quoted_name,
    string,
    integer,
    float_,  // also NaN and Infinity with a sign
    boolean,
    duration,
    uuid,
    hex,
    sign,
    end,    // of the statement
    error,  // what the server's lexer refuses; `text` says why
  };
  Kind kind = Kind::end;
  std::string text{};  // quotes removed and doubled quotes halved; as written otherwise
  Span at{};
};

/// The statements of `text`, each with an `end` token behind it that stands at its semicolon or at the end of the text.
/// Empty statements are left out. Commands of cqlsh end with their line, as there. So do USE and COPY before a line
/// that begins with CREATE, ALTER, DROP or USE, where their semicolon is forgotten: an error token says so of USE.
std::vector<std::vector<CqlToken>> split_statements(std::string_view text);

}  // namespace windrow
