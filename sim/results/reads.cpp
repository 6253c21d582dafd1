#include "sim/results/reads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

#include "sim/cluster/fault_record.h"
#include "sim/load/cluster_load.h"
#include "sim/record/node_runs.h"
#include "sim/record/read_recorder.h"
#include "sim/text/csv.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

using Percentiles = ReadSample::Spread;

struct ReadNumber {
  std::string_view name{};
  Percentiles ReadSample::*spread = nullptr;
};
constexpr std::array read_numbers = {
    ReadNumber{"partitions", &ReadSample::partitions}, ReadNumber{"sstables", &ReadSample::sstables},
    ReadNumber{"rows", &ReadSample::rows}, ReadNumber{"tombstones", &ReadSample::tombstones},
    ReadNumber{"bytes", &ReadSample::bytes}};

/// A read of tables of months asks several.
const std::string& table_name(const RunRecord& record, const ReadRecord& read) {
  const TableSpec& table = record.scenario->tables[static_cast<std::size_t>(read.spec->table)];
  return table.family.empty() ? table.name : table.family;
}

/// Nodes that something reaches at a time.
std::vector<bool> reached_at(const RunRecord& record, Micros at_us) {
  std::vector<bool> reached(static_cast<std::size_t>(record.load->nodes()), true);
  for (const OutageTime& outage : record.faults->outages) {
    if (outage.from_us <= at_us && at_us < outage.to_us) reached[static_cast<std::size_t>(outage.node)] = false;
  }
  return reached;
}

/// How many times as many reads a node answers as if every node were reached: the replicas that are share those of the
/// others; what fewer hold than a read waits for is not read. By the share of the ring that replica sets have.
double times_as_many(const ReplicaMap& replicas, const std::vector<bool>& reached, int node, int waited_for) {
  if (!reached[static_cast<std::size_t>(node)]) return 0;
  double answered = 0;
  double held = 0;
  for (std::size_t range = 0; range < replicas.ranges(); ++range) {
    const std::span<const int> of_range = replicas.replicas(range);
    if (std::ranges::find(of_range, node) == of_range.end()) continue;
    const auto live = std::ranges::count_if(of_range, [&](int one) { return reached[static_cast<std::size_t>(one)]; });
    const double share = replicas.share_of(range);
    held += share;
    if (live >= waited_for) answered += share * static_cast<double>(of_range.size()) / static_cast<double>(live);
  }
  return held > 0 ? answered / held : 1;
}

/// The same over a time.
double mean_times_as_many(const RunRecord& record, Micros begin_us, Micros end_us, int node, Consistency consistency) {
  if (!record.faults || begin_us >= end_us) return 1;
  std::set<Micros> cuts = {begin_us};
  for (const OutageTime& outage : record.faults->outages) {
    for (const Micros at_us : {outage.from_us, outage.to_us}) {
      if (begin_us < at_us && at_us < end_us) cuts.insert(at_us);
    }
  }
  const int waited_for = replicas_waited_for(consistency, record.scenario->data_centers);
  double sum = 0;
  for (auto cut = cuts.begin(); cut != cuts.end(); ++cut) {
    const std::vector<bool> reached = reached_at(record, *cut);
    const Micros until_us = std::next(cut) == cuts.end() ? end_us : *std::next(cut);
    const bool all = std::ranges::find(reached, false) == reached.end();
    const double times = all ? 1 : times_as_many(record.load->replicas(), reached, node, waited_for);
    sum += times * static_cast<double>(until_us - *cut);
  }
  return sum / static_cast<double>(end_us - begin_us);
}

/// The buckets that requests at a time ask for.
ClusterLoad::AskedBuckets asked_at(const RunRecord& record, const ReadRecord& read, const ReadSample& sample,
                                   Micros at_us) {
  const ReadSpec& spec = *read.spec;
  if (spec.latest_rows == 0)
    return {.from_us = at_us - spec.ago_us - spec.range_us, .to_us = at_us - spec.ago_us, .newest = 0};
  auto shards = static_cast<double>(spec.shards);
  if (spec.shards == 0) {
    const auto writer = std::ranges::find(record.scenario->writers, spec.stream, &WriterSpec::stream);
    shards = static_cast<double>(writer == record.scenario->writers.end() ? 1 : writer->shards);
  }
  const int waited_for = replicas_waited_for(spec.consistency, record.scenario->data_centers);
  const double buckets = sample.replicas / (waited_for * static_cast<double>(spec.entities) * shards);
  return {.from_us = 0, .to_us = at_us, .newest = buckets};
}

