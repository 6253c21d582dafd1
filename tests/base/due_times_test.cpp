#include "sim/base/due_times.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using windrow::DueTimes;

TEST_CASE("due times are asked as a list of them is searched") {
  for (const int count : {0, 1, 2, 3, 7, 8, 9, 33}) {
    DueTimes times(count, 5);
    std::vector<std::int64_t> listed(static_cast<std::size_t>(count), 5);
    for (int step = 0; step < 300; ++step) {
      CAPTURE(count);
      CAPTURE(step);
      std::int64_t earliest = DueTimes::never;
      for (const std::int64_t due : listed) earliest = std::min(earliest, due);
      REQUIRE(times.earliest() == earliest);
      for (int from = 0; from <= count; ++from) {
        for (const std::int64_t at : {-1, 0, 4, 5, 9, 20}) {
          int next = from;
          while (next < count && listed[static_cast<std::size_t>(next)] > at) ++next;
          REQUIRE(times.next_due(from, at) == next);
        }
      }
      if (count == 0) break;
      const int changed = step * 7 % count;
      const std::int64_t due = step % 5 == 0 ? DueTimes::never : step * 13 % 17;
      times.set(changed, due);
      listed[static_cast<std::size_t>(changed)] = due;
      REQUIRE(times.of(changed) == due);
    }
  }
}
