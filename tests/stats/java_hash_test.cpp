#include "sim/stats/java_hash.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "sim/stats/java_priority_queue.h"
#include "tests/stats/data.h"

namespace windrow {

TEST_CASE("descriptor hashes equal the engine's") {
  for (const std::string& line : data_lines("tests/data/stats/descriptor_hashes.csv")) {
    const auto fields = split(line, ',');
    CHECK_MESSAGE(descriptor_hash(fields[0], fields[1], std::stoll(fields[2]), "oracle", "t") == std::stoi(fields[3]),
                  line);
  }
}

TEST_CASE("outputs of one compaction enter the live set in hash order") {
  for (const std::string& line : data_lines("tests/data/stats/commit_orders.csv")) {
    const auto fields = split(line, ',');
    std::vector<std::int32_t> hashes;
    for (const std::string& hash : split(fields[0], ';')) hashes.push_back(std::stoi(hash));
    std::vector<std::size_t> expected;
    for (const std::string& place : split(fields[1], ';')) expected.push_back(std::stoul(place));
    CHECK_MESSAGE(hash_order(hashes) == expected, line);
  }
}

TEST_CASE("a hash set doubles beyond three quarters") {
  CHECK(hash_capacity(12) == 16);
  CHECK(hash_capacity(13) == 32);
  CHECK(hash_capacity(25) == 64);
  CHECK(hash_capacity(3, 4) == 4);
  CHECK(hash_capacity(4, 4) == 8);
}

// Both printed by OpenJDK 17.
TEST_CASE("a copy's hash set has room for a third more") {
  const std::vector<std::pair<std::size_t, int>> tables = {{1, 16},  {11, 16},  {12, 32},  {13, 32},  {24, 64},
                                                           {47, 64}, {48, 128}, {49, 128}, {96, 256}, {97, 256}};
  for (const auto& [count, table] : tables) CHECK(hash_capacity_of_copy(count) == table);
}

TEST_CASE("a priority queue holds its elements in Java's order") {
  JavaPriorityQueue<int, std::less<>> queue{std::less<>{}};
  std::int64_t random = 12'345;
  for (int i = 0; i < 40; ++i) {
    random = (random * 1'103'515'245 + 12'345) & 0x7fffffff;
    if (i % 4 == 3) {
      queue.poll();
    } else {
      queue.add(static_cast<int>((random >> 8) % 50));
    }
  }
  CHECK(queue.elements() ==
        std::vector<int>{18, 25, 20, 26, 30, 26, 22, 27, 29, 31, 34, 40, 34, 48, 34, 46, 30, 36, 40, 48});
}

}  // namespace windrow
