#include "sim/cost/expected_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/cluster/cluster.h"
#include "sim/cost/layout.h"
#include "sim/cost/passes.h"
#include "sim/cost/read_looks.h"
#include "sim/cost/size_looks.h"
#include "sim/cost/writes.h"
#include "sim/engine/closeness.h"
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

/// Under the table's options at any time.
bool ever_dies(const Scenario& scenario, int table, const ExpectedWriter& each) {
  const TableSpec& spec = scenario.tables[static_cast<std::size_t>(table)];
  return std::isfinite(dead_after(each, spec.schema.options).dead_s) ||
         std::ranges::any_of(scenario.changes, [&](const ChangeSpec& change) {
           return change.table == table && std::isfinite(dead_after(each, change.after.options).dead_s);
         });
}

/// As WrittenRows (sim/record) has it: what flushes wrote is all that the files have, however they were cut.
bool flushes_tell_all(const Scenario& scenario, int table, const std::vector<ExpectedWriter>& writers) {
  return !has_faults(scenario) && std::ranges::none_of(writers, [&](const ExpectedWriter& each) {
    return each.one_by_one || !each.writer.statics.empty() || ever_dies(scenario, table, each);
  });
}

/// As closeness_of_run has it: filters are kept, and keys hashed for them, where something may be purged.
bool filters_are_kept(const Scenario& scenario, int table, const std::vector<ExpectedWriter>& writers) {
  double rows = 0;
  bool may_die = false;
  for (const ExpectedWriter& each : writers) {
    rows += each.all_rows * static_cast<double>(each.writer.rows_per_event);
    may_die = may_die || each.one_by_one || ever_dies(scenario, table, each) || each.fate.shares.size() > 1 ||
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
  double static_rows = 0;        // of these
  double writes_one_by_one = 0;  // a memtable has each, also where one replaces another
  double row_bytes = 0;
  double bytes = 0;          // of all
  double lasting_bytes = 0;  // Compacted::lasting_bytes, not compressed
  double kept_s = 0;
  double partitions = 0;
};

/// What is on disk of a row of those that have come so long ago, or since, in the mean.
double lasting_row_bytes(const ExpectedWriter& each, double elapsed_s) {
  const double kept_s = std::min(elapsed_s, each.kept_s);
  const double readable = kept_s > each.expires_s ? each.expires_s / kept_s : 1;
  return readable * each.row_data_bytes + (1 - readable) * each.expired_row_bytes;
}

FlushContent content_of(const std::vector<ExpectedWriter>& writers, std::size_t piece, double flushes, double piece_s) {
  FlushContent content;
  const double elapsed_s = piece_s * static_cast<double>(piece + 1);
  double partition_bytes = 0;
  for (const ExpectedWriter& each : writers) {
    const double rows = std::min(each.most_keys, each.rows[piece] / flushes);
    if (rows <= 0) continue;
    content.rows += rows * static_cast<double>(each.writer.rows_per_event);
    content.row_bytes += rows * each.row_data_bytes;
    content.lasting_bytes += rows * lasting_row_bytes(each, elapsed_s);
    content.kept_s = std::max(content.kept_s, each.kept_s);
    const double partitions = std::min(rows, static_cast<double>(each.writer.most_slots()) *
                                                 buckets_in(each, piece_s / flushes * seconds_of_history(each.writer)));
    content.partitions += partitions;
    partition_bytes += partitions * each.partition_data_bytes;
    if (each.one_by_one) {
      content.rows_one_by_one += rows;
      content.writes_one_by_one += each.rows[piece] / flushes;
      continue;
    }
    content.cohorts += std::min(rows, kinds_of(each));
    if (each.writer.statics.empty()) continue;
    content.static_rows += partitions;
    content.rows_one_by_one += partitions;
  }
  content.bytes = content.row_bytes + partition_bytes;
  content.lasting_bytes += partition_bytes;
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

/// How many flushes like these would hold what is kept: some came from larger ones, as of a backfill.
double flushes_held(const std::vector<ExpectedWriter>& writers, std::size_t piece, const FlushContent& content,
                    double piece_s) {
  double bytes = 0;
  for (const ExpectedWriter& each : writers)
    bytes += std::min(each.most_keys, rows_held(each, piece, piece_s)) * each.row_data_bytes;
  return content.row_bytes > 0 ? bytes / content.row_bytes : 0;
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

/// Flushes before which nothing is compacted.
double least_inputs(const CompactionOptions& options) {
  const auto* tiers = std::get_if<SizeTieredOptions>(&options);
  return tiers != nullptr ? std::max(2, tiers->common.min_threshold) : 2;
}

/// True if compactions may leave SSTables out that are as old as what they purge: those of other windows, of larger
/// tiers and of levels, and any where rows come late or are loaded. Small ones are merged with all that are older.
bool leave_older_ones(const TableOptions& options, const std::vector<ExpectedWriter>& writers, const Compacted& table) {
  const auto* tiers = std::get_if<SizeTieredOptions>(&options.compaction_options);
  if (tiers == nullptr || table.flush_bytes * table.flushes_live > static_cast<double>(tiers->min_sstable_size_bytes))
    return true;
  return std::ranges::any_of(writers, [](const ExpectedWriter& each) {
    return each.writer.arrivals ||
           std::ranges::any_of(each.fate.shares, [](const FateShare& share) { return share.late_units > 0; });
  });
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
  // Where nothing is written there lies what was written last.
  std::size_t last = piece;
  while (last > 0 && flushes[last] <= 0) --last;
  const double then = flushes[last] > 0 ? flushes[last] : 1;
  const double elapsed_s = pieces.seconds() * static_cast<double>(piece + 1);
  const FlushContent content = content_of(writers, last, then, pieces.seconds());
  const double all_live = live_before(flushes, piece, content.kept_s, pieces.seconds());
  // SSTables of several tiers may each have all keys.
  const bool merged = common_options(options.compaction_options).enabled &&
                      !std::holds_alternative<NoCompactionOptions>(options.compaction_options);
  const bool at_a_size = std::holds_alternative<LeveledOptions>(options.compaction_options);
  const double copies = !merged ? all_live : at_a_size ? 1 : 4;
  const double live = std::min(all_live, copies * flushes_that_differ(writers, last, then, all_live));
  const double compression_ratio = scenario.tables[static_cast<std::size_t>(table)].compression_ratio;
  Compacted compacted{.flush_bytes = content.bytes * compression_ratio,
                      .lasting_bytes = content.lasting_bytes * compression_ratio,
                      .flushes_live = std::max(live, flushes_held(writers, piece, content, pieces.seconds())),
                      .expires = std::isfinite(content.kept_s)};
  const auto* windows = std::get_if<TimeWindowOptions>(&options.compaction_options);
  double window_s = std::numeric_limits<double>::infinity();
  if (windows != nullptr) {
    window_s = static_cast<double>(windows->window_unit_s * windows->window_size);
    compacted.flushes_a_window = then * window_s / pieces.seconds();
  }
  const Passes passes = expected_passes(options.compaction_options, compacted);
  const double samples = pieces.seconds() * 1e6 / static_cast<double>(scenario.sample_us);
  const auto table_count = static_cast<double>(scenario.tables.size());
  const bool hashed = keys_are_hashed(scenario, writers, passes.cut_by_token);
  const bool filters = hashed && filters_are_kept(scenario, table, writers);
  const bool cut = passes.cut_by_token && passes.several;
  const bool by_token = cut && hashed;
  const double flushes_of_output = std::max(1.0, (passes.of_a_row - 1) / std::max(passes.written - 1, 1e-9));
  const double oldest_s = std::min(elapsed_s, content.kept_s);
  Layout layout{.live = passes.live,
                .flushes = live,
                .flushes_of_run = std::max(1.0, std::accumulate(flushes.begin(), flushes.end(), 0.0)),
                .a_flush_s = pieces.seconds() / then,
                .cut = cut,
                .hashed = hashed};
  layout.oldest_s = windows == nullptr || windows->tombstone_compactions ? oldest_s : std::min(oldest_s, window_s);
  // An SSTable of a level has rows of all times.
  layout.an_output_s =
      layout.cut && at_a_size ? layout.oldest_s : std::min(layout.oldest_s, flushes_of_output * layout.a_flush_s);
  const CommonCompactionOptions& common = common_options(options.compaction_options);
  const double flushed =
      std::accumulate(flushes.begin(), flushes.begin() + static_cast<std::ptrdiff_t>(piece) + 1, 0.0);
  layout.purges = (hashed ? filters : layout.cut) && merged && flushed >= least_inputs(options.compaction_options) &&
                  (!common.only_purge_repaired_tombstones || !scenario.repairs.empty()) &&
                  leave_older_ones(options, writers, compacted);
  const bool in_part =
      std::ranges::any_of(writers, [&](const ExpectedWriter& each) { return purged_in_part(each, options, layout); });
  // Cut by token, a cohort lies in several SSTables, which others have been merged into.
  const double of_a_cut = cut ? 3.4 : 1;
  Piece result{.strategy = strategy_name(options.compaction_options), .sstables = n * passes.written};
  Work& work = result.work;
  work.events = n * (1 + passes.compactions);
  work.tables = work.events * table_count;
  work.sub_streams = n * all_sub_streams;
  work.sstables = n * passes.written;
  const double of_an_output =
      of_a_cut * std::max(content.cohorts, cohorts_of_output(writers, last, then, flushes_of_output, options, layout));
  work.cohorts = n * (content.cohorts * of_a_cut + of_an_output * (passes.written - 1 + passes.read));
  if (by_token) {
    double of_an_sstable = 0;
    for (const ExpectedWriter& each : writers)
      of_an_sstable += parts_of_output(each, piece, pieces.seconds(), layout.an_output_s);
    work.parts = n * (passes.written - 1 + passes.read) * of_an_sstable;
  }
  const bool something_dies = std::ranges::any_of(
      writers, [&](const ExpectedWriter& each) { return dead_after(each, options).dead_s < layout.oldest_s; });
  if (something_dies) {
    // Those that may keep something from being purged; of levels about as many as the inputs meet in two of them.
    constexpr double met_in_levels = 24;
    const double met = layout.cut ? std::min(passes.live, met_in_levels) : passes.live;
    work.cohorts += n * passes.compactions * met * of_an_output;
  }
  const double cut_passes = passes.of_a_row - passes.in_level_0;
  const double times = 2 * passes.of_a_row;
  work.rows = n * (times * content.rows_one_by_one);
  if (by_token) work.rows = n * 2 * (cut_passes * content.rows + passes.in_level_0 * content.rows_one_by_one);
  const double in_intervals = std::max(0.0, content.rows - content.rows_one_by_one);
  double looks_at_a_row = 0;
  if (hashed) looks_at_a_row = by_token ? cut_passes : in_part ? passes.of_a_row - 1 : 0;
  // What is cut at a size is looked at whole where keys are hashed (split_by_size).
  const double most_looked_at =
      hashed && at_a_size ? std::numeric_limits<double>::infinity() : static_cast<double>(rows_worth_a_look);
  const SizeLooks for_sizes = looks_for_sizes(writers, content.rows, something_dies, most_looked_at, passes);
  // A flush is not cut at a size, but at the ends of shards.
  const double in_flushes = cut && !at_a_size ? 0 : for_sizes.in_flushes;
  const double in_outputs = cut ? std::min(for_sizes.in_outputs, passes.in_level_0) : for_sizes.in_outputs;
  const double of_sizes = in_flushes + in_outputs;
  looks_at_a_row = by_token ? looks_at_a_row + of_sizes : std::max(looks_at_a_row, of_sizes);
  work.looked_rows = n * in_intervals * looks_at_a_row;
  if (compacted.expires && asks_for_drop_times(options.compaction_options)) {
    const double live_minutes = std::min(elapsed_s, content.kept_s) / 60;
    const double minutes = pieces.seconds() / 60 / std::max(n, 1e-9);
    constexpr double asked = 0.2;  // most are merged before a fifth of them may be dropped
    // Cut by token, each SSTable has rows of all times.
    work.minutes =
        cut ? n * (passes.written + passes.read) * asked * std::min(content.rows * live / passes.live, live_minutes)
            : n * std::min(content.rows, minutes) * times;
  }
  if (filters) {
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
  const bool told = flushes_tell_all(scenario, table, writers);
  Layout seen = layout;
  if (told) seen.cut = false;
  const double in_cohorts = told ? 0 : passes.live * std::max(1.0, content.cohorts) * of_a_cut;
  const double rows_live = live * content.rows;
  double at_partitions = 0;
  double one_by_one = 0;
  for (const ExpectedWriter& each : writers) {
    const bool each_in_part = purged_in_part(each, options, layout);
    at_partitions += looks_at(each, piece, pieces.seconds(), each_in_part, seen);
    work.read_partitions += samples * looks_of_reads(scenario, each, piece, pieces.seconds(), each_in_part, layout);
    if (each.one_by_one) one_by_one += std::min(copies * each.most_keys, rows_held(each, piece, pieces.seconds()));
  }
  const double a_look =
      in_cohorts + at_partitions + one_by_one + content.writes_one_by_one + content.static_rows * live;
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
