#include "sim/content/purge_cohorts.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>

#include "sim/content/counts_together.h"
#include "sim/content/merge.h"
#include "sim/content/row_shape.h"
#include "sim/stats/murmur3.h"

namespace windrow {

namespace {

/// Adds those of some partitions of a bucket that a source's bloom filter lets through although they are not in it, or
/// all of its interval where it has no filter.
void add_false_positives(const ContentSpace& space, const Writer& writer, std::int64_t bucket,
                         const OverlapSource& source, const std::vector<std::int32_t>& open, Presence& held) {
  if (held.all() || (source.filter == nullptr && !source.any_key)) return;
  TokenIndex* const own = space.own_tokens();
  if (own == nullptr) return held.add_all();
  const std::vector<Token>& tokens = own->of(writer, bucket).by_slot();
  for (const std::int32_t slot : open) {
    const Token token = tokens[static_cast<std::size_t>(slot)];
    if (token < source.first_token || token > source.last_token) continue;
    const std::int64_t number = slot;
    if (held.holds(number)) continue;
    if (source.any_key || source.filter->might_contain(murmur3(writer.key(number, bucket)))) held.add(number);
  }
}

/// Adds the partitions of a bucket that a source holds one by one: a deletion or a static row alone is there, too.
void add_held_one_by_one(const Writer& writer, std::int64_t bucket, const OverlapSource& source, Presence& held) {
  if (!source.content->keyed || source.content->keyed->empty()) return;
  if (!source.keyed_places) {
    source.keyed_places.emplace();
    for (const KeyedPartition& partition : *source.content->keyed)
      source.keyed_places->emplace_back(partition.writer, partition.bucket, partition.slot);
    std::ranges::sort(*source.keyed_places);
  }
  const OverlapSource::Place from{writer.index, bucket, 0};
  for (auto place = std::ranges::lower_bound(*source.keyed_places, from); place != source.keyed_places->end();
       ++place) {
    if (std::get<0>(*place) != writer.index || std::get<1>(*place) != bucket) return;
    held.add(std::get<2>(*place));
  }
}

bool holds_cuts(const OverlapSource& source) {
  return std::ranges::any_of(source.content->cohorts, &Cohort::cut_by_tokens);
}

/// What of the sources shares tokens with a cohort, and rows of its writer, by the time of their source.
struct Meeting {
  Micros from_us = 0;
  Token first_token = min_token;
  Token last_token = max_token;
  const Cohort* other = nullptr;  // null: of any bucket
};
std::vector<Meeting> meeting(const ContentSpace& space, const Cohort& cohort,
                             const std::vector<OverlapSource>& sources) {
  std::vector<Meeting> met;
  const Writer& writer = space.writer_of(cohort);
  for (const OverlapSource& source : sources) {
    if (source.last_token < cohort.first_token || source.first_token > cohort.last_token) continue;
    if (source.any_key) {
      met.push_back({source.min_timestamp_us, source.first_token, source.last_token, nullptr});
      continue;
    }
    for (const Cohort& other : source.content->cohorts) {
      if (&space.writer_of(other) != &writer || other.last_token < cohort.first_token ||
          other.first_token > cohort.last_token)
        continue;
      met.push_back({source.min_timestamp_us, other.first_token, other.last_token, &other});
    }
  }
  return met;
}

/// Of each interval of the cohort's tokens the earliest source that has rows of the bucket there: whoever has some is
/// taken to have some of every partition between its tokens. Neighbours differ.
std::vector<PurgeLimit> smooth_limits(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket,
                                      Micros newest_us, const std::vector<Meeting>& met) {
  boost::container::small_vector<Meeting, 32> held;  // by time
  boost::container::small_vector<Token, 64> begins{cohort.first_token};
  for (const Meeting& each : met) {
    if (each.from_us > newest_us) break;
    if (each.other != nullptr) {
      const auto [from, to] = space.members_in(*each.other, bucket);
      if (from >= to) continue;
    }
    held.push_back(each);
    if (each.first_token > cohort.first_token) begins.push_back(each.first_token);
    if (each.last_token < cohort.last_token) begins.push_back(each.last_token + 1);
  }
  std::ranges::sort(begins);
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  std::vector<PurgeLimit> limits;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const Token last = i + 1 < begins.size() ? begins[i + 1] - 1 : cohort.last_token;
    const auto first_source = std::ranges::find_if(
        held, [&](const Meeting& each) { return each.first_token <= begins[i] && last <= each.last_token; });
    const Micros below_us = first_source == held.end() ? no_timestamp : first_source->from_us;
    if (!limits.empty() && limits.back().below_us == below_us) {
      limits.back().last_token = last;
    } else {
      limits.push_back({.below_us = below_us, .slots = nullptr, .first_token = begins[i], .last_token = last});
    }
  }
  return limits;
}

/// purge_limits of cohorts one after the other. Whole ones of a writer that the same sources may block have the same.
class KnownLimits {
 public:
  KnownLimits(const ContentSpace& space, const std::vector<OverlapSource>& sources)
      : space_(space), sources_(sources) {}

