#include "sim/cluster/fault_record.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/arithmetic.h"

namespace windrow {

std::string_view outcome_name(RepairStep::Outcome outcome) {
  switch (outcome) {
    case RepairStep::Outcome::done:
      return "done";
    case RepairStep::Outcome::refused:
      return "refused";
    case RepairStep::Outcome::failed:
      return "failed";
  }
  return "";
}

std::string_view state_name(SuspectState state) {
  switch (state) {
    case SuspectState::healed:
      return "healed";
    case SuspectState::stale:
      return "stale";
    case SuspectState::visible:
      return "visible";
    case SuspectState::spread:
      return "spread";
    case SuspectState::permanent:
      return "permanent";
  }
  return "";
}

Rows FaultRecord::rows(SuspectState state, int table) const {
  Rows sum = 0;
  for (const SuspectRows& line : suspects) {
    const bool by_hint = state == SuspectState::healed && line.hinted;
    if (line.state == state && !by_hint && (table < 0 || line.table == table)) sum += line.rows;
  }
  return sum;
}

Rows FaultRecord::resurrected(int table) const {
  return rows(SuspectState::visible, table) + rows(SuspectState::spread, table) + rows(SuspectState::permanent, table);
}

Rows FaultRecord::suspected(int table) const {
  return resurrected(table) + rows(SuspectState::healed, table) + rows(SuspectState::stale, table);
}

namespace {

bool is_of_all_at_once(const RepairSpec& spec) {
  return spec.order == RepairSpec::Order::together && spec.subranges == 1;
}

/// A repair of all ranges of a node that ended well.
struct DoneRepair {
  Micros begin_us = 0;
  Micros end_us = 0;
  Seconds gc_grace_s = 0;  // then
};

/// Repairs of one table and node, in the order of their beginnings, by what stands in for each other: full ones do,
/// others are by themselves.
using DoneRepairs = std::map<std::tuple<int, int, std::string>, std::vector<DoneRepair>>;

DoneRepairs done_repairs(const FaultRecord& faults, const Scenario& scenario, int table) {
  DoneRepairs all;
  for (const RepairSpec& spec : scenario.repairs) {
    if (!is_of_all_at_once(spec)) continue;
    const std::string group = spec.kind == RepairSpec::Kind::full ? std::string() : spec.name;
    std::map<std::pair<int, int>, Micros> last_begin_us;  // by table and node
    for (const int t : spec.tables) {
      for (int node = 0; node < faults.nodes; ++node) {
        if (table >= 0 && t != table) continue;
        last_begin_us[{t, node}] = scenario.start_us;
        all.try_emplace({t, node, group});
      }
    }
    for (const RepairStep& step : faults.repairs) {
      const auto last = last_begin_us.find({step.table, step.node});
      if (step.repair != spec.name || last == last_begin_us.end() || !step.margin_s) continue;
      const Seconds gc_grace_s = *step.margin_s + (step.end_us - last->second) / us_per_s;
      all[{step.table, step.node, group}].push_back({step.begin_us, step.end_us, gc_grace_s});
      last->second = step.begin_us;
    }
  }
  for (auto& [of, repairs] : all) std::ranges::stable_sort(repairs, {}, &DoneRepair::begin_us);
  return all;
}

/// Which of the repairs that have not begun yet is the first to end; null: none begins.
class FirstToEnd {
 public:
  explicit FirstToEnd(std::span<const DoneRepair> repairs) : repairs_(repairs), first_(repairs.size()) {
    for (std::size_t i = repairs.size(); i-- > 0;) {
      const bool later = i + 1 < repairs.size() && repairs[first_[i + 1]].end_us < repairs[i].end_us;
      first_[i] = later ? first_[i + 1] : i;
    }
  }
  /// Of those that begin at this instant or after it.
  const DoneRepair* from(Micros at_us) const {
    const auto next = std::ranges::lower_bound(repairs_, at_us, {}, &DoneRepair::begin_us);
    return next == repairs_.end() ? nullptr : &repairs_[first_[static_cast<std::size_t>(next - repairs_.begin())]];
  }

 private:
  std::span<const DoneRepair> repairs_;
  std::vector<std::size_t> first_;
};

}  // namespace

std::optional<Seconds> FaultRecord::repair_margin_s(const Scenario& scenario, int table) const {
  std::optional<Seconds> least;
  const auto see = [&least](Seconds margin_s) { least = std::min(least.value_or(margin_s), margin_s); };
  for (const OpenRepair& open : open_repairs) {
    if ((table < 0 || open.table == table) && open.margin_s < 0) see(open.margin_s);
  }
  for (const RepairSpec& spec : scenario.repairs) {
    for (const RepairStep& step : repairs) {
      const bool counts = !is_of_all_at_once(spec) && step.repair == spec.name && step.margin_s;
      if (counts && (table < 0 || step.table == table)) see(*step.margin_s);
    }
  }
  for (const auto& [of, done] : done_repairs(*this, scenario, table)) {
    const FirstToEnd first(done);
    const Seconds gc_grace_then_s = gc_grace_s[static_cast<std::size_t>(std::get<0>(of))];
    // What is deleted just after a repair has hashed waits for the next one.
    const auto see_from = [&](Micros deleted_us, Micros begins_us) {
      const DoneRepair* next = first.from(begins_us);
      if (next != nullptr) return see(next->gc_grace_s - (next->end_us - deleted_us) / us_per_s);
      const Seconds open_s = gc_grace_then_s - (scenario.end_us - deleted_us) / us_per_s;
      if (open_s < 0) see(open_s);
    };
    see_from(scenario.start_us, scenario.start_us);
    for (const DoneRepair& each : done) see_from(each.begin_us, each.begin_us + 1);
  }
  return least;
}

Seconds FaultRecord::longest_repair_s(const RepairSpec& spec) const {
  Micros longest_us = spec.takes_us;
  for (const RepairStep& step : repairs) {
    if (step.repair == spec.name) longest_us = std::max(longest_us, step.end_us - step.begin_us);
  }
  return ceil_div(longest_us, us_per_s);
}

}  // namespace windrow
