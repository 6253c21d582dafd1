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

}  // namespace windrow
