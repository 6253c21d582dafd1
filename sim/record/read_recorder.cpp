#include "sim/record/read_recorder.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/record/partition_names.h"
#include "sim/scenario/scenario_workload.h"

namespace windrow {

namespace {

using Spread = ReadSample::Spread;

Spread spread_of(const WeightedCounts& counts, std::int64_t times = 1) {
  return {counts.percentile(50) * times, counts.percentile(99) * times, counts.max() * times};
}

void keep_largest(Spread& worst, const Spread& seen) {
  worst = {std::max(worst.p50, seen.p50), std::max(worst.p99, seen.p99), std::max(worst.max, seen.max)};
}

/// Of the ring, between the first and the last token that a file's cohorts admit.
double ring_share_of(const Content& content) {
  Token first = max_token;
  Token last = min_token;
  for (const Cohort& cohort : content.cohorts) {
    first = std::min(first, cohort.first_token);
    last = std::max(last, cohort.last_token);
  }
  if (content.keyed && !content.keyed->empty()) {
    first = std::min(first, content.keyed->front().token);
    last = std::max(last, content.keyed->back().token);
  }
  if (first > last) return 0;
  constexpr double ring = 18446744073709551616.0;
  return (static_cast<double>(last) - static_cast<double>(first)) / ring;
}

/// A table of a month is asked for that month, however much its stream has written of it.
void bound_by_month(const TableSpec& table, Micros at_us, ReadPart& part) {
  if (table.family.empty()) return;
  const BucketRule months = BucketRule::month();
  const std::int64_t month = months.number(floor_div(at_us, us_per_s));
  part.table_from_us = months.begin(month) * us_per_s;
  part.table_until_us = months.begin(month + 1) * us_per_s;
}

bool dropped(const Scenario& scenario, int table, Micros now_us) {
  return std::ranges::any_of(scenario.actions, [&](const ActionSpec& action) {
    const bool drops = action.kind == ActionSpec::Kind::drop && (action.table < 0 || action.table == table);
    return drops && action.at_us <= now_us;
  });
}

/// The table that a read asks first.
int newest_table(const Scenario& scenario, const ReadSpec& read, Micros now_us) {
  int newest = read.table;
  if (scenario.tables[static_cast<std::size_t>(read.table)].family.empty()) return newest;
  const BucketRule months = BucketRule::month();
  const std::int64_t begun = months.number((now_us - 1) / us_per_s) - months.number(scenario.start_us / us_per_s);
  const std::vector<int> tables = tables_asked(scenario, read, now_us);
  for (const int table : tables) newest = table - read.table <= begun ? table : newest;
  return newest;
}

/// What the node has of a writer of all nodes; null: nothing.
const Writer* of_node(const AskedTable& asked, const Writer& writer) {
  if (asked.whole == nullptr) return &writer;
  const auto& mine = asked.workload->writers();
  const auto found = std::ranges::find_if(mine, [&](const Writer& each) {
    return each.writes && each.spec == writer.spec && each.turn == writer.turn && each.rhythm.total() > 0;
  });
  return found != mine.end() ? &*found : nullptr;
}

std::optional<WholePart> whole_part(const AskedTable& asked, const Writer& writer) {
  if (asked.whole == nullptr) return std::nullopt;
  return WholePart{.workload = asked.whole,
                   .writer = &writer,
                   .default_ttl_s = asked.default_ttl_s,
                   .held = [held = asked.held](const Writer& of, std::int64_t label, std::int64_t shard)
                       -> const std::vector<char>& { return held->of(of, label, shard); },
                   .held_share = asked.held->share()};
}

/// All numbers of a round of buckets are one part.
void add_turn(const AskedTable& asked, const Writer& writer, const WriterSpec& spec, std::vector<ReadPart>& parts) {
  const auto round = std::ranges::find_if(
      parts, [&](const ReadPart& part) { return part.table == asked.read && !part.round.empty(); });
  const bool begins = round == parts.end();
  ReadPart& part = begins ? parts.emplace_back(ReadPart{.writer = &writer}) : *round;
  part.from_us = spec.from_us;
  part.until_us = spec.until_us;
  part.shards = spec.shards;
  part.table = asked.read;
  part.turns = spec.bucket;
  const auto numbers = static_cast<std::size_t>(spec.rolling_buckets);
  const auto number = static_cast<std::size_t>(writer.turn);
  part.round.resize(numbers);
  part.round[number] = of_node(asked, writer);
  if (begins) part.whole = whole_part(asked, writer);
  if (!part.whole) return;
  part.whole->round.resize(numbers);
  part.whole->round[number] = &writer;
}

}  // namespace

bool spares_unrepaired(const TableStore& table) {
  return common_options(table.settings().compaction).only_purge_repaired_tombstones;
}

std::vector<ReadSource> read_sources(const TableStore& table, const Content& memtable) {
  std::vector<ReadSource> sources;
  double row_bytes = 0;
  const double chance = table.settings().sstables.bloom_filter_fp_chance;
  for (const auto& [id, file] : table.sstables()) {
    const FileExtremes& extremes = file->extremes();
    if (extremes.rows > 0)
      row_bytes = static_cast<double>(extremes.uncompressed_bytes) / static_cast<double>(extremes.rows);
    sources.push_back({.content = &file->content(),
                       .max_timestamp_us = extremes.max_timestamp_us,
                       .row_bytes = row_bytes,
                       .ring_share = ring_share_of(file->content()),
                       .false_positive = chance});
    find_clusterings(table.space(), file->content(), sources.back());
    if (!spares_unrepaired(table)) continue;
    std::tie(sources.back().first_token, sources.back().last_token) = file->token_span();
    sources.back().min_deletion_s = extremes.min_local_deletion_time_s;
    sources.back().repaired = file->identity().repair.repaired_at_ms > 0;
  }
  // Rows in memory are taken to be as large as those of the newest file.
  sources.push_back({.content = &memtable, .memtable = true, .row_bytes = row_bytes, .false_positive = chance});
  if (spares_unrepaired(table)) sources.back().min_deletion_s = memtable_min_deletion(table.space(), memtable);
  return sources;
}

std::vector<std::vector<ReadPart>> read_classes(const Scenario& scenario, const TableWorkload& workload,
                                                const ReadSpec& read) {
  const AskedTable asked{.table = read.table, .workload = &workload};
  return read_classes(scenario, {&asked, 1}, read);
}

std::vector<std::vector<ReadPart>> read_classes(const Scenario& scenario, std::span<const AskedTable> tables,
                                                const ReadSpec& read) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<ReadPart>> classes;
  for (const AskedTable& asked : tables) {
    for (const Writer& writer : (asked.whole != nullptr ? asked.whole : asked.workload)->writers()) {
      const WriterSpec* spec = spec_of(scenario, asked.table, writer.spec);
      if (!writer.writes || spec == nullptr || spec->stream != read.stream || writer.rhythm.total() == 0) continue;
      std::vector<ReadPart>& parts = classes[{spec->first_entity, spec->entities}];
      if (writer.turn >= 0) {
        add_turn(asked, writer, *spec, parts);
        continue;
      }
      parts.push_back({.writer = of_node(asked, writer),
                       .from_us = spec->backfill ? spec->backfill->from_us : spec->from_us,
                       .until_us = spec->backfill ? spec->backfill->to_us : spec->until_us,
                       .shards = spec->shards,
                       .table = asked.read});
      bound_by_month(scenario.tables[static_cast<std::size_t>(asked.table)], spec->from_us, parts.back());
      parts.back().whole = whole_part(asked, writer);
    }
  }
  std::vector<std::vector<ReadPart>> all;
  for (auto& [entities, parts] : classes) {
    std::ranges::stable_sort(parts, {}, &ReadPart::from_us);
    all.push_back(std::move(parts));
  }
  return all;
}

