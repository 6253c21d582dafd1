#pragma once

#include "sim/base/units.h"
#include "sim/schema/table_options.h"

namespace windrow {

/// What CompressionInfo.db says of a file, but for its chunks.
struct CompressionShape {
  Bytes chunk_bytes = 0;      // uncompressed length; 0: the file is plain
  Bytes parameter_bytes = 0;  // name of the compressor and its other options

  bool compressed() const { return chunk_bytes > 0; }
};

/// Of a table's files: those of a flush may have a faster compressor (storage rule 1.15, flush_compression: fast).
CompressionShape compression_shape(const TableOptions& options, bool flush);

}  // namespace windrow
