#include "sim/cluster/not_played.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sim/scenario/read_fan_out.h"

namespace windrow {

namespace {

/// Of a table whose rows meet one by one: what is not followed.
std::string not_followed(const Scenario& scenario, int t, bool all_alike) {
  const TableOptions& options = scenario.tables[static_cast<std::size_t>(t)].schema.options;
  if (!all_alike)
    return "on nodes of which not each holds every row, or with repairs of primary ranges, one node after the other, "
           "or of "
           "subranges; as many nodes as copies, and order = together, do";
  if (scenario.node.lost_mutations_ppm > 0) return "with lost_mutations";
  const bool repairing = std::ranges::any_of(scenario.reads, [&](const ReadSpec& read) {
    return read.table == t && replicas_waited_for(read.consistency, scenario.data_centers) > 1;
  });
  return repairing && options.read_repair == "BLOCKING" ? "and reads above ONE, which repair rows; read_repair = 'NONE'"
                                                        : "";
}

}  // namespace

void refuse_what_is_not_played(const Workloads& workloads, const Scenario& scenario, bool all_alike) {
  for (std::size_t t = 0; t < workloads.size(); ++t) {
    const TableWorkload& workload = *workloads[t];
    const std::string& name = scenario.tables[t].name;
    const std::string why =
        workload.keyed_arrivals().empty() ? "" : not_followed(scenario, static_cast<int>(t), all_alike);
    if (!why.empty())
      throw std::invalid_argument(
          "table " + name +
          ": not modelled yet: outages and repairs where rows meet one by one (keys that are written again, deletes of "
          "partitions and ranges) " +
          why);
    if (std::ranges::any_of(workload.writers(), [](const Writer& writer) { return !writer.statics.empty(); }))
      throw std::invalid_argument("table " + name +
                                  ": not modelled yet: outages and repairs with static columns: replicas are compared "
                                  "by intervals of rows, and static rows are none");
    if (workload.draws_keys())
      throw std::invalid_argument("table " + name +
                                  ": not modelled yet: outages and repairs with keys drawn at random");
    if (!scenario.tables[t].flushes.empty())
      throw std::invalid_argument("table " + name + ": not modelled yet: outages and repairs with recorded flushes");
  }
}

}  // namespace windrow