TableWorkload whole_workload(const Scenario& scenario, int table) {
  std::set<std::string> streams;
  for (const ReadSpec& read : scenario.reads) streams.insert(read.stream);
  int group = 0;
  return scenario_workload(undivided(scenario), table, [&](Writer& writer, FateRule& fate) {
    const WriterSpec* spec = spec_of(scenario, table, writer.spec);
    if (!writer.writes || spec == nullptr || !streams.contains(spec->stream)) return false;
    fate.deletes.covering.clear();
    writer.key_group = group++;  // nothing of what rows of several writers do to each other is asked
    return true;
  });
}

std::vector<int> tables_asked(const Scenario& scenario, const ReadSpec& read, Micros now_us) {
  const std::string& family = scenario.tables[static_cast<std::size_t>(read.table)].family;
  std::vector<int> tables;
  for (int table = read.table; table < std::ssize(scenario.tables); ++table) {
    if (table > read.table && (family.empty() || scenario.tables[static_cast<std::size_t>(table)].family != family))
      break;
    if (!dropped(scenario, table, now_us)) tables.push_back(table);
  }
  return tables;
}

ReadRequest request_at(const ReadSpec& read, Micros start_us, Micros now_us, Seconds gc_before_s) {
  ReadRequest request{.now_s = now_us / us_per_s,
                      .gc_before_s = gc_before_s,
                      .latest_rows = read.latest_rows,
                      .newest_us = now_us - 1,  // what is written at this instant is not there yet
                      .start_known = read.start == ReadSpec::Start::known,
                      .shards = read.shards};
  request.to_us = now_us - read.ago_us;
  request.from_us = request.to_us - read.range_us;
  // A stream that loads history begins before the run; no table is older than this.
  constexpr Micros before_any_run = 100 * 365 * seconds_per_day * us_per_s;
  request.oldest_us = read.back_us > 0 ? now_us - read.back_us : start_us - before_any_run;
  return request;
}