  std::vector<PurgeLimit> of(const Cohort& cohort, std::int64_t bucket, Micros newest_us) {
    if (!cohort.whole()) return purge_limits(space_, cohort, bucket, newest_us, sources_);
    const auto blocking = std::ranges::upper_bound(sources_, newest_us, {}, &OverlapSource::min_timestamp_us);
    const auto [known, is_new] =
        known_.try_emplace({space_.writer_of(cohort).index, bucket, blocking - sources_.begin()});
    if (is_new) known->second = purge_limits(space_, cohort, bucket, newest_us, sources_);
    return known->second;
  }

 private:
  const ContentSpace& space_;
  const std::vector<OverlapSource>& sources_;  // ascending by minimum timestamp
  std::map<std::tuple<int, std::int64_t, std::ptrdiff_t>, std::vector<PurgeLimit>> known_{};
};

/// Cuts one cohort at the times where the purge rule answers differently, and tells what becomes of each part.
class CohortPurge {
 public:
  CohortPurge(const ContentSpace& space, const Cohort& cohort, const PurgeTimes& times,
              const std::vector<OverlapSource>& sources, bool sources_cut, KnownLimits& limits,
              std::vector<Cohort>& out)
      : space_(space),
        sub_(space.sub_stream(cohort.sub_stream)),
        cohort_(cohort),
        times_(times),
        sources_(sources),
        limits_(limits),
        out_(out),
        by_tokens_(space.own_tokens() == nullptr && (sources_cut || cohort.cut_by_tokens())) {}

  void run() {
    const std::int64_t dead = std::max(dead_until(), cohort_.from);
    if (dead > cohort_.from) purge_dead(dead);
    std::int64_t settled = dead;
    if (cohort_.state == RowState::live && born_with_dead(sub_.writer())) {
      settled = std::max(dead, written_before(times_.gc_before_s));
      each_limit(dead, settled,
                 [this](std::int64_t from, std::int64_t to, const PurgeLimit& limit) { settle(from, to, limit); });
    }
    put(settled, cohort_.to, cohort_.state, {});
  }

 private:
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
    if (by_tokens_ && !met_) met_ = meeting(space_, cohort_, sources_);
    const auto [first_bucket, last_bucket] = space_.buckets(part(first, last));
    for (std::int64_t bucket = first_bucket; bucket <= last_bucket; ++bucket) {
      const auto [from, to] = space_.members_in(part(first, last), bucket);
      if (from >= to) continue;
      const Micros newest_us = sub_.timestamp_range(from, to).second;
      if (by_tokens_) {
        for (const PurgeLimit& limit : smooth_limits(space_, cohort_, bucket, newest_us, *met_)) each(from, to, limit);
        continue;
      }
      for (const PurgeLimit& limit : limits_.of(cohort_, bucket, newest_us)) each(from, to, limit);
    }
  }

  /// What was dead from the start of rows that are alive goes; a replaced collection is a microsecond older than its
  /// row.
  void settle(std::int64_t from, std::int64_t to, const PurgeLimit& limit) {
    const bool empty = !sub_.writer().insert && space_.shape(cohort_.sub_stream, RowState::settled).present.empty();
    for (const SubStream::Part& below : parts(from, to, raised(limit.below_us))) {
      if (!below.below) {
        put(below.from, below.to, RowState::live, limit);
      } else if (!empty) {
        put(below.from, below.to, RowState::settled, limit);
      }
    }
  }

  Micros raised(Micros limit_us) const {
    return limit_us != no_timestamp && deletes_elements(sub_.writer()) ? limit_us + 1 : limit_us;
  }

  /// Rows whose cells stay, though written before gc_grace: what they replaced may go even so.
  void put_blocked(std::int64_t from, std::int64_t to, const PurgeLimit& limit) {
    const bool born = cohort_.state == RowState::live || cohort_.state == RowState::cells_dead;
    if (!born || !deletes_elements(sub_.writer())) {
      put(from, to, blocked_state(), limit);
      return;
    }
    for (const SubStream::Part& below : parts(from, to, raised(limit.below_us))) {
      put(below.from, below.to, below.below ? RowState::settled_dead : blocked_state(), limit);
    }
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
    if (cohort_.state == RowState::settled) return RowState::settled_dead;
    return cohort_.state == RowState::live ? RowState::cells_dead : cohort_.state;
  }

  const ContentSpace& space_;
  const SubStream& sub_;
  const Cohort& cohort_;
  const PurgeTimes& times_;
  const std::vector<OverlapSource>& sources_;
  KnownLimits& limits_;
  std::vector<Cohort>& out_;
  bool by_tokens_ = false;
  std::optional<std::vector<Meeting>> met_{};  // once a limit was asked for
};

/// The partitions of a bucket that a cohort's slots and tokens admit, ascending.
std::vector<std::int32_t> slots_of(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket) {
  const Writer& writer = space.writer_of(cohort);
  std::vector<std::int32_t> slots;
  if (TokenIndex* const own = space.own_tokens(); own != nullptr && cohort.cut_by_tokens()) {
    const auto inside = own->slots_between(writer, bucket, cohort.first_token, cohort.last_token);
    slots.assign(inside.begin(), inside.end());
    std::ranges::sort(slots);
  } else {
    slots.resize(static_cast<std::size_t>(writer.slots(bucket)));
    std::iota(slots.begin(), slots.end(), 0);
  }
  if (cohort.slots)
    std::erase_if(slots, [&](std::int32_t slot) { return !(*cohort.slots)[static_cast<std::size_t>(slot)]; });
  return slots;
}

