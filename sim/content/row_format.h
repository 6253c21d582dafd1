#pragma once

#include "sim/bytes/row_size.h"

namespace windrow {

/// Delta bases and columns of an SSTable's header (storage rule 1.2).
struct HeaderBases : EncodingStats::Collector {
  ColumnSet columns{};
  ColumnSet statics{};  // static columns, numbered from 0

  SerializationHeader header(SSTableFormat format) const {
    return {.format = format,
            .stats = get(),
            .static_columns = statics.count(),
            .regular_columns = columns.count(),
            .regular_of_table = columns,
            .static_of_table = statics};
  }
};

/// Bytes of one table's rows in one SSTable, uncompressed: the clusterings of all of them are equally long.
class RowFormat : public RowSize {
 public:
  RowFormat(const HeaderBases& bases, SSTableFormat format, int clustering_bytes)
      : RowSize(bases.header(format)), clustering_bytes_(clustering_bytes) {}

  /// A row of which the bytes behind its sizes are known.
  Bytes row_of(std::int64_t body_bytes, std::int64_t previous_bytes) const {
    return row_of_body(clustering_bytes_, body_bytes, previous_bytes);
  }

 private:
  int clustering_bytes_ = 0;
};

}  // namespace windrow
