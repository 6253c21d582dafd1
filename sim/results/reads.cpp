#include "sim/results/reads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "sim/load/cluster_load.h"
#include "sim/record/node_runs.h"
#include "sim/text/csv.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

using Percentiles = ReadSample::Spread;

struct ReadNumber {
  std::string_view name{};
  Percentiles ReadSample::*spread = nullptr;
};
constexpr std::array numbers = {ReadNumber{"partitions", &ReadSample::partitions},
                                ReadNumber{"sstables", &ReadSample::sstables}, ReadNumber{"rows", &ReadSample::rows},
                                ReadNumber{"tombstones", &ReadSample::tombstones},
                                ReadNumber{"bytes", &ReadSample::bytes}};

Json sample_json(const ReadSample& sample) {
  Json json;
  for (const ReadNumber& number : numbers) {
    const Percentiles& spread = sample.*number.spread;
    json[std::string(number.name)] = {{"p50", spread.p50}, {"p99", spread.p99}, {"max", spread.max}};
  }
  json["replicas"] = json_number(sample.replicas);
  json["filter_false_positives"] = json_number(sample.false_positives);
  return json;
}

}  // namespace

void write_reads(const RunRecord& record, Sink& sink) {
  std::vector<std::string> names = {"at", "node", "read", "table"};
  for (const ReadNumber& number : numbers) {
    for (const char* part : {"_p50", "_p99", "_max"}) names.push_back(std::string(number.name) + part);
  }
  names.insert(names.end(), {"replicas", "filter_false_positives"});
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
        csv.text(record.scenario->tables[static_cast<std::size_t>(read.spec->table)].name);
        for (const ReadNumber& number : numbers) {
          const Percentiles& spread = sample.*number.spread;
          csv.number(spread.p50).number(spread.p99).number(spread.max);
        }
        csv.number(sample.replicas).number(sample.false_positives);
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
                 {"table", printable(record.scenario->tables[static_cast<std::size_t>(read.spec->table)].name)},
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
    reads +=
        read.spec->rate_per_s * length_s * sample.replicas * record.load->stream_share(read.spec->stream, hour, node);
  }
  return std::llround(reads);
}

}  // namespace windrow
