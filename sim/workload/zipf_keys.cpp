#include "sim/workload/zipf_keys.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"

namespace windrow {

namespace {

constexpr double weight_apart = 1.1;
/// From this rank on the sum over a class is the integral between its middles: 1e-7 of it off at most for any
/// exponent that keeps a share worth the name there.
constexpr std::int64_t summed_ranks = 10'000;

/// Sum of r^-exponent over [from, to).
double weight_of(std::int64_t from, std::int64_t to, double exponent) {
  if (from < summed_ranks) {
    double sum = 0;
    for (std::int64_t rank = std::min(to, summed_ranks); rank-- > from;)
      sum += std::pow(static_cast<double>(rank), -exponent);
    return to <= summed_ranks ? sum : sum + weight_of(summed_ranks, to, exponent);
  }
  const double begin = static_cast<double>(from) - 0.5;
  const double log_length = std::log((static_cast<double>(to) - 0.5) / begin);
  const double slope = 1 - exponent;
  const double integral = std::abs(slope) < 1e-12 ? log_length : std::expm1(slope * log_length) / slope;
  return std::pow(begin, slope) * integral;
}

/// First rank of the class after the one that begins at `from`.
std::int64_t class_end(std::int64_t from, std::int64_t keys, double exponent) {
  const double end = static_cast<double>(from) * std::pow(weight_apart, 1 / exponent);
  if (end >= static_cast<double>(keys)) return keys + 1;
  return std::max(from + 1, static_cast<std::int64_t>(end) + 1);
}

}  // namespace

ZipfKeys::ZipfKeys(std::int64_t keys, double exponent) : exponent_(exponent) {
  SIM_CHECK(keys > 0 && exponent > 0, "zipf without keys or exponent");
  std::vector<double> weights;
  double all = 0;
  for (std::int64_t from = 1; from <= keys;) {
    const std::int64_t to = class_end(from, keys, exponent);
    classes_.push_back({.keys = static_cast<double>(to - from)});
    weights.push_back(weight_of(from, to, exponent));
    all += weights.back();
    from = to;
  }
  for (std::size_t i = 0; i < classes_.size(); ++i)
    classes_[i].log_missed = std::log1p(-std::min(1.0, weights[i] / all / classes_[i].keys));
}

double ZipfKeys::different(std::int64_t draws) const {
  if (draws <= 0) return 0;
  double sum = 0;
  for (const Class& each : classes_) sum += each.keys * -std::expm1(static_cast<double>(draws) * each.log_missed);
  return sum;
}

}  // namespace windrow
