#include "sim/cluster/repairs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/replica/token_range.h"

namespace windrow {

namespace {

constexpr Micros us_per_ms = 1'000;

bool together(const RepairSpec& spec) { return spec.order == RepairSpec::Order::together; }
bool incremental(const RepairSpec& spec) { return spec.kind == RepairSpec::Kind::incremental; }

/// What validations of a session may use of the heap, each replica's (DatabaseDescriptor: a sixteenth of the heap in
/// whole MiB, at least one; Cassandra 5.0.9).
Bytes session_space(const Scenario& scenario) {
  int replicas = 0;
  for (const DataCenter& center : scenario.data_centers) replicas += center.replication_factor;
  return std::max<Bytes>(1, scenario.node.heap_bytes / 16 / MiB(1)) * MiB(1) / std::max(1, replicas);
}

TokenInterval interval_of(const SSTable& file) {
  const auto [first, last] = file.token_span();
  return {.first = first, .last = last};
}

bool is_whole_ring(const std::vector<TokenInterval>& ranges) {
  return ranges.size() == 1 && ranges.front().first == min_token && ranges.front().last == max_token;
}

}  // namespace

void refuse_impossible_repairs(const Scenario& scenario) {
  for (const RepairSpec& spec : scenario.repairs) {
    if (!incremental(spec) || !together(spec)) continue;
    for (const DataCenter& center : scenario.data_centers) {
      if (center.nodes > center.replication_factor)
        throw std::invalid_argument(
            "repair." + spec.name +
            ": incremental repairs of several nodes at once would meet in the same SSTables, where each but the first "
            "fails: order = node_after_node");
    }
  }
}

Repairs::Repairs(const RepairedCluster& cluster) : at_(cluster), running_(cluster.scenario.repairs.size()) {
  for (int number = 0; number < std::ssize(running_); ++number) {
    const auto subranges = static_cast<std::size_t>(spec(number).subranges);
    const std::size_t units = together(spec(number)) ? at_.nodes.size() * subranges : at_.ring.sets();
    running(number).last_begin_us.assign(units, at_.scenario.start_us);
    for (int i = 0; i < count() && !at_.ring.all_alike(); ++i) {
      for (std::int64_t subrange = 0; subrange < spec(number).subranges; ++subrange)
        running(number).sets.push_back(at_.ring.sets_wanted(wanted(number, i, subrange)));
    }
  }
}

std::optional<Repairs::Next> Repairs::first(int number) { return next_cycle(number, at_.scenario.start_us); }

std::optional<Repairs::Next> Repairs::next_cycle(int number, Micros not_before_us) {
  const RepairSpec& repair = spec(number);
  Running& run = running(number);
  for (;;) {
    const Micros planned_us = repair.from_us + run.next++ * repair.every_us;
    if (planned_us >= at_.scenario.end_us) return std::nullopt;
    if (planned_us >= repair.skip_from_us && planned_us < repair.skip_to_us) continue;
    // One that should have begun while the one before ran begins when that ends; those it passed over do not.
    if (planned_us + repair.every_us <= not_before_us) continue;
    run.cycle_us = std::max(planned_us, not_before_us);
    run.step = 0;
    return Next{.at_us = run.cycle_us};
  }
}

std::int64_t Repairs::steps(int number) const {
  return spec(number).subranges * (together(spec(number)) ? 1 : std::int64_t{count()});
}

std::optional<int> Repairs::node_of_step(int number) const {
  if (together(spec(number))) return std::nullopt;
  return static_cast<int>(running(number).step / spec(number).subranges);
}

std::optional<Repairs::Next> Repairs::after_step(int number) {
  Running& run = running(number);
  const Micros now_us = node(0).now_us();
  run.of_nodes.clear();
  run.found.clear();
  run.trees.clear();
  run.keyed.clear();
  run.sessions.clear();
  run.costs.clear();
  if (++run.step == steps(number)) return next_cycle(number, now_us);
  // With a given length each step keeps its time, also if one before it was refused.
  const Micros takes_us = spec(number).takes_us;
  return Next{.at_us = std::max(now_us, run.cycle_us + mul_div_floor(takes_us, run.step, steps(number)))};
}

RangesWanted Repairs::wanted(int number, int of_node, std::int64_t subrange) const {
  const RepairSpec& repair = spec(number);
  return {.node = of_node,
          .primary = !together(repair) && repair.ranges == RepairSpec::Ranges::primary,
          .subranges = repair.subranges,
          .subrange = subrange};
}

SharedSets Repairs::sets_of_step(int number) const {
  if (at_.ring.all_alike()) return nullptr;
  SetMask sets(at_.ring.sets());
  const Running& run = running(number);
  for (int i = 0; i < count(); ++i) {
    if (run.of_nodes[static_cast<std::size_t>(i)]) sets = sets | *sets_of_node(number, i);
  }
  return std::make_shared<const SetMask>(std::move(sets));
}

bool Repairs::takes_part(int number, int of_node, int other) const {
  if (at_.ring.all_alike() || of_node == other) return true;
  return !(*sets_of_node(number, of_node) & *at_.ring.sets_of(other)).none();
}

bool Repairs::refuses(int number, int of_node) const {
  for (int other = 0; other < count(); ++other) {
    if (at_.away[static_cast<std::size_t>(other)] && takes_part(number, of_node, other)) return true;
  }
  return false;
}

/// Files that are pending for another session cannot be taken: PendingAntiCompaction, Cassandra 5.0.9.
bool Repairs::meets_another_session(int number) const {
  if (!incremental(spec(number))) return false;
  const int of_node = node_of_step(number).value_or(0);
  for (int other = 0; other < std::ssize(running_); ++other) {
    if (other == number || running(other).sessions.empty() || !running(other).running()) continue;
    const bool same_table =
        std::ranges::any_of(spec(number).tables, [&](int t) { return running(other).sessions.contains(t); });
    const int other_node = node_of_step(other).value_or(0);
    for (int i = 0; i < count() && same_table; ++i) {
      if (takes_part(number, of_node, i) && takes_part(other, other_node, i)) return true;
    }
  }
  return false;
}

RepairScope Repairs::scope(int number, int t) const {
  const auto session = running(number).sessions.find(t);
  return {.sets = sets_of_step(number), .session = session == running(number).sessions.end() ? 0 : session->second};
}

Bytes Repairs::hashed_bytes(int t, int of_node, const RepairScope& scope) const {
  const TableReplicas& replicas = table(t);
  const SharedSets& held = at_.ring.sets_of(of_node);
  const bool all = !scope.sets || held->within(*scope.sets);
  const Cohort wanted{.from = 0, .to = INT64_MAX, .sets = scope.sets};
  Bytes sum = 0;
  for (const auto& [id, file] : replicas.store(of_node).sstables()) {
    if (!replicas.is_of_session(of_node, id, scope.session)) continue;
    if (all || scope.session != 0) {
      sum += file->identity().data_bytes;
      continue;
    }
    const std::vector<Cohort> rows = replicas.to_cluster(of_node, file->content().cohorts);
    const std::vector<Cohort> inside = rows_within(rows, std::span(&wanted, 1));
    const Rows total = replicas.space().rows(rows);
    if (total > 0) sum += mul_div_floor(file->identity().data_bytes, replicas.space().rows(inside), total);
  }
  return sum;
}

void Repairs::begin_session(int number, int t) {
  const int of_node = node_of_step(number).value_or(0);
  RangesWanted ranges = wanted(number, of_node, subrange_of_step(number));
  if (together(spec(number))) ranges.node.reset();
  const SharedSets sets = at_.ring.sets_wanted(ranges);
  const std::vector<TokenInterval> tokens = normalized(at_.ring.ranges_wanted(ranges));
  const bool all = is_whole_ring(tokens);
  Running& run = running(number);
  run.sessions[t] = ++sessions_;
  const Cohort rows{.from = 0, .to = INT64_MAX, .sets = sets};
  for (int i = 0; i < count(); ++i) {
    if (!takes_part(number, of_node, i)) continue;
    const SessionRanges session{
        .session = sessions_,
        .meets = [&](const SSTable& file) { return all || any_meets(tokens, interval_of(file)); },
        .covers = [&](const SSTable& file) { return all || any_covers(tokens, interval_of(file)); },
        .inside =
            [&](const Cohort& cohort) {
              const std::vector<Cohort> held = table(t).to_cluster(i, {cohort});
              return table(t).to_node(i, rows_within(held, std::span(&rows, 1)));
            }};
    run.costs[t][static_cast<std::size_t>(i)].anticompacted_bytes = node(i).begin_session(t, session).written_bytes;
  }
}

std::vector<TokenRange> Repairs::ranges_hashed(int number) const {
  RangesWanted ranges = wanted(number, node_of_step(number).value_or(0), subrange_of_step(number));
  if (together(spec(number))) ranges.node.reset();
  return at_.ring.trees_wanted(ranges);
}

double Repairs::hash(int number, int t) {
  Running& run = running(number);
  run.costs[t].resize(at_.nodes.size());
  const std::optional<int> of_node = node_of_step(number);
  const bool all_files = !incremental(spec(number)) && !of_node && spec(number).subranges == 1;
  double bytes = 0;
  for (int i = 0; i < count(); ++i) {
    if (of_node && !takes_part(number, *of_node, i)) continue;
    node(i).flush(t);
    if (!all_files) continue;
    for (const auto& [id, file] : node(i).table(t).sstables()) bytes += static_cast<double>(file->bytes_on_disk());
  }
  if (incremental(spec(number))) begin_session(number, t);
  const RepairScope looked_at = scope(number, t);
  for (int i = 0; i < count(); ++i) {
    if (at_.away[static_cast<std::size_t>(i)] || (of_node && !takes_part(number, *of_node, i))) continue;
    const Bytes hashed = hashed_bytes(t, i, looked_at);
    run.costs[t][static_cast<std::size_t>(i)].hashed_bytes = hashed;
    if (!all_files) bytes += static_cast<double>(hashed);
  }
  if (holds_rows_one_by_one(table(t).space().workload()))
    run.keyed[t] = validate_keyed(table(t), ranges_hashed(number), looked_at, node(0).now_us() / us_per_s, at_.away);
  const std::vector<Difference>& found = run.found[t] = differences(table(t), node(0).now_us() / us_per_s, looked_at);
  if (!found.empty())
    run.trees[t] = hashed_trees(table(t), ranges_hashed(number), found, looked_at, session_space(at_.scenario),
                                at_.scenario.exact_leaves);
  return bytes;
}

RepairStep Repairs::line(int number, int t, int of_node) const {
  const Running& run = running(number);
  RepairStep step{.repair = spec(number).name,
                  .table = t,
                  .node = of_node,
                  .begin_us = run.begin_us,
                  .end_us = node(0).now_us(),
                  .ranges_of = node_of_step(number),
                  .subrange = subrange_of_step(number),
                  .cycle_us = run.cycle_us};
  const auto costs = run.costs.find(t);
  if (costs != run.costs.end()) step.cost = costs->second[static_cast<std::size_t>(of_node)];
  return step;
}

void Repairs::refused_lines(int number) {
  const std::optional<int> of_node = node_of_step(number);
  for (const int t : spec(number).tables) {
    for (int i = 0; i < count(); ++i) {
      if (of_node ? *of_node != i : running(number).of_nodes[static_cast<std::size_t>(i)]) continue;
      at_.record.repairs.push_back(line(number, t, i));
      at_.record.repairs.back().outcome = RepairStep::Outcome::refused;
    }
  }
}

std::optional<Repairs::Next> Repairs::begin_step(int number) {
  Running& run = running(number);
  const Micros now_us = node(0).now_us();
  const std::optional<int> of_node = node_of_step(number);
  const bool meets = meets_another_session(number);
  run.begin_us = now_us;
  run.of_nodes.clear();
  for (int i = 0; i < count(); ++i)
    run.of_nodes.push_back(!meets && (!of_node || *of_node == i) && !refuses(number, i));
  if (!of_node || !run.running()) refused_lines(number);
  if (!run.running()) return after_step(number);
  run.begun = run.of_nodes;
  double bytes = 0;
  for (const int t : spec(number).tables) bytes += hash(number, t);
  const Micros takes_us = spec(number).takes_us;
  if (spec(number).throughput_bytes_per_s > 0) {
    const double s = bytes / spec(number).throughput_bytes_per_s;
    return Next{.at_us = now_us + std::max<Micros>(us_per_s, std::llround(s) * us_per_s), .ends = true};
  }
  const Micros end_us = run.cycle_us + mul_div_floor(takes_us, run.step + 1, steps(number));
  return Next{.at_us = std::max(now_us, end_us), .ends = true};
}

std::vector<std::size_t> Repairs::units(int number, int of_node) const {
  const RepairSpec& repair = spec(number);
  if (together(repair)) return {static_cast<std::size_t>(of_node * repair.subranges + subrange_of_step(number))};
  if (at_.ring.all_alike()) return {0};
  std::vector<std::size_t> found;
  for (std::size_t set = 0; set < at_.ring.sets(); ++set) {
    if (sets_of_node(number, of_node)->holds(set)) found.push_back(set);
  }
  return found;
}

Seconds Repairs::margin_s(int number, int t, int of_node, Micros end_us) const {
  Micros before_us = running(number).begin_us;
  for (const std::size_t unit : units(number, of_node))
    before_us = std::min(before_us, running(number).last_begin_us[unit]);
  return node(of_node).table(t).settings().gc_grace_s - (end_us - before_us) / us_per_s;
}

void Repairs::deliver(int t, Stream stream, std::vector<RepairStep>& lines,
                      std::vector<std::vector<SSTablePtr>>& files) {
  RepairStep& received = lines[static_cast<std::size_t>(stream.to)];
  received.rows += stream.content.keyed ? counted_rows(node(stream.to).table(t).space(), stream.content)
                                        : table(t).space().rows(stream.lacking);
  for (const SSTablePtr& file : node(stream.to).stream_in(t, std::move(stream.content), stream.status)) {
    files[static_cast<std::size_t>(stream.to)].push_back(file);
    received.bytes += file->bytes_on_disk();
    ++received.sstables;
    lines[static_cast<std::size_t>(stream.from)].cost.sent_bytes += file->identity().data_bytes;
  }
}

std::vector<Stream> Repairs::streams(int number, int t, std::vector<RepairStep>& lines) {
  const RepairScope looked_at = scope(number, t);
  const std::vector<Difference>& found = running(number).found[t];
  if (found.empty()) return {};
  const HashedTrees& trees = running(number).trees[t];
  std::vector<Stream> whole;
  for (LeafStream& stream : leaf_streams(table(t), trees, found, looked_at, tokens_[t])) {
    lines[static_cast<std::size_t>(stream.to)].leaves_received += stream.sum;
    lines[static_cast<std::size_t>(stream.from)].leaves_sent += stream.sum;
    std::ranges::move(stream.files, std::back_inserter(whole));
  }
  if (!trees.arrive_whole) return streams_of(table(t), found, looked_at);
  find_lacking(table(t), whole);
  return whole;
}

void Repairs::stream(int number, int t, std::vector<RepairStep>& lines) {
  const RepairScope looked_at = scope(number, t);
  const std::vector<Owed> owed = owed_by_repair(table(t), running(number).found[t], looked_at);
  std::vector<Ledger::Brought> brought;
  std::vector<std::vector<SSTablePtr>> files(at_.nodes.size());  // by receiver
  std::vector<Stream> keyed;
  const auto validated = running(number).keyed.find(t);
  if (validated != running(number).keyed.end()) keyed = keyed_streams(table(t), validated->second, looked_at);
  for (Stream& stream : streams(number, t, lines)) {
    brought.push_back({.node = stream.to, .rows = stream.lacking});
    deliver(t, std::move(stream), lines, files);
  }
  for (Stream& stream : keyed) {
    const auto [from, to] = std::pair(stream.from, stream.to);
    RepairStep& receiver = lines[static_cast<std::size_t>(to)];
    RepairStep& sender = lines[static_cast<std::size_t>(from)];
    const RepairStep before = receiver;
    const Bytes sent_before = sender.cost.sent_bytes;
    deliver(t, std::move(stream), lines, files);
    const StreamedLeaves leaves{.rows = receiver.rows - before.rows,
                                .bytes = sender.cost.sent_bytes - sent_before,
                                .sstables = receiver.sstables - before.sstables};
    receiver.leaves_received += leaves;
    sender.leaves_sent += leaves;
  }
  for (int i = 0; i < count(); ++i) {
    const std::vector<SSTablePtr>& of_node = files[static_cast<std::size_t>(i)];
    if (!of_node.empty()) node(i).streams_are_in(t);
    at_.watches[static_cast<std::size_t>(i)]->traces().received(node(i).table(t), t, of_node, node(i).now_us());
  }
  check_repaired(table(t), owed);
  at_.ledger.received(t, node(0).now_us(), "repair " + spec(number).name, false, brought);
}

std::optional<Repairs::Next> Repairs::end_step(int number) {
  Running& run = running(number);
  const Micros now_us = node(0).now_us();
  const bool any = run.running();
  const std::optional<int> of_node = node_of_step(number);
  for (const int t : spec(number).tables) {
    std::vector<RepairStep> lines;
    for (int i = 0; i < count(); ++i) {
      const bool done = run.of_nodes[static_cast<std::size_t>(of_node.value_or(i))];
      lines.push_back(line(number, t, i));
      lines.back().outcome = done ? RepairStep::Outcome::done : RepairStep::Outcome::failed;
      if (done && lines.back().is_own()) lines.back().margin_s = margin_s(number, t, i, now_us);
    }
    if (any && (!run.found[t].empty() || run.keyed.contains(t))) stream(number, t, lines);
    for (int i = 0; i < count(); ++i) {
      const RepairStep& of_line = lines[static_cast<std::size_t>(i)];
      if (of_node) {
        if (takes_part(number, *of_node, i)) at_.record.repairs.push_back(of_line);
        continue;
      }
      // One that was refused has been told; its node may have received rows of ranges that others repair.
      const bool begun = run.begun[static_cast<std::size_t>(i)];
      if (!begun && of_line.rows == 0) continue;
      at_.record.repairs.push_back(of_line);
      if (!begun) at_.record.repairs.back().outcome = RepairStep::Outcome::refused;
    }
  }
  if (any) end_sessions(number, true);
  for (int i = 0; i < count(); ++i) {
    if (!run.of_nodes[static_cast<std::size_t>(i)]) continue;
    for (const std::size_t unit : units(number, i)) run.last_begin_us[unit] = run.begin_us;
  }
  return after_step(number);
}

void Repairs::end_sessions(int number, bool succeeded) {
  for (const auto& [t, session] : running(number).sessions) {
    for (const auto& each : at_.nodes)
      each->end_session(t, session, succeeded ? running(number).begin_us / us_per_ms : 0);
  }
}

void Repairs::lost(int node) {
  for (int number = 0; number < std::ssize(running_); ++number) {
    Running& run = running(number);
    const bool any = run.running();
    for (std::size_t i = 0; i < run.of_nodes.size(); ++i) {
      if (run.of_nodes[i] && takes_part(number, static_cast<int>(i), node)) run.of_nodes[i] = false;
    }
    // LocalSessions.failSession: the others see that it is gone.
    if (any && !run.running()) end_sessions(number, false);
  }
}

void Repairs::finish() {
  for (int number = 0; number < std::ssize(running_); ++number) {
    if (together(spec(number)) && spec(number).subranges == 1) continue;
    const std::vector<Micros>& last = running(number).last_begin_us;
    const Micros since_us = *std::ranges::min_element(last);
    for (const int t : spec(number).tables)
      at_.record.open_repairs.push_back(
          {.repair = spec(number).name,
           .table = t,
           .margin_s = node(0).table(t).settings().gc_grace_s - (at_.scenario.end_us - since_us) / us_per_s});
  }
}

}  // namespace windrow
