#include <doctest/doctest.h>

#include <algorithm>

#include "bench/year_case.h"
#include "sim/engine/node.h"

namespace windrow {
namespace {

using windrow_bench::scenario_of;
using windrow_bench::YearCase;

class MostCohorts final : public RunObserver {
 public:
  void flushed(const Node&, const FlushEvent& event) override { see(*event.change); }
  void committed(const Node&, const CommitEvent& event) override { see(*event.change); }
  std::size_t most = 0;

 private:
  void see(const Change& change) {
    for (const SSTablePtr& file : change.added) most = std::max(most, file->content().cohorts.size());
  }
};

std::size_t most_cohorts(const CompactionOptions& compaction, Seconds ttl_s, double days) {
  const YearCase what{.name = "t", .compaction = compaction, .megabytes_per_s = 0.1, .ttl_s = ttl_s};
  Scenario scenario = scenario_of(what, days * 86'400);
  MostCohorts most;
  run_node(scenario, most, {});
  return most.most;
}

TEST_CASE("cohorts of an SSTable do not grow with the span of its data") {
  for (const Seconds ttl_s : {Seconds{0}, Seconds{20 * 86'400}}) {
    CAPTURE(ttl_s);
    CHECK(most_cohorts(SizeTieredOptions{}, ttl_s, 30) > 0);
    CHECK(most_cohorts(SizeTieredOptions{}, ttl_s, 300) <= most_cohorts(SizeTieredOptions{}, ttl_s, 60));
    CHECK(most_cohorts(TimeWindowOptions{}, ttl_s, 300) <= most_cohorts(TimeWindowOptions{}, ttl_s, 60));
  }
}

}  // namespace
}  // namespace windrow
