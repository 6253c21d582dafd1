#include "evidence/timelines/timeline_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <variant>

#include "sim/cql/cql_error.h"
#include "sim/cql/script.h"

namespace windrow {
namespace {

constexpr double dispatched_within_s = 20;  // hints are looked for every 10 s, of real time
constexpr std::int16_t queried_column = 0;  // SELECT ck, v, …

Micros micros_of(Millis at) { return at * (us_per_s / ms_per_s); }
bool is_queried(std::int16_t column) { return column == queried_column; }

ReplicaTable table_of(const TimelineCase& of) {
  return {.gc_grace_s = 0,
          .only_purge_repaired = false,
          .read_repair = true,
          .anticompaction_group = 2,
          .values = [&of](const KeyedCell& a, const KeyedCell& b) {
            return of.values.text(a.row_number).compare(of.values.text(b.row_number));
          }};
}

}  // namespace

TimelineReplay::TimelineReplay(const TimelineCase& of, const TimelineRing& ring, const ReplicaRules& rules)
    : case_(of),
      ring_(ring),
      values_(table_of(of).values),
      cluster_(static_cast<std::size_t>(of.nodes), table_of(of), rules) {
  cluster_.place(of.center_of);
  take_options(of.table_options);
}

void TimelineReplay::take_options(const std::string& options) {
  try {
    options_ = parse_table_options(options, options_);
  } catch (const CqlError& error) {
    throw TimelineError(case_.line, error.complaint.message);
  }
  ReplicaTable& table = cluster_.table();
  table.gc_grace_s = options_.gc_grace_seconds;
  table.only_purge_repaired = common_options(options_.compaction_options).only_purge_repaired_tombstones;
  table.read_repair = options_.read_repair == "BLOCKING";
  table.anticompaction_group = std::holds_alternative<TimeWindowOptions>(options_.compaction_options) ? 1 : 2;
}

PlayedStep TimelineReplay::play(const TimelineStep& step) {
  using Action = TimelineAction;
  PlayedStep played;
  ReplicaNode& node = cluster_.node(step.node);
  switch (step.action) {
    case Action::insert:
    case Action::remove:
      write(step);
      break;
    case Action::flush:
      for (const int number : step.nodes) replica(number).flush();
      break;
    case Action::compact:
      for (const int number : step.nodes) compact(number, seconds_of(step.begin_ms));
      break;
    case Action::read:
      read(step, played);
      break;
    case Action::scan:
      scan(step, played);
      break;
    case Action::repair:
      played.repaired = repair(step);
      break;
    case Action::repair_across_clock_move:
      repair_across(step);
      played.repaired = true;
      break;
    case Action::down:
      node.reachable = false;
      node.down_since_us = micros_of(step.end_ms);
      break;
    case Action::up:
      node.reachable = true;
      break;
    case Action::kill:
      cluster_.end_process(step.node, step.hard, micros_of(step.end_ms));
      break;
    case Action::start:
      cluster_.start_process(step.node);
      break;
    case Action::replace:
      replace(step);
      break;
    case Action::nodetool:
      nodetool(step);
      break;
    case Action::alter_table:
      take_options(step.command);
      break;
    case Action::wait:
      if (step.real_s >= dispatched_within_s) cluster_.dispatch_hints(micros_of(step.begin_ms));
      break;
    case Action::clock:
    case Action::note_hints:
      break;
  }
  if (compacts_by_itself_) {
    for (ReplicaNode& one : cluster_.nodes()) one.replica.finish_sessions(cluster_.ended_sessions());
  }
  return played;
}

void TimelineReplay::compact(int node, Seconds now_s) {
  replica(node).compact(cluster_.table(), now_s, cluster_.ended_sessions(), cluster_.rules());
}

KeyedPartition TimelineReplay::mutation_of(const TimelineStep& step) const {
  KeyedPartition mutation{.token = case_.tokens.at(step.key.partition)};
  const Seconds now_s = seconds_of(step.begin_ms);
  const Deletion deletion{.timestamp_us = step.timestamp_us, .local_deletion_time_s = now_s};
  const std::int64_t clustering = step.key.from.value_or(0);
  if (step.action == TimelineAction::insert) {
    const Seconds expiry_s = step.ttl_s > 0 ? now_s + step.ttl_s : no_deletion_time;
    const auto ttl_s = static_cast<std::int32_t>(step.ttl_s);
    KeyedRow row{.clustering = clustering};
    if (step.has_liveness)
      row.liveness = KeyedLiveness{.timestamp_us = step.timestamp_us, .ttl_s = ttl_s, .expiry_s = expiry_s};
    row.cells.push_back({.column = step.column,
                         .kind = step.ttl_s > 0 ? CellKind::expiring : CellKind::live,
                         .ttl_s = ttl_s,
                         .timestamp_us = step.timestamp_us,
                         .local_deletion_time_s = expiry_s,
                         .sub_stream = 0,
                         .row_number = step.value});
    mutation.rows.push_back(std::move(row));
    return mutation;
  }
  switch (step.removed) {
    case RemovedKind::row:
      mutation.rows.push_back({.clustering = clustering, .liveness = {}, .deletion = deletion, .cells = {}});
      break;
    case RemovedKind::cell:
      mutation.rows.push_back({.clustering = clustering,
                               .liveness = {},
                               .deletion = {},
                               .cells = {{.column = queried_column,
                                          .kind = CellKind::tombstone,
                                          .ttl_s = 0,
                                          .timestamp_us = step.timestamp_us,
                                          .local_deletion_time_s = now_s}}});
      break;
    case RemovedKind::range:
      mutation.ranges.push_back({clustering, step.key.to + 1, deletion});
      break;
    case RemovedKind::partition:
      mutation.deletion = deletion;
      break;
  }
  return mutation;
}

void TimelineReplay::write(const TimelineStep& step) {
  const KeyedPartition mutation = mutation_of(step);
  cluster_.write(mutation, ring_.replicas(mutation.token), step.coordinator, step.asked, micros_of(step.begin_ms));
}

ReturnedRow TimelineReplay::returned(const std::string& partition, const KeyedRow& row, Seconds now_s) const {
  ReturnedRow one{
      .partition = partition, .clustering = row.clustering, .value = {}, .timestamp_us = {}, .ttl_left_s = {}};
  for (const KeyedCell& cell : row.cells) {
    if (!is_queried(cell.column)) continue;
    one.value = case_.values.text(cell.row_number);
    one.timestamp_us = cell.timestamp_us;
    if (cell.kind == CellKind::expiring) one.ttl_left_s = cell.local_deletion_time_s - now_s;
  }
  return one;
}

void TimelineReplay::read(const TimelineStep& step, PlayedStep& played) {
  const Token token = case_.tokens.at(step.key.partition);
  const std::vector<int> replicas = ring_.replicas(token);
  const Seconds now_s = seconds_of(step.begin_ms);
  played.contacted = cluster_.contacts(replicas, step.coordinator, step.asked);
  const ReadResult result = cluster_.read(replicas, step.coordinator, step.asked, token, false, now_s, is_queried);
  for (const KeyedRow& row : result.rows) played.rows.push_back(returned(step.key.partition, row, now_s));
}

void TimelineReplay::scan(const TimelineStep& step, PlayedStep& played) {
  std::map<Token, std::string> keys;
  for (const auto& [key, token] : case_.tokens) keys[token] = key;
  const Seconds now_s = seconds_of(step.begin_ms);
  for (const auto& [token, key] : keys) {
    const ReadResult result =
        cluster_.read(ring_.replicas(token), step.coordinator, step.asked, token, true, now_s, is_queried);
    for (const KeyedRow& row : result.rows) played.rows.push_back(returned(key, row, now_s));
  }
}

bool TimelineReplay::repair(const TimelineStep& step) {
  const ReplicaTable& table = cluster_.table();
  const ReplicaRules& rules = cluster_.rules();
  const Seconds now_s = seconds_of(step.begin_ms);
  std::vector<int> replicas = step.hosts;
  if (replicas.empty()) {
    replicas.resize(static_cast<std::size_t>(case_.nodes));
    std::iota(replicas.begin(), replicas.end(), 0);
  }
  RepairRequest request{.ranges = step.primary_ranges ? ring_.primary_ranges(step.coordinator) : ring_.ranges(),
                        .session = 0};
  if (step.range) {
    if (refused_subrange(*step.range, ring_.ranges())) return false;
    request.ranges = {*step.range};
  }
  const std::vector<int> partners = cluster_.repair_partners(replicas, step.force);
  if (partners.size() < 2) return false;
  if (step.incremental) request.session = cluster_.begin_session();
  std::vector<Replica*> taking_part;
  std::vector<Validation> validations;
  for (const int number : partners) taking_part.push_back(&replica(number));
  for (Replica* one : taking_part) {
    const std::int64_t rewritten = prepare_repair(*one, table, request, now_s, rules);
    groups_unknown_ = groups_unknown_ || (table.anticompaction_group > 1 && rewritten > table.anticompaction_group);
  }
  for (const Replica* one : taking_part) validations.push_back(validate(*one, table, request, now_s, rules));
  exchange(taking_part, validations, table, request, now_s, rules);
  if (step.incremental) cluster_.end_session(request.session, partners.size() == replicas.size() ? step.begin_ms : 0);
  return true;
}

/// One node is held while the clock moves: the others have hashed before, it hashes after, and all stream then.
void TimelineReplay::repair_across(const TimelineStep& step) {
  if (std::ranges::find(step.tables, case_.name) == step.tables.end()) return;
  const ReplicaTable& table = cluster_.table();
  const RepairRequest request{.ranges = ring_.ranges(), .session = 0};
  const Seconds before_s = seconds_of(step.begin_ms);
  const Seconds after_s = seconds_of(step.moved_to_ms);
  std::vector<Replica*> taking_part;
  std::vector<Validation> validations(static_cast<std::size_t>(case_.nodes));
  const auto hash = [&](int number, Seconds now_s) {
    prepare_repair(replica(number), table, request, now_s, cluster_.rules());
    validations[static_cast<std::size_t>(number)] = validate(replica(number), table, request, now_s, cluster_.rules());
  };
  for (int number = 0; number < case_.nodes; ++number) {
    taking_part.push_back(&replica(number));
    if (number != step.held_node) hash(number, before_s);
  }
  if (std::ranges::find(step.compacted, case_.name) != step.compacted.end()) {
    for (int number = 0; number < case_.nodes; ++number) {
      if (number != step.held_node) compact(number, after_s);
    }
  }
  hash(step.held_node, after_s);
  exchange(taking_part, validations, table, request, after_s, cluster_.rules());
}

void TimelineReplay::nodetool(const TimelineStep& step) {
  const std::string_view command = std::string_view(step.command).substr(0, step.command.find(' '));
  const std::string_view argument =
      std::string_view(step.command).substr(std::min(command.size() + 1, step.command.size()));
  for (const int number : step.nodes) {
    HintStore& hints = cluster_.node(number).hints;
    if (command == "enablehandoff") {
      hints.settings.handoff = true;
    } else if (command == "disablehandoff") {
      hints.settings.handoff = false;
    } else if (command == "pausehandoff") {
      hints.settings.dispatch_paused = true;
    } else if (command == "resumehandoff") {
      hints.settings.dispatch_paused = false;
    } else if (command == "truncatehints") {
      hints.truncate();
    } else if (command == "setmaxhintwindow") {
      std::from_chars(argument.data(), argument.data() + argument.size(), hints.settings.max_hint_window_ms);
    } else if (command == "enableautocompaction") {
      compacts_by_itself_ = true;
    } else {
      throw TimelineError(case_.line,
                          fmt::format("nodetool {} is unknown; accepts enablehandoff, disablehandoff, pausehandoff, "
                                      "resumehandoff, truncatehints, setmaxhintwindow, enableautocompaction",
                                      command));
    }
  }
}

void TimelineReplay::replace(const TimelineStep& step) {
  ReplicaNode& fresh = cluster_.node(step.node);
  fresh = {};
  const auto source =
      std::ranges::find_if(cluster_.nodes(), [&](const ReplicaNode& one) { return &one != &fresh && one.reachable; });
  if (source != cluster_.nodes().end()) {
    bootstrap(fresh.replica, source->replica, ring_.ranges(), cluster_.table(), seconds_of(step.begin_ms),
              cluster_.rules());
  }
  for (ReplicaNode& one : cluster_.nodes()) one.hints.forget(step.node);
}

}  // namespace windrow
