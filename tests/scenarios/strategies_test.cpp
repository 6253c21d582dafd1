#include <doctest/doctest.h>

#include <initializer_list>

#include "tests/scenarios/played.h"

// What the scenarios of other strategies show, as their first lines say it.

namespace windrow {
namespace {

using test::Played;

TEST_CASE("four-strategies: levels write most often, windows keep least, tiers and shards keep what is past gc_grace") {
  const Played run("four-strategies");
  const auto written = [&](std::size_t table) { return run.table(table).write_amplification(); };
  CHECK(written(1) < written(0));
  CHECK(written(0) < 7);
  CHECK(written(3) < 7);
  CHECK(written(2) > 3 * written(0));
  const auto space = [&](std::size_t table) { return *run.last(table).space_amplification; };
  CHECK(space(1) < 1.05);
  for (const std::size_t table : std::initializer_list<std::size_t>{0, 2, 3}) CHECK(space(table) > 1.2);
  CHECK_FALSE(run.table(1).evenly_spread);
  CHECK(run.table(2).evenly_spread);
}

TEST_CASE("ucs-tuning: fewer SSTables are paid for with bytes written again") {
  const Played run("ucs-tuning");
  const auto written = [&](std::size_t table) { return run.table(table).write_amplification(); };
  const auto most = [&](std::size_t table) { return run.table(table).sstables.value; };
  // T2, T4, T8, N, L4, L10
  CHECK(written(2) < written(1));
  CHECK(written(1) < written(0));
  CHECK(written(4) < written(5));
  CHECK(most(2) > most(1));
  CHECK(most(1) > most(4));
  CHECK(most(4) > most(5));
}

TEST_CASE("stcs-to-ucs: large SSTables are cut into shards, which needs disk for days") {
  const Played run("stcs-to-ucs");
  CHECK(run.breach_days("disk_used_share") == doctest::Approx(94.9).epsilon(0.02));
  CHECK(run.table().disk.value > 1.3 * static_cast<double>(run.after_days(90).live_bytes));
}

}  // namespace
}  // namespace windrow
