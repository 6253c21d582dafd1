#include "sim/cost/writes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "sim/scenario/scenario_workload.h"
#include "sim/workload/partition_weight.h"
#include "sim/workload/range_prefixes.h"
#include "sim/workload/static_weight.h"
#include "sim/workload/write_weight.h"
#include "sim/workload/written_sizes.h"

namespace windrow {

namespace {

constexpr double of_a_cell = 4;  // its flags, length, and what a date may take
constexpr double of_a_row = 12;
constexpr double of_a_partition = 15;  // the length of its key, its deletion, its end

double data_bytes_of(const Writer& writer) {
  double bytes = of_a_row + writer.clustering.bytes;
  for (const ColumnWrite& column : writer.columns) {
    const double cells = column.elements ? column.elements->count : 1;
    bytes += cells * (mean_of(column.sizes) + of_a_cell + (column.elements ? column.elements->path_bytes : 0));
  }
  return bytes * static_cast<double>(writer.rows_per_event);
}

/// RowState::cells_dead.
double expired_bytes_of(const Writer& writer) {
  constexpr double of_a_dead_cell = 8;  // its flags, and what two dates may take
  double bytes = of_a_row + writer.clustering.bytes;
  for (const ColumnWrite& column : writer.columns)
    bytes += column.elements ? column.elements->count * (of_a_dead_cell + column.elements->path_bytes) : of_a_dead_cell;
  return bytes * static_cast<double>(writer.rows_per_event);
}

/// Least and most that a row takes on disk; a deleted row is as short as can be.
std::pair<double, double> row_bytes_between(const Writer& writer, const FateRule& fate) {
  constexpr double least_of_a_row = 8;  // flags, lengths, its date
  constexpr double least_of_a_cell = 1;
  constexpr double of_a_date = 10;  // timestamp, expiry, TTL: of each cell where the row has none, and of a deletion
  const double most_of_a_cell = of_a_cell + (writer.insert ? 0 : of_a_date);
  double least = least_of_a_row + writer.clustering.bytes;
  double most = of_a_row + writer.clustering.bytes;
  double least_values = 0;
  for (const ColumnWrite& column : writer.columns) {
    const auto [small, large] = std::ranges::minmax(column.sizes);
    const double cells = column.elements ? column.elements->count : 1;
    const double path = column.elements ? length_and(column.elements->path_bytes) : 0;
    const auto value = [&](std::int32_t size) { return column.fixed_length ? size : length_and(size); };
    least_values += column.null ? least_of_a_cell : cells * (least_of_a_cell + path + value(small));
    most += column.null ? most_of_a_cell : cells * (most_of_a_cell + path + value(large));
    if (column.elements && column.elements->whole) most += of_a_date;
  }
  if (fate.deletes.kind != DeleteKind::row) least += least_values;
  return {least, most};
}

/// How often what comes `every_us` comes in so many seconds; 0: never.
double times_within(double seconds, Micros every_us) {
  return every_us > 0 ? seconds * static_cast<double>(us_per_s) / static_cast<double>(every_us) : 0;
}

/// Rows that deletes may come before, or that may meet others.
bool needs_rows(const Writer& writer, const FateRule& fate) {
  if (fate.deletes.kind == DeleteKind::none || writer.clustering.modulus > 0) return writer.clustering.modulus > 0;
  if (fate.deletes.kind != DeleteKind::row) return true;
  return std::ranges::any_of(
      fate.shares, [&](const FateShare& share) { return share.deleted && share.late_units > fate.deletes.age_units; });
}

double expires_s(const FateRule& fate, const TableOptions& options) {
  double longest_s = 0;
  for (const FateShare& share : fate.shares) {
    const Seconds ttl_s = ttl_of(share, options);
    if (ttl_s == 0) return std::numeric_limits<double>::infinity();
    longest_s = std::max(longest_s, static_cast<double>(ttl_s));
  }
  return longest_s;
}

double kept_s(const FateRule& fate, const TableOptions& options) {
  double longest_s = 0;
  for (const FateShare& share : fate.shares) {
    const Seconds ttl_s = ttl_of(share, options);
    if (ttl_s == 0 && !share.deleted) return std::numeric_limits<double>::infinity();
    const Seconds deleted_s = share.deleted ? fate.deletes.age_units / us_per_s : ttl_s;
    longest_s = std::max(longest_s, static_cast<double>(ttl_s == 0 ? deleted_s : std::min(ttl_s, deleted_s)));
  }
  return longest_s + options.gc_grace_seconds;
}

/// Buckets that so many seconds of a writer touch.
double buckets_in(const Writer& writer, double seconds) {
  if (writer.bucket.single() || writer.turn >= 0) return 1;
  const double length = writer.bucket.length() > 0 ? static_cast<double>(writer.bucket.length()) : 30.0 * 86'400;
  return 1 + seconds / length;
}

struct Limits {
  double heap = 0;
  double offheap = 0;
  double log = 0;
};

Limits limits_of(const NodeSettings& node) {
  const auto quarter = static_cast<double>(node.heap_bytes) / 4;
  const double threshold =
      node.memtable_cleanup_threshold > 0 ? node.memtable_cleanup_threshold : 1.0 / (1 + node.memtable_flush_writers);
  const auto or_quarter = [&](Bytes bytes) { return bytes > 0 ? static_cast<double>(bytes) : quarter; };
  const Bytes disk_quarter = node.disk_bytes > 0 ? std::min(GiB(8), node.disk_bytes / 4) : GiB(8);
  const Bytes log = node.commitlog_total_space_bytes > 0 ? node.commitlog_total_space_bytes : disk_quarter;
  return {.heap = or_quarter(node.memtable_heap_bytes) * threshold,
          .offheap = or_quarter(node.memtable_offheap_bytes) * threshold,
          .log = static_cast<double>(std::max(log, MiB(64)))};
}

/// As a share of the nearer limit, in bytes of heap.
double weighed(const MemoryBytes& bytes, const Limits& limits) {
  return std::max(bytes.heap, bytes.offheap * limits.heap / limits.offheap);
}

ExpectedWriter expected_writer(const Scenario& scenario, const TableOptions& options, const Writer& writer,
                               const FateRule& fate, const Pieces& pieces) {
  const Limits limits = limits_of(scenario.node);
  const MemtableSettings memtable = scenario.node.memtable_settings();
  const RowWrite write{.writer = &writer, .brings = Brings::rows, .ttl_s = options.default_time_to_live};
  const auto each = static_cast<double>(writer.rows_per_event);
  ExpectedWriter expected{.writer = writer, .fate = fate};
  expected.row_data_bytes = data_bytes_of(writer);
  expected.partition_data_bytes = of_a_partition + static_cast<double>(writer.key_bytes);
  expected.expired_row_bytes = std::min(expected.row_data_bytes, expired_bytes_of(writer));
  expected.expires_s = expires_s(fate, options);
  std::tie(expected.least_row_bytes, expected.most_row_bytes) = row_bytes_between(writer, fate);
  const StaticMemory statics = static_memory(memtable, write);
  expected.row_heap_bytes =
      (weighed(row_memory(memtable, write), limits) + row_place_memory().heap) * each + weighed(statics.a_row, limits);
  expected.partition_heap_bytes = weighed(
      partition_memory(memtable, static_cast<double>(writer.key_bytes), static_cast<int>(writer.columns.size())),
      limits);
  expected.partition_heap_bytes += weighed(statics.a_partition, limits);
  expected.row_logged_bytes = logged_row_bytes(write, scenario.start_us / us_per_s) * each + logged_static_bytes(write);
  if (scenario.node.memtable_heap_per_byte > 0) {
    expected.row_heap_bytes = expected.row_data_bytes * scenario.node.memtable_heap_per_byte;
    expected.partition_heap_bytes = 0;
  }
  expected.most_keys = writer.clustering.modulus > 0
                           ? static_cast<double>(writer.clustering.modulus) * static_cast<double>(writer.entities)
                           : std::numeric_limits<double>::infinity();
  const CommonCompactionOptions& compaction = common_options(options.compaction_options);
  const bool never = !compaction.enabled || std::holds_alternative<NoCompactionOptions>(options.compaction_options) ||
                     (compaction.only_purge_repaired_tombstones && scenario.repairs.empty());
  expected.kept_s = never ? std::numeric_limits<double>::infinity() : kept_s(fate, options);
  const Rhythm& rhythm = writer.arrivals ? *writer.arrivals : writer.rhythm;
  for (int piece = 0; piece < Pieces::count; ++piece)
    expected.rows.push_back(
        static_cast<double>(rhythm.count_before(pieces.at(piece + 1)) - rhythm.count_before(pieces.at(piece))));
  expected.all_rows = std::accumulate(expected.rows.begin(), expected.rows.end(), 0.0);
  return expected;
}

}  // namespace

Seconds ttl_of(const FateShare& share, const TableOptions& options) {
  return share.ttl_s == SubStream::table_default_ttl ? options.default_time_to_live : share.ttl_s;
}

std::vector<ExpectedWriter> expected_writers(const Scenario& scenario, int table, const Pieces& pieces) {
  const TableOptions& options = scenario.tables[static_cast<std::size_t>(table)].schema.options;
  std::vector<ExpectedWriter> writers;
  scenario_workload(scenario, table, [&](const Writer& writer, const FateRule& fate) {
    writers.push_back(expected_writer(scenario, options, writer, fate, pieces));
    return false;
  });
  std::map<int, std::vector<WriterFate>> groups;
  for (const ExpectedWriter& each : writers) groups[each.writer.key_group].push_back({&each.writer, &each.fate});
  std::vector<const WriterSpec*> specs;
  for (const WriterSpec& spec : scenario.writers) {
    if (spec.table == table) specs.push_back(&spec);
  }
  for (ExpectedWriter& each : writers) {
    const std::vector<WriterFate>& group = groups[each.writer.key_group];
    const bool beside = each.writer.writes && ranges_are_prefixes(group);
    if (const WriterSpec& spec = *specs[static_cast<std::size_t>(each.writer.spec)]; spec.rolling_buckets > 0) {
      each.turn_s = static_cast<double>(spec.bucket.length());
      each.of_time = 1 / static_cast<double>(spec.rolling_buckets);
    }
    each.one_by_one = !beside && (group.size() > 1 || needs_rows(each.writer, each.fate));
  }
  return writers;
}

namespace {

/// What all writers of a table bring in a piece.
struct Brought {
  double rows = 0;
  double instants = 0;  // at which they come, at most
  double data = 0;
  double logged = 0;
  double heap = 0;  // of rows alone
};

Brought brought(const std::vector<ExpectedWriter>& writers, std::size_t piece) {
  Brought sum;
  for (const ExpectedWriter& each : writers) {
    const double rows = each.rows[piece];
    sum.rows += rows;
    sum.instants += each.writer.rhythm.spread() ? rows : rows / static_cast<double>(each.writer.entities);
    sum.data += rows * each.row_data_bytes;
    sum.logged += rows * each.row_logged_bytes;
    sum.heap += rows * each.row_heap_bytes;
  }
  return sum;
}

/// What the partitions of a flush of this piece weigh, if there are so many flushes.
double of_partitions(const std::vector<ExpectedWriter>& writers, std::size_t piece, double seconds, double flushes,
                     double ExpectedWriter::*of_one) {
  double sum = 0;
  for (const ExpectedWriter& each : writers) {
    const double rows = each.rows[piece] / flushes;
    const double slots = static_cast<double>(each.writer.most_slots()) * buckets_in(each.writer, seconds / flushes);
    sum += std::min(rows, slots) * each.*of_one;
  }
  return sum;
}

}  // namespace

std::vector<std::vector<double>> expected_flushes(const Scenario& scenario,
                                                  const std::vector<std::vector<ExpectedWriter>>& tables,
                                                  const Pieces& pieces) {
  const Limits limits = limits_of(scenario.node);
  std::vector<std::vector<double>> flushes(tables.size(), std::vector<double>(Pieces::count, 0.0));
  for (std::size_t piece = 0; piece < Pieces::count; ++piece) {
    std::vector<Brought> all;
    double logged = scenario.node.other_writes_bytes_per_s * pieces.seconds();
    for (const std::vector<ExpectedWriter>& writers : tables) {
      all.push_back(brought(writers, piece));
      logged += all.back().logged;
    }
    std::vector<double> by_pool(tables.size(), 0.0);
    for (int round = 0; round < 4; ++round) {
      double heap = 0;
      double most = 0;
      std::vector<double> of_table;
      std::vector<double> data;
      for (std::size_t t = 0; t < tables.size(); ++t) {
        const double n = std::max(1.0, flushes[t][piece]);
        const auto partitions = [&](double ExpectedWriter::*of_one) {
          return n * of_partitions(tables[t], piece, pieces.seconds(), n, of_one);
        };
        of_table.push_back(all[t].heap + partitions(&ExpectedWriter::partition_heap_bytes));
        data.push_back(all[t].data + partitions(&ExpectedWriter::partition_data_bytes));
        if (!scenario.tables[t].flushes.empty()) of_table.back() = 0;
        heap += of_table.back();
        most = std::max(most, of_table.back());
      }
      for (std::size_t t = 0; t < tables.size(); ++t) {
        const TableSpec& spec = scenario.tables[t];
        if (all[t].rows <= 0 || !spec.flushes.empty()) continue;
        // The largest of several goes, and brings the pool back below its limit.
        const double alike = heap / std::max(1.0, most);
        const double n_pool = heap / (limits.heap * 2 / (alike + 1)) * of_table[t] / std::max(1.0, heap);
        const double n_size = spec.flush_size_bytes > 0
                                  ? data[t] * spec.compression_ratio / static_cast<double>(spec.flush_size_bytes)
                                  : 0;
        const Millis period_ms = spec.schema.options.memtable_flush_period_in_ms;
        const double n_period = period_ms > 0 ? pieces.seconds() * 1000 / static_cast<double>(period_ms) : 0;
        const double n_stops = times_within(pieces.seconds(), scenario.node.restart_every_us) +
                               times_within(pieces.seconds(), scenario.node.snapshot_every_us);
        flushes[t][piece] = std::min(std::max(1.0, all[t].instants),
                                     std::max({n_pool, n_size, n_period, logged / limits.log}) + n_stops);
      }
    }
    for (std::size_t t = 0; t < tables.size(); ++t) {
      for (const RecordedFlush& flush : scenario.tables[t].flushes) {
        if (flush.at_us >= pieces.at(static_cast<int>(piece)) && flush.at_us < pieces.at(static_cast<int>(piece) + 1))
          flushes[t][piece] += 1;
      }
    }
  }
  return flushes;
}

}  // namespace windrow
