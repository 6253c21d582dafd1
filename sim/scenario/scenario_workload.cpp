#include "sim/scenario/scenario_workload.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/scenario/cluster_ring.h"
#include "sim/scenario/open_partitions.h"
#include "sim/scenario/overwritten_keys.h"
#include "sim/scenario/rolling_turns.h"
#include "sim/scenario/row_deletes.h"
#include "sim/strategy/strategy.h"

namespace windrow {

namespace {

constexpr std::int64_t most_keyed_rows = 20'000'000;

[[noreturn]] void not_modelled(const WriterSpec& spec, const char* what) {
  throw std::invalid_argument(fmt::format("stream {}: {} not modelled yet", spec.stream, what));
}

void refuse_what_is_not_modelled(const WriterSpec& spec) {
  for (const ColumnValue& column : spec.columns) {
    if (column.is_static && (column.collection || column.null))
      not_modelled(spec, "collections and nulls in static columns are");
    if (spec.op == WriteOp::overwrite && (column.collection || column.null))
      not_modelled(spec, "overwrites of collections and nulls are");
  }
}

/// Keys in turn, each its place among the rows of its partition: partition and place come around together.
std::int64_t places_of_keys(const WriterSpec& spec) {
  if (spec.overwrite.keys % (spec.entities * spec.shards) != 0)
    not_modelled(spec, "overwrites one by one of keys that are no multiple of the partitions are");
  return spec.overwrite.keys / spec.entities;
}

/// The part of a writer that one of several like nodes holds: whole partitions, each as large as in the cluster.
/// A class loses entities; one of the largest entities loses shards, and stays whole if it has only one.
WriterSpec on_one_node(WriterSpec spec, double share) {
  std::int64_t& count = spec.entities > 1 ? spec.entities : spec.shards;
  const std::int64_t kept = std::max<std::int64_t>(1, std::llround(static_cast<double>(count) * share));
  for (RateStretch& stretch : spec.rate) {
    const std::int64_t common = std::gcd(kept, count);
    stretch.rows *= kept / common;
    stretch.period_us *= count / common;
  }
  if (spec.backfill) spec.backfill->rows = mul_div_floor(spec.backfill->rows, kept, count);
  if (spec.op == WriteOp::overwrite)
    spec.overwrite.keys = std::max<std::int64_t>(1, mul_div_floor(spec.overwrite.keys, kept, count));
  count = kept;
  return spec;
}

Rhythm rhythm_of(const WriterSpec& spec, Micros run_end_us) {
  SIM_CHECK(!spec.rate.empty(), "a writer without a rate");
  const RateStretch& first = spec.rate.front();
  Rhythm rhythm(std::max(first.from_us, spec.from_us), first.period_us, first.rows, spec.spread);
  for (auto stretch = spec.rate.begin() + 1; stretch != spec.rate.end(); ++stretch) {
    rhythm.change_at(stretch->from_us, stretch->period_us, stretch->rows);
  }
  rhythm.stop_at(std::min(spec.until_us, run_end_us));
  return rhythm;
}

/// Times of the events that a backfill loads, as many as arrive.
Rhythm history_of(const Backfill& backfill, std::int64_t arriving) {
  const std::int64_t rows = std::max<std::int64_t>(1, backfill.rows);
  Rhythm rhythm(backfill.from_us, backfill.to_us - backfill.from_us, rows, true);
  rhythm.stop_at(std::max(backfill.to_us, rhythm.event(std::max<std::int64_t>(1, arriving) - 1) + 1));
  return rhythm;
}

/// A column's place as headers order them: simple ones first, then those of several cells (storage rule 1.6). A column
/// that the schema does not list keeps its own.
int header_place(const Table& table, const ColumnValue& column) {
  const auto columns = column.is_static ? table.static_columns() : table.regular_columns();
  const auto position = static_cast<std::size_t>(column.position);
  if (position >= columns.size()) return column.position;
  const bool complex = columns[position].type.is_multi_cell();
  int place = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool other_complex = columns[i].type.is_multi_cell();
    if (other_complex == complex ? i < position : complex) ++place;
  }
  return place;
}

/// A collection's keys have their mean size in every element.
ColumnWrite column_write_of(const ColumnValue& column, int place) {
  ColumnWrite write{.column = place,
                    .name_bytes = static_cast<std::int32_t>(column.column.size()),
                    .fixed_length = column.fixed_length,
                    .sizes = column.sizes_bytes,
                    .step = 1};
  write.null = column.null && !column.collection;
  if (!column.collection) return write;
  double key_bytes = 0;
  for (const std::int32_t size : column.element_key_sizes_bytes) key_bytes += size;
  const auto mean = std::llround(key_bytes / static_cast<double>(column.element_key_sizes_bytes.size()));
  write.elements =
      ElementsWrite{.count = column.elements, .whole = !column.append, .path_bytes = static_cast<std::int32_t>(mean)};
  return write;
}

Writer writer_of(const WriterSpec& spec, const Table& table, Micros run_end_us, int key_group, bool one_by_one) {
  refuse_what_is_not_modelled(spec);
  Writer writer;
  writer.name = spec.stream;
  writer.unit_us = 1;
  writer.rhythm = rhythm_of(spec, run_end_us);
  if (spec.backfill) {
    writer.arrivals = writer.rhythm;
    writer.rhythm = history_of(*spec.backfill, writer.arrivals->total());
  }
  writer.entities = spec.entities;
  writer.shards = spec.shards;
  writer.bucket = spec.bucket;
  writer.insert = spec.op != WriteOp::update;
  writer.writes = spec.op != WriteOp::remove;
  writer.rows_per_event = spec.rows_per_event;
  for (const ColumnValue& column : spec.columns) {
    const int place = header_place(table, column);
    if (column.is_static) {
      writer.statics.push_back(column_write_of(column, first_static_column + place));
    } else {
      writer.columns.push_back(column_write_of(column, place));
    }
  }
  std::ranges::sort(writer.columns, {}, &ColumnWrite::column);
  std::ranges::sort(writer.statics, {}, &ColumnWrite::column);
  writer.statics_once = spec.statics_once;
  writer.timestamp = spec.timestamp;
  writer.clustering = {
      .bytes = spec.clustering_bytes, .columns = static_cast<int>(spec.clustering.size()), .value_bytes = 0};
  for (const ClusteringSpec& column : spec.clustering) writer.clustering.value_bytes += column.size_bytes;
  writer.key_bytes = spec.key_bytes;
  writer.key_group = key_group;
  writer.keys = spec.keys;
  if (one_by_one) {
    writer.clustering.modulus = places_of_keys(spec);
  } else if (spec.op == WriteOp::overwrite) {
    writer.drawn_keys = spec.overwrite.keys;
    writer.drawn_in_turn = spec.overwrite.order == OverwriteRule::Order::cyclic;
    if (spec.overwrite.order == OverwriteRule::Order::zipf)
      writer.zipf = std::make_shared<const ZipfKeys>(spec.overwrite.keys, spec.overwrite.zipf_exponent);
    writer.key_is_partition = spec.clustering_bytes == 0;
  }
  return writer;
}

/// First and last second of the buckets that a writer's events fall into.
std::pair<Seconds, Seconds> reach_of(const WriterSpec& spec) {
  const Micros from_us = spec.backfill ? spec.backfill->from_us : spec.from_us;
  const Micros until_us = spec.backfill ? spec.backfill->to_us : spec.until_us;
  const BucketRule& rule = spec.bucket;
  return {rule.begin(rule.number(from_us / us_per_s)), rule.begin(rule.number((until_us - 1) / us_per_s) + 1)};
}

bool deletes_partitions(const WriterSpec& spec) {
  return spec.op == WriteOp::remove && spec.remove.kind == DeleteKind::partition;
}

bool deletes_ranges(const WriterSpec& spec) {
  return spec.op == WriteOp::remove && spec.remove.kind == DeleteKind::range;
}

/// Groups of entities whose writers meet in a partition: deletes of ranges with what they delete, those of partitions
/// too unless they lie `beside` rows (buckets that come back are never beside), and history with the present where they
/// share buckets.
std::set<int> groups_that_meet(const std::vector<WriterSpec>& specs, bool beside) {
  std::set<int> meeting;
  for (const WriterSpec& spec : specs) {
    const bool alone = deletes_partitions(spec) && beside && spec.rolling_buckets == 0;
    if (spec.op == WriteOp::remove && spec.remove.kind != DeleteKind::row && !alone) meeting.insert(spec.entity_group);
    if (!spec.backfill) continue;
    const auto mine = reach_of(spec);
    for (const WriterSpec& other : specs) {
      if (other.entity_group != spec.entity_group || other.backfill || other.op == WriteOp::remove) continue;
      const auto theirs = reach_of(other);
      if (mine.first < theirs.second && theirs.first < mine.second) meeting.insert(spec.entity_group);
    }
  }
  return meeting;
}

/// Deletes of partitions and ranges; those of times from which nothing is written are left out.
FateRule fate_of_deletes(const Writer& writer, const WriterSpec& deletes, const std::vector<WriterSpec>& specs,
                         Micros run_end_us) {
  Micros first_us = INT64_MAX;
  for (const WriterSpec& spec : specs) {
    if (spec.entity_group != deletes.entity_group || spec.op == WriteOp::remove) continue;
    first_us = std::min(first_us, spec.backfill ? spec.backfill->from_us : spec.from_us);
  }
  FateRule fate;
  fate.deletes.kind = deletes.remove.kind;
  fate.deletes.covering =
      deletes_by_event(writer, deletes.remove.kind, deletes.remove.age_us, first_us, run_end_us, most_keyed_rows);
  return fate;
}

std::string too_many_rows(const Scenario& scenario, const std::vector<WriterSpec>& specs, const std::set<int>& meeting,
                          const std::vector<int>& open) {
  std::set<std::string> streams;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (meeting.contains(specs[i].entity_group) || specs[i].op == WriteOp::remove || open[i] >= 0 ||
        overwrites_one_by_one(scenario, specs[i]))
      streams.insert(specs[i].stream);
  }
  return fmt::format(
      "{} {}: rows that deletes of partitions or ranges, deletes before late rows, history in the same buckets, or a "
      "change of sizes, TTL or shards within a bucket may meet, and keys that are overwritten and expire, come late or "
      "are cut by token, are held one by one, and these are more than {}; a "
      "shorter run or fewer entities, whole buckets of history, a change (`then`) between two buckets, or op = "
      "delete(row, age) with an age above the lateness",
      streams.size() == 1 ? "stream" : "streams", fmt::join(streams, ", "), most_keyed_rows);
}

