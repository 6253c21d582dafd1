#include "sim/content/row_pieces.h"

#include <algorithm>
#include <array>

#include "sim/content/row_shape.h"

namespace windrow {

namespace {

/// Rows at which something written as a vint gets longer, in a cohort.
class Borders {
 public:
  Borders(const SubStream& sub, const Cohort& cohort, std::pmr::memory_resource* memory)
      : sub_(sub), cohort_(cohort), rows_({cohort.from, cohort.to}, memory) {}

  void timestamps(Micros base_us) {
    const auto [oldest_us, newest_us] = sub_.timestamp_range(cohort_.from, cohort_.to);
    each_step(base_us, oldest_us, newest_us, [&](Micros step_us) {
      if (!sub_.writer().timestamp.add_row_number) {
        rows_.push_back(cohort_.from + sub_.count_below_timestamp(cohort_.from, cohort_.to, step_us));
        return;
      }
      for (const SubStream::Part& part : sub_.split_at_timestamp(cohort_.from, cohort_.to, step_us))
        rows_.push_back(part.from);
    });
  }

  void seconds(Seconds base_s, Seconds after_write_s) {
    const Seconds first_s = sub_.arrival_s(cohort_.from) + after_write_s;
    const Seconds last_s = sub_.arrival_s(cohort_.to - 1) + after_write_s;
    each_step(base_s, first_s, last_s, [&](Seconds step_s) {
      rows_.push_back(std::clamp(sub_.count_arrived_before_s(step_s - after_write_s), cohort_.from, cohort_.to));
    });
  }

  const std::pmr::vector<std::int64_t>& sorted() {
    std::ranges::sort(rows_);
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    return rows_;
  }

 private:
  /// Values in (first, last] at which an unsigned vint of value - base changes its size; below the base it has 9 bytes.
  template <typename Each>
  static void each_step(std::int64_t base, std::int64_t first, std::int64_t last, const Each& each) {
    if (first < base && base <= last) each(base);
    for (int bits = 7; bits <= 56; bits += 7) {
      const std::int64_t step = base + (std::int64_t{1} << bits);
      if (step > last) break;
      if (step > first) each(step);
    }
  }

  const SubStream& sub_;
  const Cohort& cohort_;
  std::pmr::vector<std::int64_t> rows_;
};

}  // namespace

void add_row_pieces(const ContentSpace& space, const Cohort& cohort, const RowFormat& format,
                    std::pmr::vector<RowPiece>& pieces) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  const Writer& writer = sub.writer();
  const RowShape shape = row_shape(writer, cohort.state);
  const bool has_liveness = cohort.state != RowState::row_tombstone && writer.insert;
  const bool expires = cohort.ttl_s > 0 && (has_liveness || shape.live_cells > 0);
  const bool dated_at_write = shape.dated_at_write() || cohort.state == RowState::row_tombstone;
  std::array<std::byte, 512> stack;
  std::pmr::monotonic_buffer_resource memory(stack.data(), stack.size());
  Borders borders(sub, cohort, &memory);
  borders.timestamps(format.timestamp_base());
  if (shape.complex_deletions > 0) borders.timestamps(format.timestamp_base() + 1);
  if (expires) borders.seconds(format.deletion_base(), cohort.ttl_s);
  if (dated_at_write) borders.seconds(format.deletion_base(), 0);

  const RowValues& values = space.values(cohort.sub_stream);
  std::pmr::vector<Rows> counts(values.bytes().size(), 0, &memory);
  const std::pmr::vector<std::int64_t>& rows = borders.sorted();
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const std::int64_t from = rows[i];
    const std::int64_t to = rows[i + 1];
    const Micros timestamp_us = sub.timestamp(from);
    const int timestamp = format.timestamp_bytes(timestamp_us);
    const Seconds written_s = expires || dated_at_write ? sub.arrival_s(from) : 0;
    const std::int64_t expiry =
        expires ? format.ttl_bytes(cohort.ttl_s) + format.deletion_time_bytes(written_s + cohort.ttl_s) : 0;
    const std::int64_t death = dated_at_write ? format.deletion_time_bytes(written_s) : 0;
    const int before = shape.complex_deletions > 0 ? format.timestamp_bytes(timestamp_us - 1) : 0;
    std::int64_t body = body_without_values(
        shape, has_liveness, {.timestamp = timestamp, .before = before, .expiry = expiry, .death = death}, format);
    if (cohort.state == RowState::row_tombstone) body += timestamp + death;
    if (!has_values(cohort.state)) {
      pieces.push_back({body, to - from});
      continue;
    }
    std::ranges::fill(counts, 0);
    values.count(from, to, counts);
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (counts[k] > 0) pieces.push_back({body + values.bytes()[k], counts[k]});
    }
  }
}

}  // namespace windrow
