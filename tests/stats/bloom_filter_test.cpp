#include "sim/stats/bloom_filter.h"

#include <doctest/doctest.h>

#include <string>

namespace windrow {

TEST_CASE("bits and hashes per chance are those of storage rule 1.14") {
  struct Row {
    double chance = 0;
    int bits = 0;
    int hashes = 0;
  };
  for (const Row& row : {Row{0.5, 1, 2}, Row{0.393, 1, 2}, Row{0.3, 3, 1}, Row{0.2, 4, 2}, Row{0.15, 4, 3},
                         Row{0.1, 5, 3}, Row{0.05, 7, 3}, Row{0.02, 9, 4}, Row{0.01, 10, 5}, Row{0.005, 12, 5},
                         Row{0.001, 15, 7}, Row{0.0001, 20, 10}, Row{6.71e-5, 20, 14}}) {
    CAPTURE(row.chance);
    CHECK(bloom_spec(row.chance).bits_per_key == row.bits);
    CHECK(bloom_spec(row.chance).hashes == row.hashes);
  }
}

TEST_CASE("Filter.db has the recorded sizes") {
  CHECK(bloom_filter_file_bytes(1, bloom_spec(0.01)) == 16);
  CHECK(bloom_filter_file_bytes(10'000, bloom_spec(0.01)) == 12512);
}

TEST_CASE("what was added is found, and false positives stay near the chance") {
  const BloomSpec spec = bloom_spec(0.01);
  BloomFilter filter(5000, spec);
  const auto key = [](int i) { return murmur3("sensor-" + std::to_string(i)); };
  for (int i = 0; i < 5000; ++i) filter.add(key(i));
  int false_positives = 0;
  for (int i = 0; i < 5000; ++i) CHECK(filter.might_contain(key(i)));
  for (int i = 5000; i < 55'000; ++i) false_positives += filter.might_contain(key(i)) ? 1 : 0;
  CHECK(false_positives > 250);
  CHECK(false_positives < 750);
}

}  // namespace windrow
