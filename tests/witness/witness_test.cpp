#include <doctest/doctest.h>

#include <string>

#include "tests/witness/lib/compare.h"
#include "tests/witness/lib/harness.h"

namespace windrow::witness {
namespace {

const std::string small =
    "days = 2\nflush_every_s = 7200\n"
    "table = gc_grace_seconds = 3600 AND default_time_to_live = 20000 AND compression = {'enabled': 'false'} AND "
    "compaction = {'class': 'SizeTieredCompactionStrategy', 'min_sstable_size': '0'}\n"
    "streams = m\nm.entities = 3\nm.period_s = 600\n";

TEST_CASE("a scenario played twice gives the same trace") {
  const OracleScenario scenario = parse_oracle_scenario(small);
  const Trace once = play(scenario);
  CHECK(compare(once, play(scenario)).empty());
  CHECK(std::get<TraceEnd>(once.events.back()).rows == 2 * 144 * 3);
}

}  // namespace
}  // namespace windrow::witness
