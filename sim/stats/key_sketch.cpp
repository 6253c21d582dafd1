#include "sim/stats/key_sketch.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/stats/sketch_form.h"

namespace windrow {
namespace {

constexpr int precision = 13;
constexpr int sparse_precision = 25;
constexpr std::size_t registers = std::size_t{1} << precision;
constexpr std::size_t most_sparse = registers / 4 * 3;
constexpr std::size_t most_pending = most_sparse / 4;
constexpr double linear_counting_below = 6500;

// The hash is packed into 32 bits, signed as in Java: its first 25 bits, and where those do not show how many zeros
// follow the first 13, that number as well and a one.
std::int32_t encode(std::uint64_t hash) {
  const auto place = static_cast<std::uint32_t>(hash >> (64 - sparse_precision));
  if ((place << (32 - sparse_precision + precision)) != 0) return static_cast<std::int32_t>(place << 1);
  const std::uint64_t rest = (hash << precision) | (std::uint64_t{1} << (precision - 1));
  const auto run = static_cast<std::uint32_t>(std::countl_zero(rest) + 1);
  return static_cast<std::int32_t>((((place << 6) | (run ^ 63U)) << 1) | 1U);
}

std::uint32_t place_of(std::int32_t encoded) {
  const auto bits = static_cast<std::uint32_t>(encoded);
  return (bits & 1) != 0 ? bits >> 7 : bits >> 1;
}

int run_of(std::int32_t encoded) {
  const auto bits = static_cast<std::uint32_t>(encoded);
  if ((bits & 1) != 0) return static_cast<int>(((bits >> 1) & 63U) ^ 63U);
  return std::countl_zero(bits << (precision + 31 - sparse_precision)) + 1;
}

// Two lists sorted by place, merged by the signed encoded value: as the engine does it.
std::vector<std::int32_t> merged(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b,
                                 bool skip_repeats_of_b) {
  std::vector<std::int32_t> result;
  auto i = a.begin();
  auto j = b.begin();
  const auto take_b = [&] {
    const std::uint32_t place = place_of(*j++);
    while (skip_repeats_of_b && j != b.end() && place_of(*j) == place) ++j;
  };
  while (i != a.end() || j != b.end()) {
    if (i == a.end()) {
      result.push_back(*j);
      take_b();
    } else if (j == b.end()) {
      result.push_back(*i++);
    } else if (place_of(*i) == place_of(*j)) {
      result.push_back(std::min(*i++, *j));
      take_b();
    } else if (*i < *j) {
      result.push_back(*i++);
    } else {
      result.push_back(*j);
      take_b();
    }
  }
  return result;
}

void close_list(std::vector<std::int32_t>& list, std::vector<std::int32_t>& pending) {
  std::ranges::stable_sort(pending, [](std::int32_t a, std::int32_t b) {
    if (place_of(a) != place_of(b)) return place_of(a) < place_of(b);
    constexpr int shift = precision + 31 - sparse_precision;
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << shift) <
           static_cast<std::int32_t>(static_cast<std::uint32_t>(b) << shift);
  });
  list = merged(list, pending, true);
  pending.clear();
}

}  // namespace

bool sketch_stays_sparse(std::vector<std::pair<Token, std::uint64_t>> keys) {
  std::ranges::sort(keys);
  std::vector<std::int32_t> list;
  std::vector<std::int32_t> pending;
  for (const auto& [token, hash] : keys) {
    pending.push_back(encode(hash));
    if (pending.size() <= most_pending) continue;
    close_list(list, pending);
    if (list.size() > most_sparse) return false;
  }
  return true;
}

