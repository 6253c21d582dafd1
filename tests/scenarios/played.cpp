#include "tests/scenarios/played.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "sim/cluster/cluster.h"
#include "sim/load/cluster_load.h"
#include "sim/nodes/cluster_run.h"
#include "sim/resolve/not_modelled.h"
#include "sim/resolve/table_months.h"
#include "sim/results/faults.h"
#include "sim/results/node_limit.h"
#include "tests/support/xz.h"

namespace windrow::test {

namespace {

constexpr double us_per_day = 86'400e6;

}  // namespace

Played::Played(const std::string& name, const std::vector<std::string>& assignments) {
  const std::string file = "scenarios/" + name + ".ini";
  loaded_ = load_scenario(file, read_file(file), assignments,
                          [](const std::string& other) { return std::optional(read_file("scenarios/" + other)); });
  refuse_what_is_not_modelled(loaded_);
  split_months(loaded_.scenario);
  std::shared_ptr<const ClusterLoad> load;
  if (loaded_.scenario.ring) load = std::make_shared<const ClusterLoad>(loaded_.scenario);
  if (has_faults(loaded_.scenario)) {
    Recorder recorder(loaded_.scenario, {}, {});
    auto faults = std::make_shared<const FaultRecord>(play_cluster(loaded_.scenario, recorder, {}));
    record_ = recorder.take();
    record_.faults = std::move(faults);
    judge_faults(record_);
  } else {
    record_ = run_cluster(
        loaded_.scenario, load, {}, {}, [](std::size_t, Micros) { return true; }, in_turn);
  }
  REQUIRE(record_.complete);
  if (!load) return;
  record_.load = load;
  judge_load(record_);
}

const LimitOutcome& Played::limit(const std::string& name) const {
  const auto found = std::ranges::find(record_.limits, name, &LimitOutcome::name);
  REQUIRE(found != record_.limits.end());
  return *found;
}

double Played::breach_days(const std::string& name) const {
  const std::optional<Micros> breach = limit(name).first_breach_us;
  return breach ? static_cast<double>(*breach - loaded_.scenario.start_us) / us_per_day : -1;
}

const TableSample& Played::after_days(double days) const {
  const auto at_us = loaded_.scenario.start_us + static_cast<Micros>(days * us_per_day);
  const auto found =
      std::ranges::find_if(table().samples, [&](const TableSample& each) { return each.at_us >= at_us; });
  REQUIRE(found != table().samples.end());
  return *found;
}

}  // namespace windrow::test
