#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "sim/cli/side_by_side.h"

namespace windrow {

/// Tells how far a phase is in which a scenario is run with changes, in searches beside each other: how many trials of
/// each have been made. Safe from any thread.
class TrialCount {
 public:
  /// `searches`: their names. `phase`: its share and words are filled in.
  TrialCount(const Advance& advance, const Step& phase, const std::vector<std::string>& searches);

  /// A search makes so many trials; without that nobody knows how many will follow.
  void expect(std::size_t search, std::size_t trials);
  void begin_trial(std::size_t search);
  void end_trial(std::size_t search);
  void end_search(std::size_t search);
  /// A trial goes on.
  void look();

 private:
  struct Search {
    std::string name{};
    std::size_t begun = 0;
    std::size_t done = 0;
    std::size_t expected = 0;
    bool ended = false;
  };
  void tell();

  const Advance& advance_;
  Step phase_;
  std::mutex mutex_{};
  std::vector<Search> searches_{};
  std::atomic<std::uint64_t> looks_ = 0;
};

}  // namespace windrow
