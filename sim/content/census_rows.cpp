#include "sim/content/census_rows.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "sim/base/check.h"
#include "sim/content/members_in_order.h"
#include "sim/content/row_pieces.h"

namespace windrow {

namespace {

/// Rows of `cohort` whatever their partitions: all that have a piece's numbers weigh alike.
Cohort rows_alone(const Cohort& cohort) {
  Cohort rows = cohort;
  rows.slots = nullptr;
  rows.sets = nullptr;
  rows.first_token = min_token;
  rows.last_token = max_token;
  return rows;
}

Bytes bytes_of(const RowFormat& format, std::int64_t body) { return format.row_of(body, format.row_of(body, 1)); }

/// Bytes of a row of a piece, in the mean.
double mean_row_bytes(const ContentSpace& space, const BucketPiece& piece, const RowFormat& format) {
  Cohort rows = rows_alone(*piece.cohort);
  rows.from = piece.first;
  rows.to = piece.last;
  MembersInOrder members(space, rows);
  Bytes bytes = 0;
  each_row_piece(space, rows, dates_of(space, rows, members.all()), format, members,
                 [&](std::int64_t body, Rows count) { bytes += bytes_of(format, body) * count; });
  return static_cast<double>(bytes) / static_cast<double>(members.all());
}

/// Bytes of a cohort's rows, bucket by bucket in the order of time, where one format holds for all and values have one
/// size: where the size of a row changes is found once.
class RowsOfCohort {
 public:
  RowsOfCohort(const ContentSpace& space, const Cohort& cohort, const RowFormat& format) : format_(format) {
    const Cohort rows = rows_alone(cohort);
    if (has_values(cohort.state)) value_bytes_ = space.values(cohort.sub_stream).bytes().front();
    find_row_spans(space, rows, dates_of(space, rows), format, spans_);
  }
  double mean_row_bytes(const BucketPiece& piece) {
    while (spans_[place_].to <= piece.first) ++place_;
    SIM_CHECK(spans_[place_].from <= piece.first, "buckets are asked for in the order of time");
    Bytes bytes = 0;
    for (std::size_t i = place_; i < spans_.size() && spans_[i].from < piece.last; ++i) {
      const Rows count = std::min(spans_[i].to, piece.last) - std::max(spans_[i].from, piece.first);
      bytes += bytes_of(format_, spans_[i].body + value_bytes_) * count;
    }
    return static_cast<double>(bytes) / static_cast<double>(piece.last - piece.first);
  }
  /// Calls `each(member)` for those from which on rows have another size.
  template <typename Each>
  void each_change(const Each& each) const {
    for (std::size_t i = 1; i < spans_.size(); ++i) each(spans_[i].from);
  }

 private:
  const RowFormat& format_;
  std::int64_t value_bytes_ = 0;
  RowSpans spans_{};
  std::size_t place_ = 0;
};

}  // namespace

void measure_rows(const ContentSpace& space, std::span<BucketPiece> pieces, const RowFormat& format) {
  if (pieces.size() == 1) {
    if (pieces.front().row_bytes == 0) pieces.front().row_bytes = mean_row_bytes(space, pieces.front(), format);
    return;
  }
  using Members = std::tuple<int, RowState, std::int32_t, std::int64_t, std::int64_t>;
  std::map<Members, double> known;
  for (BucketPiece& piece : pieces) {
    if (piece.row_bytes > 0) continue;
    const Cohort& cohort = *piece.cohort;
    const Members rows{cohort.sub_stream, cohort.state, cohort.ttl_s, piece.first, piece.last};
    const auto [measured, fresh] = known.try_emplace(rows, 0.0);
    if (fresh) measured->second = mean_row_bytes(space, piece, format);
    piece.row_bytes = measured->second;
  }
}

std::vector<BucketPiece> pieces_of(const ContentSpace& space, const Writer& writer, std::span<const Cohort> cohorts) {
  std::vector<BucketPiece> pieces;
  for (const Cohort& cohort : cohorts) {
    if (&space.writer_of(cohort) != &writer) continue;
    space.each_part(cohort, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
      pieces.push_back({.bucket = bucket, .cohort = &cohort, .first = first, .last = last});
    });
  }
  std::ranges::stable_sort(pieces, {}, &BucketPiece::bucket);
  return pieces;
}

