#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "sim/base/units.h"
#include "sim/content/cohort.h"
#include "sim/content/presence.h"

namespace windrow {

struct Content;
struct PartitionsBetween;
class ContentSpace;

/// Where the partitions of a table lie on the ring: at the hashes of their keys, or evenly spread over a lattice.
/// Chosen once a table (ContentSpace::use_lattice); a question to a ContentSpace is answered here where it depends on
/// that.
class TokenPlaces {
 public:
  virtual ~TokenPlaces() = default;

  /// True if the tokens of a cohort that is cut by them admit this partition; its slots are not looked at.
  virtual bool admits(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket,
                      std::int64_t slot) const = 0;
  /// Members in [from, to) of a cohort that is not whole.
  virtual std::int64_t members(const ContentSpace& space, const Cohort& cohort, std::int64_t from,
                               std::int64_t to) const = 0;
  virtual bool any(const ContentSpace& space, const Cohort& cohort) const = 0;
  /// The first and the last member of a cohort; where they can't be told, those expected of so many that are evenly
  /// spread (counted unless said).
  virtual std::pair<std::int64_t, std::int64_t> ends(const ContentSpace& space, const Cohort& cohort,
                                                     std::optional<std::int64_t> members) const = 0;
  /// As `ends`, but where they can't be told the cohort's own: none that it holds lies outside.
  virtual std::pair<std::int64_t, std::int64_t> outer_ends(const ContentSpace& space, const Cohort& cohort) const = 0;
  /// Adds the slots of the cohort's members [first, last) of a bucket; `enough`: after it slots repeat.
  virtual void add_presence(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket, std::int64_t first,
                            std::int64_t last, std::int64_t enough, Presence& presence) const = 0;
  /// Shows the partitions of one writer's cohorts by their tokens. False, and no call, where they are to be counted
  /// bucket by bucket.
  virtual bool each_part_of_ring(const ContentSpace& space, std::span<const Cohort> cohorts,
                                 const std::function<void(const PartitionsBetween&)>& each) const = 0;
  /// First and last token of a content.
  virtual std::pair<Token, Token> span(const ContentSpace& space, const Content& content) const = 0;

 protected:
  /// The answers found slot by slot, from what a ContentSpace admits.
  static std::int64_t walked_members(const ContentSpace& space, const Cohort& cohort, std::int64_t from,
                                     std::int64_t to);
  static bool walked_any(const ContentSpace& space, const Cohort& cohort);
  static std::pair<std::int64_t, std::int64_t> walked_ends(const ContentSpace& space, const Cohort& cohort);
  static void walk_presence(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket, std::int64_t first,
                            std::int64_t last, std::int64_t enough, Presence& presence);
};

}  // namespace windrow
