#include "sim/stats/key_sketch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/stats/murmur3.h"

namespace windrow {

namespace {

std::vector<std::pair<Token, std::string>> keys_of(int from, int to) {
  std::vector<std::pair<Token, std::string>> keys;
  for (int i = from; i < to; ++i) {
    std::string key = "device-" + std::to_string(i);
    const Token token = murmur3_token(key);
    keys.emplace_back(token, std::move(key));
  }
  return keys;
}

// Key by key in the order of the file, as the engine writes one.
KeySketch written(std::vector<std::pair<Token, std::string>> keys) {
  std::ranges::sort(keys);
  KeySketch sketch;
  for (const auto& [token, key] : keys) sketch.add(key);
  sketch.close();
  return sketch;
}

}  // namespace

// Below 7,680 different places the order of keys counts, above it registers are the greatest of their keys'.
TEST_CASE("key sketch: a file's sketch is that of its keys one by one") {
  KeySketch other = written(keys_of(5'000, 9'000));
  for (const int count : {0, 1, 1'537, 6'144, 7'680, 7'681, 9'000, 15'361, 20'000, 25'000, 60'000}) {
    CAPTURE(count);
    const std::vector<std::pair<Token, std::string>> keys = keys_of(0, count);
    std::vector<std::pair<Token, std::uint64_t>> hashes;
    for (const auto& [token, key] : keys) hashes.emplace_back(token, murmur2(key));
    KeySketch one_by_one = written(keys);
    KeySketch together = sketch_of_file(hashes);
    CHECK(together.estimate() == one_by_one.estimate());
    // Whatever it is merged with.
    one_by_one.merge(other);
    together.merge(other);
    CHECK(together.estimate() == one_by_one.estimate());
  }
}

}  // namespace windrow
