#include "sim/content/static_rows.h"

#include <algorithm>

#include "sim/content/keyed_merge.h"

namespace windrow {

namespace {

std::int64_t first_member(const SubStream& sub, std::int64_t bucket) {
  return sub.writer().bucket.single() ? 0 : sub.count_before_bucket(bucket);
}

std::int64_t end_member(const SubStream& sub, std::int64_t bucket) {
  const std::int64_t all = sub.rank(sub.writer().rhythm.total());
  return sub.writer().bucket.single() ? all : std::min(all, sub.count_before_bucket(bucket + 1));
}

class StaticWrites {
 public:
  explicit StaticWrites(const ContentSpace& space) : space_(space), values_(values_of(space.workload())) {}

  void add(const Cohort& cohort) {
    const SubStream& sub = space_.sub_stream(cohort.sub_stream);
    const Writer& writer = sub.writer();
    if (sub.brings() != Brings::rows || writer.statics.empty() || space_.workload().keyed(cohort.sub_stream)) return;
    space_.each_part(cohort, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
      const SubStream::Turn turn = sub.turn(bucket);
      if (!sub.in_turn()) {
        for (std::int64_t j = first; j < last; ++j)
          if (writer.writes_statics(sub.row(j))) put(cohort, bucket, turn.slot(j), j);
      } else if (writer.statics_once) {
        const std::int64_t begin = first_member(sub, bucket);
        for (std::int64_t j = std::max(first, begin); j < std::min(last, begin + turn.slots()); ++j)
          if (begins(sub, bucket, turn.slot(j), j)) put(cohort, bucket, turn.slot(j), j);
      } else {
        // Timestamps ascend, but for those that carry the row number.
        const bool ascending = !writer.timestamp.add_row_number;
        for (std::int64_t j = ascending ? std::max(first, last - turn.slots()) : first; j < last; ++j)
          put(cohort, bucket, turn.slot(j), j);
      }
    });
  }

  KeyedContent take() {
    KeyedContent content;
    content.reserve(partitions_.size());
    for (auto& [token, partition] : partitions_) content.push_back(std::move(partition));
    return content;
  }

 private:
  /// True if no other sub-stream of the writer has an earlier row of the partition.
  bool begins(const SubStream& sub, std::int64_t bucket, std::int64_t slot, std::int64_t member) const {
    return std::ranges::none_of(space_.workload().sub_streams(), [&](const SubStream& other) {
      if (&other == &sub || &other.writer() != &sub.writer() || other.brings() != Brings::rows) return false;
      const SubStream::Turn turn = other.turn(bucket);
      const std::int64_t begin = first_member(other, bucket);
      const std::int64_t end = end_member(other, bucket);
      if (begin >= end) return false;
      const std::int64_t there = begin + (slot - turn.slot(begin) + turn.slots()) % turn.slots();
      return there < end && other.row(there) < sub.row(member);
    });
  }

  void put(const Cohort& cohort, std::int64_t bucket, std::int64_t slot, std::int64_t member) {
    const SubStream& sub = space_.sub_stream(cohort.sub_stream);
    const Writer& writer = sub.writer();
    const SubStream::Dates dates = sub.dates(member);
    KeyedPartition partition{.token = space_.tokens().of(writer, bucket).by_slot[static_cast<std::size_t>(slot)],
                             .writer = writer.index,
                             .bucket = bucket,
                             .slot = slot,
                             .key_bytes = space_.tokens().key_bytes(writer, bucket, slot)};
    for (const ColumnWrite& write : writer.statics) {
      partition.statics.cells.push_back(
          {.column = static_cast<std::int16_t>(write.column),
           .kind = cohort.ttl_s > 0 ? CellKind::expiring : CellKind::live,
           .ttl_s = cohort.ttl_s,
           .timestamp_us = dates.timestamp_us,
           .local_deletion_time_s = cohort.ttl_s > 0 ? dates.arrival_s + cohort.ttl_s : no_deletion_time,
           .sub_stream = cohort.sub_stream,
           .row_number = sub.written_as(member)});
    }
    const auto [place, added] = partitions_.try_emplace(partition.token, partition);
    if (!added) merge_partition(place->second, partition, values_);
  }

  const ContentSpace& space_;
  CompareValues values_;
  std::map<Token, KeyedPartition> partitions_{};
};

}  // namespace

bool without_rows(const KeyedPartition& partition) { return partition.rows.empty(); }

KeyedContent static_rows_of(const ContentSpace& space, std::span<const Cohort> cohorts) {
  StaticWrites writes(space);
  for (const Cohort& cohort : cohorts) writes.add(cohort);
  return writes.take();
}

bool RowsHeld::by(const Content& content, const KeyedPartition& partition) {
  if (content.cohorts.empty()) return false;
  const std::pair key(&content, std::pair(partition.writer, partition.bucket));
  auto place = held_.find(key);
  if (place == held_.end())
    place = held_.emplace(key, space_->presence(content.cohorts, partition.writer, partition.bucket)).first;
  return place->second.holds(partition.slot);
}

std::vector<bool> beside_rows(const ContentSpace& space, const Content& content) {
  std::vector<bool> beside;
  RowsHeld held(space);
  for (const KeyedPartition& partition : *content.keyed)
    beside.push_back(without_rows(partition) && held.by(content, partition));
  return beside;
}

}  // namespace windrow
