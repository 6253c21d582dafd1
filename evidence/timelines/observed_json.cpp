#include "evidence/timelines/observed_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace windrow {
namespace {

using Json = nlohmann::json;

Deletion deletion_of(const Json& json) {
  return {.timestamp_us = json.at("timestamp_us"), .local_deletion_time_s = json.at("ldt_s")};
}

KeyedCell cell_of(const Json& json, TextValues& values) {
  const std::string& state = json.at("state").get_ref<const std::string&>();
  KeyedCell cell{.column = column_number(json.at("name")),
                 .kind = state == "tombstone"  ? CellKind::tombstone
                         : state == "expiring" ? CellKind::expiring
                                               : CellKind::live,
                 .ttl_s = json.value("ttl_s", 0),
                 .timestamp_us = json.at("timestamp_us"),
                 .local_deletion_time_s = json.value("ldt_s", no_deletion_time)};
  if (cell.kind != CellKind::tombstone) cell.row_number = values.number(json.at("value"));
  return cell;
}

KeyedRow row_of(const Json& json, std::int64_t clustering, TextValues& values) {
  KeyedRow row{.clustering = clustering};
  if (json.at("state") == "row_tombstone") {
    row.deletion = deletion_of(json);
    return row;
  }
  if (json.contains("row_deletion")) row.deletion = deletion_of(json.at("row_deletion"));
  if (json.contains("timestamp_us")) {
    row.liveness = KeyedLiveness{.timestamp_us = json.at("timestamp_us"),
                                 .ttl_s = json.value("ttl_s", 0),
                                 .expiry_s = json.value("ldt_s", no_deletion_time)};
  }
  if (json.contains("cells")) {
    for (const Json& cell : json.at("cells")) row.cells.push_back(cell_of(cell, values));
    std::ranges::sort(row.cells, {}, &KeyedCell::column);
  }
  return row;
}

/// A bound of a range tombstone closes, opens or does both; `clustering` of its key is "INCL_START_BOUND(2)". Of ints a
/// range is whole: behind an exclusive start it begins at the next.
void take_bound(const Json& json, const std::string& state, std::string_view bound, KeyedPartition& partition) {
  const std::size_t open = bound.find('(');
  const std::size_t close = bound.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos)
    throw std::runtime_error(fmt::format("'{}' is no bound of a range", bound));
  const std::int64_t at = std::stoll(std::string(bound.substr(open + 1, close - open - 1)));
  const auto has = [&](std::string_view part) { return state.find(part) != std::string::npos; };
  if (has("end") && !partition.ranges.empty()) partition.ranges.back().to = has("incl_end") ? at + 1 : at;
  if (has("start"))
    partition.ranges.push_back({.from = has("incl_start") ? at : at + 1, .to = 0, .deletion = deletion_of(json)});
}

SeenFile file_of(const Json& json) {
  return {.id = json.at("sstable"),
          .min_timestamp_us = json.at("min_timestamp_us"),
          .max_timestamp_us = json.at("max_timestamp_us"),
          .min_local_deletion_time_s = json.at("min_ldt_s"),
          .max_local_deletion_time_s = json.at("max_ldt_s"),
          .repaired = json.at("repaired_at_ms").get<Millis>() > 0,
          .pending = json.at("pending_repair"),
          .rows = json.at("rows"),
          .first_token = json.at("first_token"),
          .last_token = json.at("last_token")};
}

}  // namespace

std::int16_t column_number(const std::string& name) {
  if (name == "v") return 0;
  if (name == "w") return 1;
  throw std::runtime_error(fmt::format("column '{}' is unknown; accepts v, w", name));
}

Observation read_observation(const Json& json, int node, const std::map<std::string, Token>& tokens,
                             TextValues& values) {
  Observation one{.after_step = json.at("after_step"), .node = node, .partition = {}, .files = {}, .local = {}};
  if (json.contains("partition")) one.partition = json.at("partition");
  if (json.contains("sstables")) {
    one.files.emplace();
    for (const Json& file : json.at("sstables")) one.files->push_back(file_of(file));
  }
  one.content = json.contains("local");
  if (!one.content) {
    one.memtable_rows = json.at("rows_in_memtable");
    return one;
  }
  for (const Json& entry : json.at("local")) {
    const std::string& key = entry.at("key").get_ref<const std::string&>();
    const std::size_t slash = std::min(key.find('/'), key.size());
    const auto token = tokens.find(key.substr(0, slash));
    if (token == tokens.end())
      throw std::runtime_error(fmt::format("a replica holds '{}', which is no known key", key));
    KeyedContent& content = one.local[entry.at("in")];
    if (content.empty() || content.back().token != token->second) content.push_back({.token = token->second});
    KeyedPartition& partition = content.back();
    const std::string& state = entry.at("state").get_ref<const std::string&>();
    const std::string_view clustering = std::string_view(key).substr(std::min(slash + 1, key.size()));
    if (state == "partition_tombstone") {
      partition.deletion = deletion_of(entry);
    } else if (state.starts_with("range_tombstone")) {
      take_bound(entry, state, clustering, partition);
    } else {
      partition.rows.push_back(row_of(entry, std::stoll(std::string(clustering)), values));
    }
  }
  return one;
}

}  // namespace windrow
