#include "sim/content/partition_deletes.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "sim/base/arithmetic.h"

namespace windrow {

namespace {

/// Members of one bucket that a deletion takes.
struct Taken {
  std::int64_t slot = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Calls `each(first, last)` for the members of [first, last) that are not newer than a deletion. `dated`: the least
/// and the largest timestamp of all.
template <typename Each>
void each_older(const SubStream& sub, std::int64_t first, std::int64_t last, std::pair<Micros, Micros> dated,
                Micros deleted_us, const Each& each) {
  if (dated.first > deleted_us) return;
  if (dated.second <= deleted_us) {
    each(first, last);
    return;
  }
  for (const SubStream::Part& part : sub.split_at_timestamp(first, last, deleted_us + 1)) {
    if (part.below) each(part.from, part.to);
  }
}

/// What is left of a cohort's members [first, last) of a bucket when others were taken.
class BucketLeft {
 public:
  BucketLeft(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket, std::vector<Cohort>& kept)
      : space_(space), cohort_(cohort), kept_(kept) {
    const std::int64_t slots = space.writer_of(cohort).slots(bucket);
    for (std::int64_t slot = 0; slot < slots; ++slot) left_.push_back(space.admits(cohort, bucket, slot));
  }

  void keep(std::int64_t first, std::int64_t last, const std::vector<Taken>& taken) {
    struct Step {
      std::int64_t member = 0;
      std::int64_t slot = 0;
      bool taken = false;
    };
    std::vector<Step> steps;
    for (const Taken& each : taken) {
      steps.push_back({each.first, each.slot, true});
      if (each.last < last) steps.push_back({each.last, each.slot, false});
    }
    std::ranges::stable_sort(steps, {}, [](const Step& step) { return std::pair(step.member, step.taken); });
    std::int64_t from = first;
    for (const Step& step : steps) {
      keep_part(from, step.member);
      from = std::max(from, step.member);
      left_[static_cast<std::size_t>(step.slot)] = !step.taken;
      missing_ += step.taken ? 1 : -1;
    }
    keep_part(from, last);
  }

 private:
  void keep_part(std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    Cohort part = cohort_;
    part.from = first;
    part.to = last;
    if (missing_ > 0) part.slots = std::make_shared<const SlotSet>(left_);
    if (missing_ == 0 || space_.any(part)) kept_.push_back(std::move(part));
  }

