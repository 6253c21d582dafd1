#include "sim/workload/partition_weight.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/workload/java_memory.h"

namespace windrow {
namespace {

// Of BTree.update of Cassandra 5.0.9 itself: 100,000 keys that were added one by one, each after those that were there,
// and the sum of what UpdateFunction.onAllocatedOnHeap was told by then.
TEST_CASE("the tree of a partition's rows weighs what the engine counts as it grows") {
  constexpr std::array<std::pair<int, double>, 22> counted = {
      {{1, 24},       {2, 32},          {3, 32},           {8, 56},           {16, 88},     {31, 144},
       {32, 224},     {33, 232},        {48, 288},         {49, 376},         {65, 440},    {66, 528},
       {100, 832},    {256, 2216},      {500, 4368},       {1000, 9104},      {1024, 9368}, {2000, 18520},
       {5000, 47056}, {10'000, 94'488}, {30'000, 284'368}, {100'000, 949'344}}};
  for (const auto& each : counted) {
    const int rows = each.first;  // clang 14 captures no structured binding
    const double bytes = each.second;
    CAPTURE(rows);
    CHECK(rows_tree_memory(rows).heap == bytes);
    CHECK(rows_tree_memory(rows).offheap == 0);
  }
  CHECK(rows_tree_memory(0).heap == 0);
  CHECK(rows_tree_memory(3.25).heap == 34);  // of four partitions three have three rows, and one has four
}

TEST_CASE("no partition of more than 31 rows has a larger tree a row than one without end") {
  const double most = row_place_memory().heap;
  CHECK(most == 152.0 / 16);
  double closest = 0;
  for (int rows = 32; rows < 2'000'000; rows += 1 + rows / 50) {
    const double each = rows_tree_memory(rows).heap / rows;
    REQUIRE(each <= most);
    closest = std::max(closest, each);
  }
  CHECK(closest > 0.999 * most);
}

// By hand from BTree.buildMaximallyDense: leaves of 31; what is left, if it is more than one leaf has and less than 47,
// is shared by two. A leaf of n keys has an odd number of places, a root two a child.
TEST_CASE("a tree that is built at once has leaves that are nearly full") {
  CHECK(tree_memory(0) == 0);
  CHECK(tree_memory(31) == 144);
  CHECK(tree_memory(33) == 88 + 88 + 32);               // 16 and 16
  CHECK(tree_memory(40) == 104 + 96 + 32);              // 20 and 19
  CHECK(tree_memory(47) == 144 + 80 + 32);              // 31 and 15
  CHECK(tree_memory(100) == 144 + 144 + 96 + 88 + 48);  // 31, 31, 18 and 17
  CHECK(tree_sizes_memory(31) == 0);
  CHECK(tree_sizes_memory(40) == 24);
  CHECK(tree_sizes_memory(100) == 32);
}

}  // namespace
}  // namespace windrow
