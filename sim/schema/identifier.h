#pragma once

#include <string>
#include <string_view>

namespace windrow {

/// Is it a keyword that cannot be a name without double quotes (ReservedKeywords, Cassandra 5.0.9)? Any case.
bool is_reserved_keyword(std::string_view word);

/// Is it a keyword that may also be a name (unreserved_keyword of Parser.g, Cassandra 5.0.9)? Any case.
bool is_unreserved_keyword(std::string_view word);

/// A name as CQL text: in double quotes unless it is lower case, starts with a letter and is not reserved
/// (ColumnIdentifier.maybeQuote).
std::string quoted_if_needed(std::string_view name);

/// In single quotes, inner ones doubled.
std::string quoted_string(std::string_view text);

/// ASCII letters only, as CQL's keywords have.
std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);
bool equals_ignore_case(std::string_view a, std::string_view b);

}  // namespace windrow
