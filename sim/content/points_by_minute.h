#pragma once

#include <algorithm>
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
    std::int64_t next = 0;  // the first member that is not counted
    std::size_t place = 0;  // of its sub-stream among those that come together
  };

  /// Of sub-streams that come together, and times after their writes that differ by whole minutes.
  void add(const ContentSpace& space, const Together& together, std::span<Dropping> all) {
    constexpr std::size_t most_at_once = 64;
    const SubStream& any = space.sub_stream(together.sub_streams.front());
    for (Dropping& each : all) each.place = space.workload().place_of(each.cohort->sub_stream) - together.first_place;
    std::array<std::int64_t, most_at_once> rows{};
    std::vector<std::int64_t> ranks(together.sub_streams.size() * most_at_once);
    // The minute of the first member that is left, less the time after its write: so far before all others' minutes.
    const auto next_minute = [&] {
      Seconds minute = no_deletion_time;
      for (const Dropping& each : all) {
        if (each.next == each.cohort->to) continue;
        const Seconds point_s = space.sub_stream(each.cohort->sub_stream).arrival_s(each.next) + each.after_write_s;
        minute = std::min(minute, (point_s + 59) / 60 * 60 - each.after_write_s);
      }
      return minute;
    };
    // Counts of several minutes wait for nothing from each other; where rows are rare, most of them would be in vain.
    std::size_t at_once = 1;
    Rhythm::Counter counter(any.writer().rhythm);
    for (Seconds minute = next_minute(); minute != no_deletion_time;) {
      for (std::size_t i = 0; i < at_once; ++i) {
        const Seconds second = minute + static_cast<Seconds>(i) * 60 + 1;
        rows[i] = any.rows_arrived_before(second * us_per_s / any.writer().unit_us, counter);
      }
      together.shares.ranks({rows.data(), at_once}, ranks);
      bool any_at_last = false;
      for (Dropping& each : all) {
        const std::span<const std::int64_t> upto(ranks.data() + each.place * at_once, at_once);
        if (std::min(upto.back(), each.cohort->to) <= each.next) continue;
        if (count((minute + each.after_write_s) / 60, upto, each)) any_at_last = true;
      }
      minute = any_at_last ? minute + static_cast<Seconds>(at_once) * 60 : next_minute();
      at_once = any_at_last ? std::min(2 * at_once, most_at_once) : 1;
    }
  }

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

  /// Of minutes that follow each other, the members `upto` the end of each. True if some lie in the last of them.
  bool count(Seconds minute, std::span<const std::int64_t> upto, Dropping& each) {
    std::int64_t before = each.next;
    std::int64_t last = before;
    while (!upto.empty()) {
      std::vector<std::int64_t>& chunk = chunks_[minute / chunk_minutes];
      chunk.resize(chunk_minutes);
      const auto place = static_cast<std::size_t>(minute % chunk_minutes);
      const std::size_t here = std::min(upto.size(), static_cast<std::size_t>(chunk_minutes) - place);
      if (upto.front() >= before && upto[here - 1] <= each.cohort->to) {
        // All but the first and the last minutes: without a bound to keep to, several are counted at once.
        chunk[place] += (upto.front() - before) * each.points;
        for (std::size_t i = 1; i < here; ++i) chunk[place + i] += (upto[i] - upto[i - 1]) * each.points;
        last = here > 1 ? upto[here - 2] : before;
        before = upto[here - 1];
      } else {
        for (std::size_t i = 0; i < here; ++i) {
          last = before;
          before = std::max(before, std::min(upto[i], each.cohort->to));
          chunk[place + i] += (before - last) * each.points;
        }
      }
      upto = upto.subspan(here);
      minute += static_cast<Seconds>(here);
    }
    each.next = before;
    return before > last;
  }

  std::map<Seconds, std::vector<std::int64_t>> chunks_{};
};

}  // namespace windrow
