#include "sim/resolve/rate_classes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/workload/rhythm.h"

namespace windrow {

namespace {

constexpr Micros us_per_hour = 3600 * us_per_s;
constexpr Micros first_monday_us = 4 * us_per_day;

EntityClass::Part part_of(const Timed<StreamRate>::Part& rate, std::int64_t from, std::int64_t to, std::int64_t count) {
  if (rate.value.exact)
    return {.from_us = rate.from_us, .exact = rate.value.exact, .rows_per_s = rate.value.exact->per_s()};
  return {
      .from_us = rate.from_us, .exact = std::nullopt, .rows_per_s = rate.value.spread.mean_of_ranks(from, to, count)};
}

// Of one member; of a sample without a sum over those before it.
double rate_of(const StreamRate& rate, std::int64_t rank, std::int64_t count) {
  if (rate.exact) return rate.exact->per_s();
  const Distribution& spread = rate.spread;
  if (spread.kind != Distribution::Kind::sample) return spread.mean_of_ranks(rank, rank + 1, count);
  return spread.sample[static_cast<std::size_t>(mul_div_floor(rank, std::ssize(spread.sample), count))];
}

// A class's rate as whole rows in whole microseconds: to ten digits, or exact.
RateStretch stretch_of(double rows_per_s) {
  constexpr double long_period_us = 1e10;
  if (rows_per_s * static_cast<double>(longest_duration_us) < 1e6) return {};
  std::int64_t rows = 1;
  double period_us = 1e6 / rows_per_s;
  for (; period_us < long_period_us; period_us *= 10) rows *= 10;
  const std::int64_t period = std::llround(period_us);
  const std::int64_t divisor = std::gcd(rows, period);
  return {.from_us = 0, .rows = rows / divisor, .period_us = period / divisor};
}

std::optional<RateStretch> exact_stretch(const Rate& rate, double multiplier) {
  const double whole = std::floor(multiplier);
  if (whole != multiplier || whole * static_cast<double>(rate.rows) > 1e15) return std::nullopt;
  const std::int64_t rows = rate.rows * static_cast<std::int64_t>(whole);
  if (rows == 0) return RateStretch{};
  const std::int64_t divisor = std::gcd(rows, rate.period_us);
  return RateStretch{.from_us = 0, .rows = rows / divisor, .period_us = rate.period_us / divisor};
}

// Mean of (1 + per_year) ^ t over the step that holds `us`: the rows of a year are those of the continuous growth.
double growth_factor(const Growth& growth, Micros from_us, Micros us) {
  if (growth.per_year == 0) return 1;
  const double steps = static_cast<double>(us_per_year) / static_cast<double>(growth.step_us);  // of a year
  const double step = static_cast<double>((us - from_us) / growth.step_us) / steps;
  const double log = std::log1p(growth.per_year);
  return (std::exp(log * (step + 1.0 / steps)) - std::exp(log * step)) / (log / steps);
}

// Steps of a day or week, around a peak of `factor` times the mean: a cosine bell, as steep as it must be; their mean
// is 1.
std::vector<double> bell(int steps, double factor) {
  const auto relative = [&](double steepness) {
    std::vector<double> values;
    for (int i = 0; i < steps; ++i) {
      const double cosine = std::cos(2 * std::numbers::pi * i / steps);
      values.push_back(std::pow((1 + cosine) / 2, steepness));
    }
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / steps;
    for (double& value : values) value /= mean;
    return values;
  };
  double low = 0;
  double high = 400;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (relative(middle).front() < factor ? low : high) = middle;
  }
  return relative((low + high) / 2);
}

class ShapeFactors {
 public:
  ShapeFactors(const Shape& shape, Micros begin_us) : shape_(shape), begin_us_(begin_us) {
    if (shape.kind == Shape::Kind::daily) use(24, us_per_hour, shape.peak_s * us_per_s - us_per_hour / 2);
    if (shape.kind == Shape::Kind::weekly) use(7, us_per_day, first_monday_us + shape.peak_s * us_per_s);
  }

