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
  explicit StaticWrites(const ContentSpace& space) : space_(space) {}

  void add(const Cohort& cohort) {
    const SubStream& sub = space_.sub_stream(cohort.sub_stream);
    const Writer& writer = sub.writer();
    if (sub.brings() != Brings::rows || writer.statics.empty() || space_.workload().keyed(cohort.sub_stream)) return;
    space_.each_part(cohort, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
      const SubStream::Turn turn = sub.turn(bucket);
      const Part part{.cohort = &cohort, .bucket = bucket, .tokens = &space_.tokens().of(writer, bucket)};
      if (!sub.in_turn()) {
        for (std::int64_t j = first; j < last; ++j)
          if (writer.writes_statics(sub.row(j))) put(part, turn.slot(j), j);
      } else if (writer.statics_once) {
        const std::int64_t begin = first_member(sub, bucket);
        for (std::int64_t j = std::max(first, begin); j < std::min(last, begin + turn.slots()); ++j)
          if (begins(sub, bucket, turn.slot(j), j)) put(part, turn.slot(j), j);
      } else {
        // Timestamps ascend, but for those that carry the row number.
        const bool ascending = !writer.timestamp.add_row_number;
        for (std::int64_t j = ascending ? std::max(first, last - turn.slots()) : first; j < last; ++j)
          put(part, turn.slot(j), j);
      }
    });
  }

  KeyedContent take() {
    const CompareValues values = values_of(space_.workload());
    std::vector<std::pair<Token, std::size_t>> order;
    order.reserve(written_.size());
    for (const KeyedPartition& partition : written_) order.emplace_back(partition.token, order.size());
    std::ranges::sort(order);
    KeyedContent content;
    content.reserve(written_.size());
    for (const auto& [token, place] : order) {
      if (content.empty() || content.back().token != token) {
        content.push_back(std::move(written_[place]));
      } else {
        merge_partition(content.back(), written_[place], values);
      }
    }
    return content;
  }

 private:
  /// A cohort's rows of a bucket.
  struct Part {
    const Cohort* cohort = nullptr;
    std::int64_t bucket = 0;
    const TokenIndex::Bucket* tokens = nullptr;
  };
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

  void put(const Part& part, std::int64_t slot, std::int64_t member) {
    const Cohort& cohort = *part.cohort;
    const SubStream& sub = space_.sub_stream(cohort.sub_stream);
    const Writer& writer = sub.writer();
    const SubStream::Dates dates = sub.dates(member);
    KeyedPartition& partition = written_.emplace_back();
    partition.token = part.tokens->by_slot()[static_cast<std::size_t>(slot)];
    partition.writer = writer.index;
    partition.bucket = part.bucket;
    partition.slot = slot;
    partition.key_bytes = space_.tokens().key_bytes(writer, part.bucket, slot);
    partition.statics.cells.reserve(writer.statics.size());
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
  }

  const ContentSpace& space_;
  KeyedContent written_{};  // each write's, in their order
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
