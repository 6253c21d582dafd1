#include "sim/cluster/not_played.h"

#include <stdexcept>
#include <string>

namespace windrow {

void refuse_what_is_not_played(const Workloads& workloads, const Scenario& scenario) {
  for (std::size_t t = 0; t < workloads.size(); ++t) {
    const TableWorkload& workload = *workloads[t];
    const std::string& name = scenario.tables[t].name;
    for (int s = 0; s < static_cast<int>(workload.sub_streams().size()); ++s) {
      if (workload.keyed(s))
        throw std::invalid_argument(
            "table " + name +
            ": not modelled yet: outages and repairs where rows meet one by one (keys that are "
            "written again, deletes of partitions and ranges): replicas are compared by intervals of "
            "rows, and here a node that missed a write shows other rows than its neighbours in "
            "every interval");
    }
    if (workload.draws_keys())
      throw std::invalid_argument("table " + name +
                                  ": not modelled yet: outages and repairs with keys drawn at random");
    if (!scenario.tables[t].flushes.empty())
      throw std::invalid_argument("table " + name + ": not modelled yet: outages and repairs with recorded flushes");
  }
}

}  // namespace windrow
