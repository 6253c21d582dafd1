#include <algorithm>
#include <tuple>

#include "sim/base/check.h"
#include "sim/content/content.h"
#include "sim/content/row_shape.h"
#include "sim/content/value_bytes.h"

namespace windrow {

namespace {

/// A row of a cohort, by its place on disk.
struct RowPlace {
  Token token = 0;
  std::int64_t clustering = 0;
  std::int64_t member = 0;
  std::int32_t cohort = 0;
  std::int32_t key_bytes = 0;
};

/// What the cells of a row's view lie in.
struct RowCells {
  std::vector<CellView> cells{};  // simple ones, then those of elements
  std::vector<ComplexView> complexes{};

  void clear() {
    cells.clear();
    complexes.clear();
  }
};

/// A cell of a cohort's row.
CellView cell_of(const ColumnWrite& write, const Cohort& cohort, Micros timestamp_us, Seconds written_s) {
  CellView cell{.column = write.column, .timestamp_us = timestamp_us, .fixed_length = write.fixed_length};
  if (write.null || !has_values(cohort.state)) {
    cell.kind = CellKind::tombstone;
    cell.local_deletion_time_s = written_s;
  } else {
    cell.kind = cohort.ttl_s > 0 ? CellKind::expiring : CellKind::live;
    cell.local_deletion_time_s = cohort.ttl_s > 0 ? written_s + cohort.ttl_s : no_deletion_time;
    cell.ttl_s = cohort.ttl_s;
  }
  return cell;
}

/// Adds the collections of row g; spans are set when all cells are there.
void add_complexes(const Writer& writer, const Cohort& cohort, std::int64_t g, Micros timestamp_us, Seconds written_s,
                   RowCells& in, RowView& view) {
  const bool settled = cohort.state == RowState::settled || cohort.state == RowState::settled_dead;
  const std::size_t simple = in.cells.size();
  for (const ColumnWrite& write : writer.columns) {
    if (!write.elements) continue;
    const ElementsWrite& elements = *write.elements;
    const bool deletion = elements.whole && !settled;
    if (elements.count == 0 && !deletion) continue;
    in.complexes.push_back(
        {.column = write.column, .has_deletion = deletion, .deletion = {timestamp_us - 1, written_s}, .cells = {}});
    for (int i = 0; i < elements.count; ++i) {
      CellView cell = cell_of(write, cohort, timestamp_us, written_s);
      cell.fixed_length = false;
      cell.path_bytes = elements.path_bytes;
      if (cell.kind != CellKind::tombstone) cell.value_bytes = write.size_of(g * elements.count + i);
      in.cells.push_back(cell);
    }
  }
  auto complex = in.complexes.begin();
  std::size_t next = simple;
  for (const ColumnWrite& write : writer.columns) {
    if (complex == in.complexes.end()) break;
    if (!write.elements || complex->column != write.column) continue;
    complex->cells = std::span(in.cells).subspan(next, static_cast<std::size_t>(write.elements->count));
    next += complex->cells.size();
    ++complex;
  }
  view.cells = std::span(in.cells).first(simple);
  view.complexes = in.complexes;
}

/// Fills `view` with member j of a cohort; its cells lie in `in`.
void view_row(const SubStream& sub, const Cohort& cohort, std::int64_t j, RowCells& in, RowView& view) {
  const Writer& writer = sub.writer();
  const std::int64_t g = sub.row(j);
  const Micros timestamp_us = sub.timestamp(j);
  const Seconds written_s = sub.arrival_s(j);
  const Seconds expiry_s = cohort.ttl_s > 0 ? written_s + cohort.ttl_s : no_deletion_time;
  view = {};
  in.clear();
  if (cohort.state == RowState::row_tombstone) {
    view.has_deletion = true;
    view.deletion = {timestamp_us, written_s};
    return;
  }
  if (writer.insert) {
    view.has_liveness = true;
    view.liveness_us = timestamp_us;
    view.liveness_ttl_s = cohort.ttl_s;
    view.liveness_expiry_s = expiry_s;
  }
  if (cohort.state == RowState::skeleton) return;
  const bool settled = cohort.state == RowState::settled || cohort.state == RowState::settled_dead;
  for (const ColumnWrite& write : writer.columns) {
    if (write.elements || (write.null && settled)) continue;
    CellView cell = cell_of(write, cohort, timestamp_us, written_s);
    if (cell.kind != CellKind::tombstone) cell.value_bytes = write.size_of(g);
    in.cells.push_back(cell);
  }
  add_complexes(writer, cohort, g, timestamp_us, written_s, in, view);
}

void view_row(const TableWorkload& workload, const KeyedRow& row, std::vector<CellView>& cells, RowView& view) {
  view = {};
  cells.clear();
  view.clustering = row.clustering;
  if (row.liveness) {
    view.has_liveness = true;
    view.liveness_us = row.liveness->timestamp_us;
    view.liveness_ttl_s = row.liveness->ttl_s;
    view.liveness_expiry_s = row.liveness->expiry_s;
  }
  if (row.deletion) {
    view.has_deletion = true;
    view.deletion = *row.deletion;
  }
  for (const KeyedCell& cell : row.cells) {
    // A cell that was deleted by itself is of a column that its sub-stream may not write.
    const bool dead = cell.kind == CellKind::tombstone;
    const ColumnWrite* write = dead ? nullptr : &column_write(workload, cell.sub_stream, cell.column);
    cells.push_back({.column = cell.column,
                     .kind = cell.kind,
                     .timestamp_us = cell.timestamp_us,
                     .local_deletion_time_s = cell.local_deletion_time_s,
                     .ttl_s = cell.ttl_s,
                     .value_bytes = dead ? 0 : write->size_of(cell.row_number),
                     .fixed_length = !dead && write->fixed_length});
  }
}

}  // namespace

void walk_partition(const TableWorkload& workload, const KeyedPartition& partition, PartitionSink& sink) {
  std::vector<CellView> cells;
  RowView view;
  sink.begin_partition(partition.token, partition.key_bytes, partition.deletion ? &*partition.deletion : nullptr);
  auto range = partition.ranges.begin();
  const KeyedRange* open = nullptr;
  // Markers up to a clustering value; a bound at the value of a row lies before the row.
  const auto markers_to = [&](std::int64_t clustering) {
    while (true) {
      if (open != nullptr && open->to <= clustering) {
        const bool touches = range != partition.ranges.end() && range->from == open->to;
        MarkerView marker{.clustering = open->to, .closes = true, .closed = open->deletion};
        if (touches) {
          marker.opens = true;
          marker.opened = range->deletion;
        }
        sink.marker(marker);
        open = touches ? &*range++ : nullptr;
      } else if (open == nullptr && range != partition.ranges.end() && range->from <= clustering) {
        sink.marker({.clustering = range->from, .opens = true, .opened = range->deletion});
        open = &*range++;
      } else {
        return;
      }
    }
  };
  for (const KeyedRow& row : partition.rows) {
    markers_to(row.clustering);
    view_row(workload, row, cells, view);
    view.cells = cells;
    sink.row(view);
  }
  markers_to(INT64_MAX);
  sink.end_partition();
}

void ContentSpace::walk(const Content& content, PartitionSink& sink) const {
  SIM_CHECK(drawn_rows(content.cohorts).empty(), "keys drawn at random have no rows to look at");
  std::vector<RowPlace> places;
  for (std::size_t c = 0; c < content.cohorts.size(); ++c) {
    const Cohort& cohort = content.cohorts[c];
    const SubStream& sub = sub_stream(cohort.sub_stream);
    const Writer& writer = sub.writer();
    each_part(cohort, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
      const std::vector<Token>& tokens = tokens_.of(writer, bucket).by_slot;
      const auto put = [&](std::int64_t slot, std::int64_t j) {
        places.push_back({tokens[static_cast<std::size_t>(slot)], writer.clustering_of(sub.row(j)), j,
                          static_cast<std::int32_t>(c), tokens_.key_bytes(writer, bucket, slot)});
      };
      const auto put_slot = [&](std::int64_t slot, std::int64_t from, std::int64_t count) {
        for (std::int64_t k = 0; k < count; ++k) put(slot, from + k * writer.slots());
      };
      if (each_slot_inside(cohort, bucket, first, last, put_slot)) return;
      for (std::int64_t j = first; j < last; ++j) {
        const std::int64_t g = sub.row(j);
        const std::int64_t slot = writer.slot(g);
        const Token token = tokens[static_cast<std::size_t>(slot)];
        if (token < cohort.first_token || token > cohort.last_token) continue;
        if (cohort.slots && !(*cohort.slots)[static_cast<std::size_t>(slot)]) continue;
        put(slot, j);
      }
    });
  }
  std::ranges::sort(places, [](const RowPlace& a, const RowPlace& b) {
    return std::tie(a.token, a.clustering, a.cohort) < std::tie(b.token, b.clustering, b.cohort);
  });
  RowCells cells;
  RowView view;
  auto next_keyed = content.keyed ? content.keyed->begin() : KeyedContent::const_iterator{};
  const auto keyed_end = content.keyed ? content.keyed->end() : next_keyed;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const RowPlace& place = places[i];
    if (i == 0 || places[i - 1].token != place.token) {
      if (i > 0) sink.end_partition();
      for (; next_keyed != keyed_end && next_keyed->token < place.token; ++next_keyed)
        walk_partition(*workload_, *next_keyed, sink);
      sink.begin_partition(place.token, place.key_bytes, nullptr);
    }
    const Cohort& cohort = content.cohorts[static_cast<std::size_t>(place.cohort)];
    view_row(sub_stream(cohort.sub_stream), cohort, place.member, cells, view);
    view.clustering = place.clustering;
    for (std::int64_t k = 0; k < writer_of(cohort).rows_per_event; ++k) sink.row(view);
  }
  if (!places.empty()) sink.end_partition();
  for (; next_keyed != keyed_end; ++next_keyed) walk_partition(*workload_, *next_keyed, sink);
}

}  // namespace windrow
