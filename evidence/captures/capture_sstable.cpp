#include "evidence/captures/capture_sstable.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "evidence/components/bti_index.h"
#include "evidence/components/digest.h"
#include "sim/bytes/clustering.h"
#include "sim/bytes/component_sizes.h"
#include "sim/stats/bloom_filter.h"
#include "sim/values/cql_order.h"

namespace windrow {
namespace {

// Places of the table's columns among those of the header.
std::map<int, int> ranks(const std::set<int>& columns) {
  std::map<int, int> places;
  for (const int column : columns) places.emplace(column, static_cast<int>(places.size()));
  return places;
}

std::string clustering_bytes(std::span<const Column> columns, const Clustering& clustering) {
  std::vector<ClusteringValue> values;
  for (std::size_t i = 0; i < clustering.size(); ++i) {
    values.push_back({.value = ByteRun::of(clustering[i]), .fixed_length = columns[i].type.fixed_length() >= 0});
  }
  std::string bytes;
  ByteSink sink(bytes);
  serialize_clustering(sink, values);
  return bytes;
}

/// A CapturedRow in the form the writer takes, with the storage behind its spans.
class StoredForm {
 public:
  StoredForm(const CapturedRow& row, std::span<const Column> columns, const std::map<int, int>& places) {
    for (const auto& [column, cell] : row.cells) {
      cells_.push_back(stored(cell, places.at(column)));
      cells_.back().fixed_length = columns[static_cast<std::size_t>(column)].type.fixed_length() >= 0;
    }
    for (const auto& [column, complex] : row.complex_columns) {
      auto& cells = complex_cells_.emplace_back();
      for (const auto& [path, cell] : complex.cells) {
        cells.push_back(stored(cell, places.at(column)));
        cells.back().path = ByteRun::of(path);
      }
    }
    std::size_t i = 0;
    for (const auto& [column, complex] : row.complex_columns) {
      complex_columns_.push_back(
          {.column = places.at(column), .deletion = complex.deletion, .cells = complex_cells_[i++]});
    }
    row_ = {.liveness = row.liveness, .deletion = row.deletion, .cells = cells_, .complex_columns = complex_columns_};
  }
  StoredForm(const StoredForm&) = delete;
  StoredForm& operator=(const StoredForm&) = delete;

  StoredRow row(const std::string& clustering = {}) const {
    StoredRow row = row_;
    row.clustering = ByteRun::of(clustering);
    return row;
  }

 private:
  static StoredCell stored(const CapturedCell& cell, int column) {
    return {.column = column,
            .ttl_s = cell.ttl_s,
            .kind = cell.kind,
            .timestamp_us = cell.timestamp_us,
            .local_deletion_time_s = cell.local_deletion_time_s,
            .value = ByteRun::of(cell.value)};
  }

  std::vector<StoredCell> cells_;
  std::vector<std::vector<StoredCell>> complex_cells_;
  std::vector<StoredComplexColumn> complex_columns_;
  StoredRow row_{};
};

struct Mark {
  ClusteringPosition position{};
  DeletionTime closed{};
  DeletionTime opened{};
};

// Two ranges that touch share a boundary.
std::vector<Mark> marks_of(const std::vector<CapturedRange>& ranges, const ClusteringOrder& order) {
  std::vector<Mark> marks;
  for (const CapturedRange& range : ranges) {
    if (!marks.empty() && order.compare(marks.back().position, range.start) == 0) {
      marks.back().opened = range.deletion;
    } else {
      marks.push_back({.position = range.start, .opened = range.deletion});
    }
    marks.push_back({.position = range.end, .closed = range.deletion});
  }
  return marks;
}

BoundKind bound_kind(const Mark& mark) {
  const bool before = mark.position.side < 0;
  if (!mark.closed.live() && !mark.opened.live()) {
    return before ? BoundKind::excl_end_incl_start_boundary : BoundKind::incl_end_excl_start_boundary;
  }
  if (mark.closed.live()) return before ? BoundKind::incl_start_bound : BoundKind::excl_start_bound;
  return before ? BoundKind::excl_end_bound : BoundKind::incl_end_bound;
}

// ClusteringComparator.asByteComparable.
std::string comparable(std::span<const Column> columns, const ClusteringPosition& position) {
  std::string bytes;
  for (std::size_t i = 0; i < position.values.size(); ++i) {
    const CqlType& type = columns[i].type;
    const bool none = position.values[i].empty() && type.fixed_length() >= 0;
    bytes.push_back(none ? '\x3F' : '\x40');
    if (none) continue;
    for (const char c : byte_comparable(type, position.values[i])) {
      bytes.push_back(columns[i].order == Column::Order::desc ? static_cast<char>(~c) : c);
    }
  }
  bytes.push_back(position.side == 0 ? '\x38' : position.side < 0 ? '\x20' : '\x60');
  return bytes;
}

class SSTableWriter {
 public:
  SSTableWriter(const Table& table, const CapturedSettings& settings, CapturedSSTable& sstable)
      : table_(table),
        settings_(settings),
        sstable_(sstable),
        static_places_(ranks(sstable.columns.static_columns)),
        regular_places_(ranks(sstable.columns.regular_columns)),
        writer_(sstable.header, 0, sstable.compressed ? nullptr : &data_) {}