ReadRecorder::ReadRecorder(const Scenario& scenario, int node, bool only_limits, LimitWatch& limits)
    : scenario_(scenario), node_(node), only_limits_(only_limits), limits_(limits) {
  for (const ReadSpec& read : scenario.reads) {
    records_.push_back({.spec = &read});
    fan_out_.emplace_back(scenario, read.consistency);
  }
}

bool ReadRecorder::wanted() const {
  return !only_limits_ || limits_.wants(limit_row("sstables_per_read_p99")) ||
         limits_.wants(limit_row("tombstones_per_read_p99"));
}

void ReadRecorder::sampled(const Node& node) {
  const bool away = std::ranges::any_of(scenario_.outages, [&](const OutageSpec& outage) {
    return outage.node == node_ && outage.from_us <= node.now_us() && node.now_us() < outage.from_us + outage.length_us;
  });
  if (away || !wanted()) return;
  std::map<int, Seen> seen;
  for (ReadRecord& record : records_) sample(node, record, seen);
  see_limits(node.now_us());
}

const ReadRecorder::Seen& ReadRecorder::look_at(const Node& node, int number, std::map<int, Seen>& seen) const {
  const auto [place, first] = seen.try_emplace(number);
  Seen& of_table = place->second;
  if (!first) return of_table;
  const TableStore& table = node.table(number);
  if (!table.memtable().empty()) of_table.memtable = table.memtable().content();
  of_table.sources = read_sources(table, of_table.memtable);
  of_table.table = {.space = &table.space(),
                    .sources = of_table.sources,
                    .gc_before_s = table.gc_before(node.now_s()),
                    .spares_unrepaired = spares_unrepaired(table)};
  return of_table;
}

const TableWorkload* ReadRecorder::whole_of(int table, const TableWorkload& of_node) {
  if (std::ranges::none_of(of_node.writers(), [](const Writer& writer) { return writer.node != nullptr; }))
    return nullptr;
  if (!held_) held_.emplace(*scenario_.ring, node_ - 1);
  const auto found = whole_.find(table);
  return found != whole_.end() ? &found->second
                               : &whole_.emplace(table, whole_workload(scenario_, table)).first->second;
}

