#include "sim/cost/flush_content.h"

#include <algorithm>

namespace windrow {

namespace {

/// What is on disk of a row of those that have come so long ago, or since, in the mean.
double lasting_row_bytes(const ExpectedWriter& each, double elapsed_s) {
  const double kept_s = std::min(elapsed_s, each.kept_s);
  const double readable = kept_s > each.expires_s ? each.expires_s / kept_s : 1;
  return readable * each.row_data_bytes + (1 - readable) * each.expired_row_bytes;
}

}  // namespace

FlushContent content_of(const std::vector<ExpectedWriter>& writers, std::size_t piece, double flushes, double piece_s) {
  FlushContent content;
  const double elapsed_s = piece_s * static_cast<double>(piece + 1);
  double partition_bytes = 0;
  for (const ExpectedWriter& each : writers) {
    const double rows = std::min(each.most_keys, each.rows[piece] / flushes);
    if (rows <= 0) continue;
    content.rows += rows * static_cast<double>(each.writer.rows_per_event);
    content.row_bytes += rows * each.row_data_bytes;
    content.lasting_bytes += rows * lasting_row_bytes(each, elapsed_s);
    content.kept_s = std::max(content.kept_s, each.kept_s);
    const double partitions = std::min(rows, static_cast<double>(each.writer.most_slots()) *
                                                 buckets_in(each, piece_s / flushes * seconds_of_history(each.writer)));
    content.partitions += partitions;
    partition_bytes += partitions * each.partition_data_bytes;
    if (each.one_by_one) {
      content.rows_one_by_one += rows;
      content.writes_one_by_one += each.rows[piece] / flushes;
      continue;
    }
    content.cohorts += std::min(rows, kinds_of(each));
    if (each.writer.statics.empty()) continue;
    content.static_rows += partitions;
    content.rows_one_by_one += partitions;
  }
  content.bytes = content.row_bytes + partition_bytes;
  content.lasting_bytes += partition_bytes;
  return content;
}

double live_before(const std::vector<double>& flushes, std::size_t piece, double kept_s, double piece_s) {
  double live = flushes[piece] / 2;
  const double kept = kept_s / piece_s;
  for (std::size_t before = 1; before <= piece && static_cast<double>(before) <= kept + 1; ++before)
    live += flushes[piece - before] * std::min(1.0, kept + 1 - static_cast<double>(before));
  return std::max(1.0, std::min(live, flushes[piece] * std::max(1.0, kept) + live));
}

double flushes_held(const std::vector<ExpectedWriter>& writers, std::size_t piece, const FlushContent& content,
                    double piece_s) {
  double bytes = 0;
  for (const ExpectedWriter& each : writers)
    bytes += std::min(each.most_keys, rows_held(each, piece, piece_s)) * each.row_data_bytes;
  return content.row_bytes > 0 ? bytes / content.row_bytes : 0;
}

double flushes_that_differ(const std::vector<ExpectedWriter>& writers, std::size_t piece, double flushes, double live) {
  double rows_a_flush = 0;
  double rows = 0;
  for (const ExpectedWriter& each : writers) {
    const double flushed = std::min(each.most_keys, each.rows[piece] / flushes);
    rows_a_flush += flushed;
    rows += std::min(each.most_keys, flushed * live);
  }
  return rows_a_flush > 0 ? std::max(1.0, rows / rows_a_flush) : live;
}

}  // namespace windrow
