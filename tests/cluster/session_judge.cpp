#include "tests/cluster/session_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "sim/cluster/cluster.h"
#include "sim/scenario/cluster_ring.h"
#include "tests/cluster/values_alike.h"

namespace windrow_test {

using namespace windrow;

namespace {

constexpr Seconds never_s = 1'000'000'000;  // a gc_grace that nothing is older than

/// Rows, and deletes of rows.
Rows rows_in(const KeyedContent& content) {
  Rows rows = 0;
  for (const KeyedPartition& partition : content) {
    for (const KeyedRow& row : partition.rows) rows += (row.liveness ? 1 : 0) + (row.deletion ? 1 : 0);
  }
  return rows;
}

const RowSet& rows_of(const RowsByState& all, const RowsByState::key_type& state) {
  static const RowSet none;
  const auto found = all.find(state);
  return found == all.end() ? none : found->second;
}

}  // namespace

SessionJudge::SessionJudge(const Scenario& scenario, const SessionRules& rules)
    : scenario_(scenario), rules_(rules), ring_(scenario) {
  int nodes = 0;
  for (const DataCenter& center : scenario.data_centers) nodes += center.nodes;
  if (scenario.ring) map_.emplace(scenario.ring->tokens, scenario.ring->places, scenario.ring->replication);
  record_.nodes = nodes;
  options_.resize(static_cast<std::size_t>(nodes));
  for (int i = 0; i < nodes; ++i) {
    RunOptions& of_node = options_[static_cast<std::size_t>(i)];
    of_node.local_ranges = {ring_.local_ranges(i)};
    books_.push_back(std::make_unique<SessionBook>(i, ended_, complaints_));
    watches_.push_back(std::make_unique<NodeWatch>(i, scenario, books_.back().get()));
    nodes_.push_back(std::make_unique<Node>(scenario, ring_.of_node(i), *watches_.back(), of_node));
  }
  tables_.emplace_back(ring_, nodes_, 0);
  rows_.emplace(tables_.front());
  ledger_ = std::make_unique<Ledger>(tables_);
  for (const auto& watch : watches_) watch->follow(*ledger_);
  away_.resize(nodes_.size());
  repairs_.emplace(RepairedCluster{.scenario = scenario,
                                   .ring = ring_,
                                   .nodes = nodes_,
                                   .tables = tables_,
                                   .watches = watches_,
                                   .away = away_,
                                   .ledger = *ledger_,
                                   .record = record_});
  steps_.resize(scenario.repairs.size());
  places_.resize(scenario.repairs.size());
}

ReplicaTable SessionJudge::settings(int node) const {
  const TableStore& table = tables_.front().store(node);
  const bool windows = std::holds_alternative<TimeWindowOptions>(table.settings().compaction);
  return {.gc_grace_s = table.settings().gc_grace_s,
          .only_purge_repaired = table.strategy().common().only_purge_repaired_tombstones,
          .anticompaction_group = windows ? 1 : 2,
          .values = values_alike};
}

std::vector<Replica> SessionJudge::replicas() {
  std::vector<Replica> all;
  for (int i = 0; i < record_.nodes; ++i) all.push_back(rows_->replica(i));
  return all;
}

bool SessionJudge::holds(int node, Token token) const {
  return !map_ || std::ranges::binary_search(map_->set(map_->set_of(token)), node);
}

std::vector<int> SessionJudge::partners_of(const std::vector<TokenRange>& ranges) const {
  std::vector<int> found;
  for (int i = 0; i < record_.nodes; ++i) {
    if (std::ranges::any_of(ranges, [&](const TokenRange& range) { return holds(i, range.right); })) found.push_back(i);
  }
  return found;
}

RangesWanted SessionJudge::wanted(int number) const {
  const RepairSpec& spec = scenario_.repairs[static_cast<std::size_t>(number)];
  const std::int64_t place = places_[static_cast<std::size_t>(number)];
  RangesWanted ranges{.subranges = spec.subranges, .subrange = place % spec.subranges};
  if (spec.order == RepairSpec::Order::node_after_node) {
    ranges.node = static_cast<int>(place / spec.subranges);
    ranges.primary = spec.ranges == RepairSpec::Ranges::primary;
  }
  return ranges;
}

void SessionJudge::pass_on(int number) {
  const RepairSpec& spec = scenario_.repairs[static_cast<std::size_t>(number)];
  const std::int64_t steps =
      spec.subranges * (spec.order == RepairSpec::Order::together ? 1 : std::int64_t{record_.nodes});
  std::int64_t& place = places_[static_cast<std::size_t>(number)];
  place = (place + 1) % steps;
  steps_[static_cast<std::size_t>(number)] = {};
}

void SessionJudge::prepare(Replica& replica, const ReplicaTable& table, RepairRequest request) const {
  if (!rules_.takes_ranges_alone) request.ranges = {{min_token, min_token}};
  if (!rules_.takes_unrepaired_alone) {
    Replica all_unrepaired;
    for (const ReplicaFile& file : replica.files()) all_unrepaired.add_file(*file.content, {});
    for (const auto& [token, partition] : replica.memtable()) all_unrepaired.write(partition, values_alike);
    replica = std::move(all_unrepaired);
  }
  const Seconds now_s = nodes_.front()->now_s();
  if (rules_.flushes_first) {
    prepare_repair(replica, table, request, now_s, {});
  } else if (request.session != 0) {
    replica.anticompact(table, normalized(request.ranges), request.session, now_s, {});
  }
}

std::optional<Repairs::Next> SessionJudge::begin(int number) {
  const RepairSpec& spec = scenario_.repairs[static_cast<std::size_t>(number)];
  Step& step = steps_[static_cast<std::size_t>(number)];
  const RangesWanted ranges = wanted(number);
  step = {.request = {.ranges = ring_.trees_wanted(ranges)}, .begin_ms = nodes_.front()->now_us() / 1000};
  step.partners = partners_of(step.request.ranges);
  const Seconds now_s = nodes_.front()->now_s();
  bool refused = rules_.away_refuses &&
                 std::ranges::any_of(step.partners, [&](int i) { return away_[static_cast<std::size_t>(i)]; });
  const auto meets = [&](const Step& other) {
    return other.runs && other.request.session != 0 &&
           std::ranges::any_of(other.partners, [&](int i) { return std::ranges::count(step.partners, i) > 0; });
  };
  const bool incremental = spec.kind == RepairSpec::Kind::incremental;
  refused = refused || (incremental && rules_.other_session_refuses && std::ranges::any_of(steps_, meets));
  if (refused) {
    const auto next = repairs_->begin_step(number);
    if (next && next->ends) complain(fmt::format("{} begins although it must be refused", spec.name));
    pass_on(number);
    return next;
  }
  if (incremental) step.request.session = ++sessions_;
  step.runs = true;
  std::vector<Replica> expected = replicas();
  for (const int i : step.partners) {
    ReplicaTable table = settings(i);
    table.gc_grace_s = never_s;  // what is purged is compared apart
    prepare(expected[static_cast<std::size_t>(i)], table, step.request);
  }
  for (const auto& book : books_) book->step_begins();
  const auto next = repairs_->begin_step(number);
  if (!next || !next->ends) {
    complain(fmt::format("{} is refused", spec.name));
    return next;
  }
  const std::vector<Replica> after = replicas();
  for (int i = 0; i < record_.nodes; ++i)
    compare_begun(i, expected[static_cast<std::size_t>(i)], after[static_cast<std::size_t>(i)]);
  RepairRequest hashed = step.request;
  if (!rules_.hashes_session_alone) hashed.session = 0;
  for (const int i : step.partners)
    step.validations.push_back(validate(after[static_cast<std::size_t>(i)], settings(i), hashed, now_s, {}));
  for (int i = 0; i < record_.nodes; ++i) {
    Node& node = *nodes_[static_cast<std::size_t>(i)];
    books_[static_cast<std::size_t>(i)]->take(node);
    if (!rules_.pending_files_wait && incremental) node.end_session(0, step.request.session, 0);
  }
  return next;
}

void SessionJudge::compare_begun(int node, const Replica& expected, const Replica& is) {
  ++compared_;
  const Seconds gc_before_s = nodes_.front()->now_s() - settings(node).gc_grace_s;
  const RowsByState should = rows_by_state(expected, ended_);
  const RowsByState has = rows_by_state(is, ended_);
  std::map<OneRow, Seconds> dies_s;
  const auto find_deaths = [&] {
    for (const ReplicaFile& file : expected.files()) {
      for (const KeyedPartition& partition : *file.content) {
        for (const KeyedRow& row : partition.rows) {
          if (row.liveness) dies_s[{partition.token, row.clustering, false}] = row.liveness->expiry_s;
          if (row.deletion) dies_s[{partition.token, row.clustering, true}] = row.deletion->local_deletion_time_s;
        }
      }
    }
  };
  for (const auto& [state, rows] : should) {
    std::vector<OneRow> missing;
    std::ranges::set_difference(rows, rows_of(has, state), std::back_inserter(missing));
    if (!missing.empty() && dies_s.empty()) find_deaths();
    for (const OneRow& row : missing) {
      if (settings(node).only_purge_repaired || dies_s.at(row) >= gc_before_s)
        complain(fmt::format("node {} at {}: a row of state {}/{} is elsewhere", node, nodes_.front()->now_us(),
                             std::get<0>(state), std::get<1>(state)));
    }
    if (std::get<1>(state) != 0) moved_ += std::ssize(rows);
  }
  for (const auto& [state, rows] : has) {
    std::vector<OneRow> more;
    std::ranges::set_difference(rows, rows_of(should, state), std::back_inserter(more));
    if (!more.empty())
      complain(fmt::format("node {} at {}: {} rows of state {}/{} are elsewhere", node, nodes_.front()->now_us(),
                           more.size(), std::get<0>(state), std::get<1>(state)));
  }
}

SessionJudge::Leaves SessionJudge::exchange(const Step& step, const std::vector<Replica>& before,
                                            std::vector<Replica>& after) const {
  const RepairStatus of_session{.pending_session = rules_.streamed_files_are_of_session ? step.request.session : 0};
  const ReplicaRules replica_rules{.streamed_files_keep_state = rules_.streamed_files_keep_state};
  RepairRequest sent = step.request;
  if (!rules_.streams_session_alone) sent.session = 0;
  Leaves all{.received = std::vector<StreamedLeaves>(nodes_.size()),
             .sent = std::vector<StreamedLeaves>(nodes_.size())};
  if (!step.runs) return all;
  for (std::size_t a = 0; a < step.partners.size(); ++a) {
    for (std::size_t b = a + 1; b < step.partners.size(); ++b) {
      std::vector<TokenRange> ranges;
      Validation mine{.content = step.validations[a].content};
      Validation theirs{.content = step.validations[b].content};
      for (std::size_t i = 0; i < step.request.ranges.size(); ++i) {
        const TokenRange& range = step.request.ranges[i];
        if (!holds(step.partners[a], range.right) || !holds(step.partners[b], range.right)) continue;
        ranges.push_back(range);
        mine.depths.push_back(rules_.leaves_by_range ? step.validations[a].depths[i] : 0);
        theirs.depths.push_back(rules_.leaves_by_range ? step.validations[b].depths[i] : 0);
      }
      if (!rules_.leaves_are_sent_whole) {
        std::ranges::fill(mine.depths, 62);
        std::ranges::fill(theirs.depths, 62);
      }
      const std::vector<TokenRange> leaves = differing_leaves(
          mine, theirs, ranges, values_alike, {.shallower_tree_decides = rules_.shallower_tree_decides});
      if (leaves.empty()) continue;
      for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
        if (from == b && !rules_.streams_both_ways) continue;
        const auto sender = static_cast<std::size_t>(step.partners[from]);
        const auto receiver = static_cast<std::size_t>(step.partners[to]);
        StreamedLeaves sum;
        for (const StreamedFile& file : streams(before[sender], settings(step.partners[from]), sent, leaves,
                                                nodes_.front()->now_s(), replica_rules)) {
          sum.rows += rows_in(file.content);
          ++sum.sstables;
          after[receiver].add_file(file.content, step.request.session != 0 ? of_session : file.status);
        }
        all.sent[sender] += sum;
        all.received[receiver] += sum;
      }
    }
  }
  return all;
}

