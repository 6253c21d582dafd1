#include "sim/cost/read_looks.h"

#include <algorithm>
#include <cmath>

#include "sim/reads/bucket_read.h"
#include "sim/reads/request.h"

namespace windrow {

namespace {

/// Partitions that reads of so many seconds of a writer's rows ask for, of an entity: a rolling bucket turn by turn.
double asked_in(const ExpectedWriter& each, double seconds) {
  return each.turn_s > 0 ? (1 + seconds / each.turn_s) * each.of_time : buckets_in(each, seconds);
}

/// Buckets that a read asks for in a piece, of all that the writer has rows in.
double buckets_asked(const ReadSpec& read, const ExpectedWriter& each, std::size_t piece, double all,
                     double rows_a_partition) {
  if (read.latest_rows == 0) return std::min(all, asked_in(each, static_cast<double>(read.range_us) / 1e6));
  const double back = read.back_us > 0 ? asked_in(each, static_cast<double>(read.back_us) / 1e6) : all;
  // Who no longer writes, and whose rows expire, may be looked for in all of them.
  const bool silent = each.rows[piece] <= 0 && std::isfinite(each.expires_s);
  constexpr double slower = 4;  // some entities write less than the mean
  const double newest = (1 + slower * static_cast<double>(read.latest_rows) / std::max(rows_a_partition, 1e-9)) *
                        (each.turn_s > 0 ? each.of_time : 1);
  return std::min({all, back, silent ? all : newest});
}

}  // namespace

ReadLooks looks_of_reads(const Scenario& scenario, const ExpectedWriter& each, std::size_t piece, double piece_s,
                         bool in_part, bool some_dead, const Layout& layout) {
  if (scenario.reads.empty()) return {};
  const double elapsed_s = piece_s * static_cast<double>(piece + 1);
  const double buckets = asked_in(each, elapsed_s * seconds_of_history(each.writer));
  const auto slots = static_cast<double>(each.writer.most_slots());
  const double rows = rows_held(each, piece, piece_s) / (slots * buckets);
  const auto shards = static_cast<double>(std::max<std::int64_t>(1, each.writer.shards));
  // Between where the rows of a kind in two files of a bucket begin or end neighbours cost the same.
  const double alike = 2 + 2 * sstables_of_a_bucket(each, layout) * kinds_of(each);
  const bool by_place = layout.cut_on_lattice();
  const double apart = layout.spares_unrepaired || by_place ? static_cast<double>(most_by_themselves)
                       : in_part || each.one_by_one || (layout.cut && layout.hashed) ? slots
                                                                                     : alike;
  // An entity is read in all of its shards.
  const double most = std::min(slots / shards, static_cast<double>(most_looked_at));
  const bool mixed = kinds_of(each) > 1;
  double looks = 0;
  double looks_through = 0;
  for (const ReadSpec& read : scenario.reads) {
    if (read.stream != each.writer.name) continue;
    const bool newest_of_mixed = mixed && read.latest_rows > 0;
    const bool alone = newest_of_mixed && some_dead;  // BucketRead::cost
    const double its =
        buckets_asked(read, each, piece, buckets, rows) * (alone ? most : std::min(apart, most)) * shards;
    looks += its;
    looks_through += its * (newest_of_mixed ? pieces_of_newest : 1);
  }
  const double of_a_bucket = cohorts_of_a_bucket(each, piece, piece_s, in_part, layout);
  constexpr double whole = 3;  // flushes, which lie around all
  const double around =
      cohorts_of_a_cut * of_a_bucket / static_cast<double>(HeldByCell::cells) + whole * kinds_of(each);
  const bool by_slot = of_a_bucket >= static_cast<double>(HeldByCell::fewest);
  const double around_slot = rows + of_a_bucket / static_cast<double>(HeldByCell::cells);
  const double pieces =
      std::min({of_a_bucket, by_place ? around : of_a_bucket, by_slot ? around_slot : of_a_bucket}) +
      (layout.spares_unrepaired ? (layout.live + layout.waiting) / static_cast<double>(sources_as_a_piece) : 0);
  return {.partitions = looks, .pieces = looks_through * pieces};
}

}  // namespace windrow
