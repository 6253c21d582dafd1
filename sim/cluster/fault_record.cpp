#include "sim/cluster/fault_record.h"

#include <algorithm>
#include <map>
#include <utility>

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

std::optional<Seconds> FaultRecord::repair_margin_s(const Scenario& scenario, int table) const {
  std::optional<Seconds> least;
  const auto see = [&least](Seconds margin_s) { least = std::min(least.value_or(margin_s), margin_s); };
  for (const OpenRepair& open : open_repairs) {
    if ((table < 0 || open.table == table) && open.margin_s < 0) see(open.margin_s);
  }
  for (const RepairSpec& spec : scenario.repairs) {
    if (spec.order != RepairSpec::Order::together || spec.subranges != 1) {
      for (const RepairStep& step : repairs) {
        if (step.repair == spec.name && step.margin_s && (table < 0 || step.table == table)) see(*step.margin_s);
      }
      continue;
    }
    std::map<std::pair<int, int>, Micros> last_begin_us;  // by table and node
    for (const int t : spec.tables) {
      for (int node = 0; node < nodes; ++node) {
        if (table < 0 || t == table) last_begin_us[{t, node}] = scenario.start_us;
      }
    }
    for (const RepairStep& step : repairs) {
      const auto last = last_begin_us.find({step.table, step.node});
      if (step.repair != spec.name || last == last_begin_us.end() || !step.margin_s) continue;
      see(*step.margin_s);
      last->second = step.begin_us;
    }
    for (const auto& [of, begin_us] : last_begin_us) {
      const Seconds open_s = gc_grace_s[static_cast<std::size_t>(of.first)] - (scenario.end_us - begin_us) / us_per_s;
      if (open_s < 0) see(open_s);
    }
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
