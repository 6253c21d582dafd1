#include "sim/page/iso.h"

#include <charconv>
#include <chrono>

namespace windrow {

std::int64_t iso_seconds(std::string_view iso) {
  const auto part = [&](std::size_t from, std::size_t length) {
    int value = 0;
    if (iso.size() >= from + length) std::from_chars(iso.data() + from, iso.data() + from + length, value);
    return value;
  };
  const std::chrono::year_month_day date{std::chrono::year{part(0, 4)},
                                         std::chrono::month{static_cast<unsigned>(part(5, 2))},
                                         std::chrono::day{static_cast<unsigned>(part(8, 2))}};
  if (!date.ok()) return 0;
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  return ((days * 24 + part(11, 2)) * 60 + part(14, 2)) * 60 + part(17, 2);
}

}  // namespace windrow
