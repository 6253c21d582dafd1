#include "sim/content/row_shape.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/bytes/row_layout.h"
#include "sim/content/stored_rows.h"

namespace windrow {

namespace {

// Dates of a row that stands for all rows of a kind: no two alike.
constexpr RowDates sample_dates{.timestamp_us = 1'000'000, .written_s = 1};
constexpr std::int32_t sample_ttl_s = 1'000;

/// Counts the dates that a row writes apart from its other bytes.
class DateCounts : public SizeSink {
 public:
  void timestamp(Micros us) {
    if (us == sample_dates.timestamp_us) {
      ++times_.timestamp;
    } else if (us == sample_dates.timestamp_us - 1) {
      ++times_.before;
    } else {
      SIM_CHECK(us == DeletionTime{}.marked_for_delete_at_us, "a timestamp that no row has");
      add(bytes_below_base);
    }
  }
  void local_deletion_time(Seconds s) {
    if (s == sample_dates.written_s) {
      ++times_.death;
    } else if (s == sample_dates.written_s + sample_ttl_s) {
      ++times_.expiry;
    } else {
      SIM_CHECK(s == no_deletion_time, "a local deletion time that no row has");
      add(bytes_below_base);
    }
  }
  void ttl(std::int64_t) { ++times_.ttl; }

  RowBody body() const { return {.times = times_, .other_bytes = size()}; }

 private:
  static constexpr int bytes_below_base = 9;  // LIVE, written where another complex column has a deletion
  DateBytes times_{};
};

RowBody body_of(const StoredRow& row) {
  const auto columns = static_cast<int>(row.cells.size() + row.complex_columns.size());
  DateCounts counts;
  RowLayout({.regular_columns = columns}).body(counts, row);  // none is missing
  return counts.body();
}

void count(std::span<const StoredCell> cells, RowShape& shape) {
  const std::int64_t dead = std::ranges::count(cells, CellKind::tombstone, &StoredCell::kind);
  shape.dead_cells += dead;
  shape.live_cells += std::ssize(cells) - dead;
}

}  // namespace

RowShape row_shape(const Writer& writer, RowState state) {
  StoredRows rows(0);
  RowShape shape;
  shape.expiring = body_of(rows.of(writer, state, sample_ttl_s, sample_dates, {}));
  const StoredRow& row = rows.of(writer, state, 0, sample_dates, {});
  shape.lasting = body_of(row);
  for (const StoredCell& cell : row.cells) shape.present.add(cell.column);
  shape.columns_set = std::ssize(row.cells);
  count(row.cells, shape);
  for (const StoredComplexColumn& complex : row.complex_columns) {
    shape.present.add(complex.column);
    shape.columns_set += complex.cells.empty() ? 0 : 1;
    shape.complex_deletions += complex.deletion.live() ? 0 : 1;
    count(complex.cells, shape);
  }
  return shape;
}

RowShapes row_shapes(const Writer& writer) {
  RowShapes shapes;
  for (std::size_t state = 0; state < shapes.size(); ++state)
    shapes[state] = row_shape(writer, static_cast<RowState>(state));
  return shapes;
}

bool born_with_dead(const Writer& writer) { return deletes_elements(writer) || writes_nulls(writer); }

bool writes_nulls(const Writer& writer) { return std::ranges::any_of(writer.columns, &ColumnWrite::null); }

bool deletes_elements(const Writer& writer) {
  return std::ranges::any_of(writer.columns,
                             [](const ColumnWrite& write) { return write.elements && write.elements->whole; });
}

}  // namespace windrow
