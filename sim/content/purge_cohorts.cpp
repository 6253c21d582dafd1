#include "sim/content/purge_cohorts.h"

#include <algorithm>

#include "sim/content/counts_together.h"
#include "sim/content/merge.h"
#include "sim/content/purge_limits.h"
#include "sim/content/row_shape.h"
#include "sim/content/smooth_limits.h"

namespace windrow {

namespace {

bool holds_cuts(const OverlapSource& source) {
  return std::ranges::any_of(source.content->cohorts, &Cohort::cut_by_tokens);
}

/// Readable rows that may have something in them that was dead from the start.
bool may_settle(RowState state) { return state == RowState::live || state == RowState::nulls_left; }

/// Cuts one cohort at the times where the purge rule answers differently, and tells what becomes of each part.
class CohortPurge {
 public:
  CohortPurge(const ContentSpace& space, const Cohort& cohort, const PurgeTimes& times,
              const std::vector<OverlapSource>& sources, bool sources_cut, PurgeLimits& limits,
              SmoothLimits& smooth_limits, std::vector<Cohort>& out)
      : space_(space),
        sub_(space.sub_stream(cohort.sub_stream)),
        cohort_(cohort),
        times_(times),
        sources_(sources),
        limits_(limits),
        smooth_limits_(smooth_limits),
        out_(out),
        by_tokens_(space.own_tokens() == nullptr && (sources_cut || cohort.cut_by_tokens())) {}

  void run() {
    const std::size_t first = out_.size();
    purge();
    if (by_tokens_) join_nothing(first);
  }

 private:
  void purge() {
    const std::int64_t dead = std::max(dead_until(), cohort_.from);
    if (dead > cohort_.from) purge_dead(dead);
    std::int64_t settled = dead;
    if (may_settle(cohort_.state) && born_with_dead(sub_.writer())) {
      settled = std::max(dead, written_before(times_.gc_before_s));
      each_limit(dead, settled,
                 [this](std::int64_t from, std::int64_t to, const PurgeLimit& limit) { settle(from, to, limit); });
    }
    put(settled, cohort_.to, cohort_.state, {});
  }

  /// Of the parts from `first` on those without a row are in the state of their neighbour in time, of the same bucket
  /// and tokens, so that it can be joined with the one after.
  void join_nothing(std::size_t first) {
    const auto follows = [this](const Cohort& before, const Cohort& after) {
      return before.to == after.from && before.first_token == after.first_token &&
             before.last_token == after.last_token &&
             space_.bucket_of(before.sub_stream, before.to - 1) == space_.bucket_of(after.sub_stream, after.to - 1);
    };
    for (std::size_t i = first; i < out_.size(); ++i) {
      Cohort& part = out_[i];
      if (space_.any(part)) continue;
      if (i > first && follows(out_[i - 1], part)) {
        part.state = out_[i - 1].state;
      } else if (i + 1 < out_.size() && follows(part, out_[i + 1])) {
        part.state = out_[i + 1].state;
      }
    }
  }

  std::int64_t written_before(Seconds second) const {
    return std::clamp(sub_.count_arrived_before_s(second), cohort_.from, cohort_.to);
  }

  /// Members below this one have something dead in them.
  std::int64_t dead_until() const {
    if (cohort_.state == RowState::row_tombstone) return written_before(times_.gc_before_s);
    if (cohort_.ttl_s == 0) return cohort_.from;
    if (has_values(cohort_.state)) return written_before(times_.now_s - cohort_.ttl_s + 1);
    return cohort_.to;
  }

  void put(std::int64_t from, std::int64_t to, RowState state, const PurgeLimit& limit) {
    if (from >= to) return;
    Cohort part = cohort_;
    part.from = from;
    part.to = to;
    part.state = state;
    if (limit.slots) part.slots = limit.slots;
    part.first_token = std::max(part.first_token, limit.first_token);
    part.last_token = std::min(part.last_token, limit.last_token);
    out_.push_back(std::move(part));
  }

