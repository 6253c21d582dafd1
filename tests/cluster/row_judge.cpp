#include "tests/cluster/row_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sim/scenario/cluster_ring.h"
#include "sim/stats/murmur3.h"

namespace windrow_test {

using namespace windrow;

/// Writes down what a node holds whenever files change.
class RowJudge::Watch final : public RunObserver {
 public:
  Watch(RowJudge& judge, int number) : judge_(judge), number_(number) {}
  void flushed(const Node& node, const FlushEvent& event) override {
    judge_.snapshots_.push_back({event.at_us, number_, false, false, judge_.bits_of(node, number_), 0,
                                 event.at_us == outside_us_, event.reason == FlushReason::action,
                                 judge_.partitions_of(node, number_)});
    if (event.reason == FlushReason::action) outside_us_ = event.at_us;
  }
  void restarted(const Node& node) override {
    outside_us_ = node.now_us();
    judge_.restarts_.push_back({outside_us_, number_, judge_.snapshots_.size()});
  }
  void streamed(const Node& node, const StreamEvent& event) override {
    outside_us_ = event.at_us;
    judge_.snapshots_.push_back({event.at_us, number_, true, false, judge_.bits_of(node, number_), 0, false, false,
                                 judge_.partitions_of(node, number_)});
  }
  void committed(const Node& node, const CommitEvent& event) override {
    judge_.snapshots_.push_back({event.at_us, number_, false, false, judge_.bits_of(node, number_),
                                 event.job->task.started_s, event.at_us == outside_us_, false,
                                 judge_.partitions_of(node, number_)});
  }
  void sampled(const Node& node) override {
    if (node.now_us() == judge_.scenario_.end_us)
      judge_.snapshots_.push_back(
          {node.now_us(), number_, false, true, judge_.bits_of(node, number_), 0, false, false, {}});
  }

 private:
  RowJudge& judge_;
  int number_ = 0;
  Micros outside_us_ = -1;
};

RowJudge::RowJudge(const Scenario& scenario, const TableWorkload& workload, const ReadRules& rules)
    : scenario_(scenario),
      workload_(workload),
      rules_(rules),
      gc_grace_s_(scenario.tables[0].schema.options.gc_grace_seconds),
      spares_unrepaired_(
          common_options(scenario.tables[0].schema.options.compaction_options).only_purge_repaired_tombstones),
      nodes_(0) {
  for (const DataCenter& center : scenario.data_centers) nodes_ += center.nodes;
  const auto number = static_cast<std::size_t>(nodes_);
  for (int s = 0; s < static_cast<int>(workload.sub_streams().size()); ++s) {
    const SubStream& sub = workload.sub_streams()[static_cast<std::size_t>(s)];
    if (sub.brings() != Brings::rows) continue;
    int tombstones = -1;
    for (int other = 0; other < static_cast<int>(workload.sub_streams().size()); ++other) {
      if (workload.target_of(other) == s) tombstones = other;
    }
    for (std::int64_t j = 0; j < sub.rank(sub.writer().rhythm.total()); ++j) {
      Row row;
      row.sub_stream = s;
      row.member = j;
      row.written_us = sub.arrival(j);
      row.tombstones = tombstones;
      row.write_lost_by = sub.lost_by();
      row.ttl_s = std::max<Seconds>(0, sub.ttl_s());
      row.missed.resize(number);
      row.brought_to.resize(number);
      if (tombstones >= 0) {
        const SubStream& deletes = workload.sub_streams()[static_cast<std::size_t>(tombstones)];
        const bool unsent =
            std::ranges::any_of(deletes.unsent(), [j](const auto& span) { return span.first <= j && j < span.second; });
        if (!unsent) row.deleted_us = deletes.arrival(j);
        row.delete_lost_by = deletes.lost_by();
      }
      rows_.push_back(std::move(row));
    }
  }
  find_owners();
  for (const OutageSpec& spec : scenario.outages) {
    const Micros to_us = spec.from_us + spec.length_us;
    const auto before = std::ranges::find_if(
        outages_, [&](const Away& other) { return other.node == spec.node - 1 && other.to_us >= spec.from_us; });
    if (before != outages_.end()) {
      before->to_us = std::max(before->to_us, to_us);
      before->replaced = before->replaced || spec.ends == OutageSpec::Ends::replaced;
    } else {
      outages_.push_back({spec.name, spec.node - 1, spec.from_us, to_us, spec.ends == OutageSpec::Ends::replaced});
    }
  }
  held_.assign(number, Bits(rows_.size(), 0));
  in_memory_ = held_;
  pending_.resize(number);
  hinted_.resize(number);
  oldest_us_.resize(number);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    arrivals_.push_back({row.written_us, r, false});
    if (row.deleted_us) arrivals_.push_back({*row.deleted_us, r, true});
    if (row.deleted_us && row.delete_lost_by >= 0 && row.owners[static_cast<std::size_t>(row.delete_lost_by)])
      losable_.push_back(r);
  }
  std::erase_if(arrivals_, [&](const Arrival& arrival) { return arrival.at_us < scenario.start_us; });
  std::ranges::stable_sort(arrivals_, {}, &Arrival::at_us);
  told_lost_us_ = scenario.start_us;
  read_us_ = scenario.start_us;
}

