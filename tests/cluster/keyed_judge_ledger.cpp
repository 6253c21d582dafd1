#include <algorithm>
#include <tuple>

#include "tests/cluster/keyed_judge.h"

namespace windrow_test {

using namespace windrow;

// What happens to the cluster, in the order of time; and what became of every row.

namespace {

/// When repairs begin and end, all of them; `record`: which were refused.
std::vector<Micros> repair_turns_of(const Scenario& scenario, const FaultRecord& record) {
  std::vector<Micros> all;
  for (const RepairSpec& spec : scenario.repairs) {
    Micros next_us = spec.from_us;
    Micros free_us = scenario.start_us;
    while (true) {
      // The last date that has come while another ran, or the next one.
      while (next_us + spec.every_us <= free_us || (next_us >= spec.skip_from_us && next_us < spec.skip_to_us))
        next_us += spec.every_us;
      const Micros begin_us = std::max(next_us, free_us);
      next_us += spec.every_us;
      if (begin_us >= scenario.end_us) break;
      const bool refused = std::ranges::any_of(record.repairs, [&](const RepairStep& step) {
        const bool is_it = step.repair == spec.name && step.begin_us == begin_us;
        return is_it && step.outcome == RepairStep::Outcome::refused;
      });
      free_us = refused ? begin_us : begin_us + spec.takes_us;
      all.push_back(begin_us);
      all.push_back(free_us);
    }
  }
  return all;
}

}  // namespace

Histories KeyedJudge::ledger(const FaultRecord& record) {
  std::map<Micros, std::string> repairs;  // that sent something
  for (const RepairStep& step : record.repairs) {
    if (step.outcome == RepairStep::Outcome::done) repairs[step.end_us] = step.repair;
  }
  enum Kind { outage_end, hints_come, repair_end, outage_begin, repair_turns, pause };
  std::vector<std::tuple<Micros, int, int>> barriers;
  for (int i = 0; i < std::ssize(outages_); ++i) {
    barriers.emplace_back(outages_[static_cast<std::size_t>(i)].from_us, outage_begin, i);
    barriers.emplace_back(outages_[static_cast<std::size_t>(i)].to_us, outage_end, i);
  }
  for (const auto& [at_us, name] : repairs) barriers.emplace_back(at_us, repair_end, 0);
  for (const Micros at_us : repair_turns_of(scenario_, record)) barriers.emplace_back(at_us, repair_turns, 0);
  for (Micros at_us = scenario_.start_us; at_us < scenario_.end_us; at_us += scenario_.sample_us)
    barriers.emplace_back(at_us, pause, 0);
  std::ranges::stable_sort(events_, {}, [](const Event& e) { return std::tuple(e.at_us, e.late, e.node); });
  std::vector<Micros> due_us(static_cast<std::size_t>(nodes_), -1);
  auto next = events_.begin();
  const auto take_until = [&](Micros at_us, bool late) {
    for (; next != events_.end() && std::pair(next->at_us, next->late) <= std::pair(at_us, late); ++next) {
      if (next->kind == Event::Kind::streamed && !late) break;
      arrive(next->at_us);
      take(*next);
      if (next->kind == Event::Kind::committed) changed({next->node}, next->at_us, "compaction", false, true);
    }
    arrive(at_us);
  };
  while (!barriers.empty()) {
    const auto first = std::ranges::min_element(barriers);
    const auto [at_us, kind, number] = *first;
    barriers.erase(first);
    if (at_us >= scenario_.end_us) continue;
    take_until(at_us, false);
    lost(at_us);
    const auto place = static_cast<std::size_t>(number);
    if (kind == outage_begin) {
      due_us[static_cast<std::size_t>(outages_[place].node)] = -1;
    } else if (kind == outage_end) {
      const Away& one = outages_[place];
      const auto node = static_cast<std::size_t>(one.node);
      missed(one, at_us);
      std::optional<Micros> first_us;
      for (const Write& write : writes_) {
        if (!first_us && one.from_us <= write.at_us && write.at_us < one.to_us && accepted(write))
          first_us = write.at_us;
      }
      if (!scenario_.node.hinted_handoff || !first_us) continue;
      const Micros was_us = hinted_[node].empty() ? *first_us : oldest_us_[node];
      const Micros last_us = std::min(one.from_us, was_us) + scenario_.node.max_hint_window_us;
      if (*first_us <= last_us) {
        oldest_us_[node] = was_us;
        hinted_[node].push_back({one.name, one.node, one.from_us, std::min(one.to_us - 1, last_us)});
        whole_[node].push_back(one);
      }
      if (hinted_[node].empty()) continue;
      due_us[node] = at_us + 10 * us_per_s;
      barriers.emplace_back(due_us[node], hints_come, one.node);
    } else if (kind == hints_come) {
      if (due_us[place] == at_us) hints(number, at_us);
    } else if (kind == pause) {
      reads(at_us);
    } else if (kind == repair_end) {
      std::vector<int> all;
      for (int node = 0; node < nodes_; ++node) all.push_back(node);
      // What arrives comes from the files as they were before.
      std::vector<Event> arriving;
      for (; next != events_.end() && next->at_us == at_us; ++next) arriving.push_back(*next);
      std::vector<Event> after;
      for (const Event& event : arriving) {
        if (event.kind == Event::Kind::streamed) {
          take(event);
        } else {
          after.push_back(event);
        }
      }
      changed(all, at_us, "repair " + repairs.at(at_us), false, false);
      for (const Event& event : after) {
        take(event);
        if (event.kind == Event::Kind::committed) changed({event.node}, at_us, "compaction", false, true);
      }
    }
  }
  take_until(scenario_.end_us, true);
  lost(scenario_.end_us);
  for (const Away& one : outages_) {
    if (one.to_us >= scenario_.end_us && one.from_us < scenario_.end_us) missed(one, scenario_.end_us);
  }
  pass_time(scenario_.end_us);
  return histories();
}

Histories KeyedJudge::histories() const {
  Histories all;
  for (const Row& row : rows_) {
    const Micros ended_us = row.healed_us.value_or(row.rewritten_us.value_or(scenario_.end_us));
    if (!row.spread && ended_us <= row.dead_s * us_per_s) continue;  // the newer value still lived
    count_rows(all, row.history(), 1, row.dead_s * us_per_s, row.dead_s * us_per_s);
  }
  return all;
}

}  // namespace windrow_test
