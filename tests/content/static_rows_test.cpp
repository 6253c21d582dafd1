#include "sim/content/static_rows.h"

#include <doctest/doctest.h>

#include <memory>

#include "sim/content/measure.h"
#include "tests/content/interval_case.h"

namespace windrow {
namespace {

using test::Case;

Content with_statics(const ContentSpace& space, const Case& what, std::int64_t from, std::int64_t to) {
  Content content = test::content_of(space.workload(), what, from, to, RowState::live);
  content.keyed = std::make_shared<const KeyedContent>(static_rows_of(space, content.cohorts));
  if (!content.keyed->empty()) content.bases.statics.add(0);
  return content;
}

TEST_CASE("the static row of a partition is that of its newest write, or of its first row") {
  for (const bool once : {false, true}) {
    CAPTURE(once);
    const Case what{.entities = 1, .bucket_s = 0, .static_bytes = 10, .statics_once = once};
    const TableWorkload workload = test::workload_of(what);
    const ContentSpace space(workload, 9, SSTableFormat::oa);
    const Content content = with_statics(space, what, 0, 3);
    REQUIRE(content.keyed->size() == 1);
    const KeyedCell& cell = content.keyed->front().statics.cells.front();
    CHECK(cell.row_number == (once ? 0 : 2));
    CHECK(cell.timestamp_us == (1'767'225'600 + (once ? 0 : 194)) * us_per_s);
    // Flags of two bytes, size, no row before, the cell: flags, 194 s in µs (4 bytes) or none (1), length, value.
    const Bytes row = 2 + 1 + 1 + (1 + (once ? 1 : 4) + 1 + 10);
    const Content plain = test::content_of(workload, what, 0, 3, RowState::live);
    CHECK(measure_by_rows(space, content).first.uncompressed_bytes ==
          measure_by_rows(space, plain).first.uncompressed_bytes + row);
    CHECK(measure_by_rows(space, content).first.rows == 4);
    CHECK(measure_by_rows(space, content).first.static_rows == 1);
    // Later rows of the partition bring one each, or none.
    const Content later = with_statics(space, what, 3, 6);
    CHECK(later.keyed->size() == (once ? 0U : 1U));
  }
}

TEST_CASE("a file of intervals with static rows is measured as row by row") {
  const Case base{};
  for (const std::int64_t entities : {1, 7, 40}) {
    for (const Seconds bucket_s : {Seconds{0}, Seconds{3600}}) {
      for (const std::int32_t bytes : {12, 150, 20'000}) {
        for (const bool once : {false, true}) {
          const Case what{.entities = entities,
                          .bucket_s = bucket_s,
                          .ttl_s = once ? 0 : 90'000,
                          .sizes = {20},
                          .static_bytes = bytes,
                          .statics_once = once};
          const TableWorkload workload = test::workload_of(what);
          const ContentSpace space(workload, 9, SSTableFormat::oa);
          for (const std::int64_t from : {0, 100}) {
            CAPTURE(entities);
            CAPTURE(bucket_s);
            CAPTURE(bytes);
            CAPTURE(once);
            CAPTURE(from);
            const Content content = with_statics(space, what, from, from + 900);
            const auto [rows, histograms] = measure_by_rows(space, content);
            const ClosedMeasure closed = measure_by_intervals(space, content);
            CHECK(closed.extremes.partitions == rows.partitions);
            CHECK(closed.extremes.key_bytes == rows.key_bytes);
            CHECK(closed.extremes.rows == rows.rows);
            CHECK(closed.extremes.static_rows == rows.static_rows);
            CHECK(closed.extremes.cells == rows.cells);
            CHECK(closed.extremes.max_timestamp_us == rows.max_timestamp_us);
            CHECK(closed.extremes.max_local_deletion_time_s == rows.max_local_deletion_time_s);
            if (closed.exact_bytes()) CHECK(closed.extremes.uncompressed_bytes == rows.uncompressed_bytes);
            CHECK(std::abs(closed.extremes.uncompressed_bytes - rows.uncompressed_bytes) <= 2 * rows.partitions);
            const FileHistograms by_intervals = histograms_by_intervals(space, content);
            CHECK(by_intervals.cells.count() == histograms.cells.count());
            CHECK(by_intervals.partition_sizes.count() == histograms.partition_sizes.count());
            CHECK(by_intervals.drop_times.sum(INT32_MAX) == histograms.drop_times.sum(INT32_MAX));
            if (!once) CHECK(by_intervals.cells.mean() == histograms.cells.mean());
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace windrow
