#include "evidence/recordings/recording_check_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include "sim/strategy/unified.h"

namespace windrow {
namespace {

using HistogramBins = std::vector<std::pair<std::optional<std::int64_t>, std::int64_t>>;

std::string text(const HistogramBins& bins) {
  std::string out;
  for (const auto& [offset, count] : bins) {
    out += fmt::format("{}{}:{}", out.empty() ? "" : " ", offset ? fmt::to_string(*offset) : "overflow", count);
  }
  return out;
}

std::string text(const std::vector<std::pair<Seconds, std::int64_t>>& bins) {
  std::string out;
  for (const auto& [point_s, count] : bins) out += fmt::format("{}{}:{}", out.empty() ? "" : " ", point_s, count);
  return out;
}

template <class Value>
std::string text(const Value& value) {
  return fmt::format("{}", value);
}

class Comparer {
 public:
  template <class Expected, class Ours>
  void compare(const char* field, const Expected& expected, const Ours& ours) {
    ++result_.fields;
    bool equal = false;
    if constexpr (std::is_integral_v<Expected> && std::is_integral_v<Ours> && !std::is_same_v<Expected, bool>) {
      equal = std::cmp_equal(expected, ours);
    } else {
      equal = expected == ours;
    }
    if (!equal) result_.differences.push_back({.field = field, .expected = text(expected), .ours = text(ours)});
  }
  FileComparison take() { return std::move(result_); }

 private:
  FileComparison result_{};
};

HistogramBins bins_of(const EstimatedHistogram& histogram) {
  HistogramBins bins;
  const auto counts = histogram.counts();
  const auto offsets = EstimatedHistogram::offsets();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const bool overflow = i + 1 == counts.size();
    bins.emplace_back(overflow ? std::nullopt : std::optional(offsets[i]), counts[i]);
  }
  return bins;
}

void compare_identity(Comparer& comparer, const SSTable& ours, const TraceSSTable& recorded) {
  const SSTable::Identity& identity = ours.identity();
  const FileExtremes& extremes = ours.extremes();
  comparer.compare("id", recorded.id, identity.id);
  comparer.compare("gen", recorded.generation, identity.id);
  comparer.compare("hash", recorded.hash, identity.hash);
  comparer.compare("created_ms", recorded.created_ms, identity.created_s * ms_per_s);
  comparer.compare("rows", recorded.rows, extremes.rows);
  comparer.compare("cells_set", recorded.cells_set, extremes.cells);
  comparer.compare("partitions", recorded.partitions, extremes.partitions);
  comparer.compare("min_timestamp", recorded.min_timestamp_us, extremes.min_timestamp_us);
  comparer.compare("max_timestamp", recorded.max_timestamp_us, extremes.max_timestamp_us);
  comparer.compare("min_ldt", recorded.min_local_deletion_time_s, extremes.min_local_deletion_time_s);
  comparer.compare("max_ldt", recorded.max_local_deletion_time_s, extremes.max_local_deletion_time_s);
  comparer.compare("min_ttl", recorded.min_ttl_s, extremes.min_ttl_s);
  comparer.compare("max_ttl", recorded.max_ttl_s, extremes.max_ttl_s);
  comparer.compare("uncompressed_bytes", recorded.uncompressed_bytes, extremes.uncompressed_bytes);
  comparer.compare("data_bytes", recorded.data_bytes, identity.data_bytes);
}

}  // namespace

FileComparison compare_identity(const SSTable& ours, const TraceSSTable& recorded) {
  Comparer comparer;
  compare_identity(comparer, ours, recorded);
  return comparer.take();
}

FileComparison compare_file(const SSTable& ours, const TraceSSTable& recorded, Seconds gc_before_s) {
  Comparer comparer;
  compare_identity(comparer, ours, recorded);
  const auto [first, last] = ours.token_span();
  comparer.compare("first_token", recorded.first_token, first);
  comparer.compare("last_token", recorded.last_token, last);
  comparer.compare("estimated_keys", recorded.estimated_keys, ours.estimated_keys());
  comparer.compare("informative", recorded.informative, ours.estimation_informative());
  comparer.compare("cells_estimate", recorded.cells_estimate, ours.cells_mean() * ours.cells_count());
  comparer.compare("partition_sizes", recorded.partition_sizes, bins_of(ours.histograms().partition_sizes));
  comparer.compare("cell_counts", recorded.cell_counts, bins_of(ours.histograms().cells));
  std::vector<std::pair<Seconds, std::int64_t>> drop_times;
  for (const DropTimes::Bin& bin : ours.histograms().drop_times.bins()) drop_times.emplace_back(bin.point_s, bin.count);
  comparer.compare("drop_times", recorded.drop_times, drop_times);
  comparer.compare("droppable_ratio_now", recorded.droppable_ratio_now, ours.droppable_tombstone_ratio(gc_before_s));
  const SSTableView view = ours.view();
  if (recorded.stored_coverage) comparer.compare("stored_coverage", *recorded.stored_coverage, view.stored_coverage);
  if (recorded.span) comparer.compare("span", *recorded.span, token_coverage(view));
  if (recorded.density) comparer.compare("density", *recorded.density, density(view));
  return comparer.take();
}

std::string_view rule_of_field(std::string_view field) {
  struct FieldRule {
    std::string_view field;
    std::string_view rule;
  };
  static constexpr std::array rules{
      FieldRule{"id", "0.2 order of outputs"},
      FieldRule{"gen", "0.2 order of outputs"},
      FieldRule{"hash", "0.2a hash of the descriptor"},
      FieldRule{"file level", "8.11 level of outputs"},
      FieldRule{"created_ms", "0.9 creation time"},
      FieldRule{"rows", "3 merge and purge"},
      FieldRule{"cells_set", "3 merge and purge"},
      FieldRule{"partitions", "3 merge and purge"},
      FieldRule{"uncompressed_bytes", "storage 1 row format"},
      FieldRule{"data_bytes", "storage 1 row format; recorded ratio where compressed"},
      FieldRule{"estimated_keys", "1.7 key estimate"},
      FieldRule{"informative", "1.7 key estimate"},
      FieldRule{"cells_estimate", "1.4 to 1.6 histograms"},
      FieldRule{"partition_sizes", "1.4 to 1.6 histograms"},
      FieldRule{"cell_counts", "1.4 to 1.6 histograms"},
      FieldRule{"drop_times", "2.1 and 2.2 drop-time histogram"},
      FieldRule{"droppable_ratio_now", "2.4 droppable ratio"},
      FieldRule{"stored_coverage", "1.8 coverage"},
      FieldRule{"span", "9.3 token measure"},
      FieldRule{"density", "9.3 token measure"},
  };
  const auto* found = std::ranges::find(rules, field, &FieldRule::field);
  return found == rules.end() ? "1.1 statistics of an SSTable" : found->rule;
}

double bytes_on_disk_off(const SSTable& ours, const TraceSSTable& recorded) {
  const auto expected = static_cast<double>(recorded.bytes_on_disk);
  return expected > 0 ? std::abs(static_cast<double>(ours.bytes_on_disk()) - expected) / expected : 0.0;
}

}  // namespace windrow
