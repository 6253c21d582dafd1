#include "sim/keys/accepted.h"
#include "sim/keys/sections.h"
#include "sim/limits/limits.h"

// The keys of [limits]: a row of sim/limits each.

namespace windrow {

namespace {

/// What a bound of this unit may be, and in words.
struct BoundRange {
  const char* accepted = "0 or more";
  double least = 0;
  double most = 1e18;
};
BoundRange bound_range(Unit unit) {
  switch (unit) {
    case Unit::bytes:
      return {"above 0", 1};
    case Unit::share:
      return {"0% to 100%"};
    case Unit::ratio:
      return {"at least 1", 1, 1e6};
    case Unit::seconds:
      return {times};
    case Unit::days:
      return {"0 or more", 0, 1e9};
    case Unit::rows:
    case Unit::cells:
    case Unit::count:
      break;
  }
  return {};
}

double read_bound(Unit unit, std::string_view text) {
  switch (unit) {
    case Unit::bytes:
      return static_cast<double>(read_whole<Size>(text).bytes);
    case Unit::share:
      return static_cast<double>(read_whole<Share>(text).ppm) / 1e6;
    case Unit::seconds:
      return static_cast<double>(read_whole<Duration>(text).us) / us_per_s;
    case Unit::ratio:
    case Unit::days:
      return read_whole<Number>(text).number;
    case Unit::rows:
    case Unit::cells:
    case Unit::count:
      break;
  }
  return static_cast<double>(read_whole<Count>(text).count);
}

Key<LimitsSection> limit_key(const Limit& limit) {
  const BoundRange range = bound_range(limit.unit);
  const KeyInfo info{.name = std::string(limit.key),
                     .meaning = std::string(limit.meaning),
                     .unit = std::string(limit.counted),
                     .accepted = range.accepted};
  return Key<LimitsSection>(info,
                            [&limit](LimitsSection& section, std::string_view text) {
                              section.values[std::string(limit.key)] = read_bound(limit.unit, text);
                            })
      .holds([&limit, range](std::string_view text) {
        const double bound = read_bound(limit.unit, text);
        return bound >= range.least && bound <= range.most;
      });
}

}  // namespace

const Keys<LimitsSection>& LimitsSection::keys() {
  static const Keys<LimitsSection> keys = [] {
    Keys<LimitsSection> all;
    for (const Limit& limit : all_limits) all.push_back(limit_key(limit));
    return all;
  }();
  return keys;
}

}  // namespace windrow
