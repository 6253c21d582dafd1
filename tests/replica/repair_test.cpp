#include "sim/replica/repair.h"

#include <doctest/doctest.h>

#include <array>

#include "sim/replica/read.h"
#include "tests/replica/made_writes.h"

namespace windrow {
namespace {

using namespace test;

const TokenRange whole{min_token, min_token};

TEST_CASE("ranges go round the ring") {
  CHECK(contains(TokenRange{10, 20}, 20));
  CHECK_FALSE(contains(TokenRange{10, 20}, 10));
  CHECK(contains(TokenRange{20, 10}, max_token));
  CHECK(contains(TokenRange{20, 10}, 10));
  CHECK(contains(whole, min_token));
  CHECK(contains(TokenRange{20, 10}, TokenRange{30, 5}));
  CHECK(contains(TokenRange{10, 20}, TokenRange{10, 20}));
  CHECK_FALSE(contains(TokenRange{10, 20}, TokenRange{15, 25}));
  CHECK_FALSE(contains(TokenRange{10, 20}, TokenRange{5, 25}));
  CHECK_FALSE(contains(TokenRange{10, 20}, TokenRange{20, 10}));
}

TEST_CASE("ranges that touch are one interval") {
  const std::array ranges{TokenRange{10, 20}, TokenRange{20, 30}, TokenRange{40, 5}};
  CHECK(normalized(ranges) == std::vector<TokenInterval>{{min_token, 5}, {11, 30}, {41, max_token}});
  const std::array all{TokenRange{10, 20}, TokenRange{20, 10}};
  CHECK(normalized(all) == std::vector<TokenInterval>{{min_token, max_token}});
  CHECK(any_covers(normalized(ranges), {11, 30}));
  CHECK_FALSE(any_covers(normalized(ranges), {30, 41}));
  CHECK(any_meets(normalized(ranges), {30, 31}));
  CHECK_FALSE(any_meets(normalized(ranges), {31, 40}));
}

TEST_CASE("the engine takes a file to hold 128 keys for each index sample in a range, and at least one") {
  KeyedContent file;
  for (Token token = 0; token < 300; ++token) file.push_back({.token = token});
  CHECK(estimated_keys(file, {-1, 299}) == 384);
  CHECK(estimated_keys(file, {0, 127}) == 1);
  CHECK(estimated_keys(file, {127, 128}) == 128);
  CHECK(tree_depth(1) == 0);
  CHECK(tree_depth(2) == 1);
  CHECK(tree_depth(384) == 9);
  CHECK(tree_depth(std::int64_t{1} << 40) == 20);
  // As Cassandra's own MerkleTreeTest.testEstimatedSizes has it.
  CHECK(tree_depth_within(-20) == 1);
  CHECK(tree_depth_within(1) == 1);
  CHECK(tree_depth_within(MiB(1) / 3) == 10);
  CHECK(tree_depth_within(MiB(1)) == 12);
  CHECK(tree_depth_within(MiB(100)) == 19);
  CHECK(tree_depth_within(MiB(300)) == 20);
}

TEST_CASE("leaves are halves of halves, closed above") {
  CHECK(leaf_of({0, 16}, 2, 4) == TokenRange{0, 4});
  CHECK(leaf_of({0, 16}, 2, 5) == TokenRange{4, 8});
  CHECK(leaf_of({0, 2}, 20, 2) == TokenRange{1, 2});
}

TEST_CASE("a repair sends whole leaves both ways, old tombstones too, and never rows that nobody had") {
  const ReplicaTable table = made_table(10);
  std::array<Replica, 3> nodes;
  for (Replica& one : nodes) one.write(value(5, 1, 100, 1), table.values);
  nodes[0].write(row_delete(5, 1, 200, 20), table.values);
  nodes[2].write(value(9, 1, 300, 2), table.values);
  const RepairRequest full{.ranges = {whole}, .session = 0};
  std::array<Replica*, 3> all{};
  std::vector<Validation> validations;
  for (std::size_t i = 0; i < 3; ++i) {
    all[i] = &nodes[i];
    prepare_repair(nodes[i], table, full, 1000, {});
    validations.push_back(validate(nodes[i], table, full, 1000, {}));
  }
  exchange(all, validations, table, full, 1000, {});
  for (const Replica& one : nodes) {
    CHECK(
        live_rows(one.merged(5, table.values), 1000).empty());  // the old tombstone came along, though it is not hashed
    CHECK(live_rows(one.merged(9, table.values), 1000).size() == 1);
    for (const ReplicaFile& file : one.files()) CHECK(file.status == RepairStatus{});
  }
}

TEST_CASE("an incremental repair leaves the session's files pending, on both sides") {
  const ReplicaTable table = made_table();
  Replica a;
  Replica b;
  a.write(value(5, 1, 100, 1), table.values);
  const RepairRequest session{.ranges = {whole}, .session = 4};
  const std::array<Replica*, 2> both{&a, &b};
  std::vector<Validation> validations;
  for (Replica* one : both) {
    prepare_repair(*one, table, session, 1000, {});
    validations.push_back(validate(*one, table, session, 1000, {}));
  }
  CHECK(exchange(both, validations, table, session, 1000, {}) == 1);
  for (const Replica* one : both) {
    REQUIRE(one->files().size() == 1);
    CHECK(one->files().front().status.pending_session == 4);
  }
}

TEST_CASE("a file keeps its state when it is sent, whole or a part of it") {
  const ReplicaTable table = made_table();
  Replica sender;
  sender.add_file({value(5, 1, 100, 1), value(50, 1, 100, 1)}, {.repaired_at_ms = 7, .pending_session = 0});
  const RepairRequest full{.ranges = {whole}, .session = 0};
  const std::array leaves{TokenRange{0, 10}};
  CHECK(streams(sender, table, full, leaves, 10, {}).front().content.size() == 1);
  CHECK(streams(sender, table, full, leaves, 10, {}).front().status.repaired_at_ms == 7);
  const std::array wide{TokenRange{0, 50}};
  CHECK(streams(sender, table, full, wide, 10, {}).front().status.repaired_at_ms == 7);
  const std::array other{TokenRange{10, 20}};
  CHECK(streams(sender, table, full, other, 10, {}).empty());
}

TEST_CASE("a range that lies across ranges of the ring is refused") {
  const std::array local{TokenRange{0, 10}, TokenRange{10, 0}};
  CHECK_FALSE(refused_subrange({2, 8}, local));
  CHECK(refused_subrange({8, 12}, local));
}

}  // namespace
}  // namespace windrow
