#include "sim/content/census_spread.h"

#include <algorithm>

namespace windrow {

void WeightedValues::add(std::int64_t value, std::int64_t count) {
  if (count <= 0) return;
  count_ += count;
  compact_ = false;
  std::uint32_t& place = places_[static_cast<std::size_t>(value) % places_.size()];
  if (place < values_.size() && values_[place].first == value) {
    values_[place].second += count;
    return;
  }
  place = static_cast<std::uint32_t>(values_.size());
  values_.emplace_back(value, count);
  if (values_.size() < compact_at_) return;
  compact();
  compact_at_ = std::max<std::size_t>(4096, 2 * values_.size());
}

void WeightedValues::compact() {
  if (compact_) return;
  compact_ = true;
  std::ranges::sort(values_);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < values_.size(); ++i) {
    if (values_[i].first == values_[kept].first) {
      values_[kept].second += values_[i].second;
    } else {
      values_[++kept] = values_[i];
    }
  }
  if (!values_.empty()) values_.resize(kept + 1);
}

const std::vector<std::pair<std::int64_t, std::int64_t>>& WeightedValues::sorted() {
  compact();
  return values_;
}

Spread WeightedValues::spread() {
  if (count_ == 0) return {};
  compact();
  const auto at_percent = [this](std::int64_t percent) {
    const std::int64_t rank = (count_ * percent + 99) / 100;
    std::int64_t seen = 0;
    for (const auto& [value, count] : values_) {
      seen += count;
      if (seen >= rank) return value;
    }
    return values_.back().first;
  };
  return {.min = values_.front().first,
          .p50 = at_percent(50),
          .p75 = at_percent(75),
          .p95 = at_percent(95),
          .p98 = at_percent(98),
          .p99 = at_percent(99),
          .max = values_.back().first};
}

}  // namespace windrow
