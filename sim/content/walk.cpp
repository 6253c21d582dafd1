#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/content/content.h"
#include "sim/content/range_markers.h"
#include "sim/content/stored_rows.h"
#include "sim/stats/murmur3.h"

namespace windrow {

namespace {

/// Members of a cohort that lie in one partition: every `step`-th.
struct MemberRun {
  Token token = 0;
  std::int32_t cohort = 0;
  std::int32_t key_bytes = 0;
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

/// A row of a partition, by its place on disk.
struct RowPlace {
  std::int64_t clustering = 0;
  std::int32_t cohort = 0;
  std::int64_t member = 0;
  std::int64_t row = 0;
  RowDates dates{};

  friend bool operator<(const RowPlace& a, const RowPlace& b) {
    return std::tie(a.clustering, a.cohort, a.member) < std::tie(b.clustering, b.cohort, b.member);
  }
};

/// By token; of one token as they are, by cohort and member.
void put_in_order(std::vector<MemberRun>& runs) {
  struct Place {
    Token token = 0;
    std::uint32_t run = 0;
    bool operator<(const Place& other) const { return std::tie(token, run) < std::tie(other.token, other.run); }
  };
  std::vector<Place> places;
  places.reserve(runs.size());
  for (const MemberRun& run : runs) places.push_back({run.token, static_cast<std::uint32_t>(places.size())});
  std::sort(places.begin(), places.end());
  std::vector<MemberRun> in_order;
  in_order.reserve(runs.size());
  for (const Place& place : places) in_order.push_back(runs[place.run]);
  runs = std::move(in_order);
}

/// Runs, each in order, one after another: merged two by two. What is no row of runs is sorted.
void put_runs_in_order(std::vector<RowPlace>& rows) {
  using Border = std::vector<RowPlace>::iterator;
  constexpr std::size_t most_runs = 64;
  boost::container::small_vector<Border, most_runs + 1> borders{rows.begin()};
  while (borders.back() != rows.end() && borders.size() <= most_runs)
    borders.push_back(std::is_sorted_until(borders.back(), rows.end()));
  if (borders.back() != rows.end()) {
    std::sort(rows.begin(), rows.end());
    return;
  }
  while (borders.size() > 2) {
    std::size_t kept = 1;
    for (std::size_t i = 2; i < borders.size(); i += 2) {
      std::inplace_merge(borders[i - 2], borders[i - 1], borders[i]);
      borders[kept++] = borders[i];
    }
    if (borders.size() % 2 == 0) borders[kept++] = borders.back();
    borders.resize(kept);
  }
}

/// The rows of some runs of one partition, in their order on disk.
void put_in_order(const ContentSpace& space, const Content& content, std::span<const MemberRun> runs,
                  std::vector<RowPlace>& rows) {
  rows.clear();
  for (const MemberRun& run : runs) {
    const SubStream& sub = space.sub_stream(content.cohorts[static_cast<std::size_t>(run.cohort)].sub_stream);
    const Writer& writer = sub.writer();
    Rhythm::Cursor events(writer.rhythm);
    for (std::int64_t k = 0; k < run.count; ++k) {
      const std::int64_t member = run.first + k * run.step;
      const std::int64_t row = sub.row(member);
      const std::int64_t event = events.event(row);
      const auto [timestamp_us, arrival_s] = sub.dates_of(row, event);
      rows.push_back({.clustering = writer.clustering_at(row, event),
                      .cohort = run.cohort,
                      .member = member,
                      .row = row,
                      .dates = {.timestamp_us = timestamp_us, .written_s = arrival_s}});
    }
  }
  put_runs_in_order(rows);
}

/// Tokens of one bucket, for a look at so many rows of it: of few among many slots each is hashed by itself, unless
/// somebody has hashed all.
class TokensLookedAt {
 public:
  TokensLookedAt(TokenIndex& index, const Writer& writer, std::int64_t bucket, Rows rows)
      : writer_(writer), bucket_(bucket) {
    constexpr Rows keys_made_as_one = 4;  // of a whole bucket, in the time that one takes by itself
    all_ = rows > writer.slots(bucket) / keys_made_as_one ? &index.of(writer, bucket) : index.known(writer, bucket);
  }
  Token of(std::int64_t slot) const {
    if (all_ != nullptr) return all_->of(static_cast<std::int32_t>(slot));
    return murmur3_token(writer_.key(slot, bucket_));
  }