RowJudge::~RowJudge() = default;

std::vector<RunObserver*> RowJudge::observers() {
  std::vector<RunObserver*> all;
  for (int i = 0; i < nodes_; ++i) {
    watches_.push_back(std::make_unique<Watch>(*this, i));
    all.push_back(watches_.back().get());
  }
  return all;
}

int RowJudge::center_of(int node) const {
  int end = 0;
  for (int center = 0; const DataCenter& each : scenario_.data_centers) {
    end += each.nodes;
    if (node < end) return center;
    ++center;
  }
  return -1;
}

/// Hashes the key of every row by itself.
void RowJudge::find_owners() {
  const bool some = std::ranges::any_of(
      scenario_.data_centers, [](const DataCenter& center) { return center.nodes > center.replication_factor; });
  if (scenario_.ring) walk_.emplace(scenario_.ring->tokens, scenario_.ring->places, scenario_.ring->replication);
  if (some) replicas_ = walk_;
  mine_.assign(static_cast<std::size_t>(nodes_), std::vector<std::vector<std::size_t>>(workload_.sub_streams().size()));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Row& row = rows_[r];
    row.owners.assign(static_cast<std::size_t>(nodes_), !replicas_);
    const SubStream& sub = workload_.sub_streams()[static_cast<std::size_t>(row.sub_stream)];
    const Writer& writer = sub.writer();
    row.token = murmur3_token(writer.key(sub.slot(row.member), writer.bucket_of(sub.row(row.member))));
    if (replicas_) {
      for (const int node : replicas_->set(replicas_->set_of(row.token)))
        row.owners[static_cast<std::size_t>(node)] = true;
    }
    row.holders = numbers(row.owners);
    for (const int node : row.holders) {
      auto& of_node = mine_[static_cast<std::size_t>(node)];
      of_node[static_cast<std::size_t>(row.sub_stream)].push_back(r);
      if (row.tombstones >= 0) of_node[static_cast<std::size_t>(row.tombstones)].push_back(r);
    }
  }
  for (const auto& of_node : mine_) {
    auto& known = known_.emplace_back();
    for (const auto& of_sub_stream : of_node) known.emplace_back(of_sub_stream.size());
  }
  files_.resize(mine_.size());
}

bool RowJudge::share_a_range(int node, int other) const {
  if (!replicas_) return true;
  for (std::size_t range = 0; range < replicas_->ranges(); ++range) {
    const auto nodes = replicas_->replicas(range);
    if (std::ranges::find(nodes, node) != nodes.end() && std::ranges::find(nodes, other) != nodes.end()) return true;
  }
  return false;
}

bool RowJudge::away(int node, Micros at_us) const {
  return std::ranges::any_of(
      outages_, [&](const Away& one) { return one.node == node && one.from_us <= at_us && at_us < one.to_us; });
}

bool RowJudge::accepted(const Row& row, Micros at_us, int lost_by) const {
  return std::ranges::any_of(row.holders, [&](int node) { return node != lost_by && !away(node, at_us); });
}

/// What is sent before that time.
void RowJudge::arrive(Micros until_us) {
  for (; next_arrival_ < arrivals_.size() && arrivals_[next_arrival_].at_us < until_us; ++next_arrival_) {
    const auto& [at_us, r, deletes] = arrivals_[next_arrival_];
    const Row& row = rows_[r];
    for (const int node : row.holders) {
      if (node == (deletes ? row.delete_lost_by : row.write_lost_by) || away(node, at_us)) continue;
      std::uint8_t& bits = held_[static_cast<std::size_t>(node)][r];
      const std::uint8_t was = bits;
      bits |= deletes ? tombstone : value | present;
      std::uint8_t& in_memory = in_memory_[static_cast<std::size_t>(node)][r];
      in_memory = static_cast<std::uint8_t>(in_memory | (bits & ~was));
    }
  }
}

