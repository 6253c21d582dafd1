#pragma once

#include <cstdint>

#include "sim/bytes/row_layout.h"

namespace windrow {

/// Bytes of rows, markers and partition headers in Data.db before compression. Allocates nothing: a simulation may ask
/// for millions of rows. ByteRun needs sizes only.
class RowSize {
 public:
  explicit RowSize(const SerializationHeader& header) : layout_(header) {}

  Bytes partition_header(std::int64_t key_bytes, const DeletionTime& deletion = {}) const {
    SizeSink size;
    layout_.partition_header(size, {.size = key_bytes}, deletion);
    return size.size();
  }
  Bytes static_row(const StoredRow& row) const {
    SizeSink size;
    layout_.static_row(size, row);
    return size.size();
  }
  Bytes row(const StoredRow& row, std::int64_t previous_bytes) const {
    SizeSink size;
    layout_.row(size, row, previous_bytes);
    return size.size();
  }
  Bytes marker(const StoredMarker& marker, std::int64_t previous_bytes) const {
    SizeSink size;
    layout_.marker(size, marker, previous_bytes);
    return size.size();
  }
  static constexpr Bytes end_of_partition = 1;

 private:
  RowLayout layout_;
};

}  // namespace windrow
