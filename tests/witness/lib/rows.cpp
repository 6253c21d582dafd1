#include "tests/witness/lib/rows.h"

#include <algorithm>
#include <set>

namespace windrow::witness {
namespace {

std::uint64_t mix64(std::uint64_t x) {
  std::uint64_t z = x + 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

// Values compare as unsigned bytes, a prefix first.
bool value_greater(const Value& a, const Value& b) {
  const std::int64_t common = std::min(a.size(), b.size());
  for (std::int64_t i = 0; i < common; ++i)
    if (a.byte(i) != b.byte(i)) return a.byte(i) > b.byte(i);
  return a.size() > b.size();
}

}  // namespace

std::int64_t Value::size() const {
  return stream->value_size + (stream->value_jitter > 0 ? row * 7919 % (stream->value_jitter + 1) : 0);
}

std::uint8_t Value::byte(std::int64_t i) const {
  if (!stream->mixed_values) return static_cast<std::uint8_t>((row * 31 + column * 13 + i) % 251);
  const std::uint64_t word = mix64(static_cast<std::uint64_t>(row * 1'000'003 + column * 7919 + i / 8));
  return static_cast<std::uint8_t>(word >> (8 * (i % 8)));
}

std::optional<Deletion> stronger(const std::optional<Deletion>& a, const std::optional<Deletion>& b) {
  return std::max(a, b);  // nullopt is below every deletion
}

const Cell& reconcile(const Cell& a, const Cell& b) {
  if (a.timestamp_us != b.timestamp_us) return a.timestamp_us > b.timestamp_us ? a : b;
  const bool a_dies = a.local_deletion_time_s != no_deletion_time;
  const bool b_dies = b.local_deletion_time_s != no_deletion_time;
  if (a_dies != b_dies) return a_dies ? a : b;
  if (a_dies) {
    if (a.tombstone != b.tombstone) return a.tombstone ? a : b;
    if (a.local_deletion_time_s != b.local_deletion_time_s)
      return a.local_deletion_time_s > b.local_deletion_time_s ? a : b;
    if (a.ttl_s != b.ttl_s) return a.ttl_s < b.ttl_s ? a : b;
    if (a.tombstone) return a;
  }
  return value_greater(b.value, a.value) ? b : a;
}

bool supersedes(const Liveness& a, const Liveness& b) {
  if (a.timestamp_us != b.timestamp_us) return a.timestamp_us > b.timestamp_us;
  if (a.expiring() != b.expiring()) return a.expiring();
  if (a.expires_s != b.expires_s) return a.expires_s > b.expires_s;
  return a.ttl_s < b.ttl_s;
}

void shadow(Row& row, const std::optional<Deletion>& deletion) {
  if (!deletion) return;
  if (row.liveness && row.liveness->timestamp_us <= deletion->timestamp_us) row.liveness.reset();
  const auto covered = [&](const Cell& cell) { return cell.timestamp_us <= deletion->timestamp_us; };
  std::erase_if(row.cells, covered);
  if (!row.complex) return;
  std::erase_if(row.complex->cells, covered);
  if (row.complex->deletion <= deletion) row.complex->deletion.reset();
  if (row.complex->empty()) row.complex.reset();
}

void enclose(Row& row, const std::optional<Deletion>& enclosing) {
  if (!enclosing) return;
  if (row.deletion <= enclosing) row.deletion.reset();
  shadow(row, enclosing);
}

void merge_into(Row& row, const Row& other) {
  if (other.liveness && (!row.liveness || supersedes(*other.liveness, *row.liveness))) row.liveness = other.liveness;
  row.deletion = stronger(row.deletion, other.deletion);
  std::vector<Cell> cells;
  cells.reserve(row.cells.size() + other.cells.size());
  auto mine = row.cells.begin();
  for (const Cell& cell : other.cells) {
    while (mine != row.cells.end() && mine->place < cell.place) cells.push_back(*mine++);
    if (mine != row.cells.end() && mine->place == cell.place)
      cells.push_back(reconcile(*mine++, cell));
    else
      cells.push_back(cell);
  }
  cells.insert(cells.end(), mine, row.cells.end());
  row.cells = std::move(cells);
  if (!row.complex) row.complex = other.complex;  // rows with collections are written once
  shadow(row, row.deletion);
}

std::vector<Range> resolved(const std::vector<Range>& ranges, const std::optional<Deletion>& partition_deletion) {
  std::set<std::int64_t> borders;
  for (const Range& range : ranges) {
    borders.insert(range.from);
    borders.insert(range.to);
  }
  std::vector<Range> result;
  for (auto border = borders.begin(); border != borders.end() && std::next(border) != borders.end(); ++border) {
    const std::int64_t from = *border;
    const std::int64_t to = *std::next(border);
    std::optional<Deletion> prevailing;
    for (const Range& range : ranges)
      if (range.from <= from && to <= range.to) prevailing = stronger(prevailing, range.deletion);
    if (!prevailing || *prevailing <= partition_deletion) continue;
    if (!result.empty() && result.back().to == from && result.back().deletion == *prevailing)
      result.back().to = to;
    else
      result.push_back({.from = from, .to = to, .deletion = *prevailing});
  }
  return result;
}

}  // namespace windrow::witness
