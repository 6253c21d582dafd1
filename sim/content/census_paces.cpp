#include "sim/content/census_paces.h"

namespace windrow {

PacedPartitions paced_partitions(const Writer& writer, std::span<const BucketPiece> pieces,
                                 std::span<const AlikePartitions> alike, double header_bytes) {
  std::int64_t partitions = 0;
  double rows = 0;
  double cells = 0;
  double bytes = 0;
  bool one_event = true;
  for (const AlikePartitions& some : alike) {
    const auto count = static_cast<double>(some.partitions);
    partitions += some.partitions;
    rows += count * static_cast<double>(some.rows);
    cells += count * static_cast<double>(some.cells);
    bytes += count * some.row_bytes;
    one_event = one_event && some.rows == writer.rows_per_event;
  }
  const bool whole = std::ranges::all_of(pieces, [](const BucketPiece& piece) { return piece.cohort->whole(); });
  // Fewer events than partitions: the slow have none, and of the fast some have several.
  if (one_event && whole) partitions = std::max(partitions, writer.slots(pieces.front().bucket));
  const auto rows_per_event = static_cast<double>(writer.rows_per_event);
  return {.partitions = partitions,
          .events = rows / rows_per_event / static_cast<double>(partitions),
          .rows_per_event = writer.rows_per_event,
          .cells = cells / rows,
          .row_bytes = bytes / rows,
          .other_bytes = header_bytes};
}

std::vector<double> paces_of(const RateSpread& spread, const ContentSpace& space, std::span<const BucketPiece> pieces) {
  if (spread.parts.size() == 1) return spread.parts.front().factors;
  const Writer& writer = space.writer_of(*pieces.front().cohort);
  std::int64_t from = INT64_MAX;
  std::int64_t to = 0;
  for (const BucketPiece& piece : pieces) {
    const SubStream& sub = space.sub_stream(piece.cohort->sub_stream);
    from = std::min(from, sub.row(piece.first));
    to = std::max(to, sub.row(piece.last - 1) + 1);
  }
  std::vector<double> paces(spread.upto.size(), 0);
  for (std::size_t p = 0; p < spread.parts.size(); ++p) {
    const auto rows_before = [&](std::size_t part) {
      if (part == 0) return from;
      if (part == spread.parts.size()) return to;
      return std::clamp(writer.rhythm.count_before(spread.parts[part].from_us / writer.unit_us), from, to);
    };
    const double share = static_cast<double>(rows_before(p + 1) - rows_before(p)) / static_cast<double>(to - from);
    for (std::size_t i = 0; i < paces.size(); ++i) paces[i] += share * spread.parts[p].factors[i];
  }
  return paces;
}

}  // namespace windrow