std::vector<bool> RowJudge::shown(std::size_t row) const {
  std::vector<bool> nodes(held_.size());
  for (std::size_t node = 0; node < nodes.size(); ++node)
    nodes[node] = (held_[node][row] & (value | tombstone)) == value;
  return nodes;
}

bool RowJudge::any_shows(std::size_t row) const {
  return std::ranges::any_of(held_, [row](const Bits& bits) { return (bits[row] & (value | tombstone)) == value; });
}

void RowJudge::pass_time(Micros now_us) {
  const Seconds now_s = now_us / us_per_s;
  for (const std::size_t r : suspects_) {
    Row& row = rows_[r];
    if (row.over) continue;
    const Seconds expiry_s = row.ttl_s > 0 ? row.written_us / us_per_s + row.ttl_s : INT64_MAX;
    const Seconds stripped_s = *row.deleted_us / us_per_s + gc_grace_s_;
    if (!spares_unrepaired_ && !row.visible && stripped_s < now_s && expiry_s > stripped_s && any_shows(r))
      row.visible = true;
    if (expiry_s <= now_s) row.over = true;
  }
}

void RowJudge::missed(std::size_t r, int node, const std::string& why, Micros from_us, Micros now_us, bool was_away) {
  Row& row = rows_[r];
  if ((held_[static_cast<std::size_t>(node)][r] & (value | tombstone)) != value) return;
  row.missed[static_cast<std::size_t>(node)] = true;
  if (row.suspect) return;
  row.suspect = true;
  suspects_.push_back(r);
  row.why = why;
  for (const auto& [at_us, purger] : row.purges) {
    if (at_us < from_us || !row.forgotten_first(purger, at_us)) continue;
    row.purged_on = purger;
    row.purged_us = at_us;
  }
  const bool over = row.ttl_s > 0 && row.written_us / us_per_s + row.ttl_s <= now_us / us_per_s;
  if (was_away) row.over = over;
  if (!over) judge(r, shown(r), now_us, {}, false);
}

void RowJudge::lost(Micros now_us) {
  pass_time(now_us);
  for (const std::size_t r : losable_) {
    const Row& row = rows_[r];
    if (*row.deleted_us < told_lost_us_ || *row.deleted_us >= now_us) continue;
    if (accepted(row, *row.deleted_us, row.delete_lost_by))
      missed(r, row.delete_lost_by, "lost", told_lost_us_, now_us, false);
  }
  told_lost_us_ = now_us;
  pass_time(now_us);
}

void RowJudge::lose_disk(int node, Micros now_us) {
  pass_time(now_us);
  pending_[static_cast<std::size_t>(node)].clear();
  hinted_[static_cast<std::size_t>(node)].clear();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const bool judged = rows_[r].suspect && !rows_[r].over;
    const std::vector<bool> before = judged ? shown(r) : std::vector<bool>{};
    held_[static_cast<std::size_t>(node)][r] = 0;
    in_memory_[static_cast<std::size_t>(node)][r] = 0;
    if (judged) judge(r, before, now_us, "replacement", false);
  }
}

std::optional<std::vector<int>> RowJudge::sources(int node, Micros now_us) const {
  std::vector<int> by_row(rows_.size(), -1);
  std::vector<int> ranges_of(static_cast<std::size_t>(nodes_), 0);
  // Every set of replicas in turn: of those that are up the one that sends least so far.
  const std::size_t sets = replicas_ ? replicas_->sets() : 1;
  std::vector<int> of_set(sets, -1);
  for (std::size_t set = 0; set < sets; ++set) {
    std::vector<int> members;
    for (int other = 0; other < nodes_; ++other) {
      if (!replicas_ || std::ranges::find(replicas_->set(static_cast<int>(set)), other) !=
                            replicas_->set(static_cast<int>(set)).end())
        members.push_back(other);
    }
    if (std::ranges::find(members, node) == members.end() || members.size() == 1) continue;
    // Another data centre sends only what nobody of the node's own can.
    for (const bool near : {true, false}) {
      for (const int member : members) {
        if (away(member, now_us) || member == node || (center_of(member) == center_of(node)) != near) continue;
        int& of = of_set[set];
        const bool beyond = of >= 0 && !near && center_of(of) == center_of(node);
        const bool more =
            of >= 0 && ranges_of[static_cast<std::size_t>(member)] >= ranges_of[static_cast<std::size_t>(of)];
        if (!beyond && !more) of = member;
      }
    }
    if (of_set[set] < 0) return std::nullopt;
    ++ranges_of[static_cast<std::size_t>(of_set[set])];
  }
  std::vector<std::vector<bool>> members_of(replicas_ ? sets : 0, std::vector<bool>(static_cast<std::size_t>(nodes_)));
  for (std::size_t set = 0; set < members_of.size(); ++set) {
    for (const int member : replicas_->set(static_cast<int>(set)))
      members_of[set][static_cast<std::size_t>(member)] = true;
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (!rows_[r].owners[static_cast<std::size_t>(node)]) continue;
    const auto set = std::ranges::find(members_of, rows_[r].owners) - members_of.begin();
    by_row[r] = of_set[static_cast<std::size_t>(set)];
  }
  return by_row;
}

