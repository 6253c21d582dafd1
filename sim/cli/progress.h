#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "sim/cli/console.h"

namespace windrow {

/// How far work is. It may have phases, one after the other, each from 0 to 1 anew.
struct Step {
  double share = 0;  // of the phase
  int phase = 1;
  int phases = 1;
  std::string doing{};      // what the phase is, with what it has counted
  bool share_known = true;  // else nobody can tell how much of the phase is left

  /// Of all phases, each taken for as long as the others.
  double of_all() const;
};

/// A line with a bar and the time left, once the work takes longer than a second; where nobody watches, into a pipe or
/// a file, a plain line every ten seconds. Safe from any thread.
class Progress {
 public:
  Progress(const Console& console, std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const Step& step);
  /// Takes the line away: before other text is printed, and at the end.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::string line(const Step& step, double seconds) const;
  std::string plain_line(const Step& step, double seconds) const;

  std::mutex mutex_{};
  std::string what_{};
  bool watched_ = false;
  bool quiet_ = false;
  std::size_t width_ = 100;
  Clock::time_point started_{};
  Clock::time_point shown_{};
  Clock::time_point phase_started_{};
  int phase_ = 1;
  bool visible_ = false;
};

/// "3 s", "2 min 5 s", "1 h 20 min".
std::string duration_text(double seconds);

}  // namespace windrow
