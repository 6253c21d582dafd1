#include <algorithm>
#include <tuple>

#include "tests/cluster/row_judge.h"

namespace windrow_test {

using namespace windrow;

// What happens to the cluster, in the order of time; and what became of every row.

void RowJudge::judge(std::size_t r, const std::vector<bool>& before, Micros now_us, const std::string& what,
                     bool hints) {
  const bool stored = std::ranges::any_of(held_, [r](const Bits& bits) { return (bits[r] & tombstone) != 0; });
  rows_[r].judge(before, shown(r), stored, now_us, what, hints);
}

void RowJudge::follow_streams(Micros now_us) {
  pass_time(now_us);
  std::vector<std::vector<bool>> before;
  for (const std::size_t r : suspects_) before.push_back(shown(r));
  for (const Snapshot& snapshot : snapshots_) {
    if (snapshot.streamed && snapshot.at_us == now_us) held_[static_cast<std::size_t>(snapshot.node)] = snapshot.bits;
  }
  for (std::size_t i = 0; i < suspects_.size(); ++i) {
    if (!rows_[suspects_[i]].over) judge(suspects_[i], before[i], now_us, "repair " + streamed_by_->at(now_us), false);
  }
}

Histories RowJudge::ledger_beside(const std::vector<RepairStep>& repairs) {
  streamed_by_.emplace();
  for (const RepairStep& step : repairs) {
    if (step.rows > 0) (*streamed_by_)[step.end_us] = step.repair;
  }
  return ledger();
}

void RowJudge::take_before_replacement(int node, Micros now_us) {
  const auto restart =
      std::ranges::find_if(restarts_, [&](const Restart& one) { return one.node == node && one.at_us == now_us; });
  if (restart == restarts_.end()) return;
  for (Snapshot& snapshot : snapshots_) {
    if (snapshot.at_us != now_us || snapshot.order >= restart->order || snapshot.streamed || snapshot.taken) continue;
    take(snapshot);
    snapshot.taken = true;
  }
}

Histories RowJudge::ledger() {
  // What happens to the cluster, at one time in this order.
  enum Kind { outage_end, replacement, hints_come, repair_end, outage_begin, repair_begin, pause };
  using Event = std::tuple<Micros, int, int>;
  std::vector<Event> events;
  for (int i = 0; i < std::ssize(outages_); ++i) {
    events.emplace_back(outages_[static_cast<std::size_t>(i)].from_us, outage_begin, i);
    events.emplace_back(outages_[static_cast<std::size_t>(i)].to_us, outage_end, i);
  }
  if (scenario_.node.lost_mutations_ppm > 0 || !scenario_.reads.empty()) {
    for (Micros at_us = scenario_.start_us; at_us < scenario_.end_us; at_us += scenario_.sample_us)
      events.emplace_back(at_us, pause, 0);
  }
  struct Repair {
    std::vector<bool> of_nodes{};  // that go on
    Micros next_us = 0;
    std::vector<std::vector<bool>> goes{};
  };
  std::vector<Repair> repairs(scenario_.repairs.size());
  const auto plan = [&](int number, Micros from_us) {
    const RepairSpec& spec = scenario_.repairs[static_cast<std::size_t>(number)];
    Repair& repair = repairs[static_cast<std::size_t>(number)];
    // The last date that has come while another ran, or the next one.
    while (repair.next_us + spec.every_us <= from_us ||
           (repair.next_us >= spec.skip_from_us && repair.next_us < spec.skip_to_us))
      repair.next_us += spec.every_us;
    events.emplace_back(std::max(repair.next_us, from_us), repair_begin, number);
    repair.next_us += spec.every_us;
  };
  if (streamed_by_) {
    for (const auto& [at_us, repair] : *streamed_by_) events.emplace_back(at_us, repair_end, 0);
  }
  for (int i = 0; i < std::ssize(repairs) && !streamed_by_; ++i) {
    repairs[static_cast<std::size_t>(i)].next_us = scenario_.repairs[static_cast<std::size_t>(i)].from_us;
    plan(i, scenario_.start_us);
  }
  for (std::size_t i = 0; i < snapshots_.size(); ++i) snapshots_[i].order = i;
  std::ranges::stable_sort(snapshots_, {}, [](const Snapshot& s) { return std::tuple(s.at_us, s.late, s.node); });
  auto snapshot = snapshots_.begin();
  const auto take_until = [&](Micros at_us) {
    for (; snapshot != snapshots_.end() && std::pair(snapshot->at_us, snapshot->late) <= std::pair(at_us, false);
         ++snapshot) {
      if (!snapshot->streamed && !snapshot->last && !snapshot->taken) take(*snapshot);
    }
    arrive(at_us);
  };
  const auto away_otherwise = [&](int number, Micros at_us) {
    for (int i = 0; i < std::ssize(outages_); ++i) {
      const Away& other = outages_[static_cast<std::size_t>(i)];
      const bool same = i != number && other.node == outages_[static_cast<std::size_t>(number)].node;
      if (same && other.from_us <= at_us && at_us < other.to_us) return true;
    }
    return false;
  };
  std::vector<Micros> due_us(static_cast<std::size_t>(nodes_), -1);
  while (!events.empty()) {
    const auto next = std::ranges::min_element(events);
    const auto [first_us, kind, number] = *next;
    const Micros at_us = first_us;
    events.erase(next);
    if (at_us >= scenario_.end_us) continue;
    take_until(at_us);
    lost(at_us);
    const auto place = static_cast<std::size_t>(number);
    if (kind == outage_begin && away_otherwise(number, at_us)) {
      outages_[place].to_us = at_us;  // it still waits for a machine
    } else if ((kind == outage_end || kind == replacement) && outages_[place].to_us == outages_[place].from_us) {
    } else if (kind == outage_begin) {
      due_us[static_cast<std::size_t>(outages_[place].node)] = -1;
      for (Repair& repair : repairs) {
        for (const int node : numbers(repair.of_nodes)) {
          if (share_a_range(node, outages_[place].node)) repair.of_nodes[static_cast<std::size_t>(node)] = false;
        }
      }
      if (outages_[place].replaced) lose_disk(outages_[place].node, at_us);
    } else if (kind == pause) {
      reads(at_us);
    } else if (kind == outage_end && outages_[place].replaced) {
      outages_[place].to_us = at_us + 1;  // not before all that end now have
      events.emplace_back(at_us, replacement, number);
    } else if (kind == replacement) {
      Away& one = outages_[place];
      if (const auto from = sources(one.node, at_us)) {
        one.to_us = at_us;
        take_before_replacement(one.node, at_us);
        fill(one.node, *from, at_us);
        continue;
      }
      Micros next_us = scenario_.end_us;
      for (const Away& other : outages_) {
        const Micros back_us = other.to_us / us_per_s * us_per_s;
        if (other.node != one.node && other.from_us <= at_us && at_us < back_us) next_us = std::min(next_us, back_us);
      }
      events.emplace_back(next_us, replacement, number);
      one.to_us = next_us + 1;
    } else if (kind == outage_end) {
      const Away& one = outages_[place];
      returned(one, at_us);
      if (!pending_[static_cast<std::size_t>(one.node)].empty()) {
        due_us[static_cast<std::size_t>(one.node)] = at_us + 10 * us_per_s;
        events.emplace_back(at_us + 10 * us_per_s, hints_come, one.node);
      }
    } else if (kind == hints_come) {
      if (due_us[place] == at_us) hints(number, at_us);
    } else if (kind == repair_begin) {
      std::vector<bool> of_nodes;
      for (int node = 0; node < nodes_; ++node)
        of_nodes.push_back(std::ranges::none_of(outages_, [&](const Away& one) {
          return one.from_us <= at_us && at_us < one.to_us && share_a_range(node, one.node);
        }));
      if (numbers(of_nodes).empty()) {
        plan(number, at_us);
        continue;
      }
      hash(at_us);
      repairs[place].of_nodes = of_nodes;
      repairs[place].goes = goes_;
      events.emplace_back(at_us + scenario_.repairs[place].takes_us, repair_end, number);
    } else if (streamed_by_) {
      follow_streams(at_us);
    } else {
      goes_ = repairs[place].goes;
      stream(at_us, scenario_.repairs[place].name, repairs[place].of_nodes);
      plan(number, at_us);
    }
  }
  take_until(scenario_.end_us);
  for (const Snapshot& last : snapshots_) {
    if (last.last) take(last);
  }
  lost(scenario_.end_us);
  for (const Away& one : outages_) {
    if (one.to_us >= scenario_.end_us && one.from_us < scenario_.end_us && !one.replaced)
      returned(one, scenario_.end_us);
  }
  pass_time(scenario_.end_us);
  Histories all;
  for (const Row& row : rows_) {
    if (!row.suspect) continue;
    const Micros deleted_us = *row.deleted_us / us_per_s * us_per_s;
    count_rows(all, row.history(), 1, deleted_us, deleted_us);
  }
  return all;
}

}  // namespace windrow_test
