#include "sim/content/census_slots.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <numeric>

#include "sim/base/arithmetic.h"
#include "sim/content/census.h"
#include "sim/content/lattice_places.h"
#include "sim/content/token_sweep.h"

namespace windrow {

namespace {

constexpr std::int64_t members_to_look_at = 2'000'000;

std::int64_t members_of(const BucketPiece& piece) { return piece.last - piece.first; }

}  // namespace

SlotShares::SlotShares(const ContentSpace& space, const Writer& writer) : space_(space), writer_(writer) {
  std::int64_t modulus = 1;
  for (const SubStream& sub : space.workload().sub_streams()) {
    if (&sub.writer() == &writer) modulus = std::lcm(modulus, sub.share().modulus());
  }
  classes_ = std::gcd(modulus, writer.most_slots());
}

std::int64_t SlotShares::members_of_class(const SubStream& sub, const BucketPiece& piece,
                                          std::int64_t remainder) const {
  if (space_.on_lattice(*piece.cohort))
    return space_.members_between(*piece.cohort, piece.first, piece.last) / classes_;
  if (classes_ == 1) return members_of(piece);
  const std::int64_t told_apart = std::gcd(sub.share().modulus(), classes_);
  const auto residues = static_cast<std::int64_t>(sub.share().residues().size());
  std::int64_t members = 0;
  for (std::int64_t i = 0; i < residues; ++i) {
    if (sub.share().residues()[static_cast<std::size_t>(i)] % told_apart != remainder % told_apart) continue;
    members += ceil_div(piece.last - i, residues) - ceil_div(piece.first - i, residues);
  }
  // A sub-stream that tells fewer classes apart is spread over the rest of them.
  return members * told_apart / classes_;
}

std::int64_t SlotShares::divide(std::span<const BucketPiece> pieces, std::vector<AlikePartitions>& out) const {
  if (pieces.front().buckets > 1) return divide_by_tokens(pieces, out);
  const bool whole = std::ranges::all_of(pieces, [](const BucketPiece& piece) { return piece.cohort->whole(); });
  if (!whole && !space_.on_lattice(*pieces.front().cohort)) return divide_singly(pieces, out);
  if (!whole && std::ssize(pieces) <= pieces_to_look_at) return divide_by_tokens(pieces, out);
  for (std::int64_t remainder = 0; remainder < classes_; ++remainder) divide_class(remainder, pieces, out);
  return classes_;
}

void SlotShares::divide_class(std::int64_t remainder, std::span<const BucketPiece> pieces,
                              std::vector<AlikePartitions>& out) const {
  std::int64_t events = 0;
  double bytes = 0;
  double cells = 0;
  std::int64_t first_row = INT64_MAX;
  std::int64_t first_slot = 0;  // where a node's rows are numbered by the cluster: of the first row
  for (const BucketPiece& piece : pieces) {
    const SubStream& sub = space_.sub_stream(piece.cohort->sub_stream);
    const std::int64_t here = members_of_class(sub, piece, remainder);
    events += here;
    bytes += static_cast<double>(here) * piece.row_bytes;
    cells += static_cast<double>(here * cells_of_row(space_, *piece.cohort));
    const std::int64_t row = sub.row(piece.first);
    if (row >= first_row) continue;
    first_row = row;
    if (sub.share().owned() != nullptr) first_slot = sub.turn(piece.bucket).slot(piece.first);
  }
  if (events == 0) return;
  const std::int64_t bucket = pieces.front().bucket;
  const std::int64_t slots = writer_.slots(bucket);
  const std::int64_t class_slots = slots / classes_;
  const std::int64_t each = events / class_slots;
  const std::int64_t more = events % class_slots;
  const bool numbered_by_cluster = space_.sub_stream(pieces.front().cohort->sub_stream).share().owned() != nullptr;
  const std::int64_t start = numbered_by_cluster ? first_slot
                             : classes_ == 1     ? writer_.slot_in(bucket, first_row)
                                                 : remainder;
  const auto put = [&](std::int64_t partitions, std::int64_t skipped, std::int64_t partition_events) {
    if (partitions == 0 || partition_events == 0) return;
    const double share = static_cast<double>(partition_events * writer_.rows_per_event) / static_cast<double>(events);
    out.push_back({.partitions = partitions,
                   .first_slot = (start + skipped * classes_) % slots,
                   .step = classes_,
                   .rows = partition_events * writer_.rows_per_event,
                   .cells = std::llround(cells * share),
                   .row_bytes = bytes * share});
  };
  put(more, 0, each + 1);
  put(class_slots - more, more, each);
}

std::int64_t SlotShares::divide_alone(const BucketPiece& piece, std::vector<AlikePartitions>& out) const {
  Cohort cohort = *piece.cohort;
  cohort.from = piece.first;
  cohort.to = piece.last;
  const LatticePlaces::Alone held = space_.lattice()->alone(space_, cohort, piece.bucket, piece.last_bucket());
  EvenRows group{.partitions = held.partitions};
  add_rows(piece, held.members, group);
  std::int64_t before = 0;
  put_evenly(group, before, out);
  return 1;
}

std::int64_t SlotShares::divide_by_tokens(std::span<const BucketPiece> pieces,
                                          std::vector<AlikePartitions>& out) const {
  if (pieces.size() == 1 && !pieces.front().cohort->slots) return divide_alone(pieces.front(), out);
  boost::container::small_vector<Cohort, 8> cohorts;
  for (const BucketPiece& piece : pieces) {
    cohorts.push_back(*piece.cohort);
    cohorts.back().from = piece.first;
    cohorts.back().to = piece.last;
  }
  const std::int64_t first_bucket = pieces.front().bucket;
  const std::int64_t last_bucket = pieces.front().last_bucket();
  std::int64_t steps = 0;
  std::int64_t before = 0;  // partitions of the intervals before
  EvenRows group;
  const auto end_group = [&] {
    put_evenly(group, before, out);
    group = {};
  };
  const LatticePlaces& lattice = *space_.lattice();
  const std::span<const Cohort> all(cohorts.data(), cohorts.size());
  const LatticePlaces::Parted parted = lattice.parted(space_, all, first_bucket, last_bucket);
  boost::container::small_vector<Cohort, 4> here;
  sweep_tokens(all, [&](Token first, Token last, std::span<const std::size_t> inside) {
    if (!parted.at(first)) end_group();
    if (inside.empty()) return;
    steps += std::ssize(inside);
    here.clear();
    for (const std::size_t place : inside) {
      Cohort& cohort = here.emplace_back(cohorts[place]);
      cohort.first_token = first;
      cohort.last_token = last;
    }
    if (here.size() == 1 && !here.front().slots) {
      const LatticePlaces::Alone held = lattice.alone(space_, here.front(), first_bucket, last_bucket);
      add_rows(pieces[inside.front()], held.members, group);
      group.partitions += held.partitions;
      return;
    }
    for (std::size_t i = 0; i < inside.size(); ++i) add_rows(pieces[inside[i]], space_.members(here[i]), group);
    group.partitions += lattice.partitions(space_, {here.data(), here.size()}, first_bucket, last_bucket);
  });
  end_group();
  return steps;
}

void SlotShares::add_rows(const BucketPiece& piece, std::int64_t members, EvenRows& group) const {
  group.events += members;
  group.bytes += static_cast<double>(members) * piece.row_bytes;
  group.cells += static_cast<double>(members * cells_of_row(space_, *piece.cohort));
}

void SlotShares::put_evenly(const EvenRows& group, std::int64_t& before, std::vector<AlikePartitions>& out) const {
  if (group.events == 0) return;
  const auto put = [&](std::int64_t count, std::int64_t partition_events) {
    if (count == 0) return;
    const double share = static_cast<double>(partition_events) / static_cast<double>(group.events);
    out.push_back({.partitions = count,
                   .first_slot = before % writer_.most_slots(),
                   .step = 1,
                   .rows = partition_events * writer_.rows_per_event,
                   .cells = std::llround(group.cells * share * static_cast<double>(writer_.rows_per_event)),
                   .row_bytes = group.bytes * share * static_cast<double>(writer_.rows_per_event)});
    before += count;
  };
  const std::int64_t partitions = std::clamp<std::int64_t>(group.partitions, 1, group.events);
  put(group.events % partitions, group.events / partitions + 1);
  put(partitions - group.events % partitions, group.events / partitions);
}

std::vector<std::int64_t> SlotShares::members_by_slot(const SubStream& sub, const BucketPiece& piece) const {
  const SubStream::Turn turn = sub.turn(piece.bucket);
  const std::int64_t slots = turn.slots();
  std::vector<std::int64_t> members(static_cast<std::size_t>(slots), 0);
  const std::int64_t count = members_of(piece);
  if (!sub.in_turn() && count <= members_to_look_at) {
    for (std::int64_t j = piece.first; j < piece.last; ++j) ++members[static_cast<std::size_t>(turn.slot(j))];
    return members;
  }
  const std::int64_t start = turn.slot(piece.first);
  for (std::int64_t i = 0; i < slots; ++i) {
    members[static_cast<std::size_t>((start + i) % slots)] = count / slots + (i < count % slots ? 1 : 0);
  }
  return members;
}

std::int64_t SlotShares::divide_singly(std::span<const BucketPiece> pieces, std::vector<AlikePartitions>& out) const {
  const std::int64_t slots = writer_.slots(pieces.front().bucket);
  std::vector<AlikePartitions> singles(static_cast<std::size_t>(slots));
  for (const BucketPiece& piece : pieces) {
    const SubStream& sub = space_.sub_stream(piece.cohort->sub_stream);
    const std::vector<std::int64_t> members = members_by_slot(sub, piece);
    const std::int64_t cells = cells_of_row(space_, *piece.cohort);
    for (std::int64_t slot = 0; slot < slots; ++slot) {
      const std::int64_t here = members[static_cast<std::size_t>(slot)];
      if (here == 0 || !space_.admits(*piece.cohort, piece.bucket, slot)) continue;
      AlikePartitions& single = singles[static_cast<std::size_t>(slot)];
      const Rows rows = here * writer_.rows_per_event;
      single.rows += rows;
      single.cells += rows * cells;
      single.row_bytes += static_cast<double>(rows) * piece.row_bytes;
    }
  }
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    AlikePartitions& single = singles[static_cast<std::size_t>(slot)];
    if (single.rows == 0) continue;
    single.partitions = 1;
    single.first_slot = slot;
    out.push_back(single);
  }
  return slots * std::ssize(pieces);
}

}  // namespace windrow
