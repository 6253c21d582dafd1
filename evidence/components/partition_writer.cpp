#include "evidence/components/partition_writer.h"

#include <utility>

#include "sim/base/check.h"
#include "sim/bytes/component_sizes.h"

namespace windrow {

PartitionWriter::PartitionWriter(const SerializationHeader& header, Bytes column_index_bytes, std::string* data)
    : layout_(header), column_index_bytes_(column_index_bytes), data_(data) {
  if (column_index_bytes_ == 0) {
    column_index_bytes_ = is_bti(header.format) ? bti_column_index_bytes : big_column_index_bytes;
  }
}

// Counts in any case, writes if there is somewhere to write to.
template <typename Write>
std::int64_t PartitionWriter::put(Write write) {
  SizeSink size;
  write(size);
  if (data_ != nullptr) {
    const std::size_t before = data_->size();
    ByteSink sink(*data_);
    write(sink);
    SIM_CHECK(data_->size() - before == static_cast<std::size_t>(size.size()), "bytes counted are bytes written");
  }
  partition_.bytes += size.size();
  return size.size();
}

void PartitionWriter::begin(const ByteRun& key, const DeletionTime& deletion) {
  partition_ = WrittenPartition{.position = position_, .deleted = !deletion.live()};
  deletion_ = deletion;
  static_row_written_ = false;
  last_start_ = 0;
  unfiltereds_ = 0;
  block_.reset();
  open_ = {};
  put([&](auto& out) { layout_.partition_header(out, key, deletion); });
  partition_.header_bytes = partition_.bytes;
  collector_.deletion(deletion);
}

void PartitionWriter::static_row(const StoredRow& row) {
  SIM_CHECK(!static_row_written_, "a partition has one static row");
  static_row_written_ = true;
  if (layout_.header().static_columns == 0) return;
  put([&](auto& out) { layout_.static_row(out, row); });
  partition_.header_bytes = partition_.bytes;
  partition_.has_static_row = !row.empty();
  collector_.static_row(row);
}

void PartitionWriter::ensure_static_row() {
  if (!static_row_written_) static_row({});
}

void PartitionWriter::row(const StoredRow& row) {
  ensure_static_row();
  const std::int64_t bytes = put([&](auto& out) { layout_.row(out, row, partition_.bytes - last_start_); });
  ++partition_.rows;
  collector_.row(row);
  unfiltered(bytes, 1 + row.clustering.size);
}

void PartitionWriter::marker(const StoredMarker& marker) {
  ensure_static_row();
  const std::int64_t bytes = put([&](auto& out) { layout_.marker(out, marker, partition_.bytes - last_start_); });
  ++partition_.markers;
  collector_.marker(marker);
  open_ = marker.opens ? marker.opened : DeletionTime{};
  unfiltered(bytes, 1 + 2 + (marker.values > 0 ? marker.clustering.size : 0));
}

void PartitionWriter::unfiltered(std::int64_t bytes, std::int64_t index_bytes) {
  const std::int64_t start = partition_.bytes - bytes;
  last_start_ = start;
  if (!block_) block_ = IndexBlock{.offset = start, .first_bytes = index_bytes, .first_unfiltered = unfiltereds_};
  block_->width = partition_.bytes - block_->offset;
  block_->last_bytes = index_bytes;
  block_->last_unfiltered = unfiltereds_++;
  block_->open = open_;
  if (block_->width >= column_index_bytes_) {
    partition_.blocks.push_back(*block_);
    block_.reset();
  }
}

// RowIndexEntry with IndexInfo (storage rule 1.12).
Bytes PartitionWriter::promoted_index() const {
  SizeSink size;
  size.unsigned_vint(static_cast<std::uint64_t>(partition_.header_bytes));
  layout_.partition_deletion(size, deletion_);
  size.unsigned_vint(partition_.blocks.size());
  for (const IndexBlock& block : partition_.blocks) {
    size.add(block.first_bytes + block.last_bytes);
    size.unsigned_vint(static_cast<std::uint64_t>(block.offset));
    size.add(signed_vint_size(block.width - index_info_width_base));
    size.add(1);
    if (!block.open.live()) size.add(12);
    size.add(4);  // the block's place in the list of offsets
  }
  return size.size();
}

WrittenPartition PartitionWriter::end() {
  ensure_static_row();
  if (block_) partition_.blocks.push_back(*block_);
  if (partition_.blocks.size() < 2) partition_.blocks.clear();
  put([&](auto& out) { layout_.end_of_partition(out); });
  if (!partition_.blocks.empty() && !is_bti(layout_.header().format))
    partition_.promoted_index_bytes = promoted_index();
  partition_.cells = collector_.partition_cells();
  partition_.tombstone_cells = collector_.partition_tombstone_cells();
  collector_.end_partition(partition_.bytes);
  position_ += partition_.bytes;
  return std::move(partition_);
}

}  // namespace windrow
