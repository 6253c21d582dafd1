#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/workload/sub_stream.h"

namespace windrow {

/// Stretches of members that go around the partitions of a bucket, found by the partition: of a flush that ends before
/// it has gone around, few of them have rows.
class HeldBySlot {
 public:
  HeldBySlot() = default;

  static constexpr std::size_t cells = 64;
  static constexpr std::size_t fewest = 32;  // stretches that are worth the finding

  bool empty() const { return by_cell_.empty(); }
  /// Members [first, last), in ascending order of their numbers: 0, 1, ….
  void add(const SubStream::Turn& turn, std::uint32_t number, std::int64_t first, std::int64_t last);
  /// How many are around a partition, in the mean.
  std::size_t mean_around() const;
  /// Ascending numbers of all that may have a member of this slot.
  std::span<const std::uint32_t> around(std::int64_t slot) const;

 private:
  void add_slots(std::uint32_t number, std::int64_t from, std::int64_t to);

  std::int64_t slots_of_a_cell_ = 1;
  std::vector<std::vector<std::uint32_t>> by_cell_{};
};

}  // namespace windrow
