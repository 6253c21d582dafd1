#include "sim/cost/expected_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/cluster/cluster.h"
#include "sim/cost/passes.h"
#include "sim/cost/writes.h"
#include "sim/scenario/node_count.h"
#include "sim/scenario/scenario_workload.h"

namespace windrow {

namespace {

using Tables = std::vector<std::vector<ExpectedWriter>>;

const TableOptions& options_at(const Scenario& scenario, int table, Micros at_us) {
  const TableOptions* options = &scenario.tables[static_cast<std::size_t>(table)].schema.options;
  for (const ChangeSpec& change : scenario.changes) {
    if (change.table == table && change.at_us <= at_us) options = &change.after.options;
  }
  return *options;
}

/// That are loaded in a second of a backfill; 1 of what is written as it happens.
double seconds_of_history(const Writer& writer) {
  if (!writer.arrivals) return 1;
  return static_cast<double>(writer.rhythm.end() - writer.rhythm.begin()) /
         static_cast<double>(std::max<std::int64_t>(1, writer.arrivals->end() - writer.arrivals->begin()));
}

double kinds_of(const ExpectedWriter& each) {
  double kinds = 0;
  for (const FateShare& share : each.fate.shares) kinds += share.deleted ? 2 : 1;
  return kinds;
}

/// Buckets that so many seconds of a writer's events fall into.
double buckets_in(const ExpectedWriter& each, double seconds) {
  if (each.writer.bucket.single() || each.writer.turn >= 0) return 1;
  const Seconds length_s = each.writer.bucket.length();
  return 1 + seconds / (length_s > 0 ? static_cast<double>(length_s) : 30.0 * seconds_per_day);
}

/// As spread_on_lattice has it.
bool keys_are_hashed(const Scenario& scenario, const std::vector<ExpectedWriter>& writers, bool cut_by_token) {
  const double seconds = static_cast<double>(scenario.end_us - scenario.start_us) / 1e6;
  double all_rows = 0;
  double partitions = 0;
  for (const ExpectedWriter& each : writers) {
    const DeleteRule& deletes = each.fate.deletes;
    if (!each.writer.statics.empty() ||
        ((deletes.kind == DeleteKind::partition || deletes.kind == DeleteKind::range) && !deletes.row_by_row))
      return true;
    all_rows += each.all_rows * static_cast<double>(each.writer.rows_per_event);
    const double kept_s = cut_by_token ? std::min(seconds, each.kept_s) : seconds;
    partitions += std::min(each.all_rows, static_cast<double>(each.writer.most_slots()) * buckets_in(each, kept_s));
  }
  const auto exact = static_cast<double>(scenario.exact_partitions);
  return partitions <= exact && (!cut_by_token || all_rows / 2 <= exact);
}

/// As closeness_of_run has it: filters are kept, and keys hashed for them, where something may be purged.
bool filters_are_kept(const Scenario& scenario, const std::vector<ExpectedWriter>& writers) {
  double rows = 0;
  bool may_die = false;
  for (const ExpectedWriter& each : writers) {
    rows += each.all_rows * static_cast<double>(each.writer.rows_per_event);
    may_die = may_die || each.one_by_one || std::isfinite(each.kept_s) || each.fate.shares.size() > 1 ||
              std::ranges::any_of(each.writer.columns,
                                  [](const ColumnWrite& column) { return column.null || column.elements; });
  }
  return may_die && rows / 6 <= static_cast<double>(scenario.exact_partitions);
}

/// What a flush of a piece holds.
struct FlushContent {
  double cohorts = 0;
  double rows = 0;
  double rows_one_by_one = 0;
  double writes_one_by_one = 0;  // a memtable has each, also where one replaces another
  double bytes = 0;
  double kept_s = 0;
  double partitions = 0;
};

/// That a look at all partitions of a writer takes: a bucket's are looked at together, kind by kind; those of several
/// shards, or in SSTables that are cut by token, by themselves. `in_memory_s`: from one flush to the next.
double looks_at(const ExpectedWriter& each, std::size_t piece, double elapsed_s, double in_memory_s,
                bool cut_by_token) {
  if (each.one_by_one) return 0;
  double rows = 0;
  double written_s = 0;  // in which it writes
  for (std::size_t before = 0; before <= piece; ++before) {
    rows += each.rows[before];
    if (each.rows[before] > 0) written_s += elapsed_s / static_cast<double>(piece + 1);
  }
  constexpr double of_a_cut_partition = 5;
  const auto slots = static_cast<double>(each.writer.most_slots());
  const double alone = cut_by_token ? of_a_cut_partition * slots : each.writer.shards > 1 ? slots : 1;
  return std::min(rows, buckets_in(each, std::min(written_s * seconds_of_history(each.writer),
                                                  std::max(each.kept_s, in_memory_s))) *
                            alone * (1 + kinds_of(each)));
}

FlushContent content_of(const std::vector<ExpectedWriter>& writers, std::size_t piece, double flushes, double piece_s) {
  FlushContent content;
  for (const ExpectedWriter& each : writers) {
    const double rows = std::min(each.most_keys, each.rows[piece] / flushes);
    if (rows <= 0) continue;
    content.rows += rows * static_cast<double>(each.writer.rows_per_event);
    content.bytes += rows * each.row_data_bytes;
    content.kept_s = std::max(content.kept_s, each.kept_s);
    const double partitions = std::min(rows, static_cast<double>(each.writer.most_slots()) *
                                                 buckets_in(each, piece_s / flushes * seconds_of_history(each.writer)));
    content.partitions += partitions;
    if (each.one_by_one) {
      content.rows_one_by_one += rows;
      content.writes_one_by_one += each.rows[piece] / flushes;
      continue;
    }
    content.cohorts += std::min(rows, kinds_of(each));
    if (!each.writer.statics.empty()) content.rows_one_by_one += partitions;
  }
  return content;
}

double sub_streams_of(const std::vector<ExpectedWriter>& writers) {
  double sum = 0;
  for (const ExpectedWriter& each : writers) sum += kinds_of(each);
  return sum;
}

/// Flushes of the pieces before `piece` that rows are kept of.
double live_before(const std::vector<double>& flushes, std::size_t piece, double kept_s, double piece_s) {
  double live = flushes[piece] / 2;
  const double kept = kept_s / piece_s;
  for (std::size_t before = 1; before <= piece && static_cast<double>(before) <= kept + 1; ++before)
    live += flushes[piece - before] * std::min(1.0, kept + 1 - static_cast<double>(before));
  return std::max(1.0, std::min(live, flushes[piece] * std::max(1.0, kept) + live));
}

/// Keys that are written again and again replace each other: so many flushes hold as many rows as are kept.
double flushes_that_differ(const std::vector<ExpectedWriter>& writers, std::size_t piece, double flushes, double live) {
  double rows_a_flush = 0;
  double rows = 0;
  for (const ExpectedWriter& each : writers) {
    const double flushed = std::min(each.most_keys, each.rows[piece] / flushes);
    rows_a_flush += flushed;
    rows += std::min(each.most_keys, flushed * live);
  }
  return rows_a_flush > 0 ? std::max(1.0, rows / rows_a_flush) : live;
}

/// Partitions that a compaction of so many inputs may read, after so much of the run: its inputs were written one after
/// the other, so that they share no more than the buckets in which one ends and the next begins.
double partitions_read(const std::vector<ExpectedWriter>& writers, double elapsed_s, double inputs) {
  double sum = 0;
  for (const ExpectedWriter& each : writers) {
    const double seconds = std::min(elapsed_s * seconds_of_history(each.writer), each.kept_s);
    sum +=
        std::min(each.all_rows, static_cast<double>(each.writer.most_slots()) * (buckets_in(each, seconds) + inputs));
  }
  return sum;
}

/// Partitions of a piece whose keys have not been hashed before it.
double new_partitions(const std::vector<ExpectedWriter>& writers, std::size_t piece, double run_s) {
  double sum = 0;
  for (const ExpectedWriter& each : writers) {
    if (each.all_rows <= 0) continue;
    const double seconds = run_s * seconds_of_history(each.writer);
    sum += std::min(each.all_rows, static_cast<double>(each.writer.most_slots()) * buckets_in(each, seconds)) *
           each.rows[piece] / each.all_rows;
  }
  return sum;
}

/// Incremental repairs divide what has come since the last one, session by session.
void add_repairs(const Scenario& scenario, int table, const Pieces& pieces, std::size_t piece, double rows,
                 double rows_live, Work& work) {
  constexpr double events_a_session = 7;
  const double nodes = node_count(scenario.data_centers);
  for (const RepairSpec& repair : scenario.repairs) {
    const bool repaired = std::ranges::find(repair.tables, table) != repair.tables.end();
    if (!repaired || repair.every_us <= 0 || repair.from_us > pieces.at(static_cast<int>(piece) + 1)) continue;
    const double every_s = static_cast<double>(repair.every_us) / 1e6;
    const double times = pieces.seconds() / every_s;
    if (repair.kind == RepairSpec::Kind::full) continue;
    const double each = repair.order == RepairSpec::Order::node_after_node ? nodes : 1;
    const double sessions = times * each * static_cast<double>(repair.subranges);
    work.rows += sessions * std::min(rows_live, rows * every_s / pieces.seconds());
    work.events += sessions * events_a_session;
  }
}

/// UnifiedCompactionStrategy has no tombstone compactions, TimeWindowCompactionStrategy if they are asked for.
bool asks_for_drop_times(const CompactionOptions& options) {
  const auto* windows = std::get_if<TimeWindowOptions>(&options);
  return windows != nullptr ? windows->tombstone_compactions
                            : !std::holds_alternative<UnifiedOptions>(options) && common_options(options).enabled;
}

struct Piece {
  Work work{};
  std::string_view strategy{};
  double sstables = 0;
};

/// One table in one piece of the run, on one node.
Piece piece_of(const Scenario& scenario, int table, const Tables& tables, const std::vector<double>& flushes,
               std::size_t piece, const Pieces& pieces, double all_sub_streams) {
  const std::vector<ExpectedWriter>& writers = tables[static_cast<std::size_t>(table)];
  const TableOptions& options = options_at(scenario, table, pieces.at(static_cast<int>(piece)));
  const double n = flushes[piece];
  const double elapsed_s = pieces.seconds() * static_cast<double>(piece + 1);
  const FlushContent content = content_of(writers, piece, n > 0 ? n : 1, pieces.seconds());
  const double all_live = live_before(flushes, piece, n > 0 ? content.kept_s : INFINITY, pieces.seconds());
  // SSTables of several tiers may each have all keys.
  const double copies = std::holds_alternative<LeveledOptions>(options.compaction_options) ? 1 : 4;
  const double live = std::min(all_live, copies * flushes_that_differ(writers, piece, n > 0 ? n : 1, all_live));
  Compacted compacted{.flush_bytes = content.bytes * scenario.tables[static_cast<std::size_t>(table)].compression_ratio,
                      .flushes_live = live,
                      .expires = std::isfinite(content.kept_s)};
  const auto* windows = std::get_if<TimeWindowOptions>(&options.compaction_options);
  if (windows != nullptr) {
    const auto window_s = static_cast<double>(windows->window_unit_s * windows->window_size);
    compacted.flushes_a_window = n * window_s / pieces.seconds();
  }
  const Passes passes = expected_passes(options.compaction_options, compacted);
  const double samples = pieces.seconds() * 1e6 / static_cast<double>(scenario.sample_us);
  const auto table_count = static_cast<double>(scenario.tables.size());
  const bool hashed = keys_are_hashed(scenario, writers, passes.cut_by_token);
  const bool by_token = passes.cut_by_token && hashed;
  // Cut by token, a cohort lies in several SSTables, which others have been merged into.
  const double of_a_cut = passes.cut_by_token ? 3.4 : 1;
  Piece result{.strategy = strategy_name(options.compaction_options), .sstables = n * passes.written};
  Work& work = result.work;
  work.events = n * (1 + passes.compactions);
  work.tables = work.events * table_count;
  work.sub_streams = n * all_sub_streams;
  work.sstables = n * passes.written;
  work.cohorts = n * content.cohorts * (passes.written + passes.read) * of_a_cut;
  const double times = 2 * passes.of_a_row;
  work.rows = n * times * (by_token ? content.rows : content.rows_one_by_one);
  if (compacted.expires && asks_for_drop_times(options.compaction_options)) {
    const double live_minutes = std::min(elapsed_s, content.kept_s) / 60;
    const double minutes = pieces.seconds() / 60 / std::max(n, 1e-9);
    constexpr double asked = 0.2;  // most are merged before a fifth of them may be dropped
    // Cut by token, each SSTable has rows of all times.
    work.minutes = passes.cut_by_token ? n * (passes.written + passes.read) * asked *
                                             std::min(content.rows * live / passes.live, live_minutes)
                                       : n * std::min(content.rows, minutes) * times;
  }
  if (hashed && filters_are_kept(scenario, writers)) {
    // A partition that several inputs have is one of the output.
    const double a_compaction = partitions_read(writers, elapsed_s, passes.read / std::max(passes.compactions, 1e-9));
    work.partitions = n * std::min(content.partitions * passes.of_a_row, passes.compactions * a_compaction);
    work.sketched = new_partitions(writers, piece, pieces.seconds() * Pieces::count);
  }
  work.samples = samples;
  work.live_sstables = samples * passes.live;
  work.reads = samples * static_cast<double>(scenario.reads.size()) / table_count;
  // What recorders may look at: TableRecorder's budget.
  constexpr double most_looks = 10.5e6 / Pieces::count;
  const double in_cohorts = passes.live * std::max(1.0, content.cohorts) * of_a_cut;
  const double rows_live = live * content.rows;
  double at_partitions = 0;
  for (const ExpectedWriter& each : writers)
    at_partitions += looks_at(each, piece, elapsed_s, n > 0 ? pieces.seconds() / n : 0, cuts_by_token(options));
  const double a_look = in_cohorts + at_partitions + content.rows_one_by_one * live + content.writes_one_by_one;
  constexpr double least_looks = 8.0 / Pieces::count;  // WorkBudget::least_looks
  work.looks = std::max(std::min(most_looks, samples * a_look), std::min(samples, least_looks) * a_look);
  const bool dropped = std::ranges::any_of(scenario.actions, [&](const ActionSpec& action) {
    return action.kind == ActionSpec::Kind::drop && action.table == table &&
           action.at_us <= pieces.at(static_cast<int>(piece));
  });
  if (dropped) work.looks = work.live_sstables = 0;
  add_repairs(scenario, table, pieces, piece, n * content.rows, rows_live, work);
  return result;
}

double nodes_played(const Scenario& scenario) {
  double nodes = 0;
  bool differ = has_faults(scenario);
  for (const DataCenter& center : scenario.data_centers) {
    nodes += center.nodes;
    differ = differ || (center.placement == DataCenter::Placement::hashed && center.nodes > center.replication_factor);
  }
  return differ && scenario.ring ? nodes : 1;
}

double stops_of(const Scenario& scenario) {
  double stops = 2 * static_cast<double>(scenario.outages.size());
  for (const RepairSpec& repair : scenario.repairs) {
    if (repair.every_us > 0)
      stops += 2 * static_cast<double>(std::max<Micros>(0, scenario.end_us - repair.from_us) / repair.every_us + 1);
  }
  return stops;
}

double keys_to_hash(const Scenario& scenario, const Tables& tables, double nodes) {
  if (nodes <= 1) return 0;
  double keys = 0;
  for (const std::vector<ExpectedWriter>& writers : tables) {
    for (const ExpectedWriter& each : writers) {
      const double seconds = static_cast<double>(scenario.end_us - scenario.start_us) / 1e6;
      keys += std::min(each.all_rows, static_cast<double>(each.writer.most_slots()) * buckets_in(each, seconds));
    }
  }
  return std::min(keys, static_cast<double>(scenario.exact_placements));
}

}  // namespace

double ExpectedCost::share_after(double time) const {
  if (until.size() < 2 || steps() <= 0) return std::clamp(time, 0.0, 1.0);
  const double place = std::clamp(time, 0.0, 1.0) * static_cast<double>(until.size() - 1);
  const auto piece = std::min(static_cast<std::size_t>(place), until.size() - 2);
  const double inside = place - static_cast<double>(piece);
  return (until[piece] + (until[piece + 1] - until[piece]) * inside) / steps();
}

double steps_not_recorded(const ExpectedCost& cost) {
  return steps_of({.stops = cost.work.stops, .keys = cost.work.keys, .sketched = cost.work.sketched});
}

ExpectedCost expected_cost(const Scenario& scenario) {
  const Pieces pieces{.start_us = scenario.start_us, .end_us = scenario.end_us};
  Tables tables;
  double sub_streams = 0;
  for (int t = 0; t < std::ssize(scenario.tables); ++t) {
    tables.push_back(expected_writers(scenario, t, pieces));
    sub_streams += sub_streams_of(tables.back());
  }
  const std::vector<std::vector<double>> flushes = expected_flushes(scenario, tables, pieces);
  ExpectedCost cost{.nodes = nodes_played(scenario), .stops = stops_of(scenario)};
  cost.work.keys = keys_to_hash(scenario, tables, cost.nodes);
  cost.until.push_back(steps_of(cost.work));
  for (int t = 0; t < std::ssize(scenario.tables); ++t) cost.tables.push_back({.table = t});
  for (std::size_t piece = 0; piece < Pieces::count; ++piece) {
    cost.work.stops += cost.stops * cost.nodes / Pieces::count;
    for (TableCost& table : cost.tables) {
      const Piece one = piece_of(scenario, table.table, tables, flushes[static_cast<std::size_t>(table.table)], piece,
                                 pieces, sub_streams);
      table.flushes += flushes[static_cast<std::size_t>(table.table)][piece] * cost.nodes;
      table.sstables += one.sstables * cost.nodes;
      table.strategy = one.strategy;
      table.work += one.work * cost.nodes;
      cost.work += one.work * cost.nodes;
    }
    cost.until.push_back(steps_of(cost.work));
  }
  for (TableCost& table : cost.tables) {
    const std::vector<ExpectedWriter>& writers = tables[static_cast<std::size_t>(table.table)];
    table.sub_streams = sub_streams_of(writers);
    for (const ExpectedWriter& each : writers) {
      if (each.one_by_one) table.rows_one_by_one += each.all_rows * cost.nodes;
    }
  }
  return cost;
}

}  // namespace windrow
