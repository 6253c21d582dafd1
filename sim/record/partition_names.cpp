#include "sim/record/partition_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/iso_week.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

/// Rows that a writer's partitions of one bucket got before a time, all slots together.
std::int64_t events_before(const ContentSpace& space, const Writer& writer, std::int64_t bucket, Micros at_us) {
  std::int64_t events = 0;
  for (const SubStream& sub : space.workload().sub_streams()) {
    if (&sub.writer() != &writer || sub.brings() != Brings::rows) continue;
    const std::int64_t arrived = sub.count_arrived_before(at_us / writer.unit_us);
    if (writer.bucket.single()) {
      events += arrived;
      continue;
    }
    const std::int64_t first = sub.count_before_bucket(bucket);
    events += std::clamp(arrived, first, std::max(first, sub.count_before_bucket(bucket + 1))) - first;
  }
  return events;
}

/// Its rows before the last `events` of its bucket, which its slots shared.
double rows_then(const Writer& writer, const LargestPartition& partition, std::int64_t events) {
  const double since = partition.pace * static_cast<double>(events * writer.rows_per_event) /
                       static_cast<double>(writer.slots(partition.bucket));
  return static_cast<double>(partition.rows) - since;
}

}  // namespace

std::string bucket_name(const BucketRule& rule, std::int64_t number) {
  const std::int64_t label = rule.label(number);
  if (rule.length() == 0) {
    return label < 10'000 ? fmt::format("{:04}", label) : fmt::format("{:04}-{:02}", label / 100, label % 100);
  }
  if (rule.iso_weeks()) {
    const IsoWeek week = iso_week(std::chrono::sys_days(std::chrono::days(label / seconds_per_day)));
    return fmt::format("{:04}-W{:02}", week.year, week.week);
  }
  const std::string time = iso_time_s(label);
  if (rule.length() % seconds_per_day == 0) return time.substr(0, 10);
  return rule.length() % 60 == 0 ? time.substr(0, 16) : time.substr(0, 19);
}

const WriterSpec* spec_of(const Scenario& scenario, int table, int writer) {
  for (const WriterSpec& spec : scenario.writers) {
    if (spec.table == table && writer-- == 0) return &spec;
  }
  return nullptr;
}

NamedPartition named_partition(const Scenario& scenario, int table, const TableWorkload& workload,
                               const LargestPartition& partition) {
  const Writer& writer = workload.writers()[static_cast<std::size_t>(partition.writer)];
  const WriterSpec* spec = spec_of(scenario, table, writer.spec);
  const auto [entity, shard] = writer.place_of(partition.slot, partition.bucket);
  NamedPartition named{.stream = spec != nullptr ? spec->stream : writer.name,
                       .rows = partition.rows,
                       .cells = partition.cells,
                       .bytes = partition.bytes};
  named.entity = spec != nullptr && spec->names ? spec->names->name(entity) : fmt::format("{}", entity);
  if (spec != nullptr ? spec->shards > 1 : writer.shards > 1) named.shard = shard;
  if (writer.turn >= 0) {
    named.has_bucket = named.bucket_returns = true;
    named.bucket = fmt::format("{}", writer.turn);
  }
  if (!writer.bucket.single()) {
    named.has_bucket = true;
    named.bucket = bucket_name(writer.bucket, partition.bucket);
    named.bucket_begin_us = writer.bucket.begin(partition.bucket) * us_per_s;
  }
  return named;
}

double new_partitions_per_day(const TableWorkload& workload, Micros start_us, Micros end_us) {
  double partitions = 0;
  for (const Writer& writer : workload.writers()) {
    std::int64_t total = 0;
    for (const SubStream& sub : workload.sub_streams()) {
      if (&sub.writer() == &writer && sub.brings() == Brings::rows) total += sub.rank(writer.rhythm.total());
    }
    if (writer.bucket.single() || total == 0 || !writer.writes) continue;
    const std::int64_t buckets = writer.bucket_of(writer.rhythm.total() - 1) - writer.bucket_of(0) + 1;
    const auto events_a_bucket = static_cast<double>(total) / static_cast<double>(buckets);
    partitions += std::min(static_cast<double>(writer.mean_slots()), events_a_bucket) * static_cast<double>(buckets);
  }
  const double days = static_cast<double>(end_us - start_us) / 1e6 / static_cast<double>(seconds_per_day);
  return days > 0 ? partitions / days : 0;
}

std::pair<Micros, Micros> written_span(const Scenario& scenario, int table, Micros now_us) {
  Micros from_us = now_us;
  Micros until_us = scenario.start_us;
  for (const WriterSpec& writer : scenario.writers) {
    if (writer.table != table || writer.rate.empty()) continue;
    from_us = std::min(from_us, std::max(writer.from_us, scenario.start_us));
    until_us = std::max(until_us, std::min(writer.until_us, now_us));
  }
  if (from_us >= until_us) return {scenario.start_us, now_us};
  return {from_us, until_us};
}

double rows_at(const ContentSpace& space, const LargestPartition& partition, Micros at_us, Micros now_us) {
  const Writer& writer = space.workload().writers()[static_cast<std::size_t>(partition.writer)];
  const std::int64_t now_events = events_before(space, writer, partition.bucket, now_us);
  return std::max(0.0,
                  rows_then(writer, partition, now_events - events_before(space, writer, partition.bucket, at_us)));
}

std::optional<Micros> first_above(const ContentSpace& space, const LargestPartition& partition, double rows,
                                  Micros after_us, Micros now_us) {
  if (static_cast<double>(partition.rows) <= rows) return std::nullopt;
  const Writer& writer = space.workload().writers()[static_cast<std::size_t>(partition.writer)];
  const std::int64_t now_events = events_before(space, writer, partition.bucket, now_us);
  const auto above = [&](Micros at_us) {
    return rows_then(writer, partition, now_events - events_before(space, writer, partition.bucket, at_us)) > rows;
  };
  if (above(after_us)) return after_us;
  Micros below_us = after_us;
  while (now_us - below_us > 1) {
    const Micros middle_us = below_us + (now_us - below_us) / 2;
    (above(middle_us) ? now_us : below_us) = middle_us;
  }
  return now_us;
}

}  // namespace windrow