  /// [from, dead) of one bucket or of all: `expired_until` members may lose their liveness, `written_until` their
  /// cells.
  void purge_dead(std::int64_t dead) {
    const std::int64_t expired_until = std::min(dead, written_before(times_.gc_before_s - cohort_.ttl_s));
    const std::int64_t written_until = std::min(dead, written_before(times_.gc_before_s));
    if (written_until <= cohort_.from) {
      apply(cohort_.from, dead, expired_until, written_until, {});
      return;
    }
    each_limit(cohort_.from, dead, [&](std::int64_t from, std::int64_t to, const PurgeLimit& limit) {
      apply(from, to, expired_until, written_until, limit);
    });
  }

  /// Calls `each(from, to, limit)` for the members [first, last) of each bucket and limit.
  template <typename Each>
  void each_limit(std::int64_t first, std::int64_t last, const Each& each) {
    if (first >= last) return;
    if (sources_.empty()) {
      each(first, last, PurgeLimit{});
      return;
    }
    const auto [first_bucket, last_bucket] = space_.buckets(part(first, last));
    for (std::int64_t bucket = first_bucket; bucket <= last_bucket; ++bucket) {
      const auto [from, to] = space_.members_in(part(first, last), bucket);
      if (from >= to) continue;
      const Micros newest_us = sub_.timestamp_range(from, to).second;
      if (by_tokens_) {
        for (const PurgeLimit& limit : smooth_limits_.of(cohort_, bucket, newest_us)) each(from, to, limit);
        continue;
      }
      for (const PurgeLimit& limit : limits_.of(cohort_, bucket, newest_us)) each(from, to, limit);
    }
  }

  /// Calls `each(from, to, left)` for members by what is left of what was dead from the start: a replaced collection is
  /// a microsecond older than its row and the nulls of it.
  enum class Left { all, nulls, nothing };
  template <typename Each>
  void each_left(std::int64_t from, std::int64_t to, Micros limit_us, const Each& each) const {
    const bool replaces = deletes_elements(sub_.writer());
    const Micros replaced_us = limit_us != no_timestamp && replaces ? limit_us + 1 : limit_us;
    const Micros nulls_us = replaces && writes_nulls(sub_.writer()) ? limit_us : no_timestamp;
    for (const SubStream::Part& replaced : parts(from, to, replaced_us)) {
      if (!replaced.below) {
        each(replaced.from, replaced.to, Left::all);
        continue;
      }
      for (const SubStream::Part& nulls : parts(replaced.from, replaced.to, nulls_us))
        each(nulls.from, nulls.to, nulls.below ? Left::nothing : Left::nulls);
    }
  }

  /// What was dead from the start of rows that are alive goes.
  void settle(std::int64_t from, std::int64_t to, const PurgeLimit& limit) {
    const bool empty = !sub_.writer().insert && space_.shape(cohort_.sub_stream, RowState::settled).present.empty();
    each_left(from, to, limit.below_us, [&](std::int64_t first, std::int64_t last, Left left) {
      if (left == Left::nothing && empty) return;
      put(first, last,
          left == Left::all     ? cohort_.state
          : left == Left::nulls ? RowState::nulls_left
                                : RowState::settled,
          limit);
    });
  }

  /// Rows whose cells stay, though written before gc_grace: what they replaced may go even so.
  void put_blocked(std::int64_t from, std::int64_t to, const PurgeLimit& limit) {
    const bool born = cohort_.state == RowState::live || cohort_.state == RowState::cells_dead;
    if (!born || !deletes_elements(sub_.writer())) {
      put(from, to, blocked_state(), limit);
      return;
    }
    each_left(from, to, limit.below_us, [&](std::int64_t first, std::int64_t last, Left left) {
      put(first, last,
          left == Left::all     ? blocked_state()
          : left == Left::nulls ? RowState::nulls_left_dead
                                : RowState::settled_dead,
          limit);
    });
  }