/// Of the replicas that a sample's requests wait for, the share that a node answers in an hour.
double share_in(const RunRecord& record, const ReadRecord& read, const ReadSample& sample, int hour, int node) {
  const Hours& hours = record.load->hours();
  const Micros middle_us = hours.begin_us(hour) + (hours.begin_us(hour + 1) - hours.begin_us(hour)) / 2;
  const ClusterLoad::AskedBuckets asked = asked_at(record, read, sample, middle_us);
  const bool latest = read.spec->latest_rows > 0;
  const ClusterLoad::AskedBuckets reference = latest ? asked : asked_at(record, read, sample, sample.at_us);
  return record.load->read_share(read.spec->stream, asked, reference, hour, node);
}

Json sample_json(const ReadSample& sample) {
  Json json;
  for (const ReadNumber& number : read_numbers) {
    const Percentiles& spread = sample.*number.spread;
    json[std::string(number.name)] = {{"p50", spread.p50}, {"p99", spread.p99}, {"max", spread.max}};
  }
  json["replicas"] = json_number(sample.replicas);
  json["nodes"] = json_number(sample.nodes);
  json["filter_false_positives"] = json_number(sample.false_positives);
  return json;
}

}  // namespace

void write_reads(const RunRecord& record, Sink& sink) {
  std::vector<std::string> names = {"at", "node", "read", "table"};
  for (const ReadNumber& number : read_numbers) {
    for (const char* part : {"_p50", "_p99", "_max"}) names.push_back(std::string(number.name) + part);
  }
  names.insert(names.end(), {"replicas", "filter_false_positives", "nodes"});
  CsvFile csv(sink, "reads.csv", std::vector<std::string_view>(names.begin(), names.end()));
  std::size_t samples = 0;
  for (const RunRecord* run : node_runs(record)) {
    for (const ReadRecord& read : run->reads) samples = std::max(samples, read.samples.size());
  }
  for (std::size_t i = 0; i < samples; ++i) {
    for (const RunRecord* run : node_runs(record)) {
      for (const ReadRecord& read : run->reads) {
        if (i >= read.samples.size()) continue;
        const ReadSample& sample = read.samples[i];
        csv.time(sample.at_us).number(std::int64_t{run->identity.node}).text(read.spec->name);
        csv.text(table_name(record, read));
        for (const ReadNumber& number : read_numbers) {
          const Percentiles& spread = sample.*number.spread;
          csv.number(spread.p50).number(spread.p99).number(spread.max);
        }
        csv.number(sample.replicas).number(sample.false_positives).number(sample.nodes);
        csv.end_row();
      }
    }
  }
  csv.close();
}

Json reads_json(const RunRecord& record) {
  Json json;
  for (const ReadRecord& read : record.reads) {
    Json of_read{{"stream", printable(read.spec->stream)},
                 {"table", printable(table_name(record, read))},
                 {"requests_per_s", json_number(read.spec->rate_per_s)}};
    of_read["worst"] = sample_json(read.worst);
    of_read["end"] = read.samples.empty() ? Json() : sample_json(read.samples.back());
    of_read["tombstones_warned"] = json_time(read.warned_us);
    of_read["tombstones_refused"] = json_time(read.refused_us);
    json[printable(read.spec->name)] = std::move(of_read);
  }
  return json;
}

std::optional<std::int64_t> reads_in_hour(const RunRecord& record, int hour, int node) {
  if (record.reads.empty()) return std::nullopt;
  const Hours& hours = record.load->hours();
  const Micros begin_us = hours.begin_us(hour);
  const double length_s = static_cast<double>(hours.begin_us(hour + 1) - begin_us) / 1e6;
  double reads = 0;
  for (const ReadRecord& read : record.reads) {
    // As at the last sample before.
    const auto after = std::ranges::upper_bound(read.samples, begin_us, {}, &ReadSample::at_us);
    if (read.samples.empty()) continue;
    const ReadSample& sample = after == read.samples.begin() ? *after : *std::prev(after);
    reads += read.spec->rate_per_s * length_s * sample.replicas * share_in(record, read, sample, hour, node) *
             mean_times_as_many(record, begin_us, hours.begin_us(hour + 1), node, read.spec->consistency);
  }
  return std::llround(reads);
}

}  // namespace windrow
