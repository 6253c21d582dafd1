#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/keys/stream_values.h"
#include "sim/scenario/scenario.h"
#include "sim/stats/rate_spread.h"
#include "sim/words/distribution.h"
#include "sim/words/quantities.h"
#include "sim/words/timed.h"

namespace windrow {

/// Entities of a stream that write at one rate. Numbers ascend with the rate.
struct EntityClass {
  std::int64_t first = 0;
  std::int64_t entities = 1;
  bool single = false;  // one of the largest, by itself
  /// Rates of one entity, from the times of the stream's `then`: the first from the beginning.
  struct Part {
    std::optional<Micros> from_us{};
    std::optional<Rate> exact{};
    double rows_per_s = 0;
  };
  std::vector<Part> parts{};
  std::shared_ptr<const RateSpread> rates{};  // how its entities differ; null: they are alike
};

/// How the rates of members differ, from each one's in ascending order, part by part of time: runs of members within a
/// percent of each other, single ones where there are few. Null where all are alike.
std::shared_ptr<const RateSpread> make_spread(std::int64_t members, std::span<const EntityClass::Part> parts,
                                              const std::function<double(std::size_t part, std::int64_t member)>& rate);

/// The eight largest entities singly, the others in at most 32 classes of equal numbers (equal-probability quantiles);
/// a class's rate is the mean of its members', so that all classes together bring count times the distribution's mean.
inline constexpr std::int64_t most_singles = 8;
inline constexpr std::int64_t most_classes = 32;

/// Classes of `count` entities whose rates (in time) are spread as given. Entities keep their rank when the spread
/// changes.
std::vector<EntityClass> make_classes(std::int64_t count, const Timed<StreamRate>& rate);

/// Every rate times `factor`: exact ones stay exact where that is a whole number.
void multiply_rates(std::vector<EntityClass>& classes, double factor);

/// What multiplies a stream's rate in time, and what bounds it.
struct Pace {
  Growth growth{};
  Shape shape{};
  double copies = 1;
  double most_per_s = 0;  // of one entity; 0: no bound (derived streams: one row per interval)
};

/// Stretches of a class from `from_us` to `until_us`. `multiplier`: entities in the class, times what each one stands
/// for. Returns nothing if there would be more than `most`.
std::optional<std::vector<RateStretch>> make_stretches(const EntityClass& entity_class, double multiplier,
                                                       const Pace& pace, Micros from_us, Micros until_us,
                                                       std::size_t most);

/// The rows of `stretches` that happen from `from_us` to before `until_us`, at the same instants; empty if there are
/// none.
std::vector<RateStretch> stretches_between(const std::vector<RateStretch>& stretches, Micros from_us, Micros until_us);

}  // namespace windrow
