// The recorded timelines of a cluster in yardsticks: one million operations of a binary-heap hold model in the same
// process. Reading the text and replaying its cases are measured apart; unpacking is not measured.
// usage: bench_cluster_cases [--tiny]

#include <fmt/core.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "bench/hold_model.h"
#include "evidence/timelines/timeline_check.h"
#include "evidence/timelines/timeline_ring.h"
#include "tests/support/xz.h"

int main(int argc, char** argv) {
  using windrow_bench::seconds_of;
  const bool tiny = argc > 1 && std::strcmp(argv[1], "--tiny") == 0;
  std::uint64_t checksum = 0;
  const double yardstick = seconds_of([&] { checksum = windrow_bench::hold_model(tiny ? 10'000 : 1'000'000); });
  fmt::print("yardstick {:.4f} s, checksum {:x}\n", yardstick, checksum);

  std::string text = windrow::test::read_xz("tests/cluster-oracle/cases.jsonl.xz");
  if (tiny) text.resize(text.find('\n') + 1);
  std::vector<windrow::TimelineCase> cases;
  const double read_s = seconds_of([&] { cases = windrow::parse_timeline_cases(text); });
  const windrow::TimelineRing ring = windrow::harness_ring();
  windrow::TimelineCounts counts;
  const double played_s = seconds_of([&] {
    for (const windrow::TimelineCase& one : cases) counts.add(windrow::check_timeline(one, ring).counts);
  });
  fmt::print(
      "{} cases, {} reads, {} contents: read in {:.2f} yardsticks, played and compared in {:.2f}; together {:.2f}\n",
      cases.size(), counts.reads.all, counts.contents.all, read_s / yardstick, played_s / yardstick,
      (read_s + played_s) / yardstick);
  return 0;
}
