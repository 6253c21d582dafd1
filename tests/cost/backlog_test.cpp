#include "sim/cost/backlog.h"

#include <doctest/doctest.h>

namespace windrow {
namespace {

constexpr double piece_s = 100;

/// Ten flushes of a megabyte in a piece, each row of which is written once more.
Backlog::Asked ten_flushes() {
  return {.flushes = 10,
          .flush_bytes = 1e6,
          .flushes_live = 100,
          .passes = {.compactions = 0.25, .written = 1.25, .read = 1, .of_a_row = 2}};
}

NodeSettings compacting(double bytes_per_s) {
  NodeSettings node;
  node.compaction_throughput_bytes_per_s = bytes_per_s;
  node.concurrent_compactors = 2;
  return node;
}

TEST_CASE("compactors that keep up leave nothing waiting") {
  for (const double bytes_per_s : {1e5, 0.0}) {  // just so, and without a limit
    Backlog backlog(compacting(bytes_per_s), 1);
    const Passes passes = backlog.next({ten_flushes()}, piece_s).front();
    CHECK(passes.waiting == 0);
    CHECK(passes.of_a_row == 2);
    CHECK(passes.compactions == 0.25);
  }
}

TEST_CASE("half of what is asked for is done, the rest waits, and is done when there is time") {
  Backlog backlog(compacting(0.5e5), 1);
  const double merging = 2 * 32;  // by two compactors
  for (int piece = 1; piece <= 3; ++piece) {
    const Passes passes = backlog.next({ten_flushes()}, piece_s).front();
    CHECK(passes.waiting == doctest::Approx(5 * piece + merging));
    CHECK(passes.of_a_row == doctest::Approx(1.5));
    CHECK(passes.compactions < 0.125);  // more at once
  }
  Backlog::Asked nothing = ten_flushes();
  nothing.flushes = 0;
  for (int piece = 0; piece < 3; ++piece) backlog.next({nothing}, piece_s);
  CHECK(backlog.next({nothing}, piece_s).front().waiting == 0);
}

TEST_CASE("tables share what compactors can do by what they ask for") {
  Backlog backlog(compacting(0.5e5), 2);
  Backlog::Asked larger = ten_flushes();
  larger.flushes = 30;
  const std::vector<Passes> passes = backlog.next({ten_flushes(), larger}, piece_s);
  CHECK(passes[0].of_a_row == doctest::Approx(1.125));
  CHECK(passes[1].of_a_row == doctest::Approx(1.125));
}

TEST_CASE("where the disk is full nothing is compacted") {
  NodeSettings node = compacting(0);
  for (const Bytes free_bytes : {101'000'000, 99'000'000}) {
    node.disk_bytes = 500'000'000;
    node.other_disk_bytes = node.disk_bytes - free_bytes;
    Backlog backlog(node, 1);
    backlog.next({ten_flushes()}, piece_s);
    const Passes passes = backlog.next({ten_flushes()}, piece_s).front();
    const bool fits = free_bytes > 100'000'000;
    CHECK(passes.compactions == doctest::Approx(fits ? 0.25 : 0));
    CHECK(passes.waiting >= (fits ? 0 : 20));
  }
}

}  // namespace
}  // namespace windrow
