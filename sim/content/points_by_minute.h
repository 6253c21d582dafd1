#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/content/content.h"

namespace windrow {

/// How many points lie at each minute (points are rounded up to the minute anyway).
class PointsByMinute {
 public:
  /// Rows of a cohort, each with so many points.
  struct Dropping {
    const Cohort* cohort = nullptr;
    Seconds after_write_s = 0;
    std::int64_t points = 0;
  };

  /// Of times after their writes that differ by whole minutes.
  void add(const ContentSpace& space, std::span<const Dropping> all);

  template <typename Each>
  void each(const Each& each) const {
    for (const auto& [number, counts] : chunks_) {
      for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0) each((number * chunk_minutes + static_cast<Seconds>(i)) * 60, counts[i]);
      }
    }
  }

 private:
  static constexpr Seconds chunk_minutes = 1024;
  static constexpr std::size_t most_at_once = 64;

  /// Rows that are dropped so long after their writes, with so many points each, whenever they arrive.
  struct Alike {
    Seconds after_write_s = 0;
    std::int64_t points = 0;
    std::int64_t before = 0;                        // members that are counted
    std::array<std::int64_t, most_at_once> upto{};  // of minutes that follow each other, members up to the end of each
  };
  /// Members of a cohort that are left.
  struct Left {
    int sub_stream = -1;
    std::size_t place = 0;  // among those that come together
    std::size_t alike = 0;
    std::int64_t next = 0;
    std::int64_t to = 0;
  };
  /// Those of sub-streams that come together.
  struct LeftTogether {
    const Together* together = nullptr;
    std::vector<Left> left{};
  };

  /// Adds what lies in so many minutes from this one on, an arrival's, to `alike`.
  static void count(const ContentSpace& space, Seconds minute, std::size_t minutes, LeftTogether& group,
                    std::vector<Alike>& alike, std::vector<std::int64_t>& ranks);
  /// Puts them down. True if some lie in the last of them.
  bool put(Seconds minute, std::size_t minutes, Alike& alike);

  std::map<Seconds, std::vector<std::int64_t>> chunks_{};
};

}  // namespace windrow
