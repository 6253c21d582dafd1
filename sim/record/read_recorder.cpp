#include "sim/record/read_recorder.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/record/partition_names.h"

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

/// Rows of the mean entity with events in [from, to), from all nodes.
double rows_between(const WriterSpec& spec, Micros from_us, Micros to_us) {
  const auto entities = static_cast<double>(spec.entities);
  if (spec.backfill) {
    const Backfill& all = *spec.backfill;
    const Micros length_us = std::min(to_us, all.to_us) - std::max(from_us, all.from_us);
    if (length_us <= 0) return 0;
    const auto whole_us = static_cast<double>(all.to_us - all.from_us);
    return static_cast<double>(all.rows) * static_cast<double>(length_us) / whole_us / entities;
  }
  from_us = std::max(from_us, spec.from_us);
  to_us = std::min(to_us, spec.until_us);
  double events = 0;
  auto stretch = std::ranges::upper_bound(spec.rate, from_us, {}, &RateStretch::from_us);
  if (stretch != spec.rate.begin()) --stretch;
  for (; stretch != spec.rate.end() && stretch->from_us < to_us; ++stretch) {
    const Micros begin_us = std::max(from_us, stretch->from_us);
    const Micros end_us = std::next(stretch) == spec.rate.end() ? to_us : std::min(to_us, std::next(stretch)->from_us);
    if (begin_us >= end_us) continue;
    const auto until = [&](Micros at_us) {
      const auto times = static_cast<double>(at_us - stretch->from_us) / static_cast<double>(stretch->period_us);
      return (spec.spread ? times : std::ceil(times)) * static_cast<double>(stretch->rows);
    };
    events += until(end_us) - until(begin_us);
  }
  return events * static_cast<double>(spec.rows_per_event) / entities;
}

/// The same, of those that have arrived and not expired.
std::function<double(Micros, Micros)> live_rows_of(const AskedTable& asked, const WriterSpec& spec) {
  return [now_us = asked.now_us, default_ttl_s = asked.default_ttl_s, &spec](Micros from_us, Micros to_us) {
    double rows = 0;
    for (const TtlShare& share : spec.ttl) {
      const Seconds ttl_s = share.ttl_s < 0 ? default_ttl_s : share.ttl_s;
      double late = 1;
      const auto add = [&](double part, Micros delay_us) {
        const Micros oldest_us = ttl_s > 0 ? (now_us / us_per_s - ttl_s + 1) * us_per_s - delay_us : from_us;
        const Micros newest_us = std::min(to_us, now_us - delay_us);
        rows += part * static_cast<double>(share.share_ppm) / ppm *
                rows_between(spec, std::max(from_us, oldest_us), newest_us);
        late -= part;
      };
      for (const LateShare& each : spec.late)
        add(static_cast<double>(each.share_ppm) / ppm, spec.delay_us + each.delay_us);
      if (late > 0) add(late, spec.delay_us);
    }
    return rows;
  };
}

/// All numbers of a round of buckets are one part.
void add_turn(const AskedTable& asked, const Writer& writer, const WriterSpec& spec, std::vector<ReadPart>& parts) {
  const auto round = std::ranges::find_if(
      parts, [&](const ReadPart& part) { return part.table == asked.read && !part.round.empty(); });
  ReadPart& part = round != parts.end() ? *round : parts.emplace_back(ReadPart{.writer = &writer});
  part.from_us = spec.from_us;
  part.until_us = spec.until_us;
  part.shards = spec.shards;
  part.table = asked.read;
  part.turns = spec.bucket;
  part.round.resize(static_cast<std::size_t>(spec.rolling_buckets));
  part.round[static_cast<std::size_t>(writer.turn)] = &writer;
  if (writer.node != nullptr) part.live_rows = live_rows_of(asked, spec);
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
    for (const Writer& writer : asked.workload->writers()) {
      const WriterSpec* spec = spec_of(scenario, asked.table, writer.spec);
      if (!writer.writes || spec == nullptr || spec->stream != read.stream || writer.rhythm.total() == 0) continue;
      std::vector<ReadPart>& parts = classes[{spec->first_entity, spec->entities}];
      if (writer.turn >= 0) {
        add_turn(asked, writer, *spec, parts);
        continue;
      }
      parts.push_back({.writer = &writer,
                       .from_us = spec->backfill ? spec->backfill->from_us : spec->from_us,
                       .until_us = spec->backfill ? spec->backfill->to_us : spec->until_us,
                       .shards = spec->shards,
                       .table = asked.read});
      bound_by_month(scenario.tables[static_cast<std::size_t>(asked.table)], spec->from_us, parts.back());
      if (writer.node != nullptr) parts.back().live_rows = live_rows_of(asked, *spec);
    }
  }
  std::vector<std::vector<ReadPart>> all;
  for (auto& [entities, parts] : classes) {
    std::ranges::stable_sort(parts, {}, &ReadPart::from_us);
    all.push_back(std::move(parts));
  }
  return all;
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

void ReadRecorder::sample(const Node& node, ReadRecord& record, std::map<int, Seen>& seen) {
  const ReadSpec& read = *record.spec;
  const ReadRequest request = request_at(read, scenario_.start_us, node.now_us(), 0);
  std::vector<AskedTable> asked;
  for (const int table : tables_asked(scenario_, read, node.now_us())) {
    const Seen& of_table = look_at(node, table, seen);
    asked.push_back({.table = table,
                     .workload = &of_table.table.space->workload(),
                     .read = &of_table.table,
                     .now_us = node.now_us(),
                     .default_ttl_s = node.table(table).settings().default_ttl_s});
  }
  ReadCosts costs;
  for (const std::vector<ReadPart>& parts : read_classes(scenario_, asked, read)) add_read_costs(parts, request, costs);
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
