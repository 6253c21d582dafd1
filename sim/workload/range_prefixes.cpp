#include "sim/workload/range_prefixes.h"

#include <algorithm>

namespace windrow {

namespace {

/// True if every row arrives in its turn: at the instant of its event, or never.
bool arrives_in_order(const Writer& writer, const FateRule& fate) {
  const bool at_once = !writer.arrivals && !(writer.pauses_delay && !writer.pauses.empty());
  return at_once && writer.turn < 0 && std::ranges::none_of(fate.shares, [](const FateShare& share) {
           return share.late_units > 0 || share.lost_by >= 0;
         });
}

/// True if each of these ranges comes after all rows that it covers, with a timestamp that is not older than theirs.
bool come_after_rows(const Writer& rows, const Writer& deleter, const std::vector<CoveringDelete>& ranges) {
  const Micros ahead_us = rows.timestamp.offset_us + (rows.timestamp.add_row_number ? 1000 : 0);
  return std::ranges::all_of(ranges, [&](const CoveringDelete& range) {
    return range.until_ms * 1000 + std::max<Micros>(0, ahead_us) <= range.arrival * deleter.unit_us;
  });
}

}  // namespace

bool ranges_are_prefixes(std::span<const WriterFate> group) {
  const Writer* rows = nullptr;
  const WriterFate* deleter = nullptr;
  for (const WriterFate& each : group) {
    const DeleteRule& deletes = each.fate->deletes;
    if (each.writer->writes) {
      if (rows != nullptr || !arrives_in_order(*each.writer, *each.fate)) return false;
      rows = each.writer;
    }
    if (deletes.kind == DeleteKind::none) continue;
    if (deleter != nullptr || deletes.kind != DeleteKind::range || deletes.row_by_row) return false;
    deleter = &each;
  }
  if (rows == nullptr || deleter == nullptr || rows->drawn_keys > 0 || rows->clustering.modulus > 0) return false;
  return come_after_rows(*rows, *deleter->writer, deleter->fate->deletes.covering);
}

}  // namespace windrow
