#include "sim/content/census_memo.h"

#include <utility>

namespace windrow {

bool CensusMemo::Known::is_of(const BucketPiece& piece) const {
  const Cohort& cohort = *piece.cohort;
  return bucket == piece.bucket && sub_stream == cohort.sub_stream && ttl_s == cohort.ttl_s && state == cohort.state &&
         first == piece.first && last == piece.last;
}

void CensusMemo::begin() {
  std::swap(before_, now_);
  now_.clear();
  next_ = 0;
  std::swap(counted_before_, counted_now_);
  counted_now_.all.clear();
  counted_now_.partitions.clear();
  next_counted_ = 0;
  blocks_.begin();
}

bool CensusMemo::recall(int writer, std::span<BucketPiece> pieces) {
  const auto place = [](const Known& known) { return std::pair(known.writer, known.bucket); };
  const std::pair here(writer, pieces.front().bucket);
  while (next_ < before_.size() && place(before_[next_]) < here) ++next_;
  const std::size_t begin = next_;
  while (next_ < before_.size() && place(before_[next_]) == here) ++next_;
  if (next_ - begin != pieces.size()) return false;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!before_[begin + i].is_of(pieces[i])) return false;
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i].row_bytes = before_[begin + i].row_bytes;
  return true;
}

void CensusMemo::keep(int writer, std::span<const BucketPiece> pieces) {
  for (const BucketPiece& piece : pieces) {
    const Cohort& cohort = *piece.cohort;
    now_.push_back({.writer = writer,
                    .bucket = piece.bucket,
                    .sub_stream = cohort.sub_stream,
                    .ttl_s = cohort.ttl_s,
                    .state = cohort.state,
                    .first = piece.first,
                    .last = piece.last,
                    .row_bytes = piece.row_bytes});
  }
}

std::optional<CensusMemo::Counted> CensusMemo::counted(int writer, std::int64_t bucket) {
  const std::vector<KnownBucket>& all = counted_before_.all;
  const auto place = [](const KnownBucket& known) { return std::pair(known.writer, known.bucket); };
  const std::pair here(writer, bucket);
  while (next_counted_ < all.size() && place(all[next_counted_]) < here) ++next_counted_;
  if (next_counted_ == all.size() || place(all[next_counted_]) != here) return {};
  const KnownBucket& known = all[next_counted_];
  return {{std::span(counted_before_.partitions).subspan(known.first, known.end - known.first), known.steps}};
}

void CensusMemo::keep_counted(int writer, std::int64_t bucket, const Counted& counted) {
  std::vector<MeasuredPartitions>& partitions = counted_now_.partitions;
  const std::size_t first = partitions.size();
  partitions.insert(partitions.end(), counted.partitions.begin(), counted.partitions.end());
  counted_now_.all.push_back(
      {.writer = writer, .bucket = bucket, .first = first, .end = partitions.size(), .steps = counted.steps});
}

}  // namespace windrow
