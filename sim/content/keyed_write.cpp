#include "sim/content/keyed_write.h"

#include "sim/content/partition_deletes.h"

namespace windrow {

namespace {

/// A member of a sub-stream as it is written.
struct Write {
  int sub_stream = 0;
  std::int64_t row_number = 0;
  SubStream::Dates dates{};
  Seconds ttl_s = 0;

  Seconds expiry_s() const { return ttl_s > 0 ? dates.arrival_s + ttl_s : no_deletion_time; }
};

/// What a write puts into columns of one row.
void add_cells(const std::vector<ColumnWrite>& columns, const Write& of, KeyedRow& row) {
  KeyedCell cell{.kind = of.ttl_s > 0 ? CellKind::expiring : CellKind::live,
                 .ttl_s = static_cast<std::int32_t>(of.ttl_s),
                 .timestamp_us = of.dates.timestamp_us,
                 .local_deletion_time_s = of.expiry_s(),
                 .sub_stream = of.sub_stream,
                 .row_number = of.row_number};
  row.cells.reserve(columns.size());
  for (const ColumnWrite& write : columns) {
    cell.column = static_cast<std::int16_t>(write.column);
    row.cells.push_back(cell);
  }
}

KeyedRow static_write(const SubStream& sub, const Write& write) {
  KeyedRow row{.clustering = INT64_MIN};
  if (sub.brings() == Brings::rows && sub.writer().writes_statics(write.row_number))
    add_cells(sub.writer().statics, write, row);
  return row;
}

KeyedRow row_write(const SubStream& sub, const Write& write) {
  const Writer& writer = sub.writer();
  const Micros timestamp_us = write.dates.timestamp_us;
  const Seconds written_s = write.dates.arrival_s;
  KeyedRow row{.clustering = writer.clustering_of(write.row_number)};
  if (sub.brings() == Brings::row_tombstones) {
    row.deletion = Deletion{timestamp_us, written_s};
    return row;
  }
  if (sub.brings() == Brings::cell_tombstones) {
    row.cells.push_back({.column = 0,
                         .kind = CellKind::tombstone,
                         .timestamp_us = timestamp_us,
                         .local_deletion_time_s = written_s,
                         .sub_stream = write.sub_stream,
                         .row_number = write.row_number});
    return row;
  }
  if (writer.insert)
    row.liveness = KeyedLiveness{timestamp_us, static_cast<std::int32_t>(write.ttl_s), write.expiry_s()};
  add_cells(writer.columns, write, row);
  return row;
}

constexpr int covering_of(int writer) { return -1 - writer; }

}  // namespace

KeyedPartition keyed_write(const ContentSpace& space, const KeyedArrival& arrival, Seconds default_ttl_s) {
  const TableWorkload& workload = space.workload();
  const Writer& writer = workload.writers()[static_cast<std::size_t>(arrival.place.writer)];
  KeyedPartition write{.writer = writer.index};
  if (arrival.sub_stream < 0) {
    const DeleteRule& deletes = workload.deletes_of(writer.index);
    const CoveringDelete& covering = deletes.covering[static_cast<std::size_t>(arrival.member)];
    write.bucket = covering.bucket;
    write.slot = covering.slot;
    const Micros deleted_us = covering.arrival * writer.unit_us;
    const std::int64_t spread_us = writer.timestamp.add_row_number ? covering.sequence % 1000 : 0;
    const Deletion deletion{deleted_us + spread_us, deleted_us / us_per_s};
    if (deletes.kind == DeleteKind::partition) {
      write.deletion = deletion;
    } else {
      write.ranges.push_back({bucket_begin_ms(writer, covering.bucket), covering.until_ms, deletion});
    }
  } else {
    const SubStream& sub = space.sub_stream(arrival.sub_stream);
    write.bucket = writer.bucket_of(arrival.place.sequence);
    write.slot = writer.slot_in(write.bucket, arrival.place.sequence);
    const Write row{.sub_stream = arrival.sub_stream,
                    .row_number = sub.row(arrival.member),
                    .dates = sub.dates(arrival.member),
                    .ttl_s = sub.ttl_s(default_ttl_s)};
    write.statics = static_write(sub, row);
    write.rows.push_back(row_write(sub, row));
  }
  write.token = space.tokens().of(writer, write.bucket).by_slot()[static_cast<std::size_t>(write.slot)];
  write.key_bytes = space.tokens().key_bytes(writer, write.bucket, write.slot);
  if (write.deletion || !write.ranges.empty()) name_by_rows(space, write);
  return write;
}

Cohort keyed_hint(const KeyedArrival& arrival) {
  const int sub_stream = arrival.sub_stream < 0 ? covering_of(arrival.place.writer) : arrival.sub_stream;
  return {.sub_stream = sub_stream, .from = arrival.member, .to = arrival.member + 1};
}

bool is_keyed_hint(const TableWorkload& workload, const Cohort& cohort) {
  return cohort.sub_stream < 0 || workload.keyed(cohort.sub_stream);
}

std::vector<KeyedArrival> keyed_hints(const TableWorkload& workload, const Cohort& cohort) {
  std::vector<KeyedArrival> arrivals;
  for (std::int64_t member = cohort.from; member < cohort.to; ++member) {
    KeyedArrival& arrival = arrivals.emplace_back(KeyedArrival{.member = member});
    if (cohort.sub_stream < 0) {
      arrival.place.writer = covering_of(cohort.sub_stream);
      continue;
    }
    const SubStream& sub = workload.sub_streams()[static_cast<std::size_t>(cohort.sub_stream)];
    arrival.sub_stream = cohort.sub_stream;
    arrival.place.writer = sub.writer().index;
    arrival.place.sequence = sub.row(member);
  }
  return arrivals;
}

}  // namespace windrow
