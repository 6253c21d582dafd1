#include "sim/scenario/rolling_turns.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace windrow {

namespace {

constexpr std::int64_t most_buckets = 1000;
constexpr std::int64_t most_turns = 1'000'000;

/// The keys of one bucket number.
class TurnKeys final : public PartitionKeys {
 public:
  TurnKeys(std::shared_ptr<const PartitionKeys> keys, std::int64_t label) : keys_(std::move(keys)), label_(label) {}
  std::string key(std::int64_t entity, std::int64_t, std::int64_t shard) const override {
    return keys_->key(entity, label_, shard);
  }
  int constant_length() const override { return keys_->constant_length(); }
  std::optional<int> varying_length(std::int64_t entity, std::int64_t shard) const override {
    return keys_->varying_length(entity, shard);
  }

 private:
  std::shared_ptr<const PartitionKeys> keys_;
  std::int64_t label_ = 0;
};

/// Appends the rate of `spec` in [from_us, until_us), silence before and after.
void add_turn(const WriterSpec& spec, Micros from_us, Micros until_us, std::vector<RateStretch>& rate) {
  auto next = std::ranges::upper_bound(spec.rate, from_us, {}, &RateStretch::from_us);
  if (next != spec.rate.begin()) rate.push_back({from_us, std::prev(next)->rows, std::prev(next)->period_us});
  for (; next != spec.rate.end() && next->from_us < until_us; ++next) rate.push_back(*next);
  rate.push_back({until_us, 0, 1});
}

}  // namespace

std::vector<RollingTurn> rolling_turns(const WriterSpec& spec) {
  const std::int64_t buckets = spec.rolling_buckets;
  const std::int64_t first = spec.bucket.number(spec.from_us / us_per_s);
  const std::int64_t last = spec.bucket.number((spec.until_us - 1) / us_per_s);
  if (buckets > most_buckets || last - first > most_turns || !spec.spread) {
    throw std::invalid_argument(
        fmt::format("stream {}: rolling buckets are modelled with at most {} buckets, {} turns in "
                    "a run, and `stagger = spread`",
                    spec.stream, most_buckets, most_turns));
  }
  std::vector<RollingTurn> turns;
  for (std::int64_t turn = 0; turn < buckets; ++turn) {
    WriterSpec part = spec;
    part.rate.clear();
    const std::int64_t begin = first + ((turn - first) % buckets + buckets) % buckets;
    for (std::int64_t number = begin; number <= last; number += buckets) {
      const Micros from_us = std::max(spec.from_us, spec.bucket.begin(number) * us_per_s);
      const Micros until_us = std::min(spec.until_us, spec.bucket.begin(number + 1) * us_per_s);
      if (from_us < until_us) add_turn(spec, from_us, until_us, part.rate);
    }
    if (part.rate.empty()) continue;
    part.keys = std::make_shared<TurnKeys>(spec.keys, spec.bucket.label(begin));
    part.bucket = BucketRule::none();
    turns.push_back({turn, std::move(part)});
  }
  return turns;
}

}  // namespace windrow
