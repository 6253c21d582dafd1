#include "sim/content/row_shape.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/content/row_format.h"
#include "sim/content/row_values.h"
#include "sim/content/stored_rows.h"

namespace windrow {
namespace {

std::vector<ColumnWrite> any_columns() {
  std::vector<ColumnWrite> columns;
  const int simple = *rc::gen::inRange(0, 5);
  const int all = simple + *rc::gen::inRange(0, 3);
  for (int i = 0; i < all; ++i) {
    // Not every column of the table is written.
    const int place = (columns.empty() ? 0 : columns.back().column + 1) + *rc::gen::inRange(0, 3);
    ColumnWrite write{.column = place, .fixed_length = *rc::gen::arbitrary<bool>()};
    write.sizes = *rc::gen::container<std::vector<std::int32_t>>(3, rc::gen::inRange(0, 400));
    if (i < simple) {
      write.null = *rc::gen::inRange(0, 4) == 0;
    } else {
      write.elements = ElementsWrite{.count = *rc::gen::inRange(0, 150),
                                     .whole = *rc::gen::arbitrary<bool>(),
                                     .path_bytes = *rc::gen::inRange(0, 200)};
    }
    columns.push_back(write);
  }
  return columns;
}

}  // namespace

TEST_CASE("a row's body is its shape with the bytes of its dates, its values and its subset of columns") {
  constexpr Micros base_us = 1'800'000'000'000'000;
  constexpr Seconds base_s = 1'800'000'000;
  const bool held = rc::check([&] {
    Writer writer;
    writer.insert = *rc::gen::arbitrary<bool>();
    writer.columns = any_columns();
    const auto state = static_cast<RowState>(*rc::gen::inRange(0, static_cast<int>(RowState::row_tombstone) + 1));
    const std::int32_t ttl_s = *rc::gen::element(0, 1, 100'000);
    const RowDates dates{.timestamp_us = base_us + *rc::gen::inRange<Micros>(0, 100'000'000'000),
                         .written_s = base_s + *rc::gen::inRange<Seconds>(-5, 100'000)};
    const auto g = *rc::gen::inRange<std::int64_t>(0, 1'000);

    HeaderBases bases;
    bases.see(base_us);
    bases.see_deletion(base_s);
    if (ttl_s > 0) bases.see_ttl(1);
    for (const ColumnWrite& write : writer.columns) bases.columns.add(write.column);
    bases.columns.add(*rc::gen::inRange(0, 90));
    const SSTableFormat format_name = *rc::gen::element(SSTableFormat::nb, SSTableFormat::oa, SSTableFormat::da);
    const RowFormat format(bases, format_name, 9);

    const RowShape shape = row_shape(writer, state);
    std::int64_t body = shape.body(ttl_s).bytes({.timestamp = format.timestamp(dates.timestamp_us),
                                                 .before = format.timestamp(dates.timestamp_us - 1),
                                                 .ttl = format.ttl(ttl_s),
                                                 .expiry = format.local_deletion_time(dates.written_s + ttl_s),
                                                 .death = format.local_deletion_time(dates.written_s)}) +
                        format.subset(shape.present);
    if (has_values(state)) body += bytes_of_values(writer, g);
    StoredRows rows(9);
    const std::int64_t previous_bytes = *rc::gen::element(1, 127, 128, 20'000);
    RC_ASSERT(format.row_of(body, previous_bytes) ==
              format.row(rows.of(writer, state, ttl_s, dates, g), previous_bytes));
  });
  CHECK(held);
}

}  // namespace windrow
