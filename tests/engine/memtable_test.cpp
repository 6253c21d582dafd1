#include "sim/engine/memtable.h"

#include <doctest/doctest.h>

#include "tests/content/interval_case.h"

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

}  // namespace
