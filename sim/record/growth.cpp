#include "sim/record/growth.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/record/node_runs.h"
#include "sim/record/partition_names.h"
#include "sim/text/csv.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 10> growth_columns = {"node",  "table", "rank",  "entity", "bucket",
                                                             "shard", "at",    "age_s", "rows",   "bytes"};
constexpr std::size_t partitions_shown = 5;
constexpr std::int64_t growth_steps = 60;

struct Span {
  Micros from_us = 0;
  Micros to_us = 0;
};

Span growing_time(const Writer& writer, const LargestPartition& partition, Micros start_us, Micros now_us) {
  if (writer.bucket.single()) return {start_us, now_us};
  return {std::max(start_us, writer.bucket.begin(partition.bucket) * us_per_s),
          std::min(now_us, writer.bucket.begin(partition.bucket + 1) * us_per_s)};
}

}  // namespace

std::vector<GrowthPoint> growth_of_largest(const ContentSpace& space, std::span<const LargestPartition> largest,
                                           Micros start_us, Micros now_us) {
  std::vector<GrowthPoint> points;
  int rank = 0;
  for (const LargestPartition& partition : largest.first(std::min(largest.size(), partitions_shown))) {
    ++rank;
    if (partition.rows == 0) continue;
    const Span span = growing_time(space.workload().writers()[static_cast<std::size_t>(partition.writer)], partition,
                                   start_us, now_us);
    if (span.to_us <= span.from_us) continue;
    for (std::int64_t step = 0; step <= growth_steps; ++step) {
      const Micros at_us = span.from_us + (span.to_us - span.from_us) / growth_steps * step;
      const double rows = rows_at(space, partition, at_us, now_us);
      const double bytes = rows * static_cast<double>(partition.bytes) / static_cast<double>(partition.rows);
      points.push_back({.rank = rank,
                        .at_us = at_us,
                        .age_s = (at_us - span.from_us) / us_per_s,
                        .rows = std::llround(rows),
                        .bytes = std::llround(bytes)});
    }
  }
  return points;
}

void write_growth(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "growth.csv", growth_columns);
  each_node_table(record, [&](const RunRecord& run, const TableRecord& table) {
    for (const GrowthPoint& point : table.growth) {
      const NamedPartition& partition = table.largest[static_cast<std::size_t>(point.rank - 1)];
      csv.number(std::int64_t{run.identity.node}).text(table.name).number(std::int64_t{point.rank});
      csv.text(partition.entity).word(partition.bucket);
      csv.number_or_empty(partition.shard);
      csv.time(point.at_us).number(point.age_s);
      csv.number(point.rows).number(point.bytes).end_row();
    }
  });
  csv.close();
}

}  // namespace windrow
