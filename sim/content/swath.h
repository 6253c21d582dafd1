#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/sums_by_kind.h"
#include "sim/base/units.h"
#include "sim/content/content.h"
#include "sim/content/file_statistics.h"
#include "sim/content/row_shape.h"

namespace windrow {

/// The rows of a table of many sub-streams, by kind: those of a writer that are written with one TTL. Places of
/// sub-streams are TableWorkload::place_of: those that come together follow each other.
class SwathKinds {
 public:
  struct Kind {
    const Writer* writer = nullptr;
    std::int32_t ttl_s = 0;
    const RowShape* shape = nullptr;  // of live rows
    std::int64_t value_bytes = 0;
    std::vector<std::size_t> places{};  // of its sub-streams
  };

  /// Null for tables that are not held as swaths: of few sub-streams, or of which something lies row by row, is deleted
  /// one by one, is dead from the start, has values of several sizes, or timestamps other than those of arrivals; or
  /// whose keys are hashed.
  static std::shared_ptr<const SwathKinds> of(const ContentSpace& space, Seconds default_ttl_s);

  const ContentSpace& space() const { return *space_; }
  std::size_t places() const { return kind_of_.size(); }
  std::span<const Kind> kinds() const { return kinds_; }
  std::size_t kind_of(std::size_t place) const { return kind_of_[place]; }
  int sub_stream(std::size_t place) const { return sub_stream_[place]; }
  std::int32_t ttl_s(std::size_t place) const { return kinds_[kind_of_[place]].ttl_s; }
  using ByKind = boost::container::small_vector<std::int64_t, 16>;
  /// Of intervals by place: how many events each kind has.
  ByKind events_of(std::span<const std::int64_t> from, std::span<const std::int64_t> to) const;
  /// What so many bring.
  Rows rows_of(const ByKind& events) const;
  /// Adds numbers by place to sums by kind.
  void add_by_kind(std::span<const std::int64_t> numbers, std::int64_t* sums) const { sums_.add(numbers.data(), sums); }
  /// How much later than rows arrive their timestamps are: by so many microseconds at least, and at most.
  std::pair<Micros, Micros> offsets_us() const { return offsets_us_; }
  /// No row arrives before its event, or later after it than this; nothing where that is not so.
  std::optional<Micros> longest_delay_us() const { return longest_delay_us_; }
  /// All places, those with the largest shares of rows first.
  std::span<const std::size_t> by_share() const { return by_share_; }
  /// TTLs, ascending, each with the places of its sub-streams in that order.
  const std::map<std::int32_t, std::vector<std::size_t>>& by_ttl() const { return by_ttl_; }

 private:
  const ContentSpace* space_ = nullptr;
  std::vector<Kind> kinds_{};
  std::vector<std::uint32_t> kind_of_{};  // by place
  std::vector<int> sub_stream_{};         // the same
  std::pair<Micros, Micros> offsets_us_{};
  std::optional<Micros> longest_delay_us_{};
  SumsByKind sums_{};
  std::vector<std::size_t> by_share_{};
  std::map<std::int32_t, std::vector<std::size_t>> by_ttl_{};
};

/// What a file or memtable holds, where that is one interval of live members of each sub-stream, or none: what came
/// from one time to another, as flushes write it, and merges of such. The same as content(), for a fraction of the
/// work.
struct Swath {
  std::shared_ptr<const SwathKinds> kinds{};
  std::vector<std::int64_t> from{};  // by place
  std::vector<std::int64_t> to{};
  HeaderBases bases{};
  /// Extremes of timestamps, deletion times and TTLs alone, where they are known. Else none of its timestamps is above
  /// `not_above_us`, and its oldest one and earliest deletion time are those of `bases`.
  std::optional<FileExtremes> dates{};
  Micros not_above_us = INT64_MAX;

  Content content() const;
  /// Of it: how many sub-streams have some.
  std::size_t cohorts() const;
  Rows rows() const;
  bool has_rows_of(const Swath& other) const;
};

/// One of a file.
struct MeasuredSwath {
  const Swath* swath = nullptr;
  const FileExtremes* extremes = nullptr;
};
/// All of them as one, but for its bases; nothing if that is none, since between the rows of some sub-stream others are
/// missing. No row lies in two.
std::optional<Swath> joined(std::span<const MeasuredSwath> swaths);

/// The first and the last rows of members [from, to) of sub-streams, by place; some are not empty.
class SwathEnds {
 public:
  SwathEnds(const SwathKinds& kinds, std::span<const std::int64_t> from, std::span<const std::int64_t> to);

  Micros oldest_us();
  /// None is newer than `not_above_us`.
  Micros newest_us(Micros not_above_us);
  /// Bounds of all arrivals.
  std::pair<Seconds, Seconds> arrivals_within_s(Micros oldest_us, Micros newest_us) const;
  /// First and last arrival of those with a TTL, which some have. None arrives before `not_before_s` or after
  /// `not_after_s`.
  Seconds first_s(std::int32_t ttl_s, Seconds not_before_s);
  Seconds last_s(std::int32_t ttl_s, Seconds not_after_s);
  /// TTLs of those that are not empty, ascending, each once.
  boost::container::small_vector<std::int32_t, 16> ttls() const;

 private:
  /// Of places that are not all empty, the largest shares first.
  template <bool last, typename Date, typename Rows>
  std::int64_t end_of(std::span<const std::size_t> places, std::int64_t bound, const Date& date,
                      const Rows& rows_before);
  bool empty(std::size_t place) const { return from_[place] >= to_[place]; }

  const SwathKinds* kinds_;
  std::span<const std::int64_t> from_;
  std::span<const std::int64_t> to_;
  boost::container::small_vector<std::int64_t, 512> counts_{};  // by place
};

}  // namespace windrow
