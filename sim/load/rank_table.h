#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace windrow {

/// Of a bucket's slots in order: how many below any slot fall to each column (a node, or a replica set). A slot falls
/// to as many columns as its replica set lists.
class RankTable {
 public:
  /// `columns_of_set[s]`: the columns of replica set s.
  explicit RankTable(std::vector<std::vector<int>> columns_of_set, std::size_t columns);

  /// Takes a bucket's slots; `set_of_slot` stays as it is until the next.
  void take(std::span<const int> set_of_slot);

  std::int64_t slots() const { return static_cast<std::int64_t>(set_of_slot_.size()); }
  /// Adds `sign` times what falls to each column of rows [0, g), whose slots go around.
  void add_rows_below(std::int64_t g, std::int64_t sign, std::span<std::int64_t> columns) const;

 private:
  static constexpr std::size_t stride = 256;  // slots between two that are remembered

  std::vector<std::vector<int>> columns_of_set_;
  std::size_t columns_ = 0;
  std::span<const int> set_of_slot_{};
  std::vector<std::int64_t> remembered_{};  // of slots 0, stride, 2 stride, …: by column; the last: of all slots
};

}  // namespace windrow
