#include <algorithm>

#include "sim/reads/bucket_read.h"

// What a bucket has of the slice, and how it is found by the partition.

namespace windrow {

BucketRead::Stream& BucketRead::stream_of(int s) {
  const auto found = std::ranges::find(streams_, s, &Stream::s);
  if (found != streams_.end()) return *found;
  const SubStream& sub = space_->sub_stream(s);
  return streams_.emplace_back(s, sub, sub.turn(bucket_));
}

void BucketRead::add_pieces(const WriterSources& writer) {
  for (const WriterSources::Held& held : writer.held()) {
    if (bucket_ < held.first_bucket || bucket_ > held.last_bucket) continue;
    const ReadSource& source = sources_[static_cast<std::size_t>(held.source)];
    if (!source.memtable && !source.meets(query_)) continue;  // it is not opened, and has no row of the slice
    const auto [first, last] = space_->members_in(*held.cohort, bucket_);
    if (first >= last) continue;
    const bool deletes = held.cohort->state == RowState::row_tombstone;
    const int target = deletes ? space_->workload().target_of(held.cohort->sub_stream) : held.cohort->sub_stream;
    Stream& stream = stream_of(target < 0 ? held.cohort->sub_stream : target);
    const Piece piece{held.cohort, &source, first, last};
    (deletes ? stream.tombstones : stream.rows).each.push_back(piece);
    on_lattice_ = on_lattice_ || (held.cohort->cut_by_tokens() && space_->on_lattice(*held.cohort));
    stream.first = std::min(stream.first, first);
    stream.last = std::max(stream.last, last);
  }
  for (Stream& stream : streams_) {
    if (stream.sub->in_turn()) {
      find_by_slot(stream);
      if (on_lattice_) find_by_place(stream);
      continue;
    }
    // A recording's every k-th row: which slots its members are of is no arithmetic.
    each_slot_ = true;
    stream.by_slot.resize(static_cast<std::size_t>(slots_));
    for (std::int64_t j = stream.first; j < stream.last; ++j)
      stream.by_slot[static_cast<std::size_t>(stream.turn.slot(j))].push_back(j);
  }
}

void BucketRead::find_by_place(Stream& stream) const {
  for (Pieces* pieces : {&stream.rows, &stream.tombstones}) {
    std::vector<const Cohort*> cohorts;
    for (const Piece& piece : pieces->each) cohorts.push_back(piece.cohort);
    pieces->by_place = HeldByPlace(*space_, cohorts);
  }
}

void BucketRead::find_by_slot(Stream& stream) {
  const std::int64_t slots = stream.turn.slots();
  for (Pieces* pieces : {&stream.rows, &stream.tombstones}) {
    if (pieces->each.size() < HeldByCell::fewest) continue;
    pieces->by_slot = HeldByCell(slots);
    for (std::uint32_t i = 0; i < pieces->each.size(); ++i) {
      const Piece& piece = pieces->each[i];
      // It goes around from the slot of its first member.
      const std::int64_t length = piece.last - piece.first;
      const std::int64_t from = length < slots ? stream.turn.slot(piece.first) : 0;
      const std::int64_t to = from + std::min(length, slots);
      pieces->by_slot.add(i, from, std::min(to, slots));
      pieces->by_slot.add(i, 0, to - slots);
    }
  }
}

}  // namespace windrow
