#include "sim/content/stored_rows.h"

#include "sim/content/value_bytes.h"

namespace windrow {

namespace {

/// A cell of a writer's row, without its value.
StoredCell cell_of(const ColumnWrite& write, RowState state, std::int32_t ttl_s, const RowDates& dates) {
  StoredCell cell{.column = write.column, .fixed_length = write.fixed_length, .timestamp_us = dates.timestamp_us};
  if (write.null || !has_values(state)) {
    cell.kind = CellKind::tombstone;
    cell.local_deletion_time_s = dates.written_s;
  } else if (ttl_s > 0) {
    cell.kind = CellKind::expiring;
    cell.local_deletion_time_s = dates.written_s + ttl_s;
    cell.ttl_s = ttl_s;
  }
  return cell;
}

bool settled(RowState state) { return state == RowState::settled || state == RowState::settled_dead; }
bool without_replaced(RowState state) {
  return settled(state) || state == RowState::nulls_left || state == RowState::nulls_left_dead;
}

}  // namespace

void StoredRows::clear() {
  row_ = {.clustering = row_.clustering};
  cells_.clear();
  complexes_.clear();
  kind_ = {};
  written_.clear();
}

void StoredRows::renew(const RowDates& dates, std::optional<std::int64_t> g) {
  const Seconds expiry_s = dates.written_s + kind_.ttl_s;
  if (row_.liveness.present) {
    row_.liveness.timestamp_us = dates.timestamp_us;
    if (kind_.ttl_s > 0) row_.liveness.local_expiration_time_s = expiry_s;
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    StoredCell& cell = cells_[i];
    cell.timestamp_us = dates.timestamp_us;
    if (cell.kind == CellKind::tombstone) {
      cell.local_deletion_time_s = dates.written_s;
      continue;
    }
    if (cell.kind == CellKind::expiring) cell.local_deletion_time_s = expiry_s;
    cell.value.size = g ? written_[i]->size_of(*g) : 0;
  }
}

const StoredRow& StoredRows::of(const Writer& writer, RowState state, std::int32_t ttl_s, const RowDates& dates,
                                std::optional<std::int64_t> g) {
  const Kind kind{.writer = &writer, .state = state, .ttl_s = ttl_s};
  if (kind_ == kind) {
    renew(dates, g);
    return row_;
  }
  clear();
  if (state == RowState::row_tombstone) {
    row_.deletion = {.marked_for_delete_at_us = dates.timestamp_us, .local_deletion_time_s = dates.written_s};
    return row_;
  }
  if (writer.insert) {
    row_.liveness = {.present = true,
                     .ttl_s = ttl_s,
                     .timestamp_us = dates.timestamp_us,
                     .local_expiration_time_s = ttl_s > 0 ? dates.written_s + ttl_s : no_deletion_time};
  }
  if (state == RowState::skeleton) return row_;
  for (const ColumnWrite& write : writer.columns) {
    if (write.elements || (write.null && settled(state))) continue;
    StoredCell cell = cell_of(write, state, ttl_s, dates);
    if (g && cell.kind != CellKind::tombstone) cell.value.size = write.size_of(*g);
    cells_.push_back(cell);
    written_.push_back(&write);
  }
  add_complexes(writer, state, ttl_s, dates, g);
  if (complexes_.empty()) kind_ = kind;
  return row_;
}

/// Spans are set when all cells are there.
void StoredRows::add_complexes(const Writer& writer, RowState state, std::int32_t ttl_s, const RowDates& dates,
                               std::optional<std::int64_t> g) {
  const std::size_t simple = cells_.size();
  for (const ColumnWrite& write : writer.columns) {
    if (!write.elements) continue;
    const ElementsWrite& elements = *write.elements;
    const bool deletion = elements.whole && !without_replaced(state);
    if (elements.count == 0 && !deletion) continue;
    complexes_.push_back({.column = write.column});
    if (deletion) {
      complexes_.back().deletion = {.marked_for_delete_at_us = dates.timestamp_us - 1,
                                    .local_deletion_time_s = dates.written_s};
    }
    for (int i = 0; i < elements.count; ++i) {
      StoredCell cell = cell_of(write, state, ttl_s, dates);
      cell.path.size = elements.path_bytes;
      if (g && cell.kind != CellKind::tombstone) cell.value.size = write.size_of(*g * elements.count + i);
      cells_.push_back(cell);
    }
  }
  auto complex = complexes_.begin();
  std::size_t next = simple;
  for (const ColumnWrite& write : writer.columns) {
    if (complex == complexes_.end()) break;
    if (!write.elements || complex->column != write.column) continue;
    complex->cells = std::span(cells_).subspan(next, static_cast<std::size_t>(write.elements->count));
    next += complex->cells.size();
    ++complex;
  }
  row_.cells = std::span(cells_).first(simple);
  row_.complex_columns = complexes_;
}

const StoredRow& StoredRows::of(const TableWorkload& workload, const KeyedRow& row) {
  clear();
  if (row.liveness) {
    row_.liveness = {.present = true,
                     .ttl_s = row.liveness->ttl_s,
                     .timestamp_us = row.liveness->timestamp_us,
                     .local_expiration_time_s = row.liveness->expiry_s};
  }
  if (row.deletion) row_.deletion = row.deletion->stored();
  for (const KeyedCell& cell : row.cells) {
    // A cell that was deleted by itself is of a column that its sub-stream may not write.
    const bool dead = cell.kind == CellKind::tombstone;
    const ColumnWrite* write = dead ? nullptr : &column_write(workload, cell.sub_stream, cell.column);
    const bool is_static = cell.column >= first_static_column;
    cells_.push_back({.column = is_static ? cell.column - first_static_column : cell.column,
                      .ttl_s = cell.ttl_s,
                      .kind = cell.kind,
                      .fixed_length = !dead && write->fixed_length,
                      .timestamp_us = cell.timestamp_us,
                      .local_deletion_time_s = cell.local_deletion_time_s,
                      .value = {.size = dead ? 0 : write->size_of(cell.row_number)}});
  }
  row_.cells = cells_;
  return row_;
}

}  // namespace windrow