/// Rows that are held one by one are one a write, and keep their keys.
void refuse_what_cannot_meet(const TableWorkload& workload) {
  for (std::size_t s = 0; s < workload.sub_streams().size(); ++s) {
    const Writer& writer = workload.sub_streams()[s].writer();
    if (!workload.keyed(static_cast<int>(s))) continue;
    const bool plain = std::ranges::none_of(
        writer.columns, [](const ColumnWrite& write) { return write.null || write.elements.has_value(); });
    if (writer.rows_per_event > 1 || writer.drawn_keys > 0 || !plain)
      throw std::invalid_argument(
          fmt::format("stream {}: its rows meet deletes or other rows and are held one by one; several rows a write, "
                      "overwrites, collections and nulls are not modelled there yet",
                      writer.name));
  }
}

}  // namespace

double node_share(const Scenario& scenario) {
  double most = 0;
  for (const DataCenter& center : scenario.data_centers) {
    const int copies = std::min(center.replication_factor, center.nodes);
    most = std::max(most, static_cast<double>(copies) / static_cast<double>(center.nodes));
  }
  return most;
}

Scenario undivided(const Scenario& scenario) {
  Scenario whole = scenario;
  whole.data_centers = {DataCenter{}};
  return whole;
}

namespace {

/// `beside`: deletes of partitions, and ranges where they are prefixes, are held beside rows, which stay intervals.
TableWorkload make_workload(const Scenario& scenario, int table, const OfNode& of_node, bool beside) {
  TableWorkload workload;
  const double share = node_share(scenario);
  std::vector<WriterSpec> specs;
  for (const WriterSpec& spec : scenario.writers) {
    if (spec.table == table) specs.push_back(spec);
  }
  const std::set<int> meeting = groups_that_meet(specs, beside);
  const std::vector<int> open = writers_of_open_partitions(specs);
  std::map<int, int> group_of_meeting;
  std::map<int, int> group_of_open;
  int key_groups = 0;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const WriterSpec& whole = specs[i];
    if (whole.op == WriteOp::remove && whole.remove.kind == DeleteKind::row) continue;
    int key_group = key_groups;
    if (meeting.contains(whole.entity_group))
      key_group = group_of_meeting.try_emplace(whole.entity_group, key_groups).first->second;
    else if (open[i] >= 0)
      key_group = group_of_open.try_emplace(open[i], key_groups).first->second;
    if (key_group == key_groups) ++key_groups;
    const bool row_by_row = (deletes_partitions(whole) && meeting.contains(whole.entity_group)) ||
                            (deletes_ranges(whole) && (!beside || whole.rolling_buckets > 0));
    const WriterSpec spec = share < 1 ? on_one_node(whole, share) : whole;
    const auto add = [&](const WriterSpec& part, std::int64_t turn) {
      Writer writer = writer_of(part, scenario.tables[static_cast<std::size_t>(table)].schema, scenario.end_us,
                                key_group, overwrites_one_by_one(scenario, part));
      writer.spec = static_cast<int>(i);
      writer.turn = turn;
      const LostMutations lost = lost_mutations(scenario);
      const bool deletes = spec.op == WriteOp::remove;
      FateRule fate = deletes ? fate_of_deletes(writer, spec, specs, scenario.end_us)
                              : fate_of(spec, row_deletes_of(whole, specs), lost);
      lose_some(fate.deletes.covering, lost);
      fate.deletes.row_by_row = row_by_row;
      if (of_node(writer, fate)) workload.add(std::move(writer), std::move(fate), scenario.end_us);
    };
    // Deletes find a bucket that comes back by its key.
    if (spec.rolling_buckets == 0 || spec.op == WriteOp::remove) {
      add(spec, -1);
      continue;
    }
    for (const RollingTurn& turn : rolling_turns(spec)) {
      if (!meeting.contains(spec.entity_group)) key_group = key_groups++;
      add(turn.writer, turn.number);
    }
  }
  try {
    workload.finish(most_keyed_rows);
  } catch (const std::length_error&) {
    throw std::length_error(too_many_rows(scenario, specs, meeting, open));
  }
  refuse_what_cannot_meet(workload);
  return workload;
}

