#include "sim/lint/catalog.h"

namespace windrow {

const LintRule needs_a_setting{
    .id = "needs-a-setting",
    .severity = Severity::error,
    .what = "a node with shipped settings refuses the statement",
    .why =
        "Materialized views, SASI indexes and user-defined functions are off in the cassandra.yaml of 5.0: "
        "materialized_views_enabled, sasi_indexes_enabled, user_defined_functions_enabled.",
    .fix =
        "A second table that the application writes instead of a view; USING 'sai' instead of SASI; functions in the "
        "application. Or the setting, on every node.",
    .seen = "a CQL file makes a materialized view, a SASI index, a function or an aggregate."};

}  // namespace windrow