std::uint64_t murmur2(std::string_view key) {
  constexpr std::uint64_t m = 0xc6a4a7935bd1e995ULL;
  std::uint64_t h = m * key.size();
  const auto byte = [&](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(key[i])); };
  const std::size_t words = key.size() / 8;
  for (std::size_t word = 0; word < words; ++word) {
    std::uint64_t k = 0;
    for (std::size_t i = 0; i < 8; ++i) k |= byte(word * 8 + i) << (8 * i);
    k *= m;
    k ^= k >> 47;
    k *= m;
    h ^= k;
    h *= m;
  }
  if (words * 8 < key.size()) {
    for (std::size_t i = words * 8; i < key.size(); ++i) h ^= byte(i) << (8 * (i % 8));
    h *= m;
  }
  h ^= h >> 47;
  h *= m;
  return h ^ (h >> 47);
}

KeySketch sketch_of_file(std::vector<std::pair<Token, std::uint64_t>> keys) {
  KeySketch sketch;
  // The sparse form never closes with more different places than it may have and wait for. Where more registers than
  // that are set, it has been left whatever the order of the keys, and each register is the greatest of its keys'.
  constexpr std::size_t most_places = most_sparse + most_pending;
  if (keys.size() > 2 * most_places) {
    sketch.to_registers();
    for (const auto& [token, hash] : keys) sketch.add_hash(hash);
    if (registers - static_cast<std::size_t>(std::ranges::count(sketch.registers_, 0)) > most_places) return sketch;
    sketch = {};
  }
  std::ranges::sort(keys);
  for (const auto& [token, hash] : keys) sketch.add_hash(hash);
  sketch.close();
  return sketch;
}

void KeySketch::add_hash(std::uint64_t hash) {
  if (!sparse_) {
    const std::uint64_t rest = (hash << precision) | (std::uint64_t{1} << (precision - 1));
    std::uint8_t& slot = registers_[hash >> (64 - precision)];
    slot = std::max(slot, static_cast<std::uint8_t>(std::countl_zero(rest) + 1));
    return;
  }
  pending_.push_back(encode(hash));
  if (pending_.size() <= most_pending) return;
  merge_pending();
  if (list_.size() > most_sparse) to_registers();
}

void KeySketch::merge_pending() {
  if (!pending_.empty()) close_list(list_, pending_);
}

void KeySketch::to_registers() {
  merge_pending();
  registers_.assign(registers, 0);
  for (const std::int32_t encoded : list_) register_sparse(encoded);
  list_.clear();
  sparse_ = false;
}

void KeySketch::register_sparse(std::int32_t encoded) {
  std::uint8_t& slot = registers_[place_of(encoded) >> (sparse_precision - precision)];
  slot = std::max(slot, static_cast<std::uint8_t>(run_of(encoded)));
}

void KeySketch::merge(const KeySketch& other) {
  if (sparse_ && other.sparse_) {
    list_ = merged(list_, other.list_, false);
    if (list_.size() > most_sparse + most_pending) to_registers();
    return;
  }
  if (sparse_) to_registers();
  if (other.sparse_) {
    for (const std::int32_t encoded : other.list_) register_sparse(encoded);
    return;
  }
  for (std::size_t i = 0; i < registers; ++i) registers_[i] = std::max(registers_[i], other.registers_[i]);
}

std::int64_t KeySketch::estimate() const {
  const auto rounded = [](double x) { return static_cast<std::int64_t>(std::floor(x + 0.5)); };
  if (sparse_) {
    const auto places = static_cast<double>(std::int64_t{1} << sparse_precision);
    return rounded(places * std::log(places / (places - static_cast<double>(list_.size()))));
  }
  const auto m = static_cast<double>(registers);
  double sum = 0;
  double zeros = 0;
  for (const std::uint8_t value : registers_) {
    sum += 1.0 / static_cast<double>(std::int64_t{1} << value);
    if (value == 0) ++zeros;
  }
  const double alpha = 0.7213 / (1.0 + 1.079 / m);
  const double raw = alpha * m * m * (1.0 / sum);
  const double corrected = raw <= 5 * m ? raw - hyperloglog_bias(raw) : raw;
  const double linear = zeros > 0 ? m * std::log(m / zeros) : corrected;
  return rounded(linear < linear_counting_below ? linear : corrected);
}

}  // namespace windrow