  double at(Micros us) const {
    if (shape_.kind == Shape::Kind::burst) {
      const Micros within = (us - begin_us_) % shape_.every_us;
      return within < shape_.length_us && us - begin_us_ >= shape_.every_us ? shape_.factor : 1;
    }
    if (factors_.empty()) return 1;
    const auto count = static_cast<std::int64_t>(factors_.size());
    const std::int64_t step = floor_div(us - peak_us_, step_us_);
    return factors_[static_cast<std::size_t>(step - floor_div(step, count) * count)];
  }

  /// The first time after `us` at which the factor may change; 0: never.
  Micros next_change(Micros us) const {
    if (shape_.kind == Shape::Kind::burst) {
      const Micros cycle = begin_us_ + (us - begin_us_) / shape_.every_us * shape_.every_us;
      return us < cycle + shape_.length_us ? cycle + shape_.length_us : cycle + shape_.every_us;
    }
    return factors_.empty() ? 0 : peak_us_ + (floor_div(us - peak_us_, step_us_) + 1) * step_us_;
  }

 private:
  void use(int steps, Micros step_us, Micros peak_us) {
    factors_ = bell(steps, shape_.factor);
    step_us_ = step_us;
    peak_us_ = peak_us;
  }

  Shape shape_{};
  Micros begin_us_ = 0;
  std::vector<double> factors_{};
  Micros step_us_ = 1;
  Micros peak_us_ = 0;  // where the peak's step begins, some day or week
};

}  // namespace

std::shared_ptr<const RateSpread> make_spread(std::int64_t members, std::span<const EntityClass::Part> parts,
                                              const std::function<double(std::size_t, std::int64_t)>& rate) {
  constexpr std::int64_t few = 64;
  const double alike = members <= few ? 1 : 1.01;
  const auto run_of = [&](std::int64_t first, std::int64_t last) {
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (rate(p, last) > rate(p, first) * alike) return false;
    }
    return true;
  };
  auto spread = std::make_shared<RateSpread>();
  for (const EntityClass::Part& part : parts)
    spread->parts.push_back({.from_us = part.from_us.value_or(INT64_MIN), .factors = {}});
  std::vector<std::vector<double>> rates(parts.size());
  std::vector<double> means(parts.size(), 0);
  for (std::int64_t from = 0, to = 0; from < members; from = to) {
    to = from + 1;
    for (std::int64_t step = 1; step > 0;) {
      const bool fits = to + step <= members && run_of(from, to + step - 1);
      if (fits) to += step;
      step = fits ? step * 2 : step / 2;
    }
    spread->upto.push_back(static_cast<double>(to) / static_cast<double>(members));
    for (std::size_t p = 0; p < parts.size(); ++p) {
      rates[p].push_back((rate(p, from) + rate(p, to - 1)) / 2);
      means[p] += rates[p].back() * static_cast<double>(to - from) / static_cast<double>(members);
    }
  }
  if (spread->upto.size() < 2) return nullptr;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const double each : rates[p]) spread->parts[p].factors.push_back(means[p] > 0 ? each / means[p] : 1);
  }
  return spread;
}

std::vector<EntityClass> make_classes(std::int64_t count, const Timed<StreamRate>& rate) {
  const auto add = [&](std::vector<EntityClass>& classes, std::int64_t from, std::int64_t to, bool single) {
    EntityClass made{.first = from, .entities = to - from, .single = single, .parts = {}};
    for (const auto& part : rate.parts) made.parts.push_back(part_of(part, from, to, count));
    if (to - from > 1) {
      made.rates = make_spread(to - from, made.parts, [&](std::size_t part, std::int64_t member) {
        return rate_of(rate.parts[part].value, from + member, count);
      });
    }
    classes.push_back(std::move(made));
  };
  std::vector<EntityClass> classes;
  const bool varies = std::ranges::any_of(rate.parts, [](const auto& part) { return !part.value.exact; });
  if (!varies) {
    add(classes, 0, count, false);
    return classes;
  }
  const std::int64_t singles = std::min(most_singles, count);
  const std::int64_t others = count - singles;
  const std::int64_t slices = std::min(most_classes, others);
  for (std::int64_t i = 0; i < slices; ++i) {
    add(classes, mul_div_floor(others, i, slices), mul_div_floor(others, i + 1, slices), false);
  }
  for (std::int64_t i = others; i < count; ++i) add(classes, i, i + 1, true);
  return classes;
}

