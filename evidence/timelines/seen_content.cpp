#include "evidence/timelines/seen_content.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/replica/difference.h"

namespace windrow {
namespace {

constexpr Seconds no_deletion_int = 2147483647;  // as earlier formats write "never"

SeenState state_of(const RepairStatus& status) {
  switch (holder_of(status).kind) {
    case HolderKey::Kind::pending:
      return SeenState::pending;
    case HolderKey::Kind::repaired:
      return SeenState::repaired;
    case HolderKey::Kind::unrepaired:
      break;
  }
  return SeenState::unrepaired;
}

SeenState state_of(const SeenFile& file) {
  if (file.pending) return SeenState::pending;
  return file.repaired ? SeenState::repaired : SeenState::unrepaired;
}

KeyedContent memtable_of(const Replica& replica) {
  KeyedContent content;
  for (const auto& [token, partition] : replica.memtable()) content.push_back(partition);
  return content;
}

using Inputs = std::array<std::vector<const KeyedContent*>, seen_states>;

ContentByState merged_by_state(const Inputs& inputs, const CompareValues& values) {
  ContentByState all;
  for (std::size_t state = 0; state < seen_states; ++state) all[state] = merge_keyed(inputs[state], values);
  return all;
}

std::string time_text(Seconds at) {
  return at >= no_deletion_int && at > 4'000'000'000 ? "never" : fmt::format("{}", at);
}

std::string text(const Deletion& deletion) {
  return fmt::format("deleted @{} at {}", deletion.timestamp_us, deletion.local_deletion_time_s);
}

std::string text(const KeyedRow& row, const TextValues& values) {
  std::string all;
  const auto add = [&](const std::string& part) { all += (all.empty() ? "" : "; ") + part; };
  if (row.deletion) add(text(*row.deletion));
  if (row.liveness) add(fmt::format("row @{} until {}", row.liveness->timestamp_us, time_text(row.liveness->expiry_s)));
  for (const KeyedCell& cell : row.cells) {
    const std::string name = cell.column == 0 ? "v" : "w";
    if (cell.kind == CellKind::tombstone) {
      add(fmt::format("{} deleted @{} at {}", name, cell.timestamp_us, cell.local_deletion_time_s));
    } else {
      add(fmt::format("{}='{}' @{} until {}", name, values.text(cell.row_number), cell.timestamp_us,
                      time_text(cell.local_deletion_time_s)));
    }
  }
  return all.empty() ? "nothing" : all;
}

std::string text(const std::vector<KeyedRange>& ranges) {
  std::string all;
  for (const KeyedRange& range : ranges) {
    all += fmt::format("{}[{}, {}) {}", all.empty() ? "" : "; ", range.from, range.to, text(range.deletion));
  }
  return all.empty() ? "nothing" : all;
}

ContentDifference difference_of(const KeyedPartition& expected, const KeyedPartition& ours, const TimelineCase& of,
                                const CompareValues& values) {
  std::string key = fmt::format("token {}", expected.token);
  for (const auto& [name, token] : of.tokens) {
    if (token == expected.token) key = name;
  }
  if (expected.deletion != ours.deletion) {
    return {key, expected.deletion ? text(*expected.deletion) : "nothing",
            ours.deletion ? text(*ours.deletion) : "nothing"};
  }
  if (expected.ranges != ours.ranges) return {key + " ranges", text(expected.ranges), text(ours.ranges)};
  auto theirs = expected.rows.begin();
  auto mine = ours.rows.begin();
  while (theirs != expected.rows.end() || mine != ours.rows.end()) {
    const bool only_theirs =
        mine == ours.rows.end() || (theirs != expected.rows.end() && theirs->clustering < mine->clustering);
    const bool only_mine =
        theirs == expected.rows.end() || (mine != ours.rows.end() && mine->clustering < theirs->clustering);
    if (only_theirs) return {fmt::format("{}/{}", key, theirs->clustering), text(*theirs, of.values), "nothing"};
    if (only_mine) return {fmt::format("{}/{}", key, mine->clustering), "nothing", text(*mine, of.values)};
    KeyedPartition a{.token = 0};
    KeyedPartition b{.token = 0};
    a.rows.push_back(*theirs);
    b.rows.push_back(*mine);
    if (!same_partition(a, b, values))
      return {fmt::format("{}/{}", key, mine->clustering), text(*theirs, of.values), text(*mine, of.values)};
    ++theirs;
    ++mine;
  }
  return {key, "the same", "the same"};
}

std::string file_line(Rows rows, Micros from, Micros to, Seconds first_ldt, Seconds last_ldt, SeenState state,
                      Token first, Token last) {
  const auto ldt = [](Seconds at) { return at == no_deletion_int ? no_deletion_time : at; };
  return fmt::format("{} {} rows, written {} to {}, dead {} to {}, tokens {} to {}", seen_state_name(state), rows, from,
                     to, ldt(first_ldt), ldt(last_ldt), first, last);
}

}  // namespace

std::string_view seen_state_name(SeenState state) {
  switch (state) {
    case SeenState::memtable:
      return "memtable";
    case SeenState::unrepaired:
      return "unrepaired";
    case SeenState::pending:
      return "pending";
    case SeenState::repaired:
      return "repaired";
  }
  return "";
}

WriteSeconds::WriteSeconds(const TimelineCase& of) {
  for (const TimelineStep& step : of.steps) {
    if (step.timestamp_us == 0) continue;
    const std::pair span(seconds_of(step.begin_ms), seconds_of(step.end_ms));
    const auto [place, added] = steps_.try_emplace(step.timestamp_us, span);
    if (!added)
      place->second = {std::min(place->second.first, span.first), std::max(place->second.second, span.second)};
  }
}

Seconds WriteSeconds::settled(Micros timestamp_us, Seconds local_deletion_time_s, Seconds ttl_s) const {
  const auto step = steps_.find(timestamp_us);
  if (step == steps_.end() || local_deletion_time_s == no_deletion_time) return local_deletion_time_s;
  const Seconds written_s = local_deletion_time_s - ttl_s;
  const auto [first_s, last_s] = step->second;
  return written_s >= first_s && written_s <= last_s ? first_s + ttl_s : local_deletion_time_s;
}

Seconds WriteSeconds::span(Micros timestamp_us) const {
  const auto step = steps_.find(timestamp_us);
  return step == steps_.end() ? 0 : step->second.second - step->second.first;
}

void WriteSeconds::settle(KeyedPartition& partition) const {
  const auto deletion = [&](Deletion& one) {
    one.local_deletion_time_s = settled(one.timestamp_us, one.local_deletion_time_s, 0);
  };
  if (partition.deletion) deletion(*partition.deletion);
  for (KeyedRange& range : partition.ranges) deletion(range.deletion);
  for (KeyedRow& row : partition.rows) {
    if (row.deletion) deletion(*row.deletion);
    if (row.liveness)
      row.liveness->expiry_s = settled(row.liveness->timestamp_us, row.liveness->expiry_s, row.liveness->ttl_s);
    for (KeyedCell& cell : row.cells)
      cell.local_deletion_time_s = settled(cell.timestamp_us, cell.local_deletion_time_s, cell.ttl_s);
  }
}

ContentByState content_by_state(const Replica& replica, const CompareValues& values) {
  const KeyedContent memtable = memtable_of(replica);
  Inputs inputs;
  inputs[0].push_back(&memtable);
  for (const ReplicaFile& file : replica.files())
    inputs[static_cast<std::size_t>(state_of(file.status))].push_back(file.content.get());
  return merged_by_state(inputs, values);
}

ContentByState content_by_state(const Observation& seen, const CompareValues& values) {
  Inputs inputs;
  for (const auto& [id, content] : seen.local) {
    SeenState state = SeenState::memtable;
    if (id != "memtable") {
      const auto file = std::ranges::find(*seen.files, id, &SeenFile::id);
      if (file != seen.files->end()) state = state_of(*file);
    }
    inputs[static_cast<std::size_t>(state)].push_back(&content);
  }
  return merged_by_state(inputs, values);
}

KeyedContent whole_content(const Replica& replica, const CompareValues& values) {
  const KeyedContent memtable = memtable_of(replica);
  std::vector<const KeyedContent*> inputs{&memtable};
  for (const ReplicaFile& file : replica.files()) inputs.push_back(file.content.get());
  return merge_keyed(inputs, values);
}

KeyedContent whole_content(const Observation& seen, const CompareValues& values) {
  std::vector<const KeyedContent*> inputs;
  for (const auto& [id, content] : seen.local) inputs.push_back(&content);
  return merge_keyed(inputs, values);
}

std::optional<ContentDifference> first_difference(KeyedContent expected, KeyedContent ours, const WriteSeconds& seconds,
                                                  const TimelineCase& of, const CompareValues& values) {
  const auto empty = [](const KeyedPartition& partition) { return partition.empty(); };
  std::erase_if(expected, empty);
  std::erase_if(ours, empty);
  auto theirs = expected.begin();
  auto mine = ours.begin();
  while (theirs != expected.end() || mine != ours.end()) {
    KeyedPartition nothing;
    const bool has_theirs = theirs != expected.end() && (mine == ours.end() || theirs->token <= mine->token);
    const bool has_mine = mine != ours.end() && (theirs == expected.end() || mine->token <= theirs->token);
    nothing.token = has_theirs ? theirs->token : mine->token;
    KeyedPartition& a = has_theirs ? *theirs++ : nothing;
    KeyedPartition& b = has_mine ? *mine++ : nothing;
    seconds.settle(a);
    seconds.settle(b);
    if (!same_partition(a, b, values)) return difference_of(a, b, of, values);
  }
  return std::nullopt;
}

std::array<StateRows, seen_states> rows_by_state(const Replica& replica, const CompareValues& values) {
  std::array<StateRows, seen_states> rows{};
  for (const ReplicaFile& file : replica.files())
    rows[static_cast<std::size_t>(state_of(file.status))].all += file.rows;
  const ContentByState merged = content_by_state(replica, values);
  for (std::size_t state = 0; state < seen_states; ++state) {
    for (const KeyedPartition& partition : merged[state]) rows[state].merged += std::ssize(partition.rows);
  }
  return rows;
}

std::array<Rows, seen_states> rows_by_state(const std::vector<SeenFile>& files) {
  std::array<Rows, seen_states> rows{};
  for (const SeenFile& file : files) rows[static_cast<std::size_t>(state_of(file))] += file.rows;
  return rows;
}

std::string file_line(const SeenFile& file) {
  return file_line(file.rows, file.min_timestamp_us, file.max_timestamp_us, file.min_local_deletion_time_s,
                   file.max_local_deletion_time_s, state_of(file), file.first_token, file.last_token);
}

std::string file_line(const ReplicaFile& file) {
  return file_line(file.rows, file.extremes.min_timestamp_us, file.extremes.max_timestamp_us,
                   file.extremes.min_local_deletion_time_s, file.extremes.max_local_deletion_time_s,
                   state_of(file.status), file.tokens().first, file.tokens().last);
}

}  // namespace windrow
