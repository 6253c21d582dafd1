#pragma once

#include <cstdint>

#include "sim/bytes/row_layout.h"

namespace windrow {

/// Bytes of rows, markers and partition headers in Data.db before compression, and of their parts. Allocates nothing: a
/// simulation may ask for millions of rows. ByteRun needs sizes only.
class RowSize {
 public:
  explicit RowSize(const SerializationHeader& header) : layout_(header) {}

  Bytes partition_header(std::int64_t key_bytes, const DeletionTime& deletion = {}) const {
    return counted([&](SizeSink& size) { layout_.partition_header(size, {.size = key_bytes}, deletion); });
  }
  Bytes static_row(const StoredRow& row) const {
    return counted([&](SizeSink& size) { layout_.static_row(size, row); });
  }
  Bytes row(const StoredRow& row, std::int64_t previous_bytes) const {
    return counted([&](SizeSink& size) { layout_.row(size, row, previous_bytes); });
  }
  static Bytes row_of_body(std::int64_t clustering_bytes, std::int64_t body_bytes, std::int64_t previous_bytes) {
    return counted([&](SizeSink& size) { RowLayout::row_of_body(size, clustering_bytes, body_bytes, previous_bytes); });
  }
  Bytes marker(const StoredMarker& marker, std::int64_t previous_bytes) const {
    return counted([&](SizeSink& size) { layout_.marker(size, marker, previous_bytes); });
  }
  static constexpr Bytes end_of_partition = 1;

  int timestamp(Micros us) const {
    return part([&](SizeSink& size) { layout_.timestamp(size, us); });
  }
  int local_deletion_time(Seconds s) const {
    return part([&](SizeSink& size) { layout_.local_deletion_time(size, s); });
  }
  int ttl(std::int64_t s) const {
    return part([&](SizeSink& size) { layout_.ttl(size, s); });
  }
  int deletion_time(const DeletionTime& deletion) const {
    return part([&](SizeSink& size) { layout_.deletion_time(size, deletion); });
  }
  /// Of a row that has the columns `present`, see RowLayout::subset.
  int subset(const ColumnSet& present) const {
    return part([&](SizeSink& size) { layout_.subset(size, present); });
  }
  static Bytes value(std::int64_t bytes, bool fixed_length) {
    return counted([&](SizeSink& size) { RowLayout::value(size, {.size = bytes}, fixed_length); });
  }

  const SerializationHeader& header() const { return layout_.header(); }

 private:
  template <typename Count>
  static Bytes counted(const Count& count) {
    SizeSink size;
    count(size);
    return size.size();
  }
  template <typename Count>
  static int part(const Count& count) {
    return static_cast<int>(counted(count));
  }

  RowLayout layout_;
};

}  // namespace windrow