  const ContentSpace& space_;
  const Cohort& cohort_;
  std::vector<Cohort>& kept_;
  SlotSet left_{};
  std::int64_t missing_ = 0;
};

/// A file has many of few buckets, in the order of tokens: to count each bucket's, and to sort those, is much less than
/// to sort all.
void sort_by_bucket(std::vector<PartitionDeletes::OfSlot>& all) {
  struct OfWriter {
    std::int64_t first = INT64_MAX;
    std::int64_t last = INT64_MIN;
    std::int64_t place = 0;  // of its first bucket among the buckets of all writers
  };
  std::vector<OfWriter> writers;
  for (const PartitionDeletes::OfSlot& each : all) {
    if (each.writer >= std::ssize(writers)) writers.resize(static_cast<std::size_t>(each.writer) + 1);
    OfWriter& writer = writers[static_cast<std::size_t>(each.writer)];
    writer.first = std::min(writer.first, each.bucket);
    writer.last = std::max(writer.last, each.bucket);
  }
  constexpr std::int64_t some = 1'000;
  const std::int64_t most = some + 4 * std::ssize(all);
  std::int64_t buckets = 0;
  for (OfWriter& writer : writers) {
    if (writer.first > writer.last) continue;
    writer.place = buckets;
    buckets += std::min(most, writer.last - writer.first) + 1;
  }
  if (buckets > most) {
    std::ranges::sort(all, {}, [](const auto& each) { return std::pair(each.writer, each.bucket); });
    return;
  }
  const auto place = [&](const PartitionDeletes::OfSlot& each) {
    const OfWriter& writer = writers[static_cast<std::size_t>(each.writer)];
    return static_cast<std::size_t>(writer.place + each.bucket - writer.first);
  };
  std::vector<std::size_t> before(static_cast<std::size_t>(buckets) + 1, 0);
  for (const PartitionDeletes::OfSlot& each : all) ++before[place(each) + 1];
  std::partial_sum(before.begin(), before.end(), before.begin());
  std::vector<PartitionDeletes::OfSlot> sorted(all.size());
  for (const PartitionDeletes::OfSlot& each : all) sorted[before[place(each)]++] = each;
  all = std::move(sorted);
}

/// Neighbours of one bucket of which the same partitions are left.
void join_within_buckets(const ContentSpace& space, std::vector<Cohort>& cohorts) {
  std::size_t kept = 0;
  for (std::size_t i = 1; i < cohorts.size(); ++i) {
    Cohort& last = cohorts[kept];
    const Cohort& next = cohorts[i];
    if (last.slots && last.to == next.from && alike(last, next) &&
        space.bucket_of(last.sub_stream, last.from) == space.bucket_of(next.sub_stream, next.from)) {
      last.to = next.to;
    } else if (++kept != i) {
      cohorts[kept] = std::move(cohorts[i]);
    }
  }
  if (!cohorts.empty()) cohorts.resize(kept + 1);
}

}  // namespace

PartitionDeletes::PartitionDeletes(const ContentSpace& space, std::span<const KeyedContent* const> contents)
    : space_(&space) {
  std::vector<OfSlot> all;
  for (const KeyedContent* content : contents) {
    for (const KeyedPartition& partition : *content) {
      const bool prefix = !partition.deletion && partition.rows.empty() && partition.ranges.size() == 1;
      if (!partition.deletion && !prefix) continue;
      OfSlot& deleted = all.emplace_back(OfSlot{partition.writer, partition.bucket, partition.slot});
      deleted.deletion = prefix ? partition.ranges.front().deletion : *partition.deletion;
      if (prefix) deleted.until_ms = partition.ranges.front().to;
    }
  }
  sort_by_bucket(all);
  const auto by_slot = [](const OfSlot& a, const OfSlot& b) {
    return std::tie(a.slot, b.deletion) < std::tie(b.slot, a.deletion);
  };
  deletes_.reserve(all.size());
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::find_if(first, all.end(), [&](const OfSlot& other) {
      return other.writer != first->writer || other.bucket != first->bucket;
    });
    std::sort(first, last, by_slot);
    const OfSlot* newest = nullptr;
    for (; first != last; ++first) {
      if (newest == nullptr || newest->slot != first->slot) newest = &deletes_.emplace_back(*first);
    }
  }
}

std::span<const PartitionDeletes::OfSlot> PartitionDeletes::of(int writer, std::int64_t first_bucket,
                                                               std::int64_t last_bucket) const {
  const auto place = [](const OfSlot& deleted) { return std::pair(deleted.writer, deleted.bucket); };
  const auto first = std::ranges::lower_bound(deletes_, std::pair(writer, first_bucket), {}, place);
  const auto last = std::ranges::upper_bound(first, deletes_.end(), std::pair(writer, last_bucket), {}, place);
  return {first, last};
}

void PartitionDeletes::each_covered(const Cohort& cohort, const Each& each) const {
  if (none() || cohort.from >= cohort.to) return;
  const SubStream& sub = space_->sub_stream(cohort.sub_stream);
  const auto [first_bucket, last_bucket] = space_->buckets(cohort);
  const std::span<const OfSlot> deletes = of(sub.writer().index, first_bucket, last_bucket);
  for (auto here = deletes.begin(); here != deletes.end();) {
    const std::int64_t bucket = here->bucket;
    const auto end = std::find_if(here, deletes.end(), [&](const OfSlot& other) { return other.bucket != bucket; });
    const auto [first, last] = space_->members_in(cohort, bucket);
    if (first < last) {
      const auto dated = sub.timestamp_range(first, last);
      for (; here != end; ++here) {
        if (here->deletion.timestamp_us < dated.first || !space_->admits(cohort, bucket, here->slot)) continue;
        const std::int64_t below =
            here->until_ms == INT64_MAX ? last : std::clamp(members_below(sub, here->until_ms), first, last);
        if (first == below) continue;
        each_older(sub, first, below, dated, here->deletion.timestamp_us, [&](std::int64_t from, std::int64_t to) {
          if (members_of_slot(sub, bucket, here->slot, from, to) > 0) each(*here, from, to);
        });
      }
    }
    here = end;
  }
}

void PartitionDeletes::shadow(std::vector<Cohort>& cohorts) const {
  if (none()) return;
  std::vector<Cohort> kept;
  bool any = false;
  for (const Cohort& cohort : cohorts) {
    std::int64_t from = cohort.from;
    std::int64_t bucket = 0;
    std::vector<Taken> taken;  // of the bucket
    const auto close_bucket = [&] {
      if (taken.empty()) return;
      const auto [first, last] = space_->members_in(cohort, bucket);
      if (from < first) {
        kept.push_back(cohort);
        kept.back().from = from;
        kept.back().to = first;
      }
      BucketLeft(*space_, cohort, bucket, kept).keep(first, last, taken);
      from = last;
      taken.clear();
      any = true;
    };
    each_covered(cohort, [&](const OfSlot& deleted, std::int64_t first, std::int64_t last) {
      if (!taken.empty() && bucket != deleted.bucket) close_bucket();
      bucket = deleted.bucket;
      taken.push_back({deleted.slot, first, last});
    });
    close_bucket();
    if (from >= cohort.to) continue;
    kept.push_back(cohort);
    kept.back().from = from;
  }
  if (!any) return;
  join_cohorts(kept);
  join_within_buckets(*space_, kept);
  cohorts = std::move(kept);
}

std::int64_t members_below(const SubStream& sub, std::int64_t clustering_ms) {
  const Writer& writer = sub.writer();
  return sub.rank(writer.rhythm.count_before(ceil_div(clustering_ms * 1000, writer.unit_us)));
}

std::int64_t members_of_slot(const SubStream& sub, std::int64_t bucket, std::int64_t slot, std::int64_t first,
                             std::int64_t last) {
  if (first >= last) return 0;
  const SubStream::Turn turn = sub.turn(bucket);
  if (sub.in_turn()) {
    const std::int64_t skip = slot - turn.slot(first);
    const std::int64_t begin = first + (skip < 0 ? skip + turn.slots() : skip);
    return begin < last ? ceil_div(last - begin, turn.slots()) : 0;
  }
  std::int64_t members = 0;
  for (std::int64_t j = first; j < last; ++j) members += turn.slot(j) == slot ? 1 : 0;
  return members;
}

std::optional<std::int64_t> slot_with(const ContentSpace& space, const Writer& writer, std::int64_t bucket,
                                      Token token) {
  const TokenIndex::Bucket& tokens = space.tokens().of(writer, bucket);
  const auto token_of = [&tokens](std::int32_t slot) { return tokens.of(slot); };
  const auto place = std::ranges::lower_bound(tokens.in_order(), token, {}, token_of);
  if (place == tokens.in_order().end() || token_of(*place) != token) return std::nullopt;
  return *place;
}

void name_by_rows(const ContentSpace& space, KeyedPartition& deleted) {
  const TableWorkload& workload = space.workload();
  for (int s = 0; s < std::ssize(workload.sub_streams()); ++s) {
    const SubStream& sub = space.sub_stream(s);
    const Writer& writer = sub.writer();
    const std::int64_t rows = writer.rhythm.total();
    if (sub.brings() != Brings::rows || workload.keyed(s) || writer.drawn_keys > 0 || rows == 0) continue;
    if (deleted.bucket < writer.bucket_of(0) || deleted.bucket > writer.bucket_of(rows - 1)) continue;
    const std::optional<std::int64_t> slot = slot_with(space, writer, deleted.bucket, deleted.token);
    if (!slot) continue;
    deleted.writer = writer.index;
    deleted.slot = *slot;
    return;
  }
}

}  // namespace windrow
