#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <queue>
#include <vector>

namespace windrow_bench {

/// Processor seconds that `work` takes: what else the machine does stays out of it.
template <typename Work>
double seconds_of(const Work& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// The least of several runs: what else the machine does makes a run longer, never shorter. Five, fewer where they take
/// more than `enough_s` together.
template <typename Work>
double least_seconds_of(const Work& work, double enough_s = 3) {
  double least = seconds_of(work);
  double all = least;
  for (int run = 1; run < 5 && all < enough_s; ++run) {
    const double took = seconds_of(work);
    least = std::min(least, took);
    all += took;
  }
  return least;
}

/// The yardstick: so many operations of the hold model (take the earliest, schedule a later one) on a binary heap of
/// 100.
inline std::uint64_t hold_model(std::int64_t operations) {
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> pending;
  std::uint64_t state = 88172645463325252ULL;
  const auto random = [&state] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  };
  for (int i = 0; i < 100; ++i) pending.push(random() % 1000);
  std::uint64_t checksum = 0;
  for (std::int64_t i = 0; i < operations; ++i) {
    const std::uint64_t now = pending.top();
    pending.pop();
    checksum ^= now;
    pending.push(now + random() % 1000);
  }
  return checksum;
}

}  // namespace windrow_bench