/// True if each node holds every row, and nothing keeps some from it: else single rows are sent between nodes.
bool nodes_hold_alike(const Scenario& scenario) {
  if (!scenario.outages.empty() || !scenario.repairs.empty() || scenario.node.lost_mutations_ppm > 0) return false;
  if (!scenario.ring) return true;
  const Replication& replication = scenario.ring->replication;
  const std::vector<NodePlace>& places = scenario.ring->places;
  if (replication.strategy == Replication::Strategy::simple) return replication.factors.front() >= std::ssize(places);
  return std::ranges::all_of(places, [&](const NodePlace& place) {
    const auto nodes = std::ranges::count(places, place.datacenter, &NodePlace::datacenter);
    return replication.factors[static_cast<std::size_t>(place.datacenter)] >= nodes;
  });
}

/// A deletion knows the token of its partition: rows are intervals beside it where no tokens are expected ones.
bool deletes_lie_beside(const Scenario& scenario, int table) {
  const auto here = [&](const WriterSpec& spec) {
    return spec.table == table && (deletes_partitions(spec) || deletes_ranges(spec));
  };
  if (std::ranges::none_of(scenario.writers, here) || !nodes_hold_alike(scenario)) return false;
  const TableWorkload all = make_workload(
      scenario, table, [](const Writer&, const FateRule&) { return true; }, true);
  return !spread_on_lattice(all, options_ever(scenario, table), scenario.exact_partitions);
}

}  // namespace

