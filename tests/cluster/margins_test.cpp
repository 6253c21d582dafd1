#include <doctest/doctest.h>

#include "sim/cluster/fault_record.h"

namespace windrow {
namespace {

constexpr Seconds day_s = 86'400;
constexpr Seconds gc_grace_s = 10 * day_s;

Micros day(double days) { return static_cast<Micros>(days * 86'400e6); }

/// Repairs of one table on one node, day numbers from and to, of a run of sixty days.
class Schedule {
 public:
  Schedule() {
    scenario_.end_us = day(60);
    record_.gc_grace_s = {gc_grace_s};
  }
  void repair(const std::string& name, RepairSpec::Kind kind, const std::vector<std::pair<double, double>>& spans) {
    RepairSpec& spec = scenario_.repairs.emplace_back();
    spec.name = name;
    spec.kind = kind;
    spec.tables = {0};
    Micros last_us = 0;
    for (const auto& [from, to] : spans) {
      RepairStep& step = record_.repairs.emplace_back();
      step.repair = name;
      step.begin_us = day(from);
      step.end_us = day(to);
      step.margin_s = gc_grace_s - (step.end_us - last_us) / us_per_s;
      last_us = step.begin_us;
    }
  }
  std::optional<Seconds> margin_s() const { return record_.repair_margin_s(scenario_, 0); }

 private:
  Scenario scenario_{};
  FaultRecord record_{};
};

TEST_CASE("the margin of one repair: gc_grace less the time from a beginning to the end of the next") {
  Schedule weekly;
  // 0 to 7.5 d, 7 to 14.5, 14 to 23 and so on; the last begins on day 56.
  weekly.repair("weekly", RepairSpec::Kind::full,
                {{7, 7.5}, {14, 14.5}, {21, 23}, {28, 28.5}, {35, 35.5}, {42, 42.5}, {49, 49.5}, {56, 56.5}});
  CHECK(weekly.margin_s() == gc_grace_s - 9 * day_s);
  Schedule stops;
  stops.repair("weekly", RepairSpec::Kind::full, {{7, 7.5}, {14, 14.5}});
  CHECK(stops.margin_s() == gc_grace_s - 46 * day_s);  // nothing after day 14
}

TEST_CASE("full repairs of one table under two names stand in for each other; incremental ones do not") {
  const std::vector<std::pair<double, double>> odd = {{7, 8}, {21, 22}, {35, 36}, {49, 50}};
  const std::vector<std::pair<double, double>> even = {{14, 15}, {28, 29}, {42, 43}, {56, 57}};
  Schedule both;
  both.repair("odd", RepairSpec::Kind::full, odd);
  both.repair("even", RepairSpec::Kind::full, even);
  CHECK(both.margin_s() == 2 * day_s);
  Schedule mixed;
  mixed.repair("odd", RepairSpec::Kind::full, odd);
  mixed.repair("even", RepairSpec::Kind::incremental, even);
  CHECK(mixed.margin_s() == -5 * day_s);
  // One that begins later may end earlier: what is deleted on day 20 is healed on day 23.
  Schedule overlapping;
  overlapping.repair("long", RepairSpec::Kind::full, {{5, 9}, {15, 21}, {21, 34}, {45, 46}, {54, 55}});
  overlapping.repair("short", RepairSpec::Kind::full, {{22, 23}, {29, 30}, {37, 38}});
  CHECK(overlapping.margin_s() == gc_grace_s - 16 * day_s);  // from day 5 to day 21
}

}  // namespace
}  // namespace windrow