 private:
  const Writer& writer_;
  std::int64_t bucket_ = 0;
  const TokenIndex::Bucket* all_ = nullptr;
};

}  // namespace

void walk_partition(const ContentSpace& space, const KeyedPartition& partition, PartitionSink& sink) {
  StoredRows rows(space.clustering_bytes());
  walk_partition(space, partition, rows, sink);
}

void walk_partition(const ContentSpace& space, const KeyedPartition& partition, StoredRows& rows, PartitionSink& sink) {
  sink.begin_partition(partition.token, partition.key_bytes,
                       partition.deletion ? partition.deletion->stored() : DeletionTime{});
  sink.static_row(rows.of(space.workload(), partition.statics));
  RangeMarkers markers(space, partition);
  const auto put = [&sink](const StoredMarker& marker) { sink.marker(marker); };
  for (const KeyedRow& row : partition.rows) {
    markers.until(row.clustering, put);
    sink.row(rows.of(space.workload(), row));
  }
  markers.all(put);
  sink.end_partition();
}

void ContentSpace::walk(const Content& content, PartitionSink& sink) const {
  SIM_CHECK(drawn_rows(content.cohorts).empty(), "keys drawn at random have no rows to look at");
  std::vector<MemberRun> runs;
  for (std::size_t c = 0; c < content.cohorts.size(); ++c) {
    const Cohort& cohort = content.cohorts[c];
    const SubStream& sub = sub_stream(cohort.sub_stream);
    const Writer& writer = sub.writer();
    each_part(cohort, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
      // Where keys are hashed, the next compaction asks for all of them.
      const Rows rows = lattice_ != nullptr ? last - first : INT64_MAX;
      const TokensLookedAt tokens(tokens_, writer, bucket, rows);
      const SubStream::Turn turn = sub.turn(bucket);
      const auto put_slot = [&](std::int64_t slot, Token token, std::int64_t from, std::int64_t count) {
        runs.push_back(
            {token, static_cast<std::int32_t>(c), tokens_.key_bytes(writer, bucket, slot), from, turn.slots(), count});
      };
      const bool done = each_slot_inside(cohort, bucket, first, last, [&](auto slot, auto from, auto count) {
        if (count > 0) put_slot(slot, tokens.of(slot), from, count);
      });
      if (done) return;
      const std::int64_t step = sub.in_turn() ? turn.slots() : last - first;  // else each by itself
      for (std::int64_t j = first; j < (sub.in_turn() ? std::min(last, first + step) : last); ++j) {
        const std::int64_t slot = turn.slot(j);
        const Token token = tokens.of(slot);
        if (token < cohort.first_token || token > cohort.last_token) continue;
        if (cohort.slots && !(*cohort.slots)[static_cast<std::size_t>(slot)]) continue;
        put_slot(slot, token, j, sub.in_turn() ? ceil_div(last - j, step) : 1);
      }
    });
  }
  put_in_order(runs);
  StoredRows rows(clustering_bytes_);
  auto next_keyed = content.keyed ? content.keyed->begin() : KeyedContent::const_iterator{};
  const auto keyed_end = content.keyed ? content.keyed->end() : next_keyed;
  std::vector<RowPlace> places;
  for (auto first = runs.begin(); first != runs.end();) {
    const auto last = std::find_if(first, runs.end(), [&](const MemberRun& run) { return run.token != first->token; });
    for (; next_keyed != keyed_end && next_keyed->token < first->token; ++next_keyed)
      walk_partition(*this, *next_keyed, rows, sink);
    // What is held by itself of this partition are its deletion, its static row and ranges before all rows.
    const bool beside = next_keyed != keyed_end && next_keyed->token == first->token;
    const bool deleted = beside && next_keyed->deletion;
    sink.begin_partition(first->token, first->key_bytes, deleted ? next_keyed->deletion->stored() : DeletionTime{});
    sink.static_row(beside ? rows.of(*workload_, next_keyed->statics) : StoredRow{});
    if (beside) RangeMarkers(*this, *next_keyed++).all([&sink](const StoredMarker& marker) { sink.marker(marker); });
    put_in_order(*this, content, {first, last}, places);
    for (const RowPlace& place : places) {
      const Cohort& cohort = content.cohorts[static_cast<std::size_t>(place.cohort)];
      const SubStream& sub = sub_stream(cohort.sub_stream);
      const std::int64_t written_as = sub.in_turn() ? sub.written_as(place.member) : place.row;
      const StoredRow& row = rows.of(sub.writer(), cohort.state, cohort.ttl_s, place.dates, written_as);
      for (std::int64_t k = 0; k < sub.writer().rows_per_event; ++k) sink.row(row);
    }
    sink.end_partition();
    first = last;
  }
  for (; next_keyed != keyed_end; ++next_keyed) walk_partition(*this, *next_keyed, rows, sink);
}

}  // namespace windrow