TableWorkload scenario_workload(const Scenario& scenario, int table) {
  return scenario_workload(scenario, table, [](const Writer&, const FateRule&) { return true; });
}

TableWorkload scenario_workload(const Scenario& scenario, int table, const OfNode& of_node) {
  return make_workload(scenario, table, of_node, deletes_lie_beside(scenario, table));
}

bool cuts_by_token(const TableOptions& options) {
  return make_strategy(options.compaction_options)->output_cut() != OutputCut::none;
}

bool cut_by_token(const Scenario& scenario, int table) {
  return cuts_by_token(scenario.tables[static_cast<std::size_t>(table)].schema.options) ||
         std::ranges::any_of(scenario.changes, [&](const ChangeSpec& change) {
           return change.table == table && cuts_by_token(change.after.options);
         });
}

namespace {

/// Partitions of all writers, each in the buckets that it fills in the last `kept_s(sub-stream)` seconds.
template <typename Kept>
std::int64_t partitions_of(const TableWorkload& workload, const Kept& kept_s) {
  std::vector<std::int64_t> partitions(workload.writers().size(), 0);
  for (const SubStream& sub : workload.sub_streams()) {
    const Writer& writer = sub.writer();
    const std::int64_t rows = sub.rank(writer.rhythm.total());
    if (rows == 0 || sub.brings() != Brings::rows) continue;
    const Seconds until_s = writer.event_s(sub.row(rows - 1));
    const Seconds from_s = std::max(writer.event_s(sub.row(0)), until_s - kept_s(sub));
    const std::int64_t buckets = writer.bucket.number(until_s) - writer.bucket.number(from_s) + 1;
    const auto most = static_cast<double>(buckets) * static_cast<double>(writer.mean_slots());
    std::int64_t& of_writer = partitions[static_cast<std::size_t>(writer.index)];
    of_writer = std::max(of_writer, std::min(rows, static_cast<std::int64_t>(std::min(most, 1e18))));
  }
  return std::accumulate(partitions.begin(), partitions.end(), std::int64_t{0});
}

constexpr Seconds for_ever = INT64_MAX / 4;

}  // namespace