  void partition(const std::string& key, Token token, const CapturedPartition& partition) {
    writer_.begin(ByteRun::of(key), partition.deletion);
    writer_.static_row(StoredForm(partition.static_row, table_.static_columns(), static_places_).row());
    const ClusteringOrder order = partition.rows.key_comp();
    const std::vector<Mark> marks = marks_of(partition.ranges, order);
    std::vector<ClusteringPosition> positions;
    auto mark = marks.begin();
    const auto marks_before = [&](const ClusteringPosition* row) {
      for (; mark != marks.end() && (row == nullptr || order.compare(mark->position, *row) < 0); ++mark) {
        positions.push_back(mark->position);
        write_marker(*mark);
      }
    };
    for (const auto& [clustering, row] : partition.rows) {
      const ClusteringPosition here{.values = clustering};
      marks_before(&here);
      positions.push_back(here);
      const std::string bytes = clustering_bytes(table_.clustering(), clustering);
      writer_.row(StoredForm(row, table_.regular_columns(), regular_places_).row(bytes));
    }
    marks_before(nullptr);
    end(key, token, positions);
  }

  void finish() {
    sstable_.uncompressed_bytes = writer_.position();
    sstable_.statistics = writer_.finish();
    auto& files = sstable_.components;
    const auto first = static_cast<Bytes>(sstable_.partitions.front().key.size());
    const auto last = static_cast<Bytes>(sstable_.partitions.back().key.size());
    const TableOptions& options = table_.options;
    const bool filter = options.bloom_filter_fp_chance < 1.0;
    if (filter)
      files["Filter.db"] =
          bloom_filter_file_bytes(std::ssize(sstable_.partitions), bloom_spec(options.bloom_filter_fp_chance));
    if (is_bti(settings_.format)) {
      files["Partitions.db"] = partition_index_.finish();
      files["Rows.db"] = row_index_.bytes();
    } else {
      files["Index.db"] = index_bytes_;
      const std::int64_t interval = options.min_index_interval;
      Bytes entry_keys = 0;
      for (std::size_t i = 0; i < sstable_.partitions.size(); i += static_cast<std::size_t>(interval)) {
        entry_keys += static_cast<Bytes>(sstable_.partitions[i].key.size());
      }
      files["Summary.db"] =
          summary_bytes(summary_entries(std::ssize(sstable_.partitions), interval), entry_keys, first, last);
    }
    files["TOC.txt"] = toc_bytes(settings_.format, sstable_.compressed, filter);
    files["Statistics.db"] = statistics_bytes(first + last);
    data_files();
  }

 private:
  void write_marker(const Mark& mark) {
    const std::string bytes = clustering_bytes(table_.clustering(), mark.position.values);
    writer_.marker({.kind = bound_kind(mark),
                    .values = static_cast<std::uint16_t>(mark.position.values.size()),
                    .clustering = ByteRun::of(bytes),
                    .closes = !mark.closed.live(),
                    .opens = !mark.opened.live(),
                    .closed = mark.closed,
                    .opened = mark.opened});
  }

