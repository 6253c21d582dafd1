#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace windrow {

/// Adds up numbers by their kinds, which are the same each time. Quick where the kinds of neighbours count up, again
/// and again, and where most are of one kind.
class SumsByKind {
 public:
  SumsByKind() = default;
  /// By place, which of the kinds from 0 it is of.
  explicit SumsByKind(std::span<const std::uint32_t> kinds) : places_(kinds.size()) {
    std::vector<std::size_t> places;  // by kind
    std::vector<Runs> runs;
    for (const std::uint32_t kind : kinds) {
      places.resize(std::max<std::size_t>(places.size(), kind + 1));
      ++places[kind];
    }
    const auto most = std::ranges::max_element(places);
    if (most != places.end() && 2 * *most > kinds.size()) most_ = static_cast<std::size_t>(most - places.begin());
    for (std::size_t place = 0; place < kinds.size(); ++place) {
      if (most_ != none) {
        if (kinds[place] == most_) continue;
        auto other = std::ranges::find(others_, kinds[place], &Other::kind);
        if (other == others_.end()) other = others_.insert(others_.end(), {.kind = kinds[place]});
        other->places.push_back(place);
        continue;
      }
      const bool goes_on = !runs.empty() && runs.back().kind + runs.back().length == kinds[place];
      if (!goes_on) runs.push_back({.kind = kinds[place], .places = {place}});
      ++runs.back().length;
    }
    for (const Runs& run : runs) {
      const auto alike = std::ranges::find_if(
          runs_, [&](const Runs& other) { return other.kind == run.kind && other.length == run.length; });
      if (alike == runs_.end()) {
        runs_.push_back(run);
      } else {
        alike->places.push_back(run.places.front());
      }
    }
  }

  /// Of numbers by place, to sums by kind.
  void add(const std::int64_t* numbers, std::int64_t* sums) const {
    if (most_ == none) {
      for (const Runs& runs : runs_) add(runs, numbers, sums);
      return;
    }
    std::int64_t left = 0;
    for (std::size_t place = 0; place < places_; ++place) left += numbers[place];
    for (const Other& other : others_) {
      std::int64_t sum = 0;
      for (const std::size_t place : other.places) sum += numbers[place];
      left -= sum;
      sums[other.kind] += sum;
    }
    sums[most_] += left;
  }

 private:
  /// Stretches of places that follow each other, of the same kinds that do.
  struct Runs {
    std::size_t kind = 0;
    std::size_t length = 0;
    std::vector<std::size_t> places{};  // of the first of each
  };
  struct Other {
    std::size_t kind = 0;
    std::vector<std::size_t> places{};
  };
  /// Several stretches at once: fewer additions wait for the last one's sums.
  static void add(const Runs& runs, const std::int64_t* numbers, std::int64_t* sums) {
    std::int64_t* const to = sums + runs.kind;
    const std::size_t* at = runs.places.data();
    const std::size_t* const end = at + runs.places.size();
    for (; end - at >= 4; at += 4) {
      const std::int64_t* const a = numbers + at[0];
      const std::int64_t* const b = numbers + at[1];
      const std::int64_t* const c = numbers + at[2];
      const std::int64_t* const d = numbers + at[3];
      for (std::size_t i = 0; i < runs.length; ++i) to[i] += a[i] + b[i] + (c[i] + d[i]);
    }
    for (; at < end; ++at) {
      for (std::size_t i = 0; i < runs.length; ++i) to[i] += numbers[*at + i];
    }
  }

  static constexpr std::size_t none = SIZE_MAX;
  std::size_t places_ = 0;
  std::size_t most_ = none;      // a kind of more than half of all places
  std::vector<Other> others_{};  // beside it
  std::vector<Runs> runs_{};     // where there is none
};

}  // namespace windrow
