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
    for (std::size_t place = 0; place < kinds.size();) {
      std::size_t length = 1;
      while (most_ == none && place + length < kinds.size() && kinds[place + length] == kinds[place] + length) ++length;
      if (kinds[place] != most_) runs_of(kinds[place], length).places.push_back(place);
      place += length;
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
    for (const Runs& other : runs_) {
      std::int64_t sum = 0;
      for (const std::size_t place : other.places) sum += numbers[place];
      left -= sum;
      sums[other.kind] += sum;
    }
    sums[most_] += left;
  }

 private:
  /// Stretches of places that follow each other, of the same kinds that do; of one each where a kind has most.
  struct Runs {
    std::size_t kind = 0;
    std::size_t length = 0;
    std::vector<std::size_t> places{};  // of the first of each
  };
  Runs& runs_of(std::size_t kind, std::size_t length) {
    const auto alike =
        std::ranges::find_if(runs_, [&](const Runs& runs) { return runs.kind == kind && runs.length == length; });
    return alike != runs_.end() ? *alike : runs_.emplace_back(Runs{.kind = kind, .length = length});
  }
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
  std::size_t most_ = none;   // a kind of more than half of all places
  std::vector<Runs> runs_{};  // of all others
};

}  // namespace windrow
