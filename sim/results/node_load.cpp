#include "sim/results/node_load.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "sim/record/node_runs.h"
#include "sim/record/partition_names.h"
#include "sim/results/reads.h"
#include "sim/results/understood.h"
#include "sim/text/csv.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 14> load_columns = {
    "at",        "dc",     "node",   "writes", "write_bytes", "reads",    "compacted_bytes",
    "over_mean", "stream", "entity", "bucket", "shard",       "replicas", "day_writes"};
constexpr std::array<std::string_view, 11> node_columns = {
    "dc", "node", "quantity", "at", "value", "over_mean", "stream", "entity", "bucket", "shard", "replicas"};

void put_cause(const RunRecord& record, int hour, int node, CsvFile& csv) {
  const std::optional<NamedCause> cause = named_cause(record, hour, node);
  if (!cause) {
    csv.empty().empty().empty().empty().empty();
    return;
  }
  csv.text(cause->stream).text(cause->entity).text(cause->bucket).number_or_empty(cause->shard);
  csv.word(nodes_text(cause->replicas));
}

/// Of hours [from, to) the one with the most rows.
int worst_hour(const ClusterLoad& load, int node, int from, int to) {
  int worst = from;
  for (int hour = from + 1; hour < to; ++hour) {
    if (load.rows()(hour, node) > load.rows()(worst, node)) worst = hour;
  }
  return worst;
}

struct PeakRow {
  std::string_view quantity{};
  int hour = 0;
  std::int64_t value = 0;
};

void put_peak(const RunRecord& record, int node, const PeakRow& peak, CsvFile& csv) {
  const ClusterLoad& load = *record.load;
  csv.text(center_name(record, node)).number(std::int64_t{node} + 1).word(peak.quantity);
  csv.time(load.hours().begin_us(peak.hour)).number(peak.value).number_or_empty(load.over_mean(peak.hour, node));
  put_cause(record, peak.hour, node, csv);
  csv.end_row();
}

/// The hour in which a node answers the most reads, and how far that is above the mean node.
void put_reads(const RunRecord& record, int node, CsvFile& csv) {
  const ClusterLoad& load = *record.load;
  int most = 0;
  std::int64_t value = -1;
  for (int hour = 0; hour < load.hours().count(); ++hour) {
    const std::int64_t reads = *reads_in_hour(record, hour, node);
    if (reads > value) {
      most = hour;
      value = reads;
    }
  }
  double all = 0;
  for (int other = 0; other < load.nodes(); ++other) all += static_cast<double>(*reads_in_hour(record, most, other));
  csv.text(center_name(record, node)).number(std::int64_t{node} + 1).word("reads").time(load.hours().begin_us(most));
  csv.number(value).number_or_empty(all > 0 ? std::optional(static_cast<double>(value) * load.nodes() / all)
                                            : std::nullopt);
  csv.empty().empty().empty().empty().empty().end_row();
}

/// The most that lay on a node's disk, of runs of several nodes.
void put_disk(const RunRecord& record, int node, CsvFile& csv) {
  const RunRecord& run = run_of_node(record, node + 1);
  const double mean = node_mean(record, [](const RunRecord& one) { return one.disk.value; });
  csv.text(center_name(record, node)).number(std::int64_t{node} + 1).word("disk_bytes").time(run.disk.at_us);
  csv.number(static_cast<std::int64_t>(run.disk.value))
      .number_or_empty(mean > 0 ? std::optional(run.disk.value / mean) : std::nullopt);
  csv.empty().empty().empty().empty().empty().end_row();
}

}  // namespace

const std::string& center_name(const RunRecord& record, int node) {
  const int center = record.load->place(node).datacenter;
  return record.scenario->data_centers[static_cast<std::size_t>(center)].name;
}

std::string rack_name(const NodePlace& place) { return fmt::format("rack{}", place.rack + 1); }

std::string nodes_text(const std::vector<int>& nodes) { return fmt::format("{}", fmt::join(nodes, "+")); }

