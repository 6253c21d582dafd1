#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.h"

namespace windrow {

/// How the rates of a class's members differ: runs of members, ascending by rate, whose rates are alike.
struct RateSpread {
  struct Part {
    Micros from_us = INT64_MIN;
    std::vector<double> factors{};  // of each run: its members' rate over the class's mean
  };
  std::vector<double> upto{};  // of each run: the share of members up to its end; the last is 1
  std::vector<Part> parts{};   // ascending; rates of then

  /// Of a time, the factor of a member by its place among the members, 0 to 1.
  static double factor_at(const std::vector<double>& upto, const std::vector<double>& factors, double place);
};

}  // namespace windrow
