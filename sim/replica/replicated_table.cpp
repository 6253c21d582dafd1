#include "sim/replica/replicated_table.h"

#include <algorithm>

namespace windrow {

bool ReplicatedTable::write(const KeyedPartition& mutation, std::span<const int> replicas, int coordinator,
                            const ReplicasAsked& wanted, Micros now_us) {
  if (std::ssize(contacts(replicas, coordinator, wanted)) < wanted.all) return false;
  HintStore& hints = node(coordinator).hints;
  for (const int number : replicas) {
    ReplicaNode& target = node(number);
    if (target.reachable) {
      target.replica.write(mutation, table_.values);
    } else if (hints.takes(number, target.down_since_us, now_us, rules_)) {
      hints.add(number, {.created_us = now_us, .gc_grace_s = table_.gc_grace_s, .mutation = mutation});
    }
  }
  return true;
}

std::vector<int> ReplicatedTable::contacts(std::span<const int> replicas, int coordinator,
                                           const ReplicasAsked& wanted) const {
  std::vector<bool> live;
  for (const ReplicaNode& one : nodes_) live.push_back(one.reachable);
  return contacted(replicas, live, center_of_, coordinator, wanted);
}

ReadResult ReplicatedTable::read(std::span<const int> replicas, int coordinator, const ReplicasAsked& wanted,
                                 Token token, bool whole_table, Seconds now_s, const IsQueried& queried) {
  const auto ask = [&](const ReplicasAsked& of) {
    std::vector<Replica*> asked;
    for (const int number : contacts(replicas, coordinator, of)) asked.push_back(&node(number).replica);
    return read_partition(asked, table_, token, whole_table, now_s, queried, rules_);
  };
  ReadResult result = ask(wanted);
  if (wanted.all == 1 && rules_.read_repair_at_one)
    ask({.all = static_cast<int>(replicas.size()), .most_of_center = {}});
  return result;
}

void ReplicatedTable::dispatch_hints(Micros now_us) {
  for (ReplicaNode& coordinator : nodes_) {
    if (!coordinator.reachable) continue;
    for (std::size_t target = 0; target < nodes_.size(); ++target) {
      if (!nodes_[target].reachable) continue;
      for (const Hint& hint : coordinator.hints.dispatch(static_cast<int>(target))) {
        if (hint_lives(hint, table_.gc_grace_s, now_us, rules_))
          nodes_[target].replica.write(hint.mutation, table_.values);
      }
    }
  }
}

void ReplicatedTable::end_process(int number, bool hard, Micros now_us) {
  ReplicaNode& one = node(number);
  if (!hard) one.replica.flush();
  one.hints.close_files();
  one.running = false;
  one.reachable = false;
  one.down_since_us = now_us;
}

void ReplicatedTable::start_process(int number) {
  ReplicaNode& one = node(number);
  one.replica.flush();
  one.running = true;
  one.reachable = true;
}

std::vector<int> ReplicatedTable::repair_partners(std::span<const int> replicas, bool force) const {
  std::vector<int> partners;
  for (const int number : replicas) {
    if (nodes_[static_cast<std::size_t>(number)].reachable) {
      partners.push_back(number);
    } else if (!force) {
      return {};
    }
  }
  return partners;
}

}  // namespace windrow