std::shared_ptr<const SlotSet> set_of(std::int64_t all_slots, std::span<const std::int32_t> slots) {
  SlotSet set(static_cast<std::size_t>(all_slots), false);
  for (const std::int32_t slot : slots) set[static_cast<std::size_t>(slot)] = true;
  return std::make_shared<const SlotSet>(std::move(set));
}

/// Takes those out of `open`, ascending slots, that are held.
std::vector<std::int32_t> take_held(std::vector<std::int32_t>& open, const Presence& held) {
  std::vector<std::int32_t> taken;
  if (!held.in_ranges()) {
    const auto is_held = [&held](std::int32_t slot) { return held.holds(slot); };
    const auto first_open = std::stable_partition(open.begin(), open.end(), is_held);
    taken.assign(open.begin(), first_open);
    open.erase(open.begin(), first_open);
    return taken;
  }
  auto kept = open.begin();
  auto next = open.begin();
  held.each_range([&](std::int64_t first, std::int64_t last) {
    const auto from = std::lower_bound(next, open.end(), first);
    const auto to = std::lower_bound(from, open.end(), last);
    if (from == to) return;
    taken.insert(taken.end(), from, to);
    kept = kept == next ? from : std::move(next, from, kept);
    next = to;
  });
  if (!taken.empty()) open.erase(std::move(next, open.end(), kept), open.end());
  return taken;
}

bool nothing_dead(const ContentSpace& space, const std::vector<Cohort>& cohorts, const PurgeTimes& times) {
  Seconds first_s = INT64_MIN;  // nothing of them arrives before
  if (worth_counting_together(space, cohorts))
    first_s = EndsOfCohorts(space, cohorts).first_s([](const Cohort&) { return true; });
  return std::ranges::all_of(cohorts, [&](const Cohort& cohort) {
    if (!has_values(cohort.state)) return false;
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const bool settles = cohort.state == RowState::live && born_with_dead(sub.writer());
    if (settles && sub.arrival_s(cohort.from) < times.gc_before_s) return false;
    return cohort.ttl_s == 0 || first_s + cohort.ttl_s > times.now_s ||
           sub.arrival_s(cohort.from) + cohort.ttl_s > times.now_s;
  });
}

}  // namespace

std::vector<PurgeLimit> purge_limits(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket,
                                     Micros newest_us, const std::vector<OverlapSource>& sources) {
  const Writer& writer = space.writer_of(cohort);
  std::vector<PurgeLimit> limits;
  std::vector<std::int32_t> open;  // not blocked yet; listed when a source holds some of them
  bool listed = false;
  for (const OverlapSource& source : sources) {
    if (source.min_timestamp_us > newest_us) break;
    const bool apart = source.last_token < cohort.first_token || source.first_token > cohort.last_token;
    if (apart && space.own_tokens() != nullptr) continue;
    Presence held = space.presence(source.content->cohorts, writer.index, bucket);
    add_held_one_by_one(writer, bucket, source, held);
    if (held.none() && source.filter == nullptr && !source.any_key) continue;
    if (held.all() && limits.empty()) return {{.below_us = source.min_timestamp_us, .slots = cohort.slots}};
    if (!listed) open = slots_of(space, cohort, bucket);
    listed = true;
    add_false_positives(space, writer, bucket, source, open, held);
    const std::vector<std::int32_t> blocked = take_held(open, held);
    if (blocked.empty()) continue;
    const bool all = limits.empty() && open.empty();
    limits.push_back(
        {.below_us = source.min_timestamp_us, .slots = all ? cohort.slots : set_of(writer.slots(bucket), blocked)});
    if (open.empty()) return limits;
  }
  if (limits.empty()) return {{.below_us = no_timestamp, .slots = cohort.slots}};
  limits.push_back({.below_us = no_timestamp, .slots = set_of(writer.slots(bucket), open)});
  return limits;
}

bool purge_cohorts(const ContentSpace& space, std::vector<Cohort>& cohorts, const PurgeTimes& times,
                   const std::vector<OverlapSource>& sources) {
  if (nothing_dead(space, cohorts, times)) return false;
  std::vector<Cohort> kept;
  kept.reserve(cohorts.size());
  const bool sources_cut = space.own_tokens() == nullptr && std::ranges::any_of(sources, holds_cuts);
  KnownLimits limits(space, sources);
  for (const Cohort& cohort : cohorts) CohortPurge(space, cohort, times, sources, sources_cut, limits, kept).run();
  std::erase_if(kept, [&](const Cohort& cohort) { return !cohort.whole() && space.rows(cohort) == 0; });
  join_cohorts(kept);
  cohorts = std::move(kept);
  return true;
}

}  // namespace windrow
