#include "sim/cost/expected_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/cluster/cluster.h"
#include "sim/cost/backlog.h"
#include "sim/cost/flush_content.h"
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

double sub_streams_of(const std::vector<ExpectedWriter>& writers) {
  double sum = 0;
  for (const ExpectedWriter& each : writers) sum += kinds_of(each);
  return sum;
}

/// As a flush walks over them.
double walked_sub_streams(const std::vector<ExpectedWriter>& writers, bool keys_choose_nodes) {
  const bool own = keys_choose_nodes || (!writers.empty() && writers.front().writer.turn >= 0);
  return sub_streams_of(writers) * (own ? sub_streams_of_own_rows : 1);
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

/// Partitions of a piece whose keys have not been hashed before it: those that are sketched, and all of a bucket that
/// has rows which are held one by one (TokenIndex).
double new_partitions(const std::vector<ExpectedWriter>& writers, std::size_t piece, double run_s, bool sketched) {
  double sum = 0;
  for (const ExpectedWriter& each : writers) {
    if (each.all_rows <= 0 || !(sketched || each.one_by_one)) continue;
    const double seconds = run_s * seconds_of_history(each.writer);
    const double places = static_cast<double>(each.writer.most_slots()) * buckets_in(each, seconds);
    sum += (each.one_by_one ? places : std::min(each.all_rows, places)) * each.rows[piece] / each.all_rows;
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

bool merges(const CompactionOptions& options) {
  return common_options(options).enabled && !std::holds_alternative<NoCompactionOptions>(options);
}

/// Some of its nodes hold rows that others do not.
bool nodes_differ(const DataCenter& center) { return center.nodes > center.replication_factor; }

bool some_nodes_differ(const Scenario& scenario) {
  return scenario.ring != nullptr && std::ranges::any_of(scenario.data_centers, nodes_differ);
}

/// A node has those rows whose keys hash to it.
bool keys_choose_nodes(const Scenario& scenario) {
  return scenario.ring != nullptr && std::ranges::any_of(scenario.data_centers, [](const DataCenter& center) {
           return center.placement == DataCenter::Placement::hashed && nodes_differ(center);
         });
}

struct Piece {
  Work work{};
  std::string_view strategy{};
  double sstables = 0;
};

/// One table in one piece of the run, on one node, before what its compactions can do in time is known.
struct TablePiece {
  std::size_t piece = 0;
  const std::vector<ExpectedWriter>* writers = nullptr;
  const TableOptions* options = nullptr;
  const std::vector<double>* flushes = nullptr;  // of all pieces
  std::size_t last = 0;                          // piece in which something was written
  double flushes_then = 1;
  FlushContent content{};
  double copies = 1;  // of a key, in several SSTables
  double live = 1;    // flushes whose rows are there
  double window_s = std::numeric_limits<double>::infinity();
  Compacted compacted{};
  Passes passes{};

  double flushed() const { return (*flushes)[piece]; }
};

/// How often, from one flush to the next, an SSTable is rewritten by itself though nothing of it may go: with
/// unchecked_tombstone_compaction each tombstone_compaction_interval, if more SSTables than buckets have droppable
/// tombstones (AbstractCompactionStrategy.worthDroppingTombstones, Cassandra 5.0.9).
double fruitless_rewrites(const TablePiece& one, const TableOptions& options, const Pieces& pieces) {
  const CommonCompactionOptions& common = common_options(options.compaction_options);
  if (!common.enabled || !common.unchecked_tombstone_compaction || !asks_for_drop_times(options.compaction_options))
    return 0;
  const double elapsed_s = pieces.seconds() * static_cast<double>(one.piece + 1);
  double droppable_s = std::numeric_limits<double>::infinity();
  for (const ExpectedWriter& each : *one.writers) {
    if (buckets_in(each, elapsed_s * seconds_of_history(each.writer)) < one.passes.live)
      droppable_s = std::min(droppable_s, dead_after(each, options).droppable_s);
  }
  if (!(droppable_s < elapsed_s)) return 0;
  constexpr double a_check_s = 60;
  const double every_s = std::max(a_check_s, static_cast<double>(common.tombstone_compaction_interval_s));
  return (1 - droppable_s / elapsed_s) * pieces.seconds() / one.flushes_then / every_s;
}

TablePiece table_piece(const Scenario& scenario, int table, const std::vector<ExpectedWriter>& writers,
                       const std::vector<double>& flushes, std::size_t piece, const Pieces& pieces) {
  const TableOptions& options = options_at(scenario, table, pieces.at(static_cast<int>(piece)));
  TablePiece one{.piece = piece, .writers = &writers, .options = &options, .flushes = &flushes, .last = piece};
  // Where nothing is written there lies what was written last.
  while (one.last > 0 && flushes[one.last] <= 0) --one.last;
  if (flushes[one.last] > 0) one.flushes_then = flushes[one.last];
  one.content = content_of(writers, one.last, one.flushes_then, pieces.seconds());
  const double all_live = live_before(flushes, piece, one.content.kept_s, pieces.seconds());
  // SSTables of several tiers may each have all keys.
  const bool at_a_size = std::holds_alternative<LeveledOptions>(options.compaction_options);
  one.copies = !merges(options.compaction_options) ? all_live : at_a_size ? 1 : 4;
  one.live = std::min(all_live, one.copies * flushes_that_differ(writers, one.last, one.flushes_then, all_live));
  const double compression_ratio = scenario.tables[static_cast<std::size_t>(table)].compression_ratio;
  double readable_s = 0;
  for (const ExpectedWriter& each : writers) readable_s = std::max(readable_s, each.expires_s);
  one.compacted = {.flush_bytes = one.content.bytes * compression_ratio,
                   .lasting_bytes = one.content.lasting_bytes * compression_ratio,
                   .flushes_live = std::max(one.live, flushes_held(writers, piece, one.content, pieces.seconds())),
                   .flushes_readable = readable_s / pieces.seconds() * one.flushes_then,
                   .expires = std::isfinite(one.content.kept_s)};
  if (const auto* windows = std::get_if<TimeWindowOptions>(&options.compaction_options)) {
    one.window_s = static_cast<double>(windows->window_unit_s * windows->window_size);
    one.compacted.flushes_a_window = one.flushes_then * one.window_s / pieces.seconds();
  }
  one.passes = expected_passes(options.compaction_options, one.compacted);
  add_rewrites(one.passes, fruitless_rewrites(one, options, pieces), one.compacted);
  return one;
}

/// The same, with what its compactions can do.
Piece piece_of(const Scenario& scenario, int table, const TablePiece& one, const Pieces& pieces,
               double all_sub_streams) {
  const std::vector<ExpectedWriter>& writers = *one.writers;
  const TableOptions& options = *one.options;
  const FlushContent& content = one.content;
  const Passes& passes = one.passes;
  const std::size_t piece = one.piece;
  const double n = one.flushed();
  const double elapsed_s = pieces.seconds() * static_cast<double>(piece + 1);
  const bool at_a_size = std::holds_alternative<LeveledOptions>(options.compaction_options);
  const auto* windows = std::get_if<TimeWindowOptions>(&options.compaction_options);
  // Of those that wait to be compacted for the first time each lies by itself.
  const double waiting = std::min(passes.waiting, one.compacted.flushes_live * std::max(1.0, passes.written));
  const double flushed =
      std::accumulate(one.flushes->begin(), one.flushes->begin() + static_cast<std::ptrdiff_t>(piece) + 1, 0.0);
  const double live_sstables = (passes.live + waiting) * std::min(1.0, flushed);
  double samples = pieces.seconds() * 1e6 / static_cast<double>(scenario.sample_us);
  if (piece + 1 == Pieces::count) samples += std::ceil(Pieces::count * samples) - Pieces::count * samples;  // the last
  const auto table_count = static_cast<double>(scenario.tables.size());
  const bool hashed = keys_are_hashed(scenario, writers, passes.cut_by_token);
  const bool filters = hashed && filters_are_kept(scenario, table, writers);
  const bool cut = passes.cut_by_token && passes.several;
  const bool by_token = cut && hashed;
  const double flushes_of_output = std::max(1.0, (passes.of_a_row - 1) / std::max(passes.written - 1, 1e-9));
  const double oldest_s = std::min(elapsed_s, content.kept_s);
  Layout layout{.live = passes.live,
                .waiting = waiting,
                .flushes = one.live,
                .flushes_of_run = std::max(1.0, std::accumulate(one.flushes->begin(), one.flushes->end(), 0.0)),
                .a_flush_s = pieces.seconds() / one.flushes_then,
                .cut = cut,
                .hashed = hashed};
  layout.oldest_s = windows == nullptr || windows->tombstone_compactions ? oldest_s : std::min(oldest_s, one.window_s);
  // An SSTable of a level has rows of all times.
  layout.an_output_s =
      layout.cut && at_a_size ? layout.oldest_s : std::min(layout.oldest_s, flushes_of_output * layout.a_flush_s);
  const CommonCompactionOptions& common = common_options(options.compaction_options);
  layout.spares_unrepaired = common.only_purge_repaired_tombstones;
  layout.purges = (!hashed || filters) && merges(options.compaction_options) &&
                  flushed >= least_inputs(options.compaction_options) &&
                  (!layout.spares_unrepaired || !scenario.repairs.empty()) &&
                  leave_older_ones(options, writers, one.compacted);
  const bool in_part =
      std::ranges::any_of(writers, [&](const ExpectedWriter& each) { return purged_in_part(each, options, layout); });
  const double of_a_cut = cut ? cohorts_of_a_cut : 1;
  Piece result{.strategy = strategy_name(options.compaction_options), .sstables = n * passes.written};
  Work& work = result.work;
  work.events = n * (1 + passes.compactions);
  work.tables = work.events * table_count;
  work.sub_streams = n * all_sub_streams;
  work.sstables = n * passes.written;
  work.ordered = n * passes.written * ones_that_make_room(live_sstables);
  const Output output = output_of(writers, one.last, one.flushes_then, flushes_of_output, options, layout);
  const double rows_of_an_output = content.rows * passes.of_a_row / std::max(1.0, passes.written);
  const double between_borders =
      cohorts_between_borders(writers, one.compacted.flushes_live, rows_of_an_output, options, layout);
  const double of_an_output = std::max(of_a_cut * std::max(content.cohorts, output.cohorts), between_borders);
  work.cohorts = n * (content.cohorts * of_a_cut + of_an_output * (passes.written - 1 + passes.read));
  work.sets = n * (passes.written - 1 + passes.read) * output.set_words;
  if (by_token) {
    double of_an_sstable = 0;
    for (const ExpectedWriter& each : writers)
      of_an_sstable += parts_of_output(each, piece, pieces.seconds(), layout.an_output_s);
    work.parts = n * (passes.written - 1 + passes.read) * of_an_sstable;
  }
  const double waited_s = std::min(elapsed_s, waiting * layout.a_flush_s);  // what waits is not purged
  const bool something_dies = std::ranges::any_of(writers, [&](const ExpectedWriter& each) {
    return dead_after(each, options).dead_s < std::max(layout.oldest_s, waited_s);
  });
  if (something_dies) {
    // Those that may keep something from being purged; of levels about as many as the inputs meet in two of them.
    constexpr double met_in_levels = 24;
    const double most_met = between_borders > 0 ? passes.live / 2 : met_in_levels;  // level 0 meets all others
    const double met = layout.cut ? std::min(passes.live, most_met) : passes.live;
    const double of_a_met = cohorts_for_being_met + of_an_output / (layout.cut_on_lattice() ? cohorts_met_as_one : 1);
    const double of_one_waiting = cohorts_for_being_met + content.cohorts * of_a_cut;
    work.met_cohorts = n * passes.compactions * (met * of_a_met + waiting * of_one_waiting);
    if (layout.cut_on_lattice()) work.purged_cohorts = n * passes.read * of_an_output;
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
  const double for_tombstones = looks_for_tombstones(options.compaction_options, scenario.node.format, passes);
  const double of_sizes = in_flushes + in_outputs + (something_dies ? for_tombstones : 0);
  looks_at_a_row = by_token ? looks_at_a_row + of_sizes : std::max(looks_at_a_row, of_sizes);
  // Beside rows that are held one by one what is cut at a size is looked at row by row (split_by_size).
  const bool beside_others = content.rows_one_by_one > 0 || (hashed && content.static_rows > 0);
  if (at_a_size && beside_others) looks_at_a_row = std::max(looks_at_a_row, passes.of_a_row - 1);
  work.looked_rows = n * in_intervals * looks_at_a_row;
  const bool rows_die = std::ranges::any_of(writers, [&](const ExpectedWriter& each) {
    return std::ranges::any_of(each.fate.shares,
                               [&](const FateShare& share) { return share.deleted || ttl_of(share, options) > 0; });
  });
  if (rows_die && asks_for_drop_times(options.compaction_options)) {
    const double live_minutes = std::min(elapsed_s, content.kept_s) / 60;
    const double minutes = pieces.seconds() / 60 / std::max(n, 1e-9);
    // Cut by token, each SSTable has rows of all times.
    const double of_one =
        cut ? std::min(content.rows * one.live / passes.live, live_minutes) : std::min(content.rows, minutes);
    const double asked = n * (cut ? (passes.written + passes.read) * asked_for_drop_times : times);
    work.minutes = asked * of_one * static_cast<double>(writers.size());
    if (keys_choose_nodes(scenario)) work.minutes *= minutes_of_own_rows;
    work.parts += asked * parts_for_drop_times(writers, 60 * of_one);
  }
  if (filters) {
    // A partition that several inputs have is one of the output.
    const double a_compaction = partitions_read(writers, elapsed_s, passes.read / std::max(passes.compactions, 1e-9));
    work.partitions = n * std::min(content.partitions * passes.of_a_row, passes.compactions * a_compaction);
  }
  work.sketched = new_partitions(writers, piece, pieces.seconds() * Pieces::count, filters);
  work.samples = samples;
  work.live_sstables = samples * live_sstables;
  work.reads = samples * static_cast<double>(scenario.reads.size()) / table_count;
  // What recorders may look at: TableRecorder's budget.
  constexpr double most_looks = 10.5e6 / Pieces::count;
  const bool told = flushes_tell_all(scenario, table, writers);
  Layout seen = layout;
  if (told || flushed < 1) seen.cut = false;
  const double in_cohorts = told ? 0 : live_sstables * std::max(1.0, content.cohorts) * of_a_cut;
  const double rows_live = one.live * content.rows;
  double at_partitions = 0;
  double one_by_one = 0;
  for (const ExpectedWriter& each : writers) {
    const bool each_in_part = purged_in_part(each, options, layout);
    at_partitions += looks_at(each, piece, pieces.seconds(), each_in_part, seen);
    const bool some_dead = dead_after(each, options).dead_s < oldest_s;
    const ReadLooks reads = looks_of_reads(scenario, each, piece, pieces.seconds(), each_in_part, some_dead, layout);
    work.read_partitions += samples * reads.partitions;
    work.read_pieces += samples * reads.pieces;
    if (each.one_by_one) one_by_one += std::min(one.copies * each.most_keys, rows_held(each, piece, pieces.seconds()));
  }
  // Rows that are held one by one are looked at as partitions and, while some of them die, as files (TableCensus).
  const double at_rows = (something_dies ? 2 : 1) * one_by_one;
  const double a_look =
      in_cohorts + at_partitions + at_rows + content.writes_one_by_one + content.static_rows * one.live;
  constexpr double least_looks = 8.0 / Pieces::count;  // WorkBudget::least_looks
  work.looks = std::max(std::min(most_looks, samples * a_look), std::min(samples, least_looks) * a_look);
  const bool dropped = std::ranges::any_of(scenario.actions, [&](const ActionSpec& action) {
    return action.kind == ActionSpec::Kind::drop && action.table == table &&
           action.at_us <= pieces.at(static_cast<int>(piece));
  });
  if (piece + 1 == Pieces::count) work.looks += looks_at_the_end * live_sstables * std::max(1.0, content.cohorts);
  if (dropped) work.looks = work.live_sstables = 0;
  add_repairs(scenario, table, pieces, piece, n * content.rows, rows_live, work);
  return result;
}

double nodes_played(const Scenario& scenario) {
  const bool differ = (has_faults(scenario) && scenario.ring) || keys_choose_nodes(scenario);
  return differ ? node_count(scenario.data_centers) : 1;
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
  const bool placed = nodes > 1 || some_nodes_differ(scenario);
  double keys = 0;
  double measured = 0;  // of different lengths, on each node (TokenIndex::lengths_from)
  for (const std::vector<ExpectedWriter>& writers : tables) {
    for (const ExpectedWriter& each : writers) {
      const double seconds = static_cast<double>(scenario.end_us - scenario.start_us) / 1e6;
      const auto slots = static_cast<double>(each.writer.most_slots());
      if (placed) keys += std::min(each.all_rows, slots * buckets_in(each, seconds));
      if (each.writer.keys->constant_length() == 0) measured += slots * nodes;
    }
  }
  return std::min(keys, static_cast<double>(scenario.exact_placements)) + measured;
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
  const bool chosen = keys_choose_nodes(scenario);
  for (int t = 0; t < std::ssize(scenario.tables); ++t) {
    tables.push_back(expected_writers(scenario, t, pieces));
    sub_streams += walked_sub_streams(tables.back(), chosen);
  }
  const std::vector<std::vector<double>> flushes = expected_flushes(scenario, tables, pieces);
  ExpectedCost cost{.nodes = nodes_played(scenario), .stops = stops_of(scenario)};
  cost.work.keys = keys_to_hash(scenario, tables, cost.nodes);
  cost.until.push_back(steps_of(cost.work));
  for (int t = 0; t < std::ssize(scenario.tables); ++t) cost.tables.push_back({.table = t});
  Backlog backlog(scenario.node, scenario.tables.size());
  for (std::size_t piece = 0; piece < Pieces::count; ++piece) {
    cost.work.stops += cost.stops * cost.nodes / Pieces::count;
    std::vector<TablePiece> ones;
    std::vector<Backlog::Asked> asked;
    for (const TableCost& table : cost.tables) {
      const auto t = static_cast<std::size_t>(table.table);
      ones.push_back(table_piece(scenario, table.table, tables[t], flushes[t], piece, pieces));
      const TablePiece& one = ones.back();
      asked.push_back({one.flushed(), one.compacted.flush_bytes, one.compacted.flushes_live, one.passes});
    }
    const std::vector<Passes> done = backlog.next(asked, pieces.seconds());
    for (TableCost& table : cost.tables) {
      TablePiece& one = ones[static_cast<std::size_t>(table.table)];
      one.passes = done[static_cast<std::size_t>(table.table)];
      const Piece its = piece_of(scenario, table.table, one, pieces, sub_streams);
      table.flushes += one.flushed() * cost.nodes;
      table.sstables += its.sstables * cost.nodes;
      table.strategy = its.strategy;
      table.work += its.work * cost.nodes;
      cost.work += its.work * cost.nodes;
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