std::int64_t most_partitions_alive(const TableWorkload& workload, const TableOptions& options) {
  return partitions_of(workload, [&](const SubStream& sub) {
    const Seconds ttl_s = sub.ttl_s(options.default_time_to_live);
    return ttl_s > 0 ? ttl_s + options.gc_grace_seconds : for_ever;
  });
}

std::int64_t partitions_written(const TableWorkload& workload) {
  return partitions_of(workload, [](const SubStream&) { return for_ever; });
}

bool spread_on_lattice(const TableWorkload& workload, std::span<const TableOptions> ever,
                       std::int64_t exact_partitions) {
  constexpr Rows rows_a_partition_cut = 2;  // what is cut partition by partition is looked at row by row
  if (!std::ranges::any_of(ever, cuts_by_token)) return partitions_written(workload) > exact_partitions;
  return most_partitions_alive(workload, ever.front()) > exact_partitions ||
         rows_written(workload) / rows_a_partition_cut > exact_partitions;
}

std::vector<TableOptions> options_ever(const Scenario& scenario, int table) {
  std::vector<TableOptions> ever{scenario.tables[static_cast<std::size_t>(table)].schema.options};
  for (const ChangeSpec& change : scenario.changes) {
    if (change.table == table) ever.push_back(change.after.options);
  }
  return ever;
}

Rows rows_written(const TableWorkload& workload) {
  Rows rows = 0;
  for (const SubStream& sub : workload.sub_streams()) {
    if (sub.brings() == Brings::rows) rows += sub.rank(sub.writer().rhythm.total()) * sub.writer().rows_per_event;
  }
  return rows;
}

}  // namespace windrow
