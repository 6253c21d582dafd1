#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/words/cursor.h"

namespace windrow {

/// How a quantity is spread over n members (entities, rows). Member of rank r stands for the slice of probability
/// [r / n, (r + 1) / n) and has the slice's mean: the members' sum is n times the distribution's mean, exactly.
/// Values below zero count as zero.
struct Distribution {
  enum class Kind { constant, uniform, normal, lognormal, pareto, zipf, sample };
  Kind kind = Kind::constant;
  double first = 0;    // the constant; low; mean; median; smallest; exponent
  double second = 0;   // high; standard deviation; 99th percentile; shape; mean (zipf)
  std::string file{};  // sample: from(file:column), read when the scenario is resolved
  std::string column{};
  std::vector<double> sample{};  // ascending

  /// Mean of the members with rank in [from, to) of n, ascending by value; 0 <= from < to <= n.
  double mean_of_ranks(std::int64_t from, std::int64_t to, std::int64_t n) const;
  bool varies() const { return kind != Kind::constant; }
};

/// Reads a quantity in its own unit as a number in base units.
using ReadQuantity = std::function<double(Cursor&)>;

/// A quantity, or uniform(a, b) normal(mean, sd) lognormal(median, p99) pareto(smallest, shape) zipf(s, mean)
/// from(file.csv:column).
Distribution read_distribution(Cursor& cursor, const ReadQuantity& quantity);

/// n sizes in whole units, ascending, whose sum is the distribution's mean times n, rounded: equally likely members.
std::vector<std::int32_t> deck_of(const Distribution& distribution, int n);

inline constexpr std::string_view accepted_distributions =
    "a single value, uniform(a, b), normal(mean, sd), lognormal(median, p99), pareto(smallest, shape), zipf(s, mean), "
    "from(file.csv:column)";

}  // namespace windrow
