#include "sim/bytes/component_sizes.h"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "evidence/components/bti_index.h"
#include "evidence/components/partition_writer.h"
#include "sim/bytes/row_index.h"
#include "sim/stats/murmur3.h"

namespace windrow {
namespace {

struct Shape {
  SSTableFormat format = SSTableFormat::oa;
  int partitions = 0;
  std::int64_t key_bytes = 0;
  int rows = 0;  // of the smallest partition; the largest has as many more as `uneven` says
  int uneven = 0;
};

constexpr Bytes value_bytes = 100;
constexpr std::int64_t clustering_bytes = 9;

/// Index and summary by the writers that captures of the engine prove.
ComponentSizes written(const Shape& shape, EvenPartitions& file, std::vector<PartitionsOfSize>* spread = nullptr) {
  constexpr Micros at_us = 1'800'000'000'000'000;
  std::map<Token, std::string> keys;
  for (int i = 0; i < shape.partitions; ++i) {
    std::string key = std::to_string(i);
    key.insert(0, static_cast<std::size_t>(shape.key_bytes) - key.size(), 'k');
    const Token token = murmur3_token(key);
    keys.emplace(token, std::move(key));
  }
  PartitionWriter writer({.format = shape.format, .stats = {.min_timestamp_us = at_us}, .regular_columns = 1});
  const std::array cells = {StoredCell{.timestamp_us = at_us, .value = {.size = value_bytes}}};
  PartitionIndex partition_index;
  RowIndex row_index;
  ComponentSizes sizes;
  int place = 0;
  for (const auto& [token, key] : keys) {
    writer.begin({.size = shape.key_bytes});
    const int rows = shape.rows + (shape.uneven == 0 ? 0 : place++ % (shape.uneven + 1));
    std::vector<std::string> comparable;
    for (int row = 0; row < rows; ++row) {
      writer.row({.clustering = {.size = clustering_bytes},
                  .liveness = {.present = true, .timestamp_us = at_us},
                  .cells = cells});
      std::string clustering = "@";
      for (int shift = 56; shift >= 0; shift -= 8)
        clustering.push_back(
            static_cast<char>((0x8000'0190'0000'0000ULL + 60'000ULL * static_cast<unsigned>(row)) >> shift));
      comparable.push_back(clustering);
    }
    const WrittenPartition partition = writer.end();
    file.rows += rows;
    if (spread != nullptr) spread->push_back({partition.bytes, 1});
    if (shape.format != SSTableFormat::da) {
      sizes.index += index_entry_bytes(shape.key_bytes, partition.position, partition.promoted_index_bytes);
    } else if (partition.blocks.empty()) {
      partition_index.add(token, key, partition.position);
    } else {
      std::vector<RowIndex::Block> blocks;
      for (const IndexBlock& block : partition.blocks) {
        blocks.push_back({.first = comparable[static_cast<std::size_t>(block.first_unfiltered)],
                          .last = comparable[static_cast<std::size_t>(block.last_unfiltered)]});
      }
      partition_index.add(token, key, row_index.add(shape.key_bytes, partition, blocks));
    }
  }
  if (shape.format == SSTableFormat::da) {
    sizes.index = partition_index.finish();
    sizes.rows = row_index.bytes();
  } else {
    const std::int64_t entries = summary_entries(shape.partitions, 128);
    sizes.summary = summary_bytes(entries, entries * shape.key_bytes, shape.key_bytes, shape.key_bytes);
  }
  file.format = shape.format;
  file.partitions = shape.partitions;
  file.key_bytes = shape.partitions * shape.key_bytes;
  file.data_bytes = writer.position();
  file.clustering_bytes = clustering_bytes;
  return sizes;
}

double off(Bytes estimate, Bytes exact) {
  if (exact == 0) return static_cast<double>(estimate);
  return std::abs(static_cast<double>(estimate) / static_cast<double>(exact) - 1);
}

}  // namespace

TEST_CASE("indexes of partitions that are not listed are those that the writers make") {
  for (const SSTableFormat format : {SSTableFormat::nb, SSTableFormat::oa, SSTableFormat::da}) {
    for (const Shape& shape : {Shape{format, 1, 6, 1}, Shape{format, 300, 6, 3}, Shape{format, 300, 150, 3},
                               Shape{format, 20'000, 6, 2}, Shape{format, 5'000, 150, 2}, Shape{format, 40, 20, 3'000},
                               Shape{format, 3, 12, 40'000}, Shape{format, 1'000, 30, 5, 4}}) {
      CAPTURE(static_cast<int>(format));
      CAPTURE(shape.partitions);
      CAPTURE(shape.key_bytes);
      CAPTURE(shape.rows);
      EvenPartitions file;
      const ComponentSizes exact = written(shape, file);
      const ComponentSizes ours = component_sizes({.partitions = file, .schema = SchemaShape{}});
      const bool trie = format == SSTableFormat::da;
      // Of the file itself, or, where few partitions of many blocks make it small, of Data.db.
      const auto of_data = [&](Bytes estimate, Bytes all) {
        return std::abs(static_cast<double>(estimate - all)) / static_cast<double>(file.data_bytes);
      };
      CHECK((off(ours.index, exact.index) <= (trie ? 0.07 : 0.002) || of_data(ours.index, exact.index) <= 0.0003));
      CHECK((off(ours.rows, exact.rows) <= 0.1 || of_data(ours.rows, exact.rows) <= 0.0003));
      CHECK(ours.summary == exact.summary);
    }
  }
}

TEST_CASE("indexes of rows go by the sizes that partitions have") {
  // From 2 rows to two and a half blocks' worth, evenly: the mean has two blocks, and more than a third have one.
  for (const Shape& shape : {Shape{SSTableFormat::da, 700, 110, 2, 360}, Shape{SSTableFormat::oa, 200, 110, 2, 1'440},
                             Shape{SSTableFormat::da, 700, 110, 2, 120}, Shape{SSTableFormat::da, 64, 12, 2, 3'000}}) {
    CAPTURE(static_cast<int>(shape.format));
    CAPTURE(shape.uneven);
    EvenPartitions file;
    std::vector<PartitionsOfSize> spread;
    const ComponentSizes exact = written(shape, file, &spread);
    const ComponentSizes of_mean = component_sizes({.partitions = file, .schema = SchemaShape{}});
    const bool trie = shape.format == SSTableFormat::da;
    const Bytes engine = (trie ? exact.rows : exact.index);
    const Bytes mean = (trie ? of_mean.rows : of_mean.index);
    const Bytes ours = mean + row_indexes(file, spread) - row_indexes_of_mean(file);
    CHECK((off(ours, engine) <= 0.05 ||
           std::abs(static_cast<double>(ours - engine)) <= 0.0003 * static_cast<double>(file.data_bytes)));
    CHECK(std::abs(mean - engine) <= row_index_doubt(file) + engine / 20);
  }
}

TEST_CASE("where partitions are uneven about the length of a block, the index of rows is that of their mean") {
  // Half of them have 40 KiB, the others 80 KiB: the mean has one block, and no index; together 0.1 % of Data.db.
  const Shape shape{SSTableFormat::oa, 100, 10, 330, 330};
  EvenPartitions file;
  const ComponentSizes exact = written(shape, file);
  const ComponentSizes ours = component_sizes({.partitions = file, .schema = SchemaShape{}});
  CHECK(static_cast<double>(std::abs(ours.index - exact.index)) < 0.001 * static_cast<double>(file.data_bytes));
}

}  // namespace windrow
