#include "sim/stats/key_sketch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/stats/murmur3.h"
#include "sim/stats/sketch_form.h"

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

// By hand: it is looked at after every 1,537th key, and becomes registers with more than 6,144 places. The flush of
// large-53 (tests/oracle-large-random) with 7,549 keys is one that stays a list.
TEST_CASE("key sketch: it stays a list of places while few keys have come, or enough of them share a place") {
  const auto stays = [](std::uint64_t keys, std::uint64_t in_the_first_place) {
    std::vector<std::pair<Token, std::uint64_t>> hashes;
    for (std::uint64_t i = 0; i < keys; ++i) {
      const std::uint64_t place = (i < in_the_first_place ? 0 : i) * 5'003 % (std::uint64_t{1} << 25);
      hashes.emplace_back(static_cast<Token>(i), place << 39 | std::uint64_t{1} << 38);
    }
    return sketch_stays_sparse(std::move(hashes));
  };
  CHECK(stays(1, 1));
  CHECK(stays(surely_sparse_keys, 1));
  CHECK_FALSE(stays(surely_sparse_keys + 1, 1));
  CHECK_FALSE(stays(surely_sparse_keys + 1, 4));  // three more than one have the place of another
  CHECK(stays(surely_sparse_keys + 1, 5));
  CHECK(stays(surely_dense_keys - 1, 5));
  CHECK_FALSE(stays(surely_dense_keys, 5));
}

}  // namespace windrow
