#include "sim/bytes/row_size.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/bytes/clustering.h"

namespace windrow {
namespace {

constexpr Micros base_us = 1'800'000'000'000'000;
constexpr Seconds base_s = 1'800'000'000;

SerializationHeader header_of(int regular_columns, SSTableFormat format = SSTableFormat::oa) {
  return {.format = format,
          .stats = {.min_timestamp_us = base_us, .min_local_deletion_time_s = base_s, .min_ttl_s = 3600},
          .regular_columns = regular_columns};
}

struct Written {
  bool insert = false;
  bool ttl = false;
};

// A row of 8-byte columns and an 8-byte clustering whose timestamp costs 5 bytes.
Bytes row_of_eight_byte_columns(int columns, const Written& written) {
  constexpr Micros at = base_us + 1'000'000'000;
  constexpr Seconds expiry = base_s + 3'600;
  std::vector<StoredCell> cells;
  for (int i = 0; i < columns; ++i) {
    StoredCell cell{.column = i, .fixed_length = true, .timestamp_us = at, .value = {.size = 8}};
    if (written.ttl) {
      cell.kind = StoredCell::Kind::expiring;
      cell.ttl_s = 3600;
      cell.local_deletion_time_s = expiry;
    }
    cells.push_back(cell);
  }
  StoredRow row{.clustering = {.size = 9}, .cells = cells};
  if (written.insert) row.liveness = {.present = true, .timestamp_us = at};
  if (written.insert && written.ttl) {
    row.liveness.ttl_s = 3600;
    row.liveness.local_expiration_time_s = expiry;
  }
  return RowSize(header_of(columns)).row(row, 40);
}

}  // namespace

TEST_CASE("rows cost what storage rule 1.7 tabulates") {
  struct Line {
    int columns = 0;
    Bytes insert = 0;
    Bytes update = 0;
    Bytes insert_ttl = 0;
    Bytes update_ttl = 0;
  };
  for (const Line& line : {Line{1, 26, 26, 29, 29}, Line{5, 62, 82, 65, 97}, Line{10, 107, 153, 110, 183}}) {
    CAPTURE(line.columns);
    CHECK(row_of_eight_byte_columns(line.columns, {.insert = true}) == line.insert);
    CHECK(row_of_eight_byte_columns(line.columns, {}) == line.update);
    CHECK(row_of_eight_byte_columns(line.columns, {.insert = true, .ttl = true}) == line.insert_ttl);
    CHECK(row_of_eight_byte_columns(line.columns, {.ttl = true}) == line.update_ttl);
  }
}

TEST_CASE("the hotel table of the documentation: 15 bytes a row where one timestamp is shared") {
  // Clustering date (5 stored) and smallint (3), one boolean (storage rule 1.11).
  const std::array<ClusteringValue, 2> clustering = {ClusteringValue{.value = ByteRun{.size = 4}},
                                                     ClusteringValue{.value = ByteRun{.size = 2}}};
  const Bytes clustering_bytes = clustering_size(clustering);
  CHECK(clustering_bytes == 9);
  const std::array<StoredCell, 1> cells = {
      StoredCell{.fixed_length = true, .timestamp_us = base_us, .value = {.size = 1}}};
  const StoredRow row{
      .clustering = {.size = clustering_bytes}, .liveness = {.present = true, .timestamp_us = base_us}, .cells = cells};
  CHECK(RowSize(header_of(1)).row(row, 15) == 15);
}

TEST_CASE("a partition pays 15 bytes and its key in nb, 4 in the later formats while it is not deleted") {
  const DeletionTime deleted{.marked_for_delete_at_us = base_us, .local_deletion_time_s = base_s};
  const auto bytes = [](SSTableFormat format, const DeletionTime& deletion) {
    return RowSize(header_of(1, format)).partition_header(10, deletion) + RowSize::end_of_partition;
  };
  CHECK(bytes(SSTableFormat::nb, {}) == 25);
  CHECK(bytes(SSTableFormat::oa, {}) == 14);
  CHECK(bytes(SSTableFormat::da, {}) == 14);
  CHECK(bytes(SSTableFormat::nb, deleted) == 25);
  CHECK(bytes(SSTableFormat::da, deleted) == 25);
}

TEST_CASE("tombstones and markers cost what storage rule 1.9 tabulates") {
  const DeletionTime deletion{.marked_for_delete_at_us = base_us + 1'000'000'000,
                              .local_deletion_time_s = base_s + 1000};  // 5 + 2
  const RowSize size(header_of(1));
  CHECK(size.row({.clustering = {.size = 9}, .deletion = deletion}, 40) == 20);
  CHECK(size.marker({.opens = true, .opened = deletion}, 40) == 13);
  CHECK(size.marker({.values = 1, .clustering = {.size = 9}, .opens = true, .opened = deletion}, 40) == 22);
  CHECK(size.marker({.values = 1,
                     .clustering = {.size = 9},
                     .closes = true,
                     .opens = true,
                     .closed = deletion,
                     .opened = deletion},
                    40) == 29);
}

TEST_CASE("an empty static row of few columns costs 5 bytes") {
  SerializationHeader header = header_of(1);
  header.static_columns = 3;
  CHECK(RowSize(header).static_row({}) == 5);
}

TEST_CASE("a deletion time below the base costs nine bytes") {
  const std::array<StoredCell, 1> cells = {
      StoredCell{.kind = StoredCell::Kind::tombstone, .timestamp_us = base_us, .local_deletion_time_s = base_s - 1}};
  const StoredRow row{
      .clustering = {.size = 9}, .liveness = {.present = true, .timestamp_us = base_us}, .cells = cells};
  // flags, clustering, both sizes, liveness, cell: 1 + 9
  CHECK(RowSize(header_of(1)).row(row, 40) == 1 + 9 + 2 + 1 + 10);
}

TEST_CASE("columns a row lacks cost a bitmap below 64 columns, a list from there on") {
  const auto bytes_with = [](int header_columns, std::vector<int> present) {
    std::vector<StoredCell> cells;
    for (const int column : present) cells.push_back({.column = column, .timestamp_us = base_us});
    const StoredRow row{
        .clustering = {.size = 5}, .liveness = {.present = true, .timestamp_us = base_us}, .cells = cells};
    return RowSize(header_of(header_columns)).row(row, 40) - static_cast<Bytes>(cells.size()) - 1 - 5 - 2 - 1;
  };
  CHECK(bytes_with(1, {0}) == 0);
  CHECK(bytes_with(7, {1, 2, 3, 4, 5, 6}) == 1);
  CHECK(bytes_with(8, {0, 1, 2, 3, 4, 5, 6}) == 2);
  CHECK(bytes_with(56, {0}) == 8);
  CHECK(bytes_with(57, {0}) == 9);
  CHECK(bytes_with(64, {0}) == 1 + 1);
  CHECK(bytes_with(200, {0, 150}) == 2 + 1 + 2);
}

TEST_CASE("cells numbered by the table's columns have the subset of those numbered by the header's") {
  const auto subset = [](std::uint64_t header_columns, std::uint64_t present) {
    SerializationHeader header = header_of(std::popcount(header_columns));
    header.regular_of_table = ColumnSet(header_columns);
    return RowSize(header).subset(ColumnSet(present));
  };
  CHECK(subset(0b111, 0b111) == 0);
  CHECK(subset(0b1111'1111, 0b0111'1111) == 2);  // the eighth is missing
  CHECK(subset(0b1'1110'1111, 0b0'1110'1111) == 2);
  CHECK(subset(0b1'1100'1111, 0b0'1100'1111) == 1);  // it is the seventh of the header
}

TEST_CASE("clusterings carry a header per 32 values, which an empty or null one makes longer") {
  std::vector<ClusteringValue> values(33, {.value = ByteRun{.size = 4}, .fixed_length = true});
  CHECK(clustering_size(std::span(values).first(1)) == 5);
  CHECK(clustering_size(values) == 33 * 4 + 2);
  values[3].value = ByteRun{};
  CHECK(clustering_size(values) == 32 * 4 + 2);
  values[4].value.reset();
  CHECK(clustering_size(values) == 31 * 4 + 3);
}

TEST_CASE("bytes written are bytes counted") {
  std::string data;
  const std::string key = "sensor-1";
  const std::string clustering("\0\0\0\0\1", 5);
  const std::string value = "12345678";
  const std::array<StoredCell, 1> cells = {
      StoredCell{.fixed_length = true, .timestamp_us = base_us, .value = ByteRun::of(value)}};
  const RowLayout layout(header_of(1));
  ByteSink sink(data);
  layout.partition_header(sink, ByteRun::of(key), {});
  layout.row(
      sink,
      {.clustering = ByteRun::of(clustering), .liveness = {.present = true, .timestamp_us = base_us}, .cells = cells},
      11);
  layout.end_of_partition(sink);
  const std::string expected = std::string("\0\10sensor-1\x80", 11) + "\x24" + clustering + "\x0B\x0B" +
                               std::string("\0", 1) + "\x08" + value + "\x01";
  CHECK(data == expected);
}

}  // namespace windrow