std::optional<NamedCause> named_cause(const RunRecord& record, int hour, int node) {
  const std::optional<ClusterLoad::Cause> cause = record.load->cause(hour, node);
  if (!cause) return std::nullopt;
  NamedCause named{.stream = cause->spec->stream};
  if (!cause->partition) {
    const double per_s = cause->spec->rows_per_s() / static_cast<double>(cause->spec->entities);
    named.entity =
        fmt::format("{} of {} rows/s each", number_of(cause->spec->entities, "entity", "entities"), human_count(per_s));
    return named;
  }
  const Writer& writer = *cause->writer;
  const std::int64_t entity = cause->partition->slot % writer.entities;
  named.entity = cause->spec->names ? cause->spec->names->name(entity) : fmt::format("{}", entity);
  if (writer.turn >= 0) named.bucket = fmt::format("{}", writer.turn);
  if (!writer.bucket.single()) named.bucket = bucket_name(writer.bucket, cause->partition->bucket);
  if (writer.shards > 1) named.shard = cause->partition->slot / writer.entities;
  for (const int replica : record.load->replicas().set(cause->partition->set)) named.replicas.push_back(replica + 1);
  return named;
}

Bytes write_bytes(const RunRecord& record, int hour, int node) {
  double bytes = 0;
  for (std::size_t table = 0; table < record.tables.size(); ++table) {
    bytes += static_cast<double>(record.load->rows(static_cast<int>(table))(hour, node)) *
             understood(record.tables[table]).bytes_per_row;
  }
  return std::llround(bytes);
}

HottestNode hottest_node(const ClusterLoad& load, int datacenter) {
  HottestNode hottest;
  for (int node = 0; node < load.nodes(); ++node) {
    if (load.place(node).datacenter != datacenter) continue;
    const ClusterLoad::NodeNumbers numbers = load.numbers(node);
    const bool earlier = numbers.max_over_mean == hottest.over_mean && numbers.worst_hour < hottest.hour;
    if (numbers.max_over_mean > hottest.over_mean || earlier)
      hottest = {.node = node, .hour = numbers.worst_hour, .over_mean = numbers.max_over_mean};
  }
  return hottest;
}

HottestNode hottest_node(const ClusterLoad& load) {
  HottestNode hottest;
  for (int center = 0, node = 0; node < load.nodes(); ++node) {
    if (node > 0 && load.place(node).datacenter == center) continue;
    center = load.place(node).datacenter;
    const HottestNode one = hottest_node(load, center);
    if (one.over_mean > hottest.over_mean) hottest = one;
  }
  return hottest;
}

void write_load(const RunRecord& record, Sink& sink) {
  const ClusterLoad& load = *record.load;
  const auto day_of = [&](int hour) { return floor_div(load.hours().first() + hour, 24); };
  CsvFile csv(sink, "load.csv", load_columns);
  for (int begin = 0, end = 0; begin < load.hours().count(); begin = end) {
    for (end = begin; end < load.hours().count() && day_of(end) == day_of(begin);) ++end;
    const auto put = [&](int hour, int node) {
      csv.time(load.hours().begin_us(hour)).text(center_name(record, node)).number(std::int64_t{node} + 1);
      csv.number(load.rows()(hour, node)).number(write_bytes(record, hour, node));
      csv.number_or_empty(reads_in_hour(record, hour, node)).empty();
      csv.number_or_empty(load.over_mean(hour, node));
      put_cause(record, hour, node, csv);
      csv.number(load.rows().col(node).segment(begin, end - begin).sum()).end_row();
    };
    if (!record.every_hour) {
      for (int node = 0; node < load.nodes(); ++node) put(worst_hour(load, node, begin, end), node);
      continue;
    }
    for (int hour = begin; hour < end; ++hour) {
      for (int node = 0; node < load.nodes(); ++node) put(hour, node);
    }
  }
  csv.close();
}

void write_nodes(const RunRecord& record, Sink& sink) {
  const ClusterLoad& load = *record.load;
  CsvFile csv(sink, "nodes.csv", node_columns);
  for (int node = 0; node < load.nodes(); ++node) {
    const ClusterLoad::NodeNumbers numbers = load.numbers(node);
    put_peak(record, node, {"writes", numbers.max_hour, load.rows()(numbers.max_hour, node)}, csv);
    PeakRow bytes{"write_bytes", 0, -1};
    for (int hour = 0; hour < load.hours().count(); ++hour) {
      const Bytes written = write_bytes(record, hour, node);
      if (written > bytes.value) bytes = {"write_bytes", hour, written};
    }
    put_peak(record, node, bytes, csv);
    put_peak(record, node, {"writes_over_mean", numbers.worst_hour, load.rows()(numbers.worst_hour, node)}, csv);
    if (!record.reads.empty()) put_reads(record, node, csv);
    if (!record.others.empty()) put_disk(record, node, csv);
  }
  csv.close();
}

}  // namespace windrow
