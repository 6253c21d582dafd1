#include <fmt/format.h>

#include <algorithm>

#include "sim/base/nearest.h"
#include "sim/resolve/resolve_operators.h"
#include "sim/resolve/resolve_tables.h"
#include "sim/resolve/stream_family.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

/// Whether rows are looked for by time: the first clustering column holds it.
bool by_time(const WriterSpec& writer) {
  return !writer.clustering.empty() && (writer.clustering.front().source == ClusteringSpec::Source::time ||
                                        writer.clustering.front().source == ClusteringSpec::Source::start);
}

void check_stream(const Setting<ReferredName>& said, const ReadSpec& read, const Scenario& scenario) {
  bool writes = false;
  for (const WriterSpec& writer : scenario.writers) {
    if (writer.stream != read.stream || writer.op == WriteOp::remove) continue;
    writes = true;
    if (!by_time(writer)) {
      refuse(said, "is a stream whose rows do not lie in order of time",
             "a stream of a table whose first clustering column holds the time of the row");
    }
  }
  if (!writes) refuse(said, "is a stream without partitions: it only deletes", "a stream that writes rows");
}

/// The partitions that a reader asks for in each bucket.
std::int64_t shards_asked(const ReadSection& section, const ReadSpec& read, const StreamSection& stream,
                          const Table& table) {
  std::vector<std::string> names;
  for (const Column& each : table.partition_key()) names.push_back(each.name);
  std::int64_t asked = 0;
  std::int64_t others = 1;  // of columns that are not probed
  for (const std::string& name : names) {
    const auto rule = stream.column.find(name);
    if (rule == stream.column.end() || section.probe.contains(name)) continue;
    const ColumnRule& of_all = rule->second->parts.front().value;
    if (of_all.kind == ColumnRule::Kind::shard || of_all.kind == ColumnRule::Kind::each) others *= of_all.count;
  }
  for (const auto& [column, values] : section.probe) {
    if (std::ranges::find(names, column) == names.end()) {
      refuse(values, fmt::format("speaks of `{}`, which is no column of the partition key of {}", column, table.name),
             {}, std::string(nearest_name(column, names)));
    }
    const auto rule = stream.column.find(column);
    const bool several =
        rule != stream.column.end() && (rule->second->parts.front().value.kind == ColumnRule::Kind::shard ||
                                        rule->second->parts.front().value.kind == ColumnRule::Kind::each);
    if (!several) {
      refuse(values,
             fmt::format("speaks of `{}`, into which {} does not write shard(n) or each(n)", column, read.stream),
             "a column with several values for each entity and bucket");
    }
    asked = (asked == 0 ? others : asked) * values->count;
  }
  return asked;
}

/// What is read for the rows that were found: each in a partition of its own, the newest of which stands for all.
ReadSpec fetch_of(const ReadSpec& found, const ReadSection& section, const ScenarioText& text,
                  const Scenario& scenario) {
  if (found.latest_rows == 0)
    refuse(section.fetch, "needs to know how many rows are found", "`latest = ROWS` beside it");
  const StreamSection& stream = text.streams[find_stream(text.streams, section.fetch)].section;
  ReadSpec fetch{.name = found.name + "-fetch", .stream = section.fetch->name};
  if (fetch.stream == found.stream)
    refuse(section.fetch, "leads back to the stream that is read", "another stream than `of`");
  fetch.table = find_table(scenario.tables, stream.table->name, stream.table);
  check_stream(section.fetch, fetch, scenario);
  fetch.latest_rows = 1;
  fetch.back_us = 1;  // a row is asked for by its key: in one bucket
  fetch.shards = 1;
  fetch.entities = found.entities * found.latest_rows;
  fetch.consistency = found.consistency;
  fetch.rate_per_s = found.rate_per_s;
  return fetch;
}

}  // namespace

std::vector<ReadSpec> resolve_reads(const ScenarioText& text, const Scenario& scenario) {
  std::vector<ReadSpec> reads;
  for (const auto& [name, place, section] : text.reads) {
    ReadSpec read = section.values;
    read.name = name;
    read.stream = section.of->name;
    const StreamSection& stream = text.streams[find_stream(text.streams, section.of)].section;
    const bool latest = section.setting("latest").present();
    if (latest == section.setting("range").present())
      refuse_missing(place, "read." + name + ".latest", "either `latest = ROWS` or `range = TIME`");
    for (const char* key : {"back", "start"}) {
      if (!latest && section.setting(key).present())
        refuse(section.setting(key), "is of `latest`", "no such line beside `range`");
    }
    if (latest && section.setting("ago").present())
      refuse(section.setting("ago"), "is of `range`", "no such line beside `latest`");
    if (read.start == ReadSpec::Start::unknown && read.back_us == 0)
      refuse_missing(place, "read." + name + ".back", "`back = TIME`: who does not know the start must stop somewhere");
    read.table = find_table(scenario.tables, stream.table->name, stream.table);
    check_stream(section.of, read, scenario);
    for (const auto& [column, values] : section.probe) read.probes.emplace_back(column, values->count);
    read.shards = shards_asked(section, read, stream, scenario.tables[static_cast<std::size_t>(read.table)].schema);
    reads.push_back(read);
    if (section.fetch.present()) reads.push_back(fetch_of(read, section, text, scenario));
  }
  return reads;
}

}  // namespace windrow
