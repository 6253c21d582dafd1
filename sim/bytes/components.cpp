#include "sim/bytes/components.h"

#include <array>
#include <cmath>
#include <string>

#include "sim/base/arithmetic.h"
#include "sim/stats/vint.h"

namespace windrow {

Bytes index_entry_bytes(std::int64_t key_bytes, Bytes position, Bytes promoted_index_bytes) {
  return 2 + key_bytes + unsigned_vint_size(static_cast<std::uint64_t>(position)) +
         unsigned_vint_size(static_cast<std::uint64_t>(promoted_index_bytes)) + promoted_index_bytes;
}

Bytes summary_bytes(std::int64_t entries, std::int64_t entry_key_bytes, std::int64_t first_key_bytes,
                    std::int64_t last_key_bytes) {
  return 24 + 4 * entries + entry_key_bytes + 8 * entries + 4 + first_key_bytes + 4 + last_key_bytes;
}

Bytes crc_bytes(Bytes data_bytes, bool compacted) {
  constexpr Bytes chunk = KiB(64);
  const Bytes rest = compacted && data_bytes % chunk != 0 ? 4 : 0;
  return 4 + 4 * ceil_div(data_bytes, chunk) + rest;
}

// CompressionMetadata.Writer: name, options, chunk length, greatest compressed length, data length, chunks.
Bytes compression_info_bytes(Bytes uncompressed_bytes, Bytes chunk_bytes, std::string_view compressor,
                             const std::map<std::string, std::string>& other_options) {
  Bytes bytes = 2 + static_cast<Bytes>(compressor.size()) + 4 + 4 + 4 + 8 + 4;
  for (const auto& [name, value] : other_options)
    bytes += 2 + static_cast<Bytes>(name.size()) + 2 + static_cast<Bytes>(value.size());
  return bytes + 8 * ceil_div(uncompressed_bytes, chunk_bytes);
}

Bytes toc_bytes(SSTableFormat format, bool compressed, bool has_filter) {
  std::string text = "Data.db\nStatistics.db\nDigest.crc32\nTOC.txt\n";
  text += is_bti(format) ? "Partitions.db\nRows.db\n" : "Index.db\nSummary.db\n";
  text += compressed ? "CompressionInfo.db\n" : "CRC.db\n";
  if (has_filter) text += "Filter.db\n";
  return static_cast<Bytes>(text.size());
}

namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t rest = i;
    for (int bit = 0; bit < 8; ++bit) rest = (rest & 1) != 0 ? 0xEDB88320U ^ (rest >> 1) : rest >> 1;
    table[i] = rest;
  }
  return table;
}

std::uint32_t crc32(std::string_view data) {
  static constexpr std::array<std::uint32_t, 256> table = make_crc_table();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : data) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (crc >> 8);
  return ~crc;
}

}  // namespace

Bytes digest_bytes(std::string_view data) { return static_cast<Bytes>(std::to_string(crc32(data)).size()); }

namespace {

// Whole bytes of a signed number up to `value`.
double sized_int_bytes(double value) { return std::ceil((std::log2(std::max(value, 1.0)) + 1.0) / 8.0); }

}  // namespace

Bytes partitions_db_estimate(std::int64_t partitions, Bytes data_bytes, std::int64_t first_key_bytes,
                             std::int64_t last_key_bytes) {
  // A leaf is a type byte, a hash byte and the position; the branches above it take 2.9 bytes a leaf on average, and
  // padding to pages of 4 KiB is in the measurement.
  constexpr double branch_bytes = 2.6;
  const double leaf_bytes = 2.0 + sized_int_bytes(static_cast<double>(data_bytes)) + branch_bytes;
  const double trie_bytes = partitions == 1 ? 3.0 : leaf_bytes * static_cast<double>(partitions);
  return static_cast<Bytes>(std::llround(trie_bytes)) + 2 + first_key_bytes + 2 + last_key_bytes + 24;
}

namespace {

// HyperLogLogPlus(13, 25) in its sparse form: sorted 26-bit values, the gaps as vints; dense beyond 6144 values.
Bytes cardinality_sketch_bytes(std::int64_t partitions) {
  constexpr std::int64_t most_sparse = 6144;
  constexpr Bytes dense = 5'472;
  if (partitions > most_sparse) return dense;
  const double gap = std::exp2(26.0) / static_cast<double>(std::max<std::int64_t>(partitions, 1));
  double bytes_per_value = 1.0;
  for (const int bits : {7, 14, 21}) bytes_per_value += std::exp(-std::exp2(bits) / gap);
  return 8 + static_cast<Bytes>(std::llround(bytes_per_value * static_cast<double>(partitions)));
}

}  // namespace

Bytes statistics_db_estimate(const StatisticsShape& shape) {
  constexpr Bytes table_of_contents = 60;   // four components with places and checksums
  constexpr Bytes validation = 2 + 43 + 8;  // partitioner, false positive chance
  constexpr Bytes histograms = 2 * 4 + 16 * (156 + 119);
  const Bytes numbers = shape.format == SSTableFormat::nb ? 156 : 161;  // times, ratios, level, counters, host id
  constexpr Bytes per_commit_log_interval = 24;
  constexpr Bytes per_drop_time = 16;
  Bytes bytes = table_of_contents + validation + histograms + numbers;
  bytes += cardinality_sketch_bytes(shape.partitions);
  bytes += per_commit_log_interval * shape.commit_log_intervals;
  bytes += per_drop_time * shape.drop_time_bins;
  bytes += shape.type_name_bytes + shape.clustering_bytes;
  if (shape.format != SSTableFormat::nb) bytes += shape.clustering_type_name_bytes + shape.end_key_bytes;
  return bytes;
}

}  // namespace windrow
