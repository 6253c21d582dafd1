#include "evidence/recordings/trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace windrow {
namespace {

using nlohmann::json;

template <class Value>
void read(const json& from, const char* name, Value& value) {
  from.at(name).get_to(value);
}

/// A field that only some strategies or modes write; null means nothing.
template <class Value>
void read_optional(const json& from, const char* name, std::optional<Value>& value) {
  const auto at = from.find(name);
  if (at != from.end() && !at->is_null()) value = at->get<Value>();
}

template <class Value>
void read_if_there(const json& from, const char* name, Value& value) {
  if (const auto at = from.find(name); at != from.end()) at->get_to(value);
}

void read_histogram(const json& from, const char* name,
                    std::vector<std::pair<std::optional<std::int64_t>, std::int64_t>>& histogram) {
  for (const json& bucket : from.at(name)) {
    std::optional<std::int64_t> offset;
    if (!bucket.at(0).is_null()) offset = bucket.at(0).get<std::int64_t>();
    histogram.emplace_back(offset, bucket.at(1).get<std::int64_t>());
  }
}

TraceSSTable read_sstable(const json& from) {
  TraceSSTable file;
  read(from, "id", file.id);
  read(from, "gen", file.generation);
  read(from, "hash", file.hash);
  read(from, "data_bytes", file.data_bytes);
  read(from, "uncompressed_bytes", file.uncompressed_bytes);
  read(from, "bytes_on_disk", file.bytes_on_disk);
  read(from, "partitions", file.partitions);
  read(from, "estimated_keys", file.estimated_keys);
  read(from, "informative", file.informative);
  read(from, "rows", file.rows);
  read(from, "cells_set", file.cells_set);
  read(from, "cells_estimate", file.cells_estimate);
  read(from, "min_timestamp", file.min_timestamp_us);
  read(from, "max_timestamp", file.max_timestamp_us);
  read(from, "min_ldt", file.min_local_deletion_time_s);
  read(from, "max_ldt", file.max_local_deletion_time_s);
  read(from, "min_ttl", file.min_ttl_s);
  read(from, "max_ttl", file.max_ttl_s);
  read(from, "level", file.level);
  read_if_there(from, "repaired_at", file.repaired_at_ms);
  read_if_there(from, "pending_repair", file.pending_repair);
  read(from, "first_token", file.first_token);
  read(from, "last_token", file.last_token);
  read(from, "created_ms", file.created_ms);
  read(from, "droppable_ratio_now", file.droppable_ratio_now);
  read(from, "drop_times", file.drop_times);
  read_histogram(from, "partition_sizes", file.partition_sizes);
  read_histogram(from, "cell_counts", file.cell_counts);
  read_optional(from, "stored_coverage", file.stored_coverage);
  read_optional(from, "span", file.span);
  read_optional(from, "density", file.density);
  return file;
}

std::vector<TraceSSTable> read_sstables(const json& from) {
  std::vector<TraceSSTable> files;
  for (const json& file : from.at("added")) files.push_back(read_sstable(file));
  return files;
}

TraceHeader read_header(const json& from) {
  TraceHeader header;
  read(from, "scenario", header.scenario);
  read(from, "engine", header.engine);
  read(from, "format", header.format);
  read(from, "compat", header.compat);
  read(from, "start", header.start_s);
  read(from, "end", header.end_s);
  read(from, "tick_s", header.tick_s);
  read(from, "ddl", header.ddl);
  return header;
}

TraceUnifiedLevel read_unified_level(const json& from) {
  TraceUnifiedLevel level;
  read(from, "index", level.index);
  read(from, "fanout", level.fanout);
  read(from, "threshold", level.threshold);
  read(from, "max_density", level.max_density);
  read(from, "overlap", level.overlap);
  read(from, "ids", level.ids);
  for (const json& bucket : from.at("buckets")) {
    read(bucket, "ids", level.buckets.emplace_back().ids);
    read(bucket, "overlap", level.buckets.back().overlap);
  }
  return level;
}

TracePick read_pick(const json& from) {
  TracePick pick;
  read(from, "t", pick.t_s);
  read(from, "pick", pick.pick);
  read(from, "gc_before", pick.gc_before_s);
  read(from, "strategy", pick.strategy);
  read(from, "task", pick.task);
  read(from, "type", pick.type);
  read(from, "kind", pick.kind);
  read(from, "inputs", pick.inputs);
  read(from, "expired", pick.expired);
  read(from, "live", pick.live);
  read_optional(from, "memtable_min_timestamp", pick.memtable_min_timestamp_us);
  read_if_there(from, "compacting", pick.compacting);
  read_if_there(from, "major", pick.major);
  read_optional(from, "commit_at", pick.commit_at_s);
  read_optional(from, "ratio", pick.ratio);
  read(from, "pending", pick.pending);
  read(from, "level", pick.level);
  read_if_there(from, "holder", pick.holder);
  read_if_there(from, "estimates", pick.estimates);
  read_optional(from, "highest_window_ms", pick.highest_window_ms);
  read_optional(from, "last_expired_check_ms", pick.last_expired_check_ms);
  read_optional(from, "max_sstable_bytes", pick.max_sstable_bytes);
  if (const auto ids = from.find("last_compacted"); ids != from.end()) {
    for (std::size_t level = 0; level < pick.last_compacted.size(); ++level) {
      if (!ids->at(level).is_null()) ids->at(level).get_to(pick.last_compacted[level]);
    }
  }
  read_if_there(from, "counters", pick.counters);
  read_optional(from, "flush_ema", pick.flush_average_bytes);
  read_optional(from, "flush_size", pick.flush_size_bytes);
  if (const auto levels = from.find("ucs_levels"); levels != from.end()) {
    for (const json& level : *levels) pick.unified_levels.push_back(read_unified_level(level));
  }
  return pick;
}

TraceCommit read_commit(const json& from) {
  TraceCommit commit;
  read(from, "t", commit.t_s);
  read(from, "pick", commit.pick);
  read(from, "removed", commit.removed);
  commit.added = read_sstables(from);
  read_optional(from, "live", commit.live);
  return commit;
}

TraceFlush read_flush(const json& from) {
  TraceFlush flush;
  read(from, "t", flush.t_s);
  read(from, "reason", flush.reason);
  flush.added = read_sstables(from);
  read_optional(from, "flush_ema", flush.flush_average_bytes);
  return flush;
}

TraceRepair read_repair(const json& from) {
  TraceRepair repair;
  read(from, "t", repair.t_s);
  read(from, "to", repair.to);
  read(from, "repaired_at", repair.repaired_at_ms);
  read(from, "files", repair.files);
  return repair;
}

TraceRepairFinished read_repair_finished(const json& from) {
  TraceRepairFinished finished;
  read(from, "t", finished.t_s);
  read(from, "session", finished.session);
  read(from, "to", finished.to);
  read(from, "repaired_at", finished.repaired_at_ms);
  read(from, "files", finished.files);
  read(from, "live", finished.live);
  return finished;
}

TraceMajor read_major(const json& from) {
  TraceMajor major;
  read(from, "t", major.t_s);
  read(from, "tasks", major.tasks);
  return major;
}

TraceSample read_sample(const json& from) {
  TraceSample sample;
  read(from, "t", sample.t_s);
  read(from, "live", sample.live);
  read(from, "live_bytes", sample.live_bytes);
  read(from, "live_bytes_on_disk", sample.live_bytes_on_disk);
  return sample;
}

TraceEnd read_end(const json& from) {
  TraceEnd end;
  read(from, "t", end.t_s);
  read(from, "rows", end.rows);
  read(from, "flushes", end.flushes);
  read(from, "picks", end.picks);
  read(from, "live", end.live);
  return end;
}

TraceEvent read_event(const std::string& event, const json& from) {
  if (event == "flush") return read_flush(from);
  if (event == "pick") return read_pick(from);
  if (event == "commit") return read_commit(from);
  if (event == "major") return read_major(from);
  if (event == "repair") return read_repair(from);
  if (event == "repair_finished") return read_repair_finished(from);
  if (event == "sample") return read_sample(from);
  if (event == "end") return read_end(from);
  if (event == "null_ticks") return TraceNullTicks{.count = from.at("count").get<std::int64_t>()};
  if (event == "alter") {
    return TraceAlter{.t_s = from.at("t").get<Seconds>(), .cql = from.at("cql").get<std::string>()};
  }
  if (event == "level_change") {
    return TraceLevelChange{.t_s = from.at("t").get<Seconds>(),
                            .id = from.at("id").get<std::int64_t>(),
                            .level = from.at("level").get<int>()};
  }
  throw TraceError("unknown event " + event);
}

}  // namespace

Trace parse_trace(std::string_view text) {
  Trace trace;
  bool has_header = false;
  std::size_t begin = 0;
  for (int line = 1; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view content = text.substr(begin, end - begin);
    begin = end + 1;
    if (content.find_first_not_of(" \r\t") == std::string_view::npos) continue;
    try {
      const json object = json::parse(content);
      const auto event = object.at("event").get<std::string>();
      if (event == "header") {
        trace.header = read_header(object);
        has_header = true;
      } else {
        trace.events.push_back(read_event(event, object));
      }
    } catch (const json::exception& error) {
      throw TraceError(fmt::format("trace line {}: {}", line, error.what()));
    }
  }
  if (!has_header) throw TraceError("a trace begins with its header");
  if (trace.events.empty() || !std::holds_alternative<TraceEnd>(trace.events.back()))
    throw TraceError("the trace does not end with its end event: it was cut off, or is still being recorded");
  return trace;
}

}  // namespace windrow
