#pragma once

#include <vector>

#include "sim/cql/cql_error.h"
#include "sim/cql/settings.h"
#include "sim/cql/statement.h"

namespace windrow {

/// Everything in a statement's WITH that a server refuses, in the order in which it would say so if one after the other
/// was taken out; nothing where the options are right or the statement has none. Of what is in a map, the entry is
/// taken out; of a strategy, compressor or other class that there is not, the whole map, since nothing more can be said
/// of it. At most twenty.
std::vector<CqlComplaint> wrong_options(const Statement& statement, const CqlSettings& settings);

}  // namespace windrow
