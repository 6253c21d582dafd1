#include "sim/cost/expected_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/cluster/cluster.h"
#include "sim/cost/passes.h"
#include "sim/cost/writes.h"
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

bool keys_are_hashed(const Scenario& scenario, const std::vector<ExpectedWriter>& writers) {
  double rows = 0;
  for (const ExpectedWriter& each : writers) {
    for (const double piece : each.rows) rows += piece * static_cast<double>(each.writer.rows_per_event);
  }
  return rows / 2 <= static_cast<double>(scenario.exact_partitions);
}

/// What a flush of a piece holds.
struct FlushContent {
  double cohorts = 0;
  double rows = 0;
  double rows_one_by_one = 0;
  double bytes = 0;
  double kept_s = 0;
};

FlushContent content_of(const std::vector<ExpectedWriter>& writers, std::size_t piece, double flushes) {
  FlushContent content;
  for (const ExpectedWriter& each : writers) {
    const double rows = each.rows[piece] / flushes;
    if (rows <= 0) continue;
    content.rows += rows * static_cast<double>(each.writer.rows_per_event);
    content.bytes += rows * each.row_data_bytes;
    content.kept_s = std::max(content.kept_s, each.kept_s);
    if (each.one_by_one) {
      content.rows_one_by_one += rows;
      continue;
    }
    double kinds = 0;
    for (const FateShare& share : each.fate.shares) kinds += share.deleted ? 2 : 1;
    content.cohorts += std::min(rows, kinds);
  }
  return content;
}

double sub_streams_of(const std::vector<ExpectedWriter>& writers) {
  double sum = 0;
  for (const ExpectedWriter& each : writers) {
    for (const FateShare& share : each.fate.shares) sum += share.deleted ? 2 : 1;
  }
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
  FlushContent content = content_of(writers, piece, std::max(n, 1e-9));
  if (n < 1e-9) content = {};
  if (n > 0 && n < 1) content = content_of(writers, piece, n);
  const double live = live_before(flushes, piece, n > 0 ? content.kept_s : INFINITY, pieces.seconds());
  Compacted compacted{.flush_bytes = content.bytes * scenario.tables[static_cast<std::size_t>(table)].compression_ratio,
                      .flushes_live = live,
                      .expires = std::isfinite(content.kept_s)};
  if (const auto* windows = std::get_if<TimeWindowOptions>(&options.compaction_options)) {
    const double window_s = static_cast<double>(windows->window_unit_s * windows->window_size);
    compacted.flushes_a_window = n * window_s / pieces.seconds();
  }
  const Passes passes = expected_passes(options.compaction_options, compacted);
  const double samples = pieces.seconds() * 1e6 / static_cast<double>(scenario.sample_us);
  const auto table_count = static_cast<double>(scenario.tables.size());
  const bool by_token = passes.cut_by_token && keys_are_hashed(scenario, writers);
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
  if (compacted.expires) work.minutes = n * std::min(content.rows, pieces.seconds() / 60 / std::max(n, 1e-9)) * times;
  work.samples = samples;
  work.live_sstables = samples * passes.live;
  work.reads = samples * static_cast<double>(scenario.reads.size()) / table_count;
  // What recorders may look at: TableRecorder's budget.
  constexpr double most_looks = 10.5e6 / Pieces::count;
  const double in_cohorts = passes.live * std::max(1.0, content.cohorts) * of_a_cut;
  work.looks = std::min(most_looks, samples * (in_cohorts + content.rows_one_by_one * live));
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
      double rows = 0;
      for (const double piece : each.rows) rows += piece;
      keys += std::min(rows, static_cast<double>(each.writer.most_slots()) * 1000);
    }
  }
  return std::min(keys * nodes, static_cast<double>(scenario.exact_placements));
}

}  // namespace

double ExpectedCost::share_after(double time) const {
  if (until.size() < 2 || steps() <= 0) return std::clamp(time, 0.0, 1.0);
  const double place = std::clamp(time, 0.0, 1.0) * static_cast<double>(until.size() - 1);
  const auto piece = std::min(static_cast<std::size_t>(place), until.size() - 2);
  const double inside = place - static_cast<double>(piece);
  return (until[piece] + (until[piece + 1] - until[piece]) * inside) / steps();
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
      if (!each.one_by_one) continue;
      for (const double rows : each.rows) table.rows_one_by_one += rows * cost.nodes;
    }
  }
  return cost;
}

}  // namespace windrow