void RowJudge::fill(int node, const std::vector<int>& sources, Micros now_us) {
  pass_time(now_us);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (sources[r] < 0) continue;
    held_[static_cast<std::size_t>(node)][r] = held_[static_cast<std::size_t>(sources[r])][r];
    Row& row = rows_[r];
    if (row.suspect && !row.over && shown(r)[static_cast<std::size_t>(node)])
      row.missed[static_cast<std::size_t>(node)] = true;
  }
}

void RowJudge::returned(const Away& one, Micros now_us) {
  pass_time(now_us);
  std::optional<Micros> first;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if (!row.owners[static_cast<std::size_t>(one.node)]) continue;
    const auto in = [&](Micros at_us, int lost_by) {
      return lost_by != one.node && one.from_us <= at_us && at_us < now_us && accepted(row, at_us, lost_by);
    };
    const bool write = in(row.written_us, row.write_lost_by);
    const bool remove = row.deleted_us && in(*row.deleted_us, row.delete_lost_by);
    if (write) first = std::min(first.value_or(row.written_us), row.written_us);
    if (remove) first = std::min(first.value_or(*row.deleted_us), *row.deleted_us);
    if (remove) missed(r, one.node, one.name, one.from_us, now_us, true);
  }
  pass_time(now_us);
  const NodeSettings& node = scenario_.node;
  if (now_us < one.to_us || !node.hinted_handoff || !first) return;
  auto& pending = pending_[static_cast<std::size_t>(one.node)];
  Micros& oldest_us = oldest_us_[static_cast<std::size_t>(one.node)];
  const Micros was_us = pending.empty() ? *first : oldest_us;
  // While now - away since <= window, and now - oldest <= window.
  const Micros last_us = std::min(one.from_us, was_us) + node.max_hint_window_us;
  if (*first > last_us) return;
  oldest_us = was_us;
  pending.emplace_back(one.from_us, std::min(one.to_us - 1, last_us));
  hinted_[static_cast<std::size_t>(one.node)].push_back(one);
}

void RowJudge::hints(int node, Micros now_us) {
  pass_time(now_us);
  auto& pending = pending_[static_cast<std::size_t>(node)];
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if (!row.owners[static_cast<std::size_t>(node)]) continue;
    std::uint8_t& bits = held_[static_cast<std::size_t>(node)][r];
    const bool judged = row.suspect && !row.over;
    const std::vector<bool> before = judged ? shown(r) : std::vector<bool>{};
    const std::uint8_t was = bits;
    const auto comes = [&](Micros at_us, int lost_by) {
      const bool kept =
          std::ranges::any_of(pending, [&](const auto& span) { return span.first <= at_us && at_us <= span.second; });
      return kept && lost_by != node && accepted(row, at_us, lost_by) && at_us + gc_grace_s_ * us_per_s > now_us;
    };
    if (comes(row.written_us, row.write_lost_by) && (bits & present) == 0) bits |= value | present;
    if (row.deleted_us && comes(*row.deleted_us, row.delete_lost_by)) bits |= tombstone;
    std::uint8_t& in_memory = in_memory_[static_cast<std::size_t>(node)][r];
    in_memory = static_cast<std::uint8_t>(in_memory | (bits & ~was));
    if (judged) judge(r, before, now_us, "hints", true);
    for (const Away& one : hinted_[static_cast<std::size_t>(node)]) {
      const bool then = row.deleted_us && one.from_us <= *row.deleted_us && *row.deleted_us < one.to_us;
      if (then && row.delete_lost_by != node && accepted(row, *row.deleted_us, row.delete_lost_by))
        missed(r, node, one.name, one.from_us, now_us, true);
      const bool since = row.deleted_us && one.from_us <= *row.deleted_us && *row.deleted_us < now_us;
      if (since && row.delete_lost_by == node && accepted(row, *row.deleted_us, node))
        missed(r, node, "lost", one.from_us, now_us, false);
    }
  }
  pending.clear();
  hinted_[static_cast<std::size_t>(node)].clear();
  pass_time(now_us);
}