void SessionJudge::compare_leaves(const Step& step, const Leaves& should, std::size_t lines_before) {
  for (std::size_t i = lines_before; i < record_.repairs.size(); ++i) {
    const RepairStep& line = record_.repairs[i];
    if (std::ranges::count(step.partners, line.node) == 0) continue;
    const auto node = static_cast<std::size_t>(line.node);
    const auto compare = [&](const char* what, const StreamedLeaves& is, const StreamedLeaves& has) {
      if (is.expected) complain("leaves are not looked at by their tokens");
      if (is.rows == has.rows && is.sstables == has.sstables) return;
      complain(fmt::format("node {} at {}, whole leaves {}: {} rows in {} SSTables, not {} in {}", line.node,
                           nodes_.front()->now_us(), what, is.rows, is.sstables, has.rows, has.sstables));
    };
    compare("received", line.leaves_received, should.received[node]);
    compare("sent", line.leaves_sent, should.sent[node]);
    along_ += line.leaves_received.rows - line.rows;
    // Strategies with shards cut what comes.
    const bool cut = std::holds_alternative<UnifiedOptions>(tables_.front().store(line.node).settings().compaction);
    if (!cut && line.sstables != should.received[node].sstables)
      complain(fmt::format("node {} at {} gets {} SSTables, not {}", line.node, nodes_.front()->now_us(), line.sstables,
                           should.received[node].sstables));
  }
}