  Cohort part(std::int64_t from, std::int64_t to) const {
    Cohort piece = cohort_;
    piece.from = from;
    piece.to = to;
    return piece;
  }

  void apply(std::int64_t from, std::int64_t to, std::int64_t expired_until, std::int64_t written_until,
             const PurgeLimit& limit) {
    const std::int64_t expired = std::clamp(expired_until, from, to);
    const std::int64_t written = std::clamp(written_until, expired, to);
    for (const SubStream::Part& below : parts(from, expired, limit.below_us)) {
      if (!below.below) put_blocked(below.from, below.to, limit);
    }
    for (const SubStream::Part& below : parts(expired, written, limit.below_us)) {
      if (!below.below) {
        put_blocked(below.from, below.to, limit);
      } else if (cohort_.state == RowState::skeleton || sub_.writer().insert) {
        put(below.from, below.to, RowState::skeleton, limit);
      }
    }
    put(written, to, blocked_state(), limit);
  }

  std::vector<SubStream::Part> parts(std::int64_t from, std::int64_t to, Micros below_us) const {
    if (from >= to) return {};
    if (below_us == no_timestamp) return {{.from = from, .to = to, .below = true}};
    return sub_.split_at_timestamp(from, to, below_us);
  }

  /// What a dead row becomes when nothing of it may be purged.
  RowState blocked_state() const {
    if (cohort_.state == RowState::live) return RowState::cells_dead;
    if (cohort_.state == RowState::nulls_left) return RowState::nulls_left_dead;
    if (cohort_.state == RowState::settled) return RowState::settled_dead;
    return cohort_.state;
  }

  const ContentSpace& space_;
  const SubStream& sub_;
  const Cohort& cohort_;
  const PurgeTimes& times_;
  const std::vector<OverlapSource>& sources_;
  PurgeLimits& limits_;
  SmoothLimits& smooth_limits_;
  std::vector<Cohort>& out_;
  bool by_tokens_ = false;
};

bool nothing_dead(const ContentSpace& space, const std::vector<Cohort>& cohorts, const PurgeTimes& times) {
  Seconds first_s = INT64_MIN;  // nothing of them arrives before
  if (worth_counting_together(space, cohorts))
    first_s = EndsOfCohorts(space, cohorts).first_s([](const Cohort&) { return true; });
  return std::ranges::all_of(cohorts, [&](const Cohort& cohort) {
    if (!has_values(cohort.state)) return false;
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const bool settles = may_settle(cohort.state) && born_with_dead(sub.writer());
    if (settles && sub.arrival_s(cohort.from) < times.gc_before_s) return false;
    return cohort.ttl_s == 0 || first_s + cohort.ttl_s > times.now_s ||
           sub.arrival_s(cohort.from) + cohort.ttl_s > times.now_s;
  });
}

}  // namespace

bool purge_cohorts(const ContentSpace& space, std::vector<Cohort>& cohorts, const PurgeTimes& times,
                   const std::vector<OverlapSource>& sources) {
  if (nothing_dead(space, cohorts, times)) return false;
  std::vector<Cohort> kept;
  kept.reserve(cohorts.size());
  const bool lattice = space.own_tokens() == nullptr;
  const bool sources_cut = lattice && std::ranges::any_of(sources, holds_cuts);
  const std::pair<Token, Token> tokens = tokens_of(cohorts);
  PurgeLimits limits(space, sources, tokens);
  SmoothLimits smooth_limits(space, sources, tokens);
  for (const Cohort& cohort : cohorts)
    CohortPurge(space, cohort, times, sources, sources_cut, limits, smooth_limits, kept).run();
  const auto erase_empty = [&] {
    std::erase_if(kept, [&](const Cohort& cohort) { return !cohort.whole() && !space.any(cohort); });
  };
  if (!lattice) erase_empty();
  join_cohorts(kept);
  if (lattice) erase_empty();  // what has none may lie between neighbours that are joined
  cohorts = std::move(kept);
  return true;
}

}  // namespace windrow
