#include "sim/bytes/row_index.h"

#include <algorithm>
#include <cmath>

#include "sim/bytes/row_size.h"
#include "sim/stats/vint.h"

namespace windrow {

Bytes unsigned_vints_size(std::int64_t count, double step) {
  Bytes bytes = count;
  for (int bits = 7; bits <= 56; bits += 7) {
    const double end = static_cast<double>(std::int64_t{1} << bits) / step;
    if (end > static_cast<double>(count - 1)) break;
    const auto whole = static_cast<std::int64_t>(end);
    bytes += count - whole - (static_cast<double>(whole) < end ? 1 : 0);
  }
  return bytes;
}

namespace {

/// Blocks of one partition: each ends with the row that makes it full.
struct RowBlocks {
  std::int64_t count = 1;
  double width = 0;
};

/// What the indexes of a file's partitions have in common.
class RowIndexes {
 public:
  explicit RowIndexes(const EvenPartitions& file)
      : file_(file),
        header_bytes_(RowSize({.format = file.format}).partition_header(file.mean_key_bytes())),
        full_(is_bti(file.format) ? bti_column_index_bytes : big_column_index_bytes) {
    const double bodies = static_cast<double>(file.data_bytes) - static_cast<double>(file.partitions) * beside_rows();
    row_bytes_ = file.rows > 0 ? bodies / static_cast<double>(file.rows) : 0;
  }

  /// What a partition of so many bytes adds to the file; 0: it has one block.
  Bytes of(double partition_bytes) const {
    const RowBlocks blocks = blocks_of(partition_bytes - beside_rows());
    return blocks.count < 2 ? 0 : of(blocks);
  }
  Bytes of(const RowBlocks& blocks) const {
    if (is_bti(file_.format)) return rows_db_partition_estimate(file_.mean_key_bytes(), blocks.count);
    const Bytes promoted = promoted_index(blocks);
    return vint_size(promoted) - vint_size(0) + promoted;
  }
  Bytes full() const { return full_; }

 private:
  double beside_rows() const { return static_cast<double>(header_bytes_ + RowSize::end_of_partition); }
  RowBlocks blocks_of(double body) const {
    if (body <= static_cast<double>(full_) || body < 1.5 * row_bytes_ || row_bytes_ <= 0) return {};
    const double width = std::ceil(static_cast<double>(full_) / row_bytes_) * row_bytes_;
    return {.count = static_cast<std::int64_t>(std::ceil(body / width)), .width = width};
  }
  /// RowIndexEntry with IndexInfo.
  Bytes promoted_index(const RowBlocks& blocks) const {
    constexpr Bytes no_open_marker = 1;
    constexpr Bytes place_in_list = 4;
    const Bytes width_bytes = signed_vint_size(std::llround(blocks.width) - index_info_width_base);
    const Bytes ends = 2 * (1 + file_.clustering_bytes);
    const Bytes live_deletion = header_bytes_ - 2 - file_.mean_key_bytes();
    return vint_size(header_bytes_) + live_deletion + vint_size(blocks.count) +
           blocks.count * (ends + width_bytes + no_open_marker + place_in_list) +
           unsigned_vints_size(blocks.count, blocks.width);
  }

  const EvenPartitions& file_;
  Bytes header_bytes_ = 0;
  Bytes full_ = 0;
  double row_bytes_ = 0;
};

}  // namespace

Bytes row_indexes_of_mean(const EvenPartitions& file) {
  return file.partitions * RowIndexes(file).of(file.mean_bytes());
}

Bytes row_indexes(const EvenPartitions& file, std::span<const PartitionsOfSize> sizes) {
  const RowIndexes indexes(file);
  Bytes bytes = 0;
  for (const PartitionsOfSize& alike : sizes) bytes += alike.partitions * indexes.of(static_cast<double>(alike.bytes));
  return bytes;
}

Bytes row_index_doubt(const EvenPartitions& file) {
  const RowIndexes indexes(file);
  const RowBlocks two{.count = 2, .width = static_cast<double>(indexes.full())};
  return std::min(file.partitions, file.data_bytes / indexes.full()) * indexes.of(two);
}

}  // namespace windrow
