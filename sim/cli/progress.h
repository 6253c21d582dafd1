#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "sim/cli/console.h"

namespace windrow {

/// A line with a bar and the time left, once the work takes longer than a second; where nobody watches, into a pipe or
/// a file, a plain line every ten seconds. Safe from any thread.
class Progress {
 public:
  Progress(const Console& console, std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `share` of the work that is done, 0 to 1.
  void show(double share);
  /// Takes the line away: before other text is printed, and at the end.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::string line(double share, double seconds) const;
  std::string plain_line(double share, double seconds) const;

  std::mutex mutex_{};
  std::string what_{};
  bool watched_ = false;
  bool quiet_ = false;
  std::size_t width_ = 100;
  Clock::time_point started_{};
  Clock::time_point shown_{};
  bool visible_ = false;
};

/// "3 s", "2 min 5 s", "1 h 20 min".
std::string duration_text(double seconds);

}  // namespace windrow
