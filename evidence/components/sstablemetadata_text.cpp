#include "evidence/components/sstablemetadata_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "evidence/components/java_text.h"
#include "sim/base/arithmetic.h"

namespace windrow {
namespace {

using Print = std::function<std::string(std::int64_t)>;

// A bar of up to 30 marks against the fullest bucket; its end says how much of a mark is left.
std::string bar(std::int64_t count, std::int64_t fullest, bool unicode) {
  const double width = static_cast<double>(count) / static_cast<double>(fullest) * 30.0;
  const auto whole = static_cast<int>(width);
  const double rest = width - whole;
  constexpr std::array<std::string_view, 8> eighths = {"",       "\u258F", "\u258E", "\u258D",
                                                       "\u258C", "\u258B", "\u258A", "\u2589"};
  std::string text;
  for (int i = 0; i < whole; ++i) text += unicode ? "\u2589" : "O";
  if (unicode) return text.append(eighths[static_cast<std::size_t>(rest * 8)]);
  return text + (rest >= 0.75 ? "o" : rest >= 0.30 ? "." : "");
}

std::string block(std::string_view title, const FilledBuckets& buckets, const Print& offset_text,
                  const Print& percentile_text, bool unicode) {
  std::size_t offset_width = title.size();
  std::size_t count_width = 5;
  std::int64_t total = 0;
  std::int64_t fullest = 0;
  EstimatedHistogram binned(static_cast<int>(EstimatedHistogram::offsets().size()));
  for (const auto& [offset, count] : buckets) {
    offset_width = std::max(offset_width, offset_text(offset).size());
    count_width = std::max(count_width, std::to_string(count).size());
    total += count;
    fullest = std::max(fullest, count);
    binned.add(offset, count);
  }
  std::string text = fmt::format("   {:<{}} | {:<{}}  (%)  Histogram \n", title, offset_width, "Count", count_width);
  for (const auto& [offset, count] : buckets) {
    const auto percent = static_cast<int>(100 * (static_cast<double>(count) / static_cast<double>(total)));
    text += fmt::format("   {:<{}} | {:>{}} ({:>3}) {}\n", offset_text(offset), offset_width, count, count_width,
                        percent, bar(count, fullest, unicode));
  }
  text += "   Percentiles\n";
  constexpr std::array<std::pair<std::string_view, double>, 5> shares = {
      {{"50th", 0.5}, {"75th", 0.75}, {"95th", 0.95}, {"98th", 0.98}, {"99th", 0.99}}};
  for (const auto& [name, share] : shares)
    text += fmt::format("   {:<10}{}\n", name, percentile_text(binned.percentile(share)));
  text += fmt::format("   {:<10}{}\n", "Min", percentile_text(binned.min()));
  return text + fmt::format("   {:<10}{}\n", "Max", percentile_text(binned.max()));
}

std::string dated(Seconds s) {
  if (s == no_deletion_time) return fmt::format("no tombstones ({})", s);
  return fmt::format("{} ({})", tool_date(s), s);
}

std::string dated_timestamp(Micros us) { return fmt::format("{} ({})", tool_date(floor_div(us, us_per_s)), us); }

std::string ttl(std::int64_t s) { return s == 0 ? "0" : fmt::format("{} ({})", s, duration_words(s)); }

std::string duration(Micros us) {
  const std::int64_t s = us / us_per_s;
  return fmt::format("Days: {} Hours: {} Minutes: {} Seconds: {}", s / seconds_per_day, s / 3600 % 24, s / 60 % 60,
                     s % 60);
}

}  // namespace

FilledBuckets filled_buckets(const EstimatedHistogram& histogram) {
  FilledBuckets buckets;
  for (std::size_t i = 0; i + 1 < histogram.counts().size(); ++i) {
    if (histogram.counts()[i] > 0) buckets.emplace_back(EstimatedHistogram::offsets()[i], histogram.counts()[i]);
  }
  return buckets;
}

FilledBuckets filled_buckets(const DropTimes& times) {
  FilledBuckets buckets;
  for (const DropTimes::Bin& bin : times.bins()) buckets.emplace_back(bin.point_s, bin.count);
  return buckets;
}

std::string partition_size_block(const FilledBuckets& buckets, bool unicode) {
  const auto print = [](std::int64_t bytes) { return fmt::format("{} ({})", bytes, short_bytes(bytes)); };
  return block("Size (bytes)", buckets, print, print, unicode);
}

std::string column_count_block(const FilledBuckets& buckets, bool unicode) {
  const auto print = [](std::int64_t count) { return std::to_string(count); };
  return block("Columns", buckets, print, print, unicode);
}

std::string drop_time_block(const FilledBuckets& buckets, bool unicode) {
  const auto print = [](Seconds s) { return fmt::format("{} ({})", s, tool_date(s)); };
  // Of an empty histogram every percentile is a bare zero.
  const auto percentile = [&](Seconds s) { return s == 0 ? std::string("0 ") : print(s); };
  return block("Drop Time", buckets, print, percentile, unicode);
}

std::string sstablemetadata_text(const SSTableMetadata& metadata, bool unicode) {
  const SSTableStatistics& stats = metadata.statistics;
  std::string text;
  const auto line = [&](std::string_view name, const auto& value) { text += fmt::format("{}: {}\n", name, value); };
  line("SSTable", metadata.path);
  line("Partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
  line("Bloom Filter FP chance", java_double(metadata.fp_chance));
  line("Minimum timestamp", dated_timestamp(stats.min_timestamp_us));
  line("Maximum timestamp", dated_timestamp(stats.max_timestamp_us));
  line("Duration", duration(stats.max_timestamp_us - stats.min_timestamp_us));
  line("SSTable min local deletion time", dated(stats.min_local_deletion_time_s));
  line("SSTable max local deletion time", dated(stats.max_local_deletion_time_s));
  line("Compressor", metadata.compressor);
  if (metadata.compressor != "-") line("Compression ratio", java_double(metadata.compression_ratio));
  line("TTL min", ttl(stats.min_ttl_s));
  line("TTL max", ttl(stats.max_ttl_s));
  line("First token", metadata.first_token);
  line("Last token", metadata.last_token);
  line("Covered clusterings", metadata.covered_clusterings);
  line("Estimated droppable tombstones", java_double(metadata.droppable_tombstones));
  line("SSTable Level", metadata.level);
  line("Repaired at", 0);
  line("Originating host id", metadata.originating_host_id);
  line("Pending repair", "--");
  line("Replay positions covered", metadata.replay_positions);
  line("totalColumnsSet", stats.columns);
  line("totalRows", stats.rows);
  text += "Estimated tombstone drop times: \n" + drop_time_block(filled_buckets(stats.drop_times), unicode);
  text += "Partition Size: \n" + partition_size_block(filled_buckets(stats.partition_sizes), unicode);
  text += "Column Count: \n" + column_count_block(filled_buckets(stats.cells_per_partition), unicode);
  line("Local token space coverage", "NaN");
  line("Estimated cardinality", metadata.cardinality);
  line("EncodingStats minTTL", ttl(metadata.encoding_stats.min_ttl_s));
  line("EncodingStats minLocalDeletionTime", dated(metadata.encoding_stats.min_local_deletion_time_s));
  line("EncodingStats minTimestamp", dated_timestamp(metadata.encoding_stats.min_timestamp_us));
  line("KeyType", metadata.key_type);
  line("ClusteringTypes", metadata.clustering_types);
  line("StaticColumns", metadata.static_columns);
  line("RegularColumns", metadata.regular_columns);
  line("IsTransient", "false");
  return text;
}

}  // namespace windrow
