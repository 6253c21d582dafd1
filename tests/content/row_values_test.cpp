#include "sim/content/row_values.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/content/census_paces.h"
#include "tests/content/interval_case.h"

namespace {

using namespace windrow;

using namespace windrow::test;

}  // namespace

TEST_CASE("few members are counted by the sizes that they have as many are by all sizes") {
  std::vector<std::int32_t> sizes;
  for (std::int32_t i = 0; i < 300; ++i) sizes.push_back(90 + i * 37 % 190);
  for (const std::int64_t late_every : {0, 7}) {
    const Case what{.sizes = sizes, .late_every = late_every};
    const TableWorkload workload = workload_of(what);
    for (const SubStream& sub : workload.sub_streams()) {
      const RowValues values(sub);
      for (const auto& [from, to] : {std::pair{0, 0}, {0, 1}, {5, 40}, {290, 320}, {1'003, 1'190}}) {
        std::vector<Rows> all(values.bytes().size(), 0);
        values.count(from, to, all);
        SizeCounts few;
        values.count_few(from, to, few);
        std::size_t place = 0;
        for (std::size_t size = 0; size < all.size(); ++size) {
          if (all[size] == 0) continue;
          REQUIRE(place < few.bytes.size());
          CHECK(few.bytes[place] == values.bytes()[size]);
          CHECK(few.rows[place++] == all[size]);
        }
        CHECK(place == few.rows.size());
      }
    }
  }
}

TEST_CASE("partitions of runs that have as many events are put together, and no event is lost") {
  const PacedPartitions alike{.partitions = 1'000, .events = 1.3};
  std::vector<double> upto;
  std::vector<double> paces;
  for (int run = 1; run <= 50; ++run) {
    upto.push_back(run / 50.0);
    paces.push_back(std::exp(run / 10.0) / 30);
  }
  double due = 0;
  for (const double pace : paces) due += alike.events * pace * 20;
  std::int64_t before = 0;
  std::int64_t partitions_of_all = 0;
  std::int64_t events_of_all = 0;
  int times = 0;
  share_by_pace(alike, upto, paces, [&](std::int64_t partitions, std::int64_t events) {
    CHECK(partitions > 0);
    CHECK(events > 0);
    CHECK(events >= before);
    before = events;
    partitions_of_all += partitions;
    events_of_all += partitions * events;
    ++times;
  });
  CHECK(partitions_of_all <= alike.partitions);
  CHECK(std::abs(static_cast<double>(events_of_all) - due) <= 1);
  CHECK(times < 50);
}
