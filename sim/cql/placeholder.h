#pragma once

#include <string_view>

#include "sim/cql/cql_error.h"

namespace windrow {

/// `{{ keyspace }}`, `${keyspace}`, `%s`, `<keyspace>`, `@keyspace@`, `{keyspace}`, `$keyspace`: what a template leaves
/// open, at or around a byte of the text; empty if there is none.
std::string_view placeholder_at(std::string_view text, std::size_t at);

/// What is wrong with a statement, said of the placeholder where it stands at one.
CqlComplaint with_placeholder(CqlComplaint complaint, std::string_view text);

}  // namespace windrow