void RowJudge::stream(Micros now_us, const std::string& name, const std::vector<bool>& repairing) {
  pass_time(now_us);
  const std::vector<Bits> before = held_;
  const std::vector<Bits> only_in_memory = in_memory_;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const bool judged = rows_[r].suspect && !rows_[r].over;
    const std::vector<bool> showed = judged ? shown(r) : std::vector<bool>{};
    const auto its_range = [&](int node) { return repairing[static_cast<std::size_t>(node)]; };
    if (std::ranges::none_of(rows_[r].holders, its_range)) continue;
    std::size_t pair = 0;
    for (std::size_t a = 0; a < before.size(); ++a) {
      for (std::size_t b = a + 1; b < before.size(); ++b) {
        if (!goes_[pair++][r]) continue;
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
          // Where leaves do not arrive, a row or delete that is there already is not sent.
          const auto lacks = [&](int what) { return scenario_.exact_leaves > 0 || (before[to][r] & what) == 0; };
          const int wanted = (lacks(present) ? value | present : 0) | (lacks(tombstone) ? tombstone : 0);
          const int sent = before[from][r] & ~only_in_memory[from][r] & wanted;
          held_[to][r] = static_cast<std::uint8_t>(held_[to][r] | sent);
          in_memory_[to][r] = static_cast<std::uint8_t>(in_memory_[to][r] & ~sent);
        }
      }
    }
    for (std::size_t node = 0; node < before.size(); ++node) {
      received_ += (held_[node][r] & present) != (before[node][r] & present) ? 1 : 0;
      received_ += (held_[node][r] & tombstone) != (before[node][r] & tombstone) ? 1 : 0;
    }
    if (judged) judge(r, showed, now_us, "repair " + name, false);
  }
}

/// A compaction, or the end: what is gone must have been allowed to go, and nothing may come.
void RowJudge::take(const Snapshot& snapshot) {
  arrive(snapshot.last ? scenario_.end_us : snapshot.at_us);
  pass_time(snapshot.at_us);
  Bits& held = held_[static_cast<std::size_t>(snapshot.node)];
  const bool flushed = snapshot.started_s == 0 && !snapshot.last;
  if (flushed) std::ranges::fill(in_memory_[static_cast<std::size_t>(snapshot.node)], std::uint8_t{0});
  const auto complain = [&](std::size_t r, const char* what) {
    this->complain(fmt::format("node {} at {}: row {} of {}: {}", snapshot.node, snapshot.at_us, rows_[r].member,
                               rows_[r].sub_stream, what));
  };
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Row& row = rows_[r];
    const std::uint8_t was = held[r];
    const std::uint8_t is = snapshot.bits[r];
    if (is == was) continue;
    if ((is & ~was) != 0) complain(r, "is there, and nobody brought it");
    const std::uint8_t gone = was & static_cast<std::uint8_t>(~is);
    if (gone == 0) continue;
    const bool shadowed = (gone & tombstone) == 0 && (was & tombstone) != 0;  // by a flush, or a compaction
    if (snapshot.last && !shadowed) complain(r, "is gone, and no compaction took it");
    const Seconds now_s = snapshot.started_s;
    if ((gone & tombstone) != 0 && *row.deleted_us / us_per_s >= now_s - gc_grace_s_)
      complain(r, "forgotten too early");
    const bool expired = row.ttl_s > 0 && row.written_us / us_per_s + row.ttl_s <= now_s;
    if ((gone & (value | present)) != 0 && (was & tombstone) == 0 && !expired) complain(r, "lost");
    const bool judged = (gone & tombstone) != 0 && row.suspect && !row.over;
    const std::vector<bool> before = judged ? shown(r) : std::vector<bool>{};
    held[r] = is;
    if ((gone & tombstone) != 0) row.purges.emplace_back(snapshot.at_us, snapshot.node);
    if (!judged) continue;
    if (row.forgotten_first(snapshot.node, snapshot.at_us)) {
      row.purged_on = snapshot.node;
      row.purged_us = snapshot.at_us;
    }
    judge(r, before, snapshot.at_us, "compaction", false);
  }
}

}  // namespace windrow_test
