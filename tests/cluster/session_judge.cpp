#include "tests/cluster/session_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sim/cluster/cluster.h"
#include "sim/scenario/cluster_ring.h"

namespace windrow_test {

using namespace windrow;

namespace {

constexpr auto alike = [](const KeyedCell&, const KeyedCell&) { return 0; };
constexpr Seconds never_s = 1'000'000'000;  // a gc_grace that nothing is older than

std::set<OneRow> rows_in(const KeyedContent& content) {
  std::set<OneRow> rows;
  for (const KeyedPartition& partition : content) {
    for (const KeyedRow& row : partition.rows) {
      if (row.liveness) rows.emplace(partition.token, row.clustering, false);
      if (row.deletion) rows.emplace(partition.token, row.clustering, true);
    }
  }
  return rows;
}

/// Rows of the content that `take` is true of.
template <class Take>
KeyedContent filtered(const KeyedContent& content, const Take& take) {
  KeyedContent kept;
  for (const KeyedPartition& partition : content) {
    KeyedPartition some = partition;
    some.rows.clear();
    for (KeyedRow row : partition.rows) {
      if (row.liveness && !take(OneRow{partition.token, row.clustering, false})) row.liveness.reset();
      if (row.deletion && !take(OneRow{partition.token, row.clustering, true})) row.deletion.reset();
      if (!row.empty()) some.rows.push_back(row);
    }
    if (!some.rows.empty()) kept.push_back(std::move(some));
  }
  return kept;
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
          .values = alike};
}

std::vector<Replica> SessionJudge::replicas() const {
  std::vector<Replica> all;
  for (int i = 0; i < record_.nodes; ++i) all.push_back(replica_of(tables_.front(), i));
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
    for (const auto& [token, partition] : replica.memtable()) all_unrepaired.write(partition, alike);
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

/// The nodes hold no row twice, which merges count on.
void SessionJudge::expect_once(int node, const Replica& replica, const char* when) {
  std::set<OneRow> seen;
  for (const ReplicaFile& file : replica.files()) {
    for (const OneRow& row : rows_in(*file.content)) {
      if (!seen.insert(row).second)
        complain(fmt::format("node {} at {}, {}: file {} has a row that another has too", node,
                             nodes_.front()->now_us(), when, file.id));
    }
  }
}

void SessionJudge::compare_begun(int node, const Replica& expected, const Replica& is) {
  ++compared_;
  expect_once(node, is, "begun");
  const Seconds gc_before_s = nodes_.front()->now_s() - settings(node).gc_grace_s;
  const RowsByState should = rows_by_state(expected, ended_);
  RowsByState has = rows_by_state(is, ended_);
  std::map<OneRow, Seconds> dies_s;
  for (const ReplicaFile& file : expected.files()) {
    for (const KeyedPartition& partition : *file.content) {
      for (const KeyedRow& row : partition.rows) {
        if (row.liveness) dies_s[{partition.token, row.clustering, false}] = row.liveness->expiry_s;
        if (row.deletion) dies_s[{partition.token, row.clustering, true}] = row.deletion->local_deletion_time_s;
      }
    }
  }
  for (const auto& [state, rows] : should) {
    std::set<OneRow>& of_state = has[state];
    for (const OneRow& row : rows) {
      if (of_state.erase(row) > 0) continue;
      if (settings(node).only_purge_repaired || dies_s.at(row) >= gc_before_s)
        complain(fmt::format("node {} at {}: a row of state {}/{} is elsewhere", node, nodes_.front()->now_us(),
                             std::get<0>(state), std::get<1>(state)));
    }
    if (std::get<1>(state) != 0) moved_ += std::ssize(rows);
  }
  for (const auto& [state, rows] : has) {
    if (!rows.empty())
      complain(fmt::format("node {} at {}: {} rows of state {}/{} are elsewhere", node, nodes_.front()->now_us(),
                           rows.size(), std::get<0>(state), std::get<1>(state)));
  }
}

/// By node, what it must get, and the states that this may have: of those who send it the first alone counts.
std::vector<SessionJudge::Due> SessionJudge::due(const Step& step, const std::vector<Replica>& before) const {
  std::vector<Due> all(nodes_.size());
  const std::int64_t of_session = rules_.streamed_files_are_of_session ? step.request.session : 0;
  const RepairStatus plain{.pending_session = of_session};
  const ReplicaRules replica_rules{.streamed_files_keep_state = rules_.streamed_files_keep_state};
  const auto send = [&](int from, int to, const std::set<std::pair<Token, std::int64_t>>& rows) {
    std::vector<TokenRange> leaves;
    for (const auto& [token, row] : rows) {
      if (leaves.empty() || leaves.back().right != token) leaves.push_back({token - 1, token});
    }
    const Replica& receiver = before[static_cast<std::size_t>(to)];
    std::set<OneRow> held;
    for (const ReplicaFile& file : receiver.files()) held.merge(rows_in(*file.content));
    for (const auto& [token, partition] : receiver.memtable()) held.merge(rows_in({partition}));
    for (const StreamedFile& file : streams(before[static_cast<std::size_t>(from)], settings(from), step.request,
                                            leaves, nodes_.front()->now_s(), replica_rules)) {
      const KeyedContent differing = filtered(file.content, [&](const OneRow& row) {
        return rows.contains({std::get<0>(row), std::get<1>(row)});
      });
      for (const OneRow& row : rows_in(differing)) {
        if (held.contains(row)) continue;
        auto& states = all[static_cast<std::size_t>(to)][row];
        const RepairStatus& of_file = step.request.session != 0 ? plain : file.status;
        states.insert({of_file.repaired_at_ms, of_file.pending_session});
      }
    }
  };
  for (std::size_t a = 0; a < step.partners.size(); ++a) {
    for (std::size_t b = a + 1; b < step.partners.size(); ++b) {
      const std::set<OneRow> mine = rows_in(step.validations[a].content);
      const std::set<OneRow> theirs = rows_in(step.validations[b].content);
      std::vector<OneRow> different;
      std::ranges::set_symmetric_difference(mine, theirs, std::back_inserter(different));
      std::set<std::pair<Token, std::int64_t>> rows;
      for (const auto& [token, row, deleted] : different) {
        if (holds(step.partners[a], token) && holds(step.partners[b], token)) rows.emplace(token, row);
      }
      send(step.partners[a], step.partners[b], rows);
      if (rules_.streams_both_ways) send(step.partners[b], step.partners[a], rows);
    }
  }
  return all;
}

SessionJudge::Leaves SessionJudge::leaves(const Step& step, const std::vector<Replica>& before) const {
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
      const std::vector<TokenRange> leaves =
          differing_leaves(mine, theirs, ranges, alike, {.shallower_tree_decides = rules_.shallower_tree_decides});
      if (leaves.empty()) continue;
      for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
        const auto sender = static_cast<std::size_t>(step.partners[from]);
        const auto receiver = static_cast<std::size_t>(step.partners[to]);
        StreamedLeaves sum;
        for (const StreamedFile& file :
             streams(before[sender], settings(step.partners[from]), sent, leaves, nodes_.front()->now_s(), {})) {
          sum.rows += std::ssize(rows_in(file.content));
          ++sum.sstables;
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
  }
}

std::optional<Repairs::Next> SessionJudge::end(int number) {
  const Step& step = steps_[static_cast<std::size_t>(number)];
  for (int i = 0; i < record_.nodes; ++i)
    books_[static_cast<std::size_t>(i)]->expect(*nodes_[static_cast<std::size_t>(i)], "before the end");
  const std::vector<Replica> before = replicas();
  std::vector<Due> should(nodes_.size());
  if (step.runs) should = due(step, before);
  const Leaves whole = leaves(step, before);
  const std::size_t lines_before = record_.repairs.size();
  if (step.runs && step.request.session != 0 && rules_.files_become_repaired)
    ended_[step.request.session] = rules_.repaired_when_begun ? step.begin_ms : nodes_.front()->now_us() / 1000;
  const auto next = repairs_->end_step(number);
  for (int i = 0; i < record_.nodes; ++i) {
    const auto place = static_cast<std::size_t>(i);
    compare_ended(i, before[place], replica_of(tables_.front(), i), should[place]);
    books_[place]->expect(*nodes_[place], "ended");
  }
  if (step.runs) compare_leaves(step, whole, lines_before);
  pass_on(number);
  return next;
}

void SessionJudge::compare_ended(int node, const Replica& before, const Replica& is, const Due& due) {
  ++compared_;
  expect_once(node, before, "before the end");
  expect_once(node, is, "ended");
  const RowsByState had = rows_by_state(before, ended_);
  const RowsByState has = rows_by_state(is, ended_);
  const auto wrong = [&](const char* what) {
    complain(fmt::format("node {} at {}: {}", node, nodes_.front()->now_us(), what));
  };
  // Within a state a tombstone that has come hides its row.
  const auto hidden = [&](const std::set<OneRow>& rows, const OneRow& row) {
    return !std::get<2>(row) && rows.contains({std::get<0>(row), std::get<1>(row), true});
  };
  for (const auto& [state, rows] : had) {
    const auto now = has.find(state);
    for (const OneRow& row : rows) {
      if (now == has.end() || (!now->second.contains(row) && !hidden(now->second, row))) wrong("a row has gone");
    }
  }
  std::map<OneRow, std::tuple<Millis, std::int64_t>> came;
  for (const auto& [state, rows] : has) {
    const auto then = had.find(state);
    for (const OneRow& row : rows) {
      if (then == had.end() || !then->second.contains(row)) came[row] = state;
    }
  }
  for (const auto& [row, states] : due) {
    const auto found = came.find(row);
    if (found == came.end()) {
      const bool seen =
          std::ranges::any_of(has, [&, row = row](const auto& of_state) { return hidden(of_state.second, row); });
      if (!seen) wrong("a row is not sent");
      continue;
    }
    const auto normal = [&](const std::tuple<Millis, std::int64_t>& state) {
      const auto session = ended_.find(std::get<1>(state));
      return session == ended_.end() ? state : std::tuple<Millis, std::int64_t>{session->second, 0};
    };
    if (std::ranges::none_of(states, [&](const auto& state) { return normal(state) == found->second; }))
      wrong("a row comes in another state");
    ++sent_;
    came.erase(found);
  }
  if (!came.empty()) wrong("a row comes that nobody sent");
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
