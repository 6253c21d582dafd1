#include "sim/bytes/compression_shape.h"

#include <string>

#include "sim/schema/compression_options.h"

namespace windrow {

namespace {

/// CompressionMetadata.Writer: the compressor's simple name, a count of options, and each of them.
Bytes parameters(const OptionMap& options) {
  Bytes bytes = 4;
  for (const auto& [name, value] : options) {
    if (name == "class") {
      const std::size_t dot = value.rfind('.');
      bytes += 2 + std::ssize(value) - (dot == std::string::npos ? 0 : static_cast<Bytes>(dot) + 1);
    } else if (name != "chunk_length_in_kb") {
      bytes += 2 + std::ssize(name) + 2 + std::ssize(value);
    }
  }
  return bytes;
}

/// Compressors that ICompressor.recommendedUses calls fast.
bool fast(const OptionMap& options) {
  const std::string& name = options.at("class");
  return name.ends_with("LZ4Compressor") || name.ends_with("SnappyCompressor") || name.ends_with("NoopCompressor");
}

}  // namespace

CompressionShape compression_shape(const TableOptions& options, bool flush) {
  if (options.chunk_bytes() == 0) return {};
  const OptionMap& map = options.compression;
  if (!flush || fast(map)) return {.chunk_bytes = chunk_length_bytes(map), .parameter_bytes = parameters(map)};
  return {.chunk_bytes = KiB(16), .parameter_bytes = parameters({{"class", "LZ4Compressor"}})};
}

}  // namespace windrow
