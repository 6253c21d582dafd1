#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace windrow {

/// org.apache.cassandra.utils.EstimatedHistogram, 5.0: offsets grow by 1.2, samples round up (rule 1.6,
/// storage rule 2.2).
class EstimatedHistogram {
 public:
  static constexpr int partition_size_offsets = 155;
  static constexpr int cell_count_offsets = 118;

  explicit EstimatedHistogram(int offsets);
  void add(std::int64_t sample, std::int64_t count = 1);
  void merge(const EstimatedHistogram& other);  // the shorter one is padded

  static std::span<const std::int64_t> offsets();  // all 164, shared
  std::span<const std::int64_t> counts() const;    // one per offset, overflow last
  std::int64_t count() const;                      // with overflow
  bool overflowed() const;
  std::int64_t mean() const;  // ceil of the raw mean; 0 if empty; must not be called when overflowed
  double raw_mean() const;
  std::int64_t percentile(double share) const;  // upper bound of the bucket
  std::int64_t min() const;                     // lower bound of the first filled bucket
  std::int64_t max() const;                     // last filled offset; int64 max on overflow

 private:
  std::vector<std::int64_t> counts_;
};

}  // namespace windrow
