#pragma once

#include <span>
#include <string_view>

#include "sim/schema/compaction_options.h"

namespace windrow {

/// The compression map as system_schema shows it: {'enabled': 'false'}, or the class by its full name, the chunk length
/// and what else was given (CompressionParams, Cassandra 5.0.9). Throws OptionError where the server refuses the map.
OptionMap effective_compression_map(const OptionMap& map);

/// Length of a chunk of an uncompressed file's bytes.
Bytes chunk_length_bytes(const OptionMap& effective_compression);

/// The compressors of the engine by their short names.
std::span<const std::string_view> compressor_names();

/// What a compression map may hold.
std::span<const std::string_view> compression_sub_options();

}  // namespace windrow
