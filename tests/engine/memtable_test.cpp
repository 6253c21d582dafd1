#include "sim/engine/memtable.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/content/mix_case.h"

namespace {

using namespace windrow;

TEST_CASE("a memtable holds as many cohorts as there are kinds of rows, however often it is looked at") {
  const test::Case what{.entities = 20, .late_every = 5};
  const TableWorkload workload = test::workload_of(what);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  REQUIRE(workload.sub_streams().size() == 2);
  // In the units of the only writer.
  constexpr std::int64_t start = 1'767'225'600;
  constexpr std::int64_t end = start + 5'000;
  Memtable often(space);
  Memtable once(space);
  for (int flush = 0; flush < 2; ++flush) {
    for (std::int64_t at = start; at <= end; at += 50) often.take_until({.time = at + flush * (end - start)}, 0);
    once.take_until({.time = end + flush * (end - start)}, 0);
    CHECK(often.raw().cohorts.size() == static_cast<std::size_t>(1 + flush));  // the late ones come later
    CHECK(once.writes() > 800);
    CHECK(often.writes() == once.writes());
    const Content seen = often.content();
    const Content whole = once.content();
    REQUIRE(seen.cohorts.size() == whole.cohorts.size());
    for (std::size_t i = 0; i < seen.cohorts.size(); ++i) {
      CHECK(alike(seen.cohorts[i], whole.cohorts[i]));
      CHECK(seen.cohorts[i].from == whole.cohorts[i].from);
      CHECK(seen.cohorts[i].to == whole.cohorts[i].to);
    }
    often.clear();
    once.clear();
  }
}

/// All that came from one time to the other, taken at once, cohort by cohort: of a table whose keys are hashed.
Content by_cohorts(const TableWorkload& workload, Micros from_us, Micros to_us, Seconds default_ttl_s) {
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  Memtable memtable(space);
  memtable.take_until({.time = from_us}, default_ttl_s);
  memtable.clear();
  memtable.take_until({.time = to_us}, default_ttl_s);
  CHECK(!memtable.swath());
  return memtable.content();
}

void check_same(const Content& a, const Content& b) {
  REQUIRE(a.cohorts.size() == b.cohorts.size());
  for (std::size_t i = 0; i < a.cohorts.size(); ++i) {
    CHECK(alike(a.cohorts[i], b.cohorts[i]));
    CHECK(a.cohorts[i].from == b.cohorts[i].from);
    CHECK(a.cohorts[i].to == b.cohorts[i].to);
  }
  CHECK(a.bases.get() == b.bases.get());
  CHECK(a.bases.columns.count() == b.bases.columns.count());
}

TEST_CASE("a memtable of many kinds of rows is a swath of the same rows, until something else comes") {
  const TableWorkload workload = test::mix(true, false, {20});
  ContentSpace space(workload, 9, SSTableFormat::oa);
  space.use_lattice();
  Memtable memtable(space);
  Micros from_us = test::start_us;
  for (int flush = 0; flush < 6; ++flush) {
    const Micros to_us = from_us + (1 + flush % 3) * 7'000 * us_per_s + flush * 1'234'567;
    for (Micros at_us = from_us; at_us < to_us; at_us += 3'456'789'000) memtable.take_until({.time = at_us}, 0);
    memtable.take_until({.time = to_us}, 0);
    const Content whole = by_cohorts(workload, from_us, to_us, 0);
    const std::optional<Swath> swath = memtable.swath();
    REQUIRE(swath);
    CHECK(swath->rows() == memtable.counted_writes());
    CHECK(swath->not_above_us == to_us - 1);
    check_same(swath->content(), whole);
    check_same(memtable.content(), whole);
    check_same(memtable.raw(), whole);
    memtable.clear();
    CHECK(!memtable.swath());
    from_us = to_us;
  }
  // Another TTL, while it holds rows with the first.
  const Micros altered_us = from_us + 5'000 * us_per_s;
  const Micros to_us = altered_us + 5'000 * us_per_s;
  memtable.take_until({.time = altered_us}, 0);
  memtable.take_until({.time = to_us}, 86'400);
  CHECK(!memtable.swath());
  Content both = by_cohorts(workload, from_us, altered_us, 0);
  const Content later = by_cohorts(workload, altered_us, to_us, 86'400);
  both.cohorts.insert(both.cohorts.end(), later.cohorts.begin(), later.cohorts.end());
  both.bases.see(later.bases);
  join_cohorts(both.cohorts);
  check_same(memtable.content(), both);
  memtable.clear();
  memtable.take_until({.time = to_us + 5'000 * us_per_s}, 86'400);
  REQUIRE(memtable.swath());
  check_same(memtable.swath()->content(), by_cohorts(workload, to_us, to_us + 5'000 * us_per_s, 86'400));
}

TEST_CASE("what is lost ends a swath, and what comes after it is one again") {
  const TableWorkload workload = test::mix(true, false, {20});
  ContentSpace space(workload, 9, SSTableFormat::oa);
  space.use_lattice();
  Memtable memtable(space);
  const Micros away_us = test::start_us + 10'000 * us_per_s;
  const Micros back_us = away_us + 20'000 * us_per_s;
  memtable.take_until({.time = away_us}, 0);
  REQUIRE(memtable.swath());
  memtable.arrivals().stop(away_us);
  memtable.arrivals().resume(back_us);
  memtable.take_until({.time = back_us + 10'000 * us_per_s}, 0);
  CHECK(!memtable.swath());
  Rows lost = 0;
  for (int s = 0; s < static_cast<int>(workload.sub_streams().size()); ++s) {
    for (const auto& [first, last] : memtable.arrivals().lost(s)) lost += last - first;
  }
  CHECK(lost > 0);
  CHECK(memtable.writes() + lost == workload.arrivals_before({.time = back_us + 10'000 * us_per_s}));
  memtable.clear();
  memtable.take_until({.time = back_us + 20'000 * us_per_s}, 0);
  REQUIRE(memtable.swath());
  check_same(memtable.swath()->content(),
             by_cohorts(workload, back_us + 10'000 * us_per_s, back_us + 20'000 * us_per_s, 0));
}

}  // namespace
