#pragma once

#include <cstdint>
#include <vector>

namespace windrow {

/// Keys that are drawn at random, the r-th most wanted of them with a weight of r^-exponent. Ranks are held in classes
/// whose ends differ by at most a tenth in weight; each has the sum of its keys' weights, which its keys share evenly.
class ZipfKeys {
 public:
  ZipfKeys(std::int64_t keys, double exponent);

  /// Expected number of different keys in so many draws: at most 3e-4 of it too high.
  double different(std::int64_t draws) const;
  double exponent() const { return exponent_; }
  std::int64_t classes() const { return static_cast<std::int64_t>(classes_.size()); }

 private:
  struct Class {
    double keys = 0;
    double log_missed = 0;  // of the chance that a draw is not a certain key
  };
  double exponent_ = 0;
  std::vector<Class> classes_{};
};

}  // namespace windrow
