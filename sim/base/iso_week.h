#pragma once

#include <chrono>

namespace windrow {

/// A week of the ISO calendar (ISO 8601): from Monday on, of the year of its Thursday.
struct IsoWeek {
  int year = 0;
  int week = 1;
};

inline IsoWeek iso_week(std::chrono::sys_days day) {
  const std::chrono::sys_days monday = day - (std::chrono::weekday(day) - std::chrono::Monday);
  const std::chrono::sys_days thursday = monday + std::chrono::days(3);
  const std::chrono::year year = std::chrono::year_month_day(thursday).year();
  return {.year = static_cast<int>(year),
          .week = static_cast<int>((thursday - std::chrono::sys_days(year / 1 / 1)).count() / 7 + 1)};
}

}  // namespace windrow