  void end(const std::string& key, Token token, const std::vector<ClusteringPosition>& positions) {
    const WrittenPartition written = writer_.end();
    const auto key_bytes = static_cast<Bytes>(key.size());
    if (!is_bti(settings_.format)) {
      index_bytes_ += index_entry_bytes(key_bytes, written.position, written.promoted_index_bytes);
    } else if (written.blocks.empty()) {
      partition_index_.add(token, key, written.position);
    } else {
      std::vector<RowIndex::Block> blocks;
      for (const IndexBlock& block : written.blocks) {
        blocks.push_back(
            {.first = comparable(table_.clustering(), positions[static_cast<std::size_t>(block.first_unfiltered)]),
             .last = comparable(table_.clustering(), positions[static_cast<std::size_t>(block.last_unfiltered)])});
      }
      partition_index_.add(token, key, row_index_.add(key_bytes, written, blocks));
    }
    sstable_.partitions.push_back({.key = key, .token = token, .written = written});
  }

  void data_files() {
    auto& files = sstable_.components;
    if (!sstable_.compressed) {
      files["Data.db"] = sstable_.uncompressed_bytes;
      files["CRC.db"] = crc_bytes(sstable_.uncompressed_bytes, settings_.compacted);
      files["Digest.crc32"] = digest_bytes(data_);
      return;
    }
    files["CompressionInfo.db"] =
        compression_info_bytes(sstable_.uncompressed_bytes, compression_shape(table_.options, !settings_.compacted));
  }

  Bytes statistics_bytes(Bytes end_key_bytes) const {
    StatisticsShape shape{.format = settings_.format, .partitions = std::ssize(sstable_.partitions)};
    shape.drop_time_bins = std::ssize(sstable_.statistics.drop_times.bins());
    shape.clustering_type_name_bytes = clustering_type_name_bytes(table_);
    Bytes bytes = key_type_name_bytes(table_) + shape.clustering_type_name_bytes;
    const auto add_columns = [&](std::span<const Column> columns, const std::set<int>& named) {
      for (const int i : named) bytes += column_name_bytes(table_, columns[static_cast<std::size_t>(i)]);
    };
    add_columns(table_.static_columns(), sstable_.columns.static_columns);
    add_columns(table_.regular_columns(), sstable_.columns.regular_columns);
    shape.type_name_bytes = bytes;
    shape.end_key_bytes = end_key_bytes;
    shape.clustering_bytes = clustering_span_bytes();
    return statistics_db_estimate(shape);
  }

  // Least and greatest clustering are kept whole.
  Bytes clustering_span_bytes() const {
    const ClusteringOrder order{.columns = {table_.clustering().begin(), table_.clustering().end()}};
    const Clustering* least = nullptr;
    const Clustering* greatest = nullptr;
    for (const auto& [key, partition] : sstable_.contents) {
      if (partition.rows.empty()) continue;
      const Clustering& first = partition.rows.begin()->first;
      const Clustering& last = partition.rows.rbegin()->first;
      if (least == nullptr || order(first, *least)) least = &first;
      if (greatest == nullptr || order(*greatest, last)) greatest = &last;
    }
    Bytes bytes = 0;
    for (const Clustering* end : {least, greatest}) {
      if (end == nullptr) continue;
      for (const std::string& value : *end) bytes += 2 + std::ssize(value);
    }
    return bytes;
  }

  const Table& table_;
  CapturedSettings settings_{};
  CapturedSSTable& sstable_;
  std::map<int, int> static_places_;
  std::map<int, int> regular_places_;
  std::string data_;
  PartitionWriter writer_;
  Bytes index_bytes_ = 0;
  PartitionIndex partition_index_{};
  RowIndex row_index_{};
};

}  // namespace

CapturedSSTable write_sstable(const Table& table, const CapturedSettings& settings, const EncodingStats& stats,
                              NamedColumns columns, CapturedPartitions contents) {
  CapturedSSTable sstable{.columns = std::move(columns), .contents = std::move(contents)};
  sstable.header = {.format = settings.format,
                    .stats = stats,
                    .static_columns = static_cast<int>(sstable.columns.static_columns.size()),
                    .regular_columns = static_cast<int>(sstable.columns.regular_columns.size())};
  sstable.compressed = table.options.is_compressed();
  SSTableWriter writer(table, settings, sstable);
  for (const auto& [place, partition] : sstable.contents) writer.partition(place.second, place.first, partition);
  writer.finish();
  return sstable;
}

}  // namespace windrow
