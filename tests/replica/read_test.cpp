#include "sim/replica/read.h"

#include <doctest/doctest.h>

#include <array>

#include "tests/replica/made_writes.h"

namespace windrow {
namespace {

using namespace test;

bool every_column(std::int16_t) { return true; }

TEST_CASE("a coordinator asks itself, then live replicas in ring order") {
  const std::array order{2, 0, 1};
  CHECK(contacted(order, {true, true, true}, 1, 2) == std::vector{1, 2});
  CHECK(contacted(order, {true, true, false}, 1, 2) == std::vector{1, 0});
  CHECK(contacted(order, {true, true, true, true}, 3, 2) == std::vector{2, 0});
  CHECK(contacted(order, {false, true, false}, 1, 3) == std::vector{1});
}

TEST_CASE("of several data centres its own comes first; LOCAL levels ask no other, EACH_QUORUM a quorum of each") {
  const std::array order{4, 2, 0, 3, 1};  // round the ring
  const std::array center_of{0, 0, 0, 1, 1};
  const std::vector<bool> all_live(5, true);
  const ReplicasAsked quorum{.all = 3};
  CHECK(contacted(order, all_live, center_of, 0, quorum) == std::vector{0, 2, 1});
  CHECK(contacted(order, all_live, center_of, 3, quorum) == std::vector{3, 4, 2});
  const ReplicasAsked local{.all = 2, .most_of_center = {2, 0}};
  CHECK(contacted(order, all_live, center_of, 1, local) == std::vector{1, 2});
  CHECK(contacted(order, {false, true, false, true, true}, center_of, 1, local) == std::vector{1});
  const ReplicasAsked each{.all = 4, .most_of_center = {2, 2}};
  CHECK(contacted(order, all_live, center_of, 3, each) == std::vector{3, 4, 2, 0});
  CHECK(contacted(order, {true, true, true, true, false}, center_of, 3, each) == std::vector{3, 2, 0});
}

TEST_CASE("what a replica lacks of the merge is written to it, and nothing else") {
  const ReplicaTable table = made_table();
  Replica fresh;
  Replica stale;
  for (Replica* one : {&fresh, &stale}) {
    one->write(value(5, 1, 100, 1), table.values);
    one->write(value(5, 2, 100, 2), table.values);
    one->flush();
  }
  fresh.write(row_delete(5, 2, 200, 20), table.values);
  const std::array<Replica*, 2> asked{&stale, &fresh};
  const ReadResult first = read_partition(asked, table, 5, false, 30, every_column, {});
  CHECK(first.differed);
  CHECK(first.rows.size() == 1);
  CHECK(first.repaired == std::vector{0});
  REQUIRE(stale.memtable().size() == 1);
  CHECK(stale.memtable().begin()->second.rows == row_delete(5, 2, 200, 20).rows);
  CHECK_FALSE(read_partition(asked, table, 5, false, 30, every_column, {}).differed);
}

TEST_CASE(
    "after gc_grace a tombstone that is still stored is not sent: the old value is copied to it and stays hidden") {
  const ReplicaTable table = made_table(10);
  Replica holder;
  Replica stale;
  holder.write(row_delete(5, 1, 200, 20), table.values);
  holder.flush();
  stale.write(value(5, 1, 100, 1), table.values);
  stale.flush();
  const std::array<Replica*, 2> asked{&holder, &stale};
  const ReadResult result = read_partition(asked, table, 5, false, 31, every_column, {});
  CHECK(result.rows.size() == 1);
  CHECK(result.repaired == std::vector{0});
  CHECK(holder.memtable().size() == 1);
  CHECK(live_rows(holder.merged(5, table.values), 31).empty());
}

TEST_CASE("with only_purge_repaired_tombstones reads spare what is dated at or after the oldest unrepaired deletion") {
  ReplicaTable table = made_table(10);
  table.only_purge_repaired = true;
  Replica replica;
  replica.add_file({row_delete(5, 1, 200, 20)}, {});
  replica.add_file({row_delete(7, 1, 200, 15)}, {});
  CHECK(read_gc_before_s(replica, table, 5, false, 100, {}) == 20);
  CHECK(read_gc_before_s(replica, table, 6, false, 100, {}) == 90);  // no interval covers it
  CHECK(read_gc_before_s(replica, table, 6, true, 100, {}) == 15);
}

TEST_CASE("a range that a replica lacks in part is sent in part") {
  const CompareValues values = made_table().values;
  const KeyedPartition merged = range_delete(5, 0, 10, 200, 20);
  const KeyedPartition own = range_delete(5, 3, 6, 200, 20);
  const KeyedPartition lacking = missing(merged, own, values, every_column);
  REQUIRE(lacking.ranges.size() == 2);
  CHECK(lacking.ranges.front().to == 3);
  CHECK(lacking.ranges.back().from == 6);
  CHECK(missing(merged, merged, values, every_column).empty());
}

TEST_CASE("cells that were not asked for are not repaired") {
  const CompareValues values = made_table().values;
  const KeyedPartition merged = value(5, 1, 100, 1);
  const KeyedPartition lacking = missing(merged, {.token = 5}, values, [](std::int16_t column) { return column != 0; });
  REQUIRE(lacking.rows.size() == 1);
  CHECK(lacking.rows.front().liveness.has_value());
  CHECK(lacking.rows.front().cells.empty());
}

}  // namespace
}  // namespace windrow