std::optional<Repairs::Next> SessionJudge::end(int number) {
  const Step& step = steps_[static_cast<std::size_t>(number)];
  for (int i = 0; i < record_.nodes; ++i)
    books_[static_cast<std::size_t>(i)]->expect(*nodes_[static_cast<std::size_t>(i)], "before the end");
  const std::vector<Replica> before = replicas();
  std::vector<Replica> should = before;
  const Leaves whole = exchange(step, before, should);
  const std::size_t lines_before = record_.repairs.size();
  if (step.runs && step.request.session != 0 && rules_.files_become_repaired)
    ended_[step.request.session] = rules_.repaired_when_begun ? step.begin_ms : nodes_.front()->now_us() / 1000;
  const auto next = repairs_->end_step(number);
  for (int i = 0; i < record_.nodes; ++i) {
    const auto place = static_cast<std::size_t>(i);
    compare_ended(i, before[place], should[place], rows_->replica(i));
    books_[place]->expect(*nodes_[place], "ended");
  }
  if (step.runs) compare_leaves(step, whole, lines_before);
  pass_on(number);
  return next;
}

void SessionJudge::compare_ended(int node, const Replica& before, const Replica& expected, const Replica& is) {
  ++compared_;
  const RowsByState had = rows_by_state(before, ended_);
  const RowsByState should = rows_by_state(expected, ended_);
  const RowsByState has = rows_by_state(is, ended_);
  std::set<std::tuple<Millis, std::int64_t>> states;
  for (const auto* all : {&should, &has}) {
    for (const auto& of_state : *all) states.insert(of_state.first);
  }
  for (const auto& state : states) {
    const RowSet& rows = rows_of(has, state);
    const RowSet& wanted = rows_of(should, state);
    const RowSet& then = rows_of(had, state);
    if (rows != wanted)
      complain(fmt::format("node {} at {} has {} rows of state {}/{}, and should have {}", node,
                           nodes_.front()->now_us(), rows.size(), std::get<0>(state), std::get<1>(state),
                           wanted.size()));
    sent_ += std::ranges::count_if(rows, [&](const OneRow& row) { return !then.contains(row); });
  }
}