void multiply_rates(std::vector<EntityClass>& classes, double factor) {
  for (EntityClass& each : classes) {
    for (EntityClass::Part& part : each.parts) {
      part.rows_per_s *= factor;
      if (!part.exact) continue;
      const auto exact = exact_stretch(*part.exact, factor);
      part.exact = exact ? std::optional(Rate{.rows = exact->rows, .period_us = exact->period_us}) : std::nullopt;
    }
  }
}

std::optional<std::vector<RateStretch>> make_stretches(const EntityClass& entity_class, double multiplier,
                                                       const Pace& pace, Micros from_us, Micros until_us,
                                                       std::size_t most) {
  SIM_CHECK(!entity_class.parts.empty(), "a class without a rate");
  const ShapeFactors shape(pace.shape, from_us);
  std::vector<RateStretch> stretches;
  for (Micros begin_us = from_us; begin_us < until_us;) {
    Micros end_us = until_us;
    const auto stop_at = [&](Micros us) {
      if (us > begin_us) end_us = std::min(end_us, us);
    };
    const EntityClass::Part* part = &entity_class.parts.front();
    for (const EntityClass::Part& each : entity_class.parts) {
      if (each.from_us && *each.from_us <= begin_us) part = &each;
      if (each.from_us) stop_at(*each.from_us);
    }
    if (pace.growth.per_year != 0)
      stop_at(from_us + ((begin_us - from_us) / pace.growth.step_us + 1) * pace.growth.step_us);
    if (const Micros change = shape.next_change(begin_us); change != 0) stop_at(change);

    const double factor = growth_factor(pace.growth, from_us, begin_us) * shape.at(begin_us) * pace.copies;
    const bool bounded = pace.most_per_s > 0 && part->rows_per_s * factor > pace.most_per_s;
    std::optional<RateStretch> made;
    if (part->exact && !bounded) made = exact_stretch(*part->exact, factor * multiplier);
    if (!made) made = stretch_of((bounded ? pace.most_per_s : part->rows_per_s * factor) * multiplier);
    made->from_us = begin_us;
    const bool same =
        !stretches.empty() && stretches.back().rows == made->rows && stretches.back().period_us == made->period_us;
    if (!same) stretches.push_back(*made);
    if (stretches.size() > most) return std::nullopt;
    begin_us = end_us;
  }
  return stretches;
}

std::vector<RateStretch> stretches_between(const std::vector<RateStretch>& stretches, Micros from_us, Micros until_us) {
  std::vector<RateStretch> part;
  if (stretches.empty()) return part;
  Rhythm rhythm(stretches.front().from_us, stretches.front().period_us, stretches.front().rows, true);
  for (std::size_t i = 1; i < stretches.size(); ++i)
    rhythm.change_at(stretches[i].from_us, stretches[i].period_us, stretches[i].rows);
  const std::int64_t first = rhythm.count_before(from_us);
  if (first == rhythm.count_before(until_us)) return part;
  const Micros first_us = rhythm.event(first);
  for (const RateStretch& stretch : stretches) {
    if (stretch.from_us >= until_us) break;
    if (stretch.from_us <= first_us) part.clear();
    part.push_back(
        {.from_us = std::max(stretch.from_us, first_us), .rows = stretch.rows, .period_us = stretch.period_us});
  }
  return part;
}

}  // namespace windrow
