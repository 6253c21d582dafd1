#include "sim/cost/layout.h"

#include <algorithm>
#include <cmath>

namespace windrow {

namespace {

double bucket_s(const ExpectedWriter& each) {
  if (each.writer.bucket.single() || each.writer.turn >= 0) return std::numeric_limits<double>::infinity();
  const Seconds length_s = each.writer.bucket.length();
  return length_s > 0 ? static_cast<double>(length_s) : 30.0 * seconds_per_day;
}

/// In which one bucket is written.
double flushes_of_a_bucket(const ExpectedWriter& each, const Layout& layout) {
  return bucket_s(each) / seconds_of_history(each.writer) / layout.a_flush_s;
}

}  // namespace

double seconds_of_history(const Writer& writer) {
  if (!writer.arrivals) return 1;
  return static_cast<double>(writer.rhythm.end() - writer.rhythm.begin()) /
         static_cast<double>(std::max<std::int64_t>(1, writer.arrivals->end() - writer.arrivals->begin()));
}

double sstables_of_a_bucket(const ExpectedWriter& each, const Layout& layout) {
  const double all = std::max(1.0, layout.live + layout.waiting);
  const double in_turn = each.of_time < 1 ? all * each.of_time : all;
  const double of_its_time = std::min(in_turn, flushes_of_a_bucket(each, layout));
  return std::max(1.0, layout.cut ? layout.live + std::min(layout.waiting, of_its_time) : of_its_time);
}

double kinds_of(const ExpectedWriter& each) {
  double kinds = 0;
  for (const FateShare& share : each.fate.shares) kinds += share.deleted ? 2 : 1;
  return kinds;
}

double buckets_in(const ExpectedWriter& each, double seconds) {
  if (each.writer.bucket.single() || each.writer.turn >= 0) return 1;
  const Seconds length_s = each.writer.bucket.length();
  return 1 + seconds / (length_s > 0 ? static_cast<double>(length_s) : 30.0 * seconds_per_day);
}

DeadAfter dead_after(const ExpectedWriter& each, const TableOptions& options) {
  DeadAfter after;
  const auto gc_grace_s = static_cast<double>(options.gc_grace_seconds);
  const auto dies = [&](double dead_s, double purged_s) {
    after.dead_s = std::min(after.dead_s, dead_s);
    after.purged_s = std::min(after.purged_s, purged_s);
  };
  const bool born_with_dead = std::ranges::any_of(each.writer.columns, [](const ColumnWrite& column) {
    return column.null || (column.elements && column.elements->whole);
  });
  if (born_with_dead) {
    dies(0, gc_grace_s);
    after.droppable_s = gc_grace_s;
  }
  for (const FateShare& share : each.fate.shares) {
    const auto ttl_s = static_cast<double>(ttl_of(share, options));
    const double deleted_s = static_cast<double>(each.fate.deletes.age_units) / static_cast<double>(us_per_s);
    if (ttl_s > 0) dies(ttl_s, std::max(ttl_s, gc_grace_s));
    if (share.deleted) {
      dies(deleted_s, deleted_s + gc_grace_s);
      after.droppable_s = std::min(after.droppable_s, deleted_s + gc_grace_s);
    }
  }
  return after;
}

bool purged_in_part(const ExpectedWriter& each, const TableOptions& options, const Layout& layout) {
  if (!layout.purges || each.one_by_one || dead_after(each, options).purged_s >= layout.oldest_s) return false;
  if (layout.cut_on_lattice()) return true;
  // A flush that has rows of all partitions of the only bucket keeps all of them or none.
  const auto slots = static_cast<double>(each.writer.most_slots());
  // On a lattice it has so also of a bucket that it begins or ends, but for a turn of its writer.
  return (layout.hashed && std::isfinite(bucket_s(each))) || each.all_rows / layout.flushes_of_run < 2 * slots;
}

double cohorts_between_borders(const std::vector<ExpectedWriter>& writers, double flushes_live,
                               double rows_of_an_output, const TableOptions& options, const Layout& layout) {
  constexpr double flushes_in_level_1 = 12;
  constexpr double borders_of_a_flush = 0.05;
  constexpr double rows_of_a_cohort = 2.5;  // where there are no more cohorts to come
  if (!layout.cut_on_lattice()) return 0;
  double flushes = 0;
  for (const ExpectedWriter& each : writers) {
    const bool at_once = dead_after(each, options).purged_s < flushes_in_level_1 * layout.a_flush_s;
    if (at_once && purged_in_part(each, options, layout))
      flushes = std::max(flushes, std::min(flushes_live, flushes_of_a_bucket(each, layout)));
  }
  return std::min(borders_of_a_flush * flushes, rows_of_an_output / rows_of_a_cohort);
}

double rows_held(const ExpectedWriter& each, std::size_t piece, double piece_s) {
  double rows = 0;
  const double kept = each.kept_s / piece_s;
  for (std::size_t ago = 0; ago <= piece && static_cast<double>(ago) <= kept + 1; ++ago)
    rows += each.rows[piece - ago] * std::min(1.0, kept + 1 - static_cast<double>(ago));
  return rows;
}

double sets_of_a_bucket(const ExpectedWriter& each, double rows_a_flush, const Layout& layout) {
  const double to_meet_all = static_cast<double>(each.writer.most_slots()) / std::max(1.0, rows_a_flush);
  const double met =
      (layout.live + layout.waiting) * std::min(1.0, layout.an_output_s / std::max(1.0, layout.oldest_s));
  return std::min(std::max(1.0, to_meet_all), std::max(1.0, met));
}

double cohorts_of_a_bucket(const ExpectedWriter& each, std::size_t piece, double piece_s, bool in_part,
                           const Layout& layout) {
  const double rows = rows_held(each, piece, piece_s);
  const double buckets = buckets_in(
      each, std::min(piece_s * static_cast<double>(piece + 1), each.kept_s) * seconds_of_history(each.writer));
  const double of_a_kind = in_part && !layout.cut ? 1 + sets_of_a_bucket(each, rows / layout.flushes, layout) : 1;
  return std::clamp(kinds_of(each) * sstables_of_a_bucket(each, layout) * of_a_kind, 1.0,
                    std::max(1.0, rows / buckets));
}

double parts_of_output(const ExpectedWriter& each, std::size_t piece, double piece_s, double an_output_s) {
  if (each.one_by_one) return 0;
  double rows = 0;
  double written_s = 0;
  double left_s = std::min(an_output_s, each.kept_s);
  for (std::size_t ago = 0; ago <= piece && left_s > 0; ++ago, left_s -= piece_s) {
    const double of_piece = each.rows[piece - ago];
    const double share = std::min(1.0, left_s / piece_s);
    rows += of_piece * share;
    if (of_piece > 0) written_s += piece_s * share;
  }
  if (rows <= 0) return 0;
  return std::min(rows, kinds_of(each) * buckets_in(each, written_s * seconds_of_history(each.writer)));
}

double looks_at(const ExpectedWriter& each, std::size_t piece, double piece_s, bool in_part, const Layout& layout) {
  if (each.one_by_one) return 0;
  double rows = 0;
  double written_s = 0;  // in which it writes
  for (std::size_t before = 0; before <= piece; ++before) {
    rows += each.rows[before];
    if (each.rows[before] > 0) written_s += piece_s;
  }
  if (rows <= 0) return 0;
  const auto slots = static_cast<double>(each.writer.most_slots());
  const double buckets =
      buckets_in(each, std::min(written_s, std::max(each.kept_s, layout.a_flush_s)) * seconds_of_history(each.writer));
  if (!layout.cut && !in_part) return std::min(rows, buckets * (1 + kinds_of(each)));
  const double of_a_bucket = std::max(1.0, rows_held(each, piece, piece_s) / buckets);
  const double cohorts = std::min(of_a_bucket, (in_part ? 2 : 1) * kinds_of(each) * sstables_of_a_bucket(each, layout));
  constexpr double deep = 6;  // levels, and what waits in the lowest
  const double of_a_cohort = layout.hashed ? slots : layout.cut ? std::min(cohorts, deep) : 1;
  return buckets * std::max(1.0, cohorts) * of_a_cohort;
}

Output output_of(const std::vector<ExpectedWriter>& writers, std::size_t piece, double n, double flushes,
                 const TableOptions& options, const Layout& layout) {
  Output output;
  for (const ExpectedWriter& each : writers) {
    if (each.one_by_one) continue;
    const double rows = std::min(each.most_keys, each.rows[piece] / n) * flushes;
    double of_a_kind = 1;
    if (purged_in_part(each, options, layout)) {
      // In two states at a time: what others have rows of, and the rest.
      if (layout.hashed)
        of_a_kind += 2 * buckets_in(each, std::min(layout.an_output_s, each.kept_s) * seconds_of_history(each.writer));
      // On a lattice what others keep is cut where these are cut.
      constexpr double merged_at_once = 4;
      if (!layout.hashed && layout.cut) of_a_kind += std::min(10.0, layout.live) / merged_at_once;
      if (!layout.hashed && !layout.cut) of_a_kind += sets_of_a_bucket(each, rows / flushes, layout);
      if (!layout.cut)
        output.set_words += kinds_of(each) * (of_a_kind - 1) * static_cast<double>(each.writer.most_slots()) / 64;
    }
    output.cohorts += std::min(rows, kinds_of(each) * of_a_kind);
  }
  return output;
}

}  // namespace windrow