void SessionJudge::play() {
  using Event = std::tuple<Micros, int, int>;
  std::vector<Event> events;
  const std::vector<OutageTime> outages = outage_times(scenario_);
  for (int i = 0; i < std::ssize(outages); ++i) {
    events.emplace_back(outages[static_cast<std::size_t>(i)].from_us, outage_begin, i);
    events.emplace_back(outages[static_cast<std::size_t>(i)].to_us, outage_end, i);
  }
  const auto add = [&](int number, const std::optional<Repairs::Next>& next) {
    if (next) events.emplace_back(next->at_us, next->ends ? repair_end : repair_begin, number);
  };
  for (int i = 0; i < std::ssize(steps_); ++i) add(i, repairs_->first(i));
  const auto play_until = [&](Micros at_us) {
    for (const auto& node : nodes_) {
      node->play_until(at_us);
      node->take_arrivals();
    }
    ledger_->settle();
  };
  while (!events.empty() && complaints_.empty()) {
    const auto next = std::ranges::min_element(events);
    const auto [at_us, kind, number] = *next;
    events.erase(next);
    if (at_us >= scenario_.end_us) continue;
    play_until(at_us);
    if (kind == repair_begin) add(number, begin(number));
    if (kind == repair_end) add(number, end(number));
    if (kind != outage_begin && kind != outage_end) continue;
    const OutageTime& outage = outages[static_cast<std::size_t>(number)];
    Node& node = *nodes_[static_cast<std::size_t>(outage.node)];
    away_[static_cast<std::size_t>(outage.node)] = kind == outage_begin;
    const bool down = outage.kind == OutageSpec::Kind::down;
    if (kind == outage_end) {
      down ? node.up() : node.reached_again();
      continue;
    }
    down ? node.down() : node.cut_off();
    for (Step& step : steps_) {
      if (!step.runs || std::ranges::count(step.partners, outage.node) == 0) continue;
      if (!rules_.loss_of_a_node_fails) continue;
      step.runs = false;
      if (step.request.session != 0) ended_[step.request.session] = rules_.failed_files_go_back ? 0 : step.begin_ms;
    }
    repairs_->lost(outage.node);
  }
  if (!complaints_.empty()) return;
  play_until(scenario_.end_us);
  for (const auto& node : nodes_) node->check_balance();
}

}  // namespace windrow_test
