#include "sim/advice/advise.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "sim/engine/node.h"
#include "sim/record/recorder.h"

namespace windrow {
namespace {

/// Two limits that a run breaks; the record points into it.
struct Broken {
  LoadedScenario loaded;
  RunRecord record{};

  Broken()
      : loaded(load_scenario(
            "t.ini",
            "[run]\nschema = t.cql\nlength = 2d\n[table.t]\nflush_size = 64KiB\n[stream.s]\ntable = t\nentities = 10\n"
            "rate = 1/s\n[limits]\nheld_back_share = 1%\nsstables_max = 1\n",
            {}, [](const std::string&) {
              return std::optional<std::string>(
                  "CREATE TABLE t (id int, at timestamp, v double, PRIMARY KEY (id, at)) WITH gc_grace_seconds = "
                  "864000 AND default_time_to_live = 3600 AND compaction = {'class': "
                  "'SizeTieredCompactionStrategy'};");
            })) {
    Recorder recorder(loaded.scenario, {}, {});
    run_node(loaded.scenario, recorder, {});
    record = recorder.take();
  }
};

struct Asked {
  std::vector<Remedy> remedies{};
  TrialBounds bounds{};
  std::vector<Advice> advice{};
};

/// What is tried of a run that took so many steps, each trial as many as `trial_steps`; all of them hold.
Asked asked(const Broken& broken, const AdviceBudget& budget, double run_steps, double trial_steps) {
  Asked asked;
  asked.advice = advise(broken.loaded, broken.record, run_steps, budget,
                        [&](const std::vector<Remedy>& remedies, const TrialBounds& bounds) {
                          asked.remedies = remedies;
                          asked.bounds = bounds;
                          AdviceTrial trial{.limits = broken.record.limits, .steps = trial_steps};
                          for (LimitOutcome& limit : trial.limits) limit.first_breach_us.reset();
                          return std::vector<AdviceTrial>(remedies.size(), trial);
                        });
  return asked;
}

std::size_t tried(const std::vector<Advice>& advice) {
  std::size_t sum = 0;
  for (const Advice& one : advice) sum += one.tried.size();
  return sum;
}

std::int64_t not_tried(const std::vector<Advice>& advice) {
  std::int64_t sum = 0;
  for (const Advice& one : advice) sum += one.not_tried;
  return sum;
}

TEST_CASE("advice takes no more than its budget, whatever a trial takes, and says what it left out") {
  const Broken broken;
  for (const AdviceBudget& budget : {quick_advice, full_advice}) {
    for (const double run_steps : {1e4, 1e6, 1e8, 1e10}) {
      for (const double times : {0.5, 1.0, 2.9}) {
        CAPTURE(run_steps);
        CAPTURE(times);
        const Asked all = asked(broken, budget, run_steps, 0);
        const Asked bounded = asked(broken, budget, run_steps, times * run_steps);
        const double most = std::max(budget.few_steps, budget.times_the_run * run_steps);
        CHECK(bounded.bounds.together == most);
        CHECK(bounded.bounds.each <= std::max(budget.few_steps, budget.each_times_the_run * run_steps));
        // All but the last fit.
        CHECK(static_cast<double>(tried(bounded.advice)) * times * run_steps <= most + times * run_steps);
        CHECK(tried(bounded.advice) >= 2);  // one fix of each limit at least
        CHECK(static_cast<std::int64_t>(tried(bounded.advice)) + not_tried(bounded.advice) ==
              static_cast<std::int64_t>(tried(all.advice)) + not_tried(all.advice));
      }
    }
  }
}

TEST_CASE("the first fix of every limit is tried before the second of any") {
  const Broken broken;
  const Asked all = asked(broken, full_advice, 1e4, 0);
  REQUIRE(all.advice.size() == 2);
  CHECK(all.advice.front().tried.size() > 1);
  const auto settings = [&](std::size_t i) { return all.remedies.at(i).settings; };
  CHECK(settings(0) == all.advice.front().tried.at(0).settings);
  CHECK(settings(1) == all.advice.back().tried.at(0).settings);
}

TEST_CASE("full advice of few candidates leaves none out, and where it does says that nothing tries more") {
  const Broken broken;
  const Asked all = asked(broken, full_advice, 1e4, 0);
  CHECK(not_tried(all.advice) == 0);
  const Asked dear = asked(broken, full_advice, 1e10, 9e10);
  CHECK(not_tried(dear.advice) > 0);
  for (const Advice& one : dear.advice) CHECK(one.at_length);
  CHECK_FALSE(asked(broken, quick_advice, 1e4, 0).advice.front().at_length);
}

TEST_CASE("trials count in their order until together they have taken too much, whoever ran beside them") {
  std::vector<AdviceTrial> trials(5);
  for (AdviceTrial& trial : trials) trial.steps = 40;
  std::vector<AdviceTrial> not_begun = trials;
  not_begun[4] = {.cut = true};
  for (std::vector<AdviceTrial>* each : {&trials, &not_begun}) {
    cut_beyond(100, *each);
    CHECK_FALSE((*each)[2].cut);
    CHECK((*each)[3].cut);
    CHECK((*each)[3].limits.empty());
    CHECK((*each)[4].cut);
  }
}

}  // namespace
}  // namespace windrow
