#include "sim/bytes/component_sizes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sim/base/arithmetic.h"
#include "sim/bytes/row_index.h"
#include "sim/bytes/serialization_header.h"
#include "sim/bytes/sketch_bytes.h"
#include "sim/stats/sketch_form.h"
#include "sim/stats/vint.h"

namespace windrow {

Bytes index_entry_bytes(std::int64_t key_bytes, Bytes position, Bytes promoted_index_bytes) {
  return 2 + key_bytes + vint_size(position) + vint_size(promoted_index_bytes) + promoted_index_bytes;
}

Bytes index_db_estimate(const EvenPartitions& file) {
  const Bytes all_but_keys = index_entry_bytes(0, 0, 0) - vint_size(0);
  return file.partitions * all_but_keys + file.key_bytes + unsigned_vints_size(file.partitions, file.mean_bytes()) +
         row_indexes_of_mean(file);
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

// CompressionMetadata.Writer: parameters, chunk length, greatest compressed length, data length, chunks.
Bytes compression_info_bytes(Bytes uncompressed_bytes, const CompressionShape& shape) {
  return shape.parameter_bytes + 4 + 4 + 8 + 4 + 8 * ceil_div(uncompressed_bytes, shape.chunk_bytes);
}

Bytes toc_bytes(SSTableFormat format, bool compressed, bool has_filter) {
  constexpr auto length = [](std::string_view text) { return static_cast<Bytes>(text.size()); };
  const Bytes index = is_bti(format) ? length("Partitions.db\nRows.db\n") : length("Index.db\nSummary.db\n");
  return length("Data.db\nStatistics.db\nDigest.crc32\nTOC.txt\n") + index +
         (compressed ? length("CompressionInfo.db\n") : length("CRC.db\n")) + (has_filter ? length("Filter.db\n") : 0);
}

namespace {

// Bytes of branches and page padding per partition in a trie of 2^1, 2^1.5, ... 2^21 random tokens, computed with
// PartitionIndex. Padding comes and goes as the subtries of a first byte outgrow a page.
constexpr std::array<double, 41> trie_branch_bytes = {4.00, 3.30, 3.00, 2.75, 2.56, 2.41, 2.34, 2.33, 2.30, 2.39, 2.82,
                                                      2.97, 3.12, 3.25, 3.26, 3.15, 3.43, 3.16, 2.95, 2.74, 2.57, 2.45,
                                                      2.38, 2.38, 2.45, 2.81, 3.17, 3.48, 4.00, 5.34, 9.39, 5.47, 3.90,
                                                      3.58, 3.25, 2.95, 2.72, 2.56, 2.47, 2.45, 2.59};

// The same for 2^14, 2^14.125, ... 2^17.5 tokens, partitions of 120 bytes: the subtries of all first bytes outgrow a
// page at once, so that bytes double within a tenth more partitions.
constexpr double first_fine_eighth = 14 * 8;
constexpr std::array<double, 29> fine_trie_branch_bytes = {3.13, 3.21, 3.28, 3.35, 3.44, 3.49, 3.66, 3.67, 3.73, 4.23,
                                                           3.95, 3.76, 5.36, 5.32, 4.51, 3.73, 6.66, 9.29, 8.34, 7.15,
                                                           6.06, 5.06, 4.11, 3.67, 3.82, 3.83, 3.74, 3.66, 3.58};

/// Where so many lie on the whole ring. `leaf_bytes` in the mean: larger leaves fill a page the sooner, by their share
/// of what a partition has in it.
double branch_bytes(double partitions, double leaf_bytes) {
  double half_octaves = 2.0 * (std::log2(partitions) - 1.0);
  // One level of 256 branches more and the picture repeats.
  constexpr double period = 16.0;
  while (half_octaves > static_cast<double>(trie_branch_bytes.size() - 1)) half_octaves -= period;
  constexpr double leaf_of_120_bytes = 5;
  constexpr double branches_about = 3;
  const double eighths = 4 * half_octaves + 8 - first_fine_eighth +
                         8 * std::log2((leaf_bytes + branches_about) / (leaf_of_120_bytes + branches_about));
  if (eighths >= 0 && eighths < static_cast<double>(fine_trie_branch_bytes.size() - 1)) {
    const auto below = static_cast<std::size_t>(eighths);
    return std::lerp(fine_trie_branch_bytes[below], fine_trie_branch_bytes[below + 1],
                     eighths - static_cast<double>(below));
  }
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

Bytes partitions_db_estimate(std::int64_t partitions, double ring_share, Bytes data_bytes, std::int64_t first_key_bytes,
                             std::int64_t last_key_bytes) {
  // A leaf is a type byte, a byte of the key's hash and the position.
  double trie_bytes = 3.0;
  if (partitions > 1) {
    const double leaf_bytes = 2.0 + mean_position_bytes(static_cast<double>(data_bytes));
    const auto leaves = static_cast<double>(partitions);
    // Subtries are those of a whole ring as densely filled; a trie of one page has no padding.
    constexpr double page_bytes = 4096;
    constexpr double most_branch_bytes = 3.4;
    constexpr double least_share = 0x1p-32;
    const double branches = branch_bytes(leaves / std::max(ring_share, least_share), leaf_bytes);
    const bool one_page = (leaf_bytes + most_branch_bytes) * leaves < page_bytes;
    trie_bytes = (leaf_bytes + (one_page ? std::min(branches, most_branch_bytes) : branches)) * leaves;
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

Bytes rows_db_estimate(const EvenPartitions& file) { return row_indexes_of_mean(file); }

namespace {

// HyperLogLogPlus(13, 25) in its sparse form: sorted 26-bit values, the gaps as vints; else its registers.
constexpr Bytes dense_sketch_bytes = 5'472;
Bytes sparse_sketch_bytes(std::int64_t partitions) {
  const double gap = std::exp2(26.0) / static_cast<double>(std::max<std::int64_t>(partitions, 1));
  double bytes_per_value = 1.0;
  for (const int bits : {7, 14, 21}) bytes_per_value += std::exp(-std::exp2(bits) / gap);
  return 8 + static_cast<Bytes>(std::llround(bytes_per_value * static_cast<double>(partitions)));
}

}  // namespace

Bytes sparse_sketch_excess(std::int64_t keys) { return sparse_sketch_bytes(keys) - dense_sketch_bytes; }

Bytes statistics_db_estimate(const StatisticsShape& shape) {
  constexpr Bytes table_of_contents = 60;   // four components with places and checksums
  constexpr Bytes validation = 2 + 43 + 8;  // partitioner, false positive chance
  constexpr Bytes histograms = 2 * 4 + 16 * (156 + 119);
  const Bytes numbers = shape.format == SSTableFormat::nb ? 156 : 161;  // times, ratios, level, counters, host id
  constexpr Bytes per_commit_log_interval = 24;
  constexpr Bytes per_drop_time = 16;
  Bytes bytes = table_of_contents + validation + histograms + numbers;
  bytes += shape.partitions > surely_sparse_keys ? dense_sketch_bytes : sparse_sketch_bytes(shape.partitions);
  bytes += per_commit_log_interval * shape.commit_log_intervals;
  bytes += per_drop_time * shape.drop_time_bins;
  bytes += shape.type_name_bytes + shape.clustering_bytes;
  if (shape.format != SSTableFormat::nb) bytes += shape.clustering_type_name_bytes + shape.end_key_bytes;
  return bytes;
}

ComponentSizes component_sizes(const ComponentShape& shape) {
  const EvenPartitions& file = shape.partitions;
  const Bytes key_bytes = file.mean_key_bytes();
  const CompressionShape& compression = shape.compacted ? shape.schema.compacted : shape.schema.flushed;
  ComponentSizes sizes;
  sizes.filter = shape.filter_bytes;
  if (is_bti(file.format)) {
    sizes.index = partitions_db_estimate(file.partitions, shape.ring_share, file.data_bytes, key_bytes, key_bytes);
    sizes.rows = rows_db_estimate(file);
  } else {
    const std::int64_t entries = summary_entries(file.partitions, shape.min_index_interval);
    sizes.index = index_db_estimate(file);
    sizes.summary = summary_bytes(entries, entries * key_bytes, key_bytes, key_bytes);
  }
  // The least and the greatest clustering: each value has two bytes of length, and no header.
  const int columns = shape.schema.clustering_columns;
  const Bytes clustering_ends = columns > 0 ? 2 * (file.clustering_bytes - 1 + 2 * columns) : 0;
  sizes.statistics = statistics_db_estimate(
      {.format = file.format,
       .partitions = file.partitions,
       .drop_time_bins = shape.drop_time_bins,
       .type_name_bytes = shape.schema.type_name_bytes + shape.schema.name_bytes(shape.columns, shape.statics),
       .clustering_type_name_bytes = shape.schema.clustering_type_name_bytes,
       .clustering_bytes = clustering_ends,
       .end_key_bytes = 2 * key_bytes});
  sizes.checks = compression.compressed() ? compression_info_bytes(file.data_bytes, compression)
                                          : crc_bytes(file.data_bytes, shape.compacted);
  sizes.texts = usual_digest_bytes + toc_bytes(file.format, compression.compressed(), shape.filter_bytes > 0);
  return sizes;
}

}  // namespace windrow
