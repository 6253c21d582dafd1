#include "evidence/components/components.h"

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

// Bytes of branches and page padding per partition in a trie of 2^1, 2^1.5, ... 2^21 random tokens, computed with
// PartitionIndex. Padding comes and goes as the subtries of a first byte outgrow a page.
constexpr std::array<double, 41> trie_branch_bytes = {4.00, 3.30, 3.00, 2.75, 2.56, 2.41, 2.34, 2.33, 2.30, 2.39, 2.82,
                                                      2.97, 3.12, 3.25, 3.26, 3.15, 3.43, 3.16, 2.95, 2.74, 2.57, 2.45,
                                                      2.38, 2.38, 2.45, 2.81, 3.17, 3.48, 4.00, 5.34, 9.39, 5.47, 3.90,
                                                      3.58, 3.25, 2.95, 2.72, 2.56, 2.47, 2.45, 2.59};

double branch_bytes(std::int64_t partitions) {
  double half_octaves = 2.0 * (std::log2(static_cast<double>(partitions)) - 1.0);
  // One level of 256 branches more and the picture repeats.
  constexpr double period = 16.0;
  while (half_octaves > static_cast<double>(trie_branch_bytes.size() - 1)) half_octaves -= period;
  const auto below = std::min(static_cast<std::size_t>(half_octaves), trie_branch_bytes.size() - 2);
  return std::lerp(trie_branch_bytes[below], trie_branch_bytes[below + 1], half_octaves - static_cast<double>(below));
}

// Mean bytes of positions spread evenly over the file, each a signed number of whole bytes.
double mean_position_bytes(double data_bytes) {
  double sum = 0;
  double below = 0;
  for (int bytes = 1; bytes < 8 && below < data_bytes; ++bytes) {
    const double limit = std::min(std::exp2(8 * bytes - 1), data_bytes);
    sum += bytes * (limit - below);
    below = limit;
  }
  return sum / data_bytes;
}

}  // namespace

Bytes partitions_db_estimate(std::int64_t partitions, Bytes data_bytes, std::int64_t first_key_bytes,
                             std::int64_t last_key_bytes) {
  // A leaf is a type byte, a byte of the key's hash and the position.
  double trie_bytes = 3.0;
  if (partitions > 1) {
    const double leaf_bytes = 2.0 + mean_position_bytes(static_cast<double>(data_bytes)) + branch_bytes(partitions);
    trie_bytes = leaf_bytes * static_cast<double>(partitions);
  }
  return static_cast<Bytes>(std::llround(trie_bytes)) + 2 + first_key_bytes + 2 + last_key_bytes + 24;
}

Bytes rows_db_partition_estimate(std::int64_t key_bytes, std::int64_t blocks) {
  // Recorded: 26 bytes of trie for 2 blocks, 45 for 5, 846 for 108, about 1970 for 243.
  constexpr Bytes per_block = 8;
  constexpr Bytes trie_ends = 8;
  constexpr Bytes entry = 2 + 6;  // key length; position, root, blocks, live deletion
  return entry + key_bytes + trie_ends + per_block * blocks;
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
