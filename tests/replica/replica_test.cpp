#include "sim/replica/replica.h"

#include <doctest/doctest.h>

#include "tests/replica/made_writes.h"

namespace windrow {
namespace {

using namespace test;

TEST_CASE("a flush makes one file of what the memtable shows, with its times") {
  Replica replica;
  const ReplicaTable table = made_table();
  replica.write(value(5, 1, 100, 1), table.values);
  replica.write(row_delete(5, 1, 200, 20), table.values);
  replica.write(value(5, 2, 150, 2), table.values);
  replica.flush();
  REQUIRE(replica.files().size() == 1);
  const ReplicaFile& file = replica.files().front();
  CHECK(file.rows == 2);
  CHECK(file.content->front().rows.front().cells.empty());
  CHECK(file.extremes.min_timestamp_us == 150);
  CHECK(file.extremes.max_timestamp_us == 200);
  CHECK(file.extremes.min_local_deletion_time_s == 20);
  CHECK(replica.memtable().empty());
  replica.flush();
  CHECK(replica.files().size() == 1);
}

TEST_CASE("a compaction purges only what nobody else holds something older of") {
  const ReplicaTable table = made_table(10);
  Replica replica;
  replica.write(row_delete(5, 1, 200, 20), table.values);
  replica.flush();
  SUBCASE("an older write in the memtable") {
    replica.write(value(5, 2, 150, 1), table.values);
    replica.compact(table, 31, {}, {});
    CHECK(replica.files().size() == 1);
  }
  SUBCASE("an older write of another partition") {
    replica.write(value(6, 2, 150, 1), table.values);
    replica.compact(table, 31, {}, {});
    CHECK(replica.files().empty());
  }
  SUBCASE("gc_grace is not over in its last second") {
    replica.compact(table, 30, {}, {});
    CHECK(replica.files().size() == 1);
  }
}

TEST_CASE("a compaction keeps repair states apart, and only promotes what an ended session left pending") {
  const ReplicaTable table = made_table();
  Replica replica;
  for (int i = 0; i < 2; ++i) {
    for (const RepairStatus& status : {RepairStatus{}, RepairStatus{7'000, 0}, RepairStatus{0, 1}, RepairStatus{0, 2}})
      replica.add_file({value(5, i, 100 + i, 1)}, status);
  }
  const EndedSessions ended{{1, 9'000}, {2, 0}};
  replica.compact(table, 10, ended, {});
  const auto with = [&](const RepairStatus& status) {
    return std::ranges::count(replica.files(), status, &ReplicaFile::status);
  };
  CHECK(with({7'000, 0}) == 1);
  CHECK(with({9'000, 0}) == 2);
  CHECK(with({}) == 3);  // one merged, two of the session that failed
  replica.compact(table, 10, ended, {});
  CHECK(with({7'000, 0}) == 1);
  CHECK(with({}) == 1);
  CHECK(replica.files().size() == 2);
}

TEST_CASE("anticompaction marks files inside the ranges and splits the others, in groups") {
  ReplicaTable table = made_table();
  Replica replica;
  const std::vector<TokenInterval> ranges{{0, 10}};
  replica.add_file({value(5, 1, 100, 1)}, {});
  replica.add_file({value(5, 1, 100, 1), value(15, 1, 100, 1)}, {});
  replica.add_file({value(6, 1, 100, 1), value(16, 1, 100, 1)}, {});
  replica.add_file({value(20, 1, 100, 1)}, {});
  replica.add_file({value(7, 1, 100, 1)}, {.repaired_at_ms = 1, .pending_session = 0});
  const auto pending = [&] {
    return std::ranges::count_if(replica.files(),
                                 [](const ReplicaFile& file) { return file.status.pending_session == 3; });
  };
  SUBCASE("pairs") {
    CHECK(replica.anticompact(table, ranges, 3, 10, {}) == 2);
    CHECK(pending() == 2);
    CHECK(replica.files().size() == 5);
  }
  SUBCASE("singly") {
    table.anticompaction_group = 1;
    CHECK(replica.anticompact(table, ranges, 3, 10, {}) == 2);
    CHECK(pending() == 3);
    CHECK(replica.files().size() == 7);
  }
}

}  // namespace
}  // namespace windrow
