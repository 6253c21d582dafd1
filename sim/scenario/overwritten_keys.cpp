#include "sim/scenario/overwritten_keys.h"

#include <algorithm>

#include "sim/scenario/scenario_workload.h"

namespace windrow {

bool needs_each_key(const Scenario& scenario, const WriterSpec& spec) {
  if (spec.op != WriteOp::overwrite) return false;
  const auto of_table = [](const TableOptions& options) { return options.default_time_to_live > 0; };
  const bool table_expires = std::ranges::any_of(options_ever(scenario, spec.table), of_table);
  const bool expires = std::ranges::any_of(
      spec.ttl, [&](const TtlShare& share) { return share.ttl_s > 0 || (share.ttl_s < 0 && table_expires); });
  return expires || (spec.ttl.empty() && table_expires) || !spec.late.empty() || cut_by_token(scenario, spec.table);
}

bool overwrites_one_by_one(const Scenario& scenario, const WriterSpec& spec) {
  return needs_each_key(scenario, spec) && spec.overwrite.order == OverwriteRule::Order::cyclic;
}

}  // namespace windrow
