#include "sim/record/blockers.h"

#include <doctest/doctest.h>

#include <vector>

namespace windrow {
namespace {

constexpr Seconds gc_grace_s = 100;

/// Writes of [from, to] seconds, expiring at `expires_s`.
FileFacts file(std::int64_t id, Bytes bytes, Seconds from, Seconds to, Seconds expires_s) {
  return {.id = id,
          .bytes = bytes,
          .min_timestamp_us = from * us_per_s,
          .max_timestamp_us = to * us_per_s,
          .max_local_deletion_time_s = expires_s};
}

TEST_CASE("an expired file is held by what is not expired and as old as its newest write") {
  const std::vector<FileFacts> files = {file(1, 10, 0, 9, 50), file(2, 20, 10, 19, 60), file(3, 40, 5, 30, 1000)};
  const BlockReport report = find_blocked(files, {}, 100, gc_grace_s);
  REQUIRE(report.blocked.size() == 2);
  CHECK(report.blocked_bytes == 30);
  CHECK(report.blocked[0].blocked_by == std::vector<std::int64_t>{3});
  CHECK(report.blocked[0].droppable_since_s == 151);
  CHECK(report.blocked[0].goes_at_s == 1101);  // when the blocker is itself past gc_grace
  REQUIRE(report.blockers.size() == 1);
  CHECK(report.blockers[0].holds_bytes == 30);
  CHECK(report.blockers[0].frees_bytes == 30);
}

TEST_CASE("strictly older writes do not block, equal ones do") {
  CHECK(
      find_blocked(std::vector{file(1, 10, 0, 9, 50), file(2, 1, 10, 30, 1000)}, {}, 100, gc_grace_s).blocked.empty());
  CHECK(find_blocked(std::vector{file(1, 10, 0, 9, 50), file(2, 1, 9, 30, 1000)}, {}, 100, gc_grace_s).blocked.size() ==
        1);
  // At gcBefore itself a file is not expired yet.
  CHECK(
      find_blocked(std::vector{file(1, 10, 0, 9, 100), file(2, 1, 0, 30, 1000)}, {}, 100, gc_grace_s).blocked.empty());
}

TEST_CASE("expired files block nobody") {
  CHECK(find_blocked(std::vector{file(1, 10, 0, 9, 50), file(2, 20, 0, 30, 99)}, {}, 100, gc_grace_s).blocked.empty());
}

TEST_CASE("rows without TTL and the memtable block too; with two blockers neither alone frees a byte") {
  const std::vector<FileFacts> files = {file(1, 10, 0, 9, 50), file(2, 20, 10, 19, 60),
                                        file(3, 40, 5, 30, no_deletion_time)};
  const MemtableFacts memtable{.min_timestamp_us = 15 * us_per_s, .expires_s = [] { return Seconds{500}; }};
  const BlockReport report = find_blocked(files, memtable, 100, gc_grace_s);
  REQUIRE(report.blocked.size() == 2);
  CHECK(report.blocked[0].goes_at_s == no_deletion_time);
  CHECK(report.blocked[1].blocked_by == std::vector<std::int64_t>{3, memtable_id});
  REQUIRE(report.blockers.size() == 2);
  CHECK(report.blockers[0].id == 3);
  CHECK(report.blockers[0].holds_bytes == 30);
  CHECK(report.blockers[0].frees_bytes == 10);  // file 1 only: the memtable holds file 2
  CHECK(report.blockers[1].id == memtable_id);
  CHECK(report.blockers[1].holds_bytes == 20);
  CHECK(report.blockers[1].frees_bytes == 0);
}

}  // namespace
}  // namespace windrow
