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
    for (const std::uint32_t kind : kinds) {
      places.resize(std::max<std::size_t>(places.size(), kind + 1));
      ++places[kind];
    }
    const auto most = std::ranges::max_element(places);
    if (most != places.end() && 2 * *most > kinds.size()) most_ = static_cast<std::size_t>(most - places.begin());
    for (std::size_t place = 0; place < kinds.size(); ++place) {
      if (most_ != none) {
        if (kinds[place] != most_) others_.push_back({.place = place, .kind = kinds[place]});
        continue;
      }
      const bool goes_on = !runs_.empty() && runs_.back().kind + runs_.back().length == kinds[place];
      if (!goes_on) runs_.push_back({.place = place, .kind = kinds[place]});
      ++runs_.back().length;
    }
  }

  /// Of numbers by place, to sums by kind.
  void add(const std::int64_t* numbers, std::int64_t* sums) const {
    if (most_ == none) {
      for (const Run& run : runs_) add(run, numbers, sums);
      return;
    }
    std::int64_t left = 0;
    for (std::size_t place = 0; place < places_; ++place) left += numbers[place];
    for (const Other other : others_) {
      const std::int64_t number = numbers[other.place];
      left -= number;
      sums[other.kind] += number;
    }
    sums[most_] += left;
  }

 private:
  /// Places that follow each other, of kinds that do.
  struct Run {
    std::size_t place = 0;
    std::size_t kind = 0;
    std::size_t length = 0;
  };
  struct Other {
    std::size_t place = 0;
    std::size_t kind = 0;
  };
  static void add(Run run, const std::int64_t* numbers, std::int64_t* sums) {
    const std::int64_t* const from = numbers + run.place;
    std::int64_t* const to = sums + run.kind;
    for (std::size_t i = 0; i < run.length; ++i) to[i] += from[i];
  }

  static constexpr std::size_t none = SIZE_MAX;
  std::size_t places_ = 0;
  std::size_t most_ = none;      // a kind of more than half of all places
  std::vector<Other> others_{};  // beside it
  std::vector<Run> runs_{};      // where there is none
};

}  // namespace windrow
