#include "sim/stats/java_hash.h"

#include <doctest/doctest.h>

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

}  // namespace windrow
