#include "sim/cluster/not_played.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace windrow {

void refuse_what_is_not_played(const Workloads& workloads, const Scenario& scenario, bool all_alike) {
  for (std::size_t t = 0; t < workloads.size(); ++t) {
    const TableWorkload& workload = *workloads[t];
    const std::string& name = scenario.tables[t].name;
    if (!workload.keyed_arrivals().empty() && !all_alike)
      throw std::invalid_argument(
          "table " + name +
          ": not modelled yet: outages and repairs where rows meet one by one (keys that are written again, deletes of "
          "partitions and ranges) on nodes of which not each holds every row, or with repairs of primary ranges, one "
          "node after the other, or of subranges; as many nodes as copies, and order = together, do");
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