void ReadRecorder::sample(const Node& node, ReadRecord& record, std::map<int, Seen>& seen) {
  const ReadSpec& read = *record.spec;
  const ReadRequest request = request_at(read, scenario_.start_us, node.now_us(), 0);
  std::vector<AskedTable> asked;
  for (const int table : tables_asked(scenario_, read, node.now_us())) {
    const Seen& of_table = look_at(node, table, seen);
    asked.push_back({.table = table,
                     .workload = &of_table.table.space->workload(),
                     .read = &of_table.table,
                     .whole = whole_of(table, of_table.table.space->workload()),
                     .default_ttl_s = node.table(table).settings().default_ttl_s});
    if (asked.back().whole != nullptr) asked.back().held = &*held_;
  }
  ReadCosts costs;
  for (const std::vector<ReadPart>& parts : read_classes(scenario_, asked, read)) add_read_costs(parts, request, costs);
  looked_at_ += static_cast<double>(costs.looked_at);
  looked_pieces_ += static_cast<double>(costs.looked_pieces);
  if (costs.sstables.total() == 0) return;
  const auto requests = static_cast<double>(std::max<std::int64_t>(1, costs.partitions.total()));
  const auto entities = static_cast<double>(read.entities);
  const int waited_for = replicas_waited_for(read.consistency, scenario_.data_centers);
  const ReadFanOut& fan_out = fan_out_[static_cast<std::size_t>(&record - records_.data())];
  double nodes = 0;
  costs.partitions.each([&](std::int64_t partitions, std::int64_t weight) {
    nodes += static_cast<double>(weight) / requests * fan_out.nodes(partitions * read.entities);
  });
  const ReadSample sample{.at_us = node.now_us(),
                          .partitions = spread_of(costs.partitions, read.entities),
                          .replicas = costs.partitions.mean() * entities * waited_for,
                          .nodes = nodes,
                          .sstables = spread_of(costs.sstables),
                          .rows = spread_of(costs.rows),
                          .tombstones = spread_of(costs.tombstones),
                          .bytes = spread_of(costs.bytes),
                          .false_positives = costs.false_positives / requests * entities};
  record.samples.push_back(sample);
  ReadSample& worst = record.worst;
  for (const auto member :
       {&ReadSample::partitions, &ReadSample::sstables, &ReadSample::rows, &ReadSample::tombstones, &ReadSample::bytes})
    keep_largest(worst.*member, sample.*member);
  worst.replicas = std::max(worst.replicas, sample.replicas);
  worst.nodes = std::max(worst.nodes, sample.nodes);
  worst.false_positives = std::max(worst.false_positives, sample.false_positives);
  if (sample.tombstones.max > ReadRecord::tombstone_warn_threshold && !record.warned_us)
    record.warned_us = sample.at_us;
  if (sample.tombstones.max > ReadRecord::tombstone_failure_threshold && !record.refused_us)
    record.refused_us = sample.at_us;
}

void ReadRecorder::see_limits(Micros now_us) {
  std::map<int, std::pair<std::int64_t, std::int64_t>> worst;  // by table: the dearest of its reads
  for (const ReadRecord& record : records_) {
    if (record.samples.empty() || record.samples.back().at_us != now_us) continue;
    auto& [sstables, tombstones] = worst[newest_table(scenario_, *record.spec, now_us)];
    sstables = std::max(sstables, record.samples.back().sstables.p99);
    tombstones = std::max(tombstones, record.samples.back().tombstones.p99);
  }
  for (const auto& [table, p99] : worst) {
    limits_.see(limit_row("sstables_per_read_p99"), table, static_cast<double>(p99.first), now_us);
    limits_.see(limit_row("tombstones_per_read_p99"), table, static_cast<double>(p99.second), now_us);
  }
}

}  // namespace windrow
