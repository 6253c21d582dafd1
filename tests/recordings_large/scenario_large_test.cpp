#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/engine/node.h"
#include "sim/resolve/load_scenario.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

constexpr Micros day_us = 86'400 * us_per_s;

/// What a table did, day by day of a run.
struct Days {
  std::vector<int> compactions{};     // begun in each day
  std::vector<Bytes> live_on_disk{};  // at the end of each day, what is done in that second included

  void begun(std::int64_t day) {
    if (static_cast<std::size_t>(day) >= compactions.size()) compactions.resize(static_cast<std::size_t>(day) + 1);
    ++compactions[static_cast<std::size_t>(day)];
  }
};

Days recorded_days(const std::string& path) {
  Days days;
  std::istringstream lines(test::read_xz(path));
  std::int64_t start_s = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto event = nlohmann::json::parse(line);
    const auto kind = event.at("event").get<std::string>();
    if (kind == "header") start_s = event.at("start").get<std::int64_t>();
    if (kind == "pick") days.begun((event.at("t").get<std::int64_t>() - start_s) / 86'400);
    if (kind == "sample") days.live_on_disk.push_back(event.at("live_bytes_on_disk").get<Bytes>());
  }
  return days;
}

class DayCounter : public RunObserver {
 public:
  explicit DayCounter(const Scenario& scenario) : start_us_(scenario.start_us) {}

  void flushed(const Node& node, const FlushEvent&) override { changed(node); }
  void committed(const Node& node, const CommitEvent&) override { changed(node); }
  void started(const Node& node, const Job&) override { days_.begun((node.now_us() - start_us_) / day_us); }

  Days take(Micros end_us) {
    end_days_before(end_us);
    return days_;
  }

 private:
  void changed(const Node& node) {
    end_days_before(node.now_us());
    live_ = node.disk_used_bytes() - node.temporary_bytes();
  }
  void end_days_before(Micros at_us) {
    while (start_us_ + static_cast<Micros>(days_.live_on_disk.size() + 1) * day_us + us_per_s <= at_us)
      days_.live_on_disk.push_back(live_);
  }

  Micros start_us_;
  Bytes live_ = 0;
  Days days_{};
};

Days simulated_days(const std::string& name) {
  const std::string folder = "tests/recordings_large/scenarios/";
  const LoadedScenario loaded = load_scenario(
      name + ".ini", test::read_file(folder + name + ".ini"), {},
      [&](const std::string& file) -> std::optional<std::string> { return test::read_file(folder + file); });
  DayCounter counter(loaded.scenario);
  run_node(loaded.scenario, counter, {});
  return counter.take(loaded.scenario.end_us);
}

TEST_CASE("scenarios of recorded tables compact as often each day, and use as much disk") {
  for (const char* name : {"s02_stcs_fleet", "s03_twcs_late", "s05_lcs", "s05b_ucs", "s06b_twcs_row_deletes",
                           "s07_stcs_lz4", "s11_stcs_update", "s12_stcs_300", "s17_stcs_1400"}) {
    CAPTURE(name);
    const Days recorded = recorded_days("tests/oracle-large/traces/" + std::string(name) + "/trace.jsonl.xz");
    const Days simulated = simulated_days(name);
    CHECK(simulated.compactions == recorded.compactions);
    REQUIRE(simulated.live_on_disk.size() == recorded.live_on_disk.size());
    for (std::size_t d = 0; d < recorded.live_on_disk.size(); ++d) {
      CAPTURE(d);
      const auto real = static_cast<double>(recorded.live_on_disk[d]);
      CHECK(std::abs(static_cast<double>(simulated.live_on_disk[d]) - real) <= 0.02 * real);
    }
  }
}

}  // namespace
}  // namespace windrow