namespace {

/// A cohort with what its rows weigh, if they have one size but for their dates.
struct HeldRows {
  const Cohort* cohort = nullptr;  // null: another writer's
  std::optional<RowsOfCohort> bytes{};
};

using Borders = boost::container::small_vector<std::int64_t, 32>;

/// Where pieces of these cohorts begin, ascending, and the end: single buckets wherever one of them begins or ends or
/// its rows change their size.
Borders borders_of(const ContentSpace& space, std::span<const HeldRows> all) {
  Borders borders;
  const auto single = [&](std::int64_t bucket) {
    borders.push_back(bucket);
    borders.push_back(bucket + 1);
  };
  for (const HeldRows& rows : all) {
    if (rows.cohort == nullptr) continue;
    const auto [first, last] = space.buckets(*rows.cohort);
    single(first);
    single(last);
    if (!rows.bytes) continue;
    rows.bytes->each_change([&](std::int64_t member) { single(space.bucket_of(rows.cohort->sub_stream, member)); });
  }
  std::ranges::sort(borders);
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  return borders;
}

/// Pieces of these cohorts from border to border.
std::vector<BucketPiece> pieces_between(const ContentSpace& space, std::span<const HeldRows> all,
                                        const Borders& borders) {
  std::vector<BucketPiece> pieces;
  pieces.reserve(borders.size() + all.size());
  boost::container::small_vector<std::int64_t, 16> next;  // members of each that come before the border
  for (const HeldRows& rows : all) next.push_back(rows.cohort != nullptr ? rows.cohort->from : 0);
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    int sub_stream = -1;
    std::int64_t before = 0;  // the border at the end, of that
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Cohort* cohort = all[k].cohort;
      if (cohort == nullptr) continue;
      if (cohort->sub_stream != sub_stream) {
        sub_stream = cohort->sub_stream;
        before = space.count_before_bucket(sub_stream, borders[i + 1]);
      }
      const std::int64_t first = next[k];
      next[k] = std::clamp(before, first, cohort->to);
      if (first == next[k]) continue;
      pieces.push_back({.bucket = borders[i],
                        .cohort = cohort,
                        .first = first,
                        .last = next[k],
                        .buckets = borders[i + 1] - borders[i]});
    }
  }
  return pieces;
}

}  // namespace

std::vector<BucketPiece> pieces_of_file(const ContentSpace& space, const Writer& writer,
                                        std::span<const Cohort> cohorts, const RowFormat& format, bool together) {
  std::vector<HeldRows> all(cohorts.size());
  for (std::size_t i = 0; i < cohorts.size(); ++i) {
    const Cohort& cohort = cohorts[i];
    if (&space.writer_of(cohort) != &writer) continue;
    all[i].cohort = &cohort;
    const bool one_size = !has_values(cohort.state) || space.values(cohort.sub_stream).bytes().size() == 1;
    if (one_size) all[i].bytes.emplace(space, cohort, format);
  }
  std::vector<BucketPiece> pieces = together && !writer.bucket.single()
                                        ? pieces_between(space, all, borders_of(space, all))
                                        : pieces_of(space, writer, cohorts);
  for (BucketPiece& piece : pieces) {
    std::optional<RowsOfCohort>& rows = all[static_cast<std::size_t>(piece.cohort - cohorts.data())].bytes;
    if (rows) piece.row_bytes = rows->mean_row_bytes(piece);
  }
  return pieces;
}

}  // namespace windrow
