#include "sim/lint/catalog.h"

namespace windrow {

const LintRule server_refuses{
    .id = "server-refuses",
    .severity = Severity::error,
    .what = "Cassandra does not accept the statement",
    .why = "The statement does nothing; what needs it, as an index its table, was not looked at.",
    .fix = "What the message says.",
    .seen = "a CQL file holds a statement that Cassandra 5.0.9 answers with an error."};

}  // namespace windrow
