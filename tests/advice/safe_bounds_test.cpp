#include "sim/advice/safe_bounds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace windrow {
namespace {

constexpr Seconds hour_s = 3'600;
constexpr Seconds day_s = 24 * hour_s;

/// One table, repaired every week for six hours from the fifth of January on, and a node that missed some deletes.
struct Made {
  Scenario scenario{};
  FaultRecord faults{};
};

Made made() {
  Made made;
  made.scenario.start_us = 1'767'225'600 * us_per_s;
  made.scenario.end_us = made.scenario.start_us + 40 * day_s * us_per_s;
  made.scenario.tables = {TableSpec{.name = "events"}, TableSpec{.name = "calm"}};
  RepairSpec repair;
  repair.name = "weekly";
  repair.tables = {0, 1};
  repair.from_us = made.scenario.start_us + 4 * day_s * us_per_s;
  repair.every_us = 7 * day_s * us_per_s;
  repair.takes_us = 6 * hour_s * us_per_s;
  made.scenario.repairs = {repair};
  made.faults.suspects = {SuspectRows{.table = 0, .rows = 7}};
  return made;
}

Seconds value_in(const std::string& assignment) {
  const std::string value = assignment.substr(assignment.find('=') + 1);
  const Seconds number = std::stoll(value);
  return value.ends_with("d") ? number * day_s : value.ends_with("h") ? number * hour_s : number;
}

/// A value with which nothing comes back, though repairs are late.
bool lucky(Seconds value_s) { return value_s / hour_s % 3 == 0; }

TEST_CASE("the grid has every hour up to two days, then every day") {
  const std::vector<Seconds> grid = safe_bound_grid(0, 40 * day_s);
  CHECK(grid.size() == 49 + 38);
  CHECK((grid[0] == 0 && grid[1] == hour_s && grid[48] == 2 * day_s && grid[49] == 3 * day_s));
  CHECK(safe_bound_grid(6 * hour_s, 8 * hour_s) == std::vector<Seconds>{6 * hour_s, 7 * hour_s, 8 * hour_s});
}

TEST_CASE("asked is for repairs and gc_grace of tables of which a node missed a delete") {
  const Made run = made();
  const auto questions = bound_questions(run.scenario, run.faults);
  REQUIRE(questions.size() == 2);
  CHECK((questions[0].of == SafeBound::Of::repair_interval && questions[0].name == "weekly"));
  CHECK(questions[0].tables == std::vector<int>{0});
  CHECK((questions[0].grid.front() == 6 * hour_s && questions[0].grid.back() == 40 * day_s));
  CHECK((questions[1].of == SafeBound::Of::gc_grace && questions[1].name == "events"));
  CHECK((questions[1].grid.front() == 0 && questions[1].grid.back() == 40 * day_s));
  CHECK(bound_questions(run.scenario, {}).empty());
}

TEST_CASE("a repair comes first an interval after the start, or as early as it did") {
  const Made run = made();
  const auto questions = bound_questions(run.scenario, run.faults);
  CHECK(bound_assignments(run.scenario, questions[0], 30 * hour_s) ==
        std::vector<std::string>{"repair.weekly.every=30h", "repair.weekly.from=2026-01-02T06:00:00"});
  CHECK(bound_assignments(run.scenario, questions[0], 6 * day_s) ==
        std::vector<std::string>{"repair.weekly.every=6d", "repair.weekly.from=2026-01-05T00:00:00"});
  CHECK(bound_assignments(run.scenario, questions[1], 3 * day_s) ==
        std::vector<std::string>{"table.events.gc_grace_seconds=259200"});
}

TEST_CASE("wherever the border lies, both of its sides are found, and have been played") {
  const Made run = made();
  for (const BoundQuestion& question : bound_questions(run.scenario, run.faults)) {
    const bool interval = question.of == SafeBound::Of::repair_interval;
    for (std::size_t border = 0; border <= question.grid.size(); ++border) {
      std::vector<Seconds> played;
      const auto rows_back = [&](const std::vector<std::string>& assignments,
                                 const std::vector<int>&) -> std::optional<BoundTrial> {
        played.push_back(value_in(assignments.front()));
        const auto place =
            static_cast<std::size_t>(std::ranges::find(question.grid, played.back()) - question.grid.begin());
        const bool safe = interval ? place < border : place >= border;
        return BoundTrial{.rows = safe || lucky(played.back()) ? 0 : 1'000 + played.back(), .in_time = safe};
      };
      const auto bound = find_safe_bound(run.scenario, question, rows_back);
      REQUIRE(bound.has_value());
      CHECK(bound->runs == std::ssize(played));
      CHECK(bound->runs <= question.most_runs());
      const std::size_t safe = interval ? border - 1 : border;
      const std::size_t unsafe = interval ? border : border - 1;
      CHECK(bound->safe_s.has_value() == (safe < question.grid.size()));
      CHECK(bound->unsafe_s.has_value() == (unsafe < question.grid.size()));
      if (bound->safe_s) CHECK(*bound->safe_s == question.grid[safe]);
      if (!bound->unsafe_s) continue;
      CHECK(*bound->unsafe_s == question.grid[unsafe]);
      CHECK(bound->rows == (lucky(*bound->unsafe_s) ? 0 : 1'000 + *bound->unsafe_s));
      if (bound->safe_s) CHECK(std::ranges::find(played, *bound->safe_s) != played.end());
    }
  }
}

TEST_CASE("a value beyond the border that is safe all the same is found among those tried, and no border is said") {
  const Made run = made();
  const BoundQuestion question = bound_questions(run.scenario, run.faults)[0];
  // Every other value from the border on is safe.
  const auto rows_back = [&](const std::vector<std::string>& assignments,
                             const std::vector<int>&) -> std::optional<BoundTrial> {
    const auto place = std::ranges::find(question.grid, value_in(assignments.front())) - question.grid.begin();
    const bool safe = place < 20 || (place % 2 == 1 && place + 1 < std::ssize(question.grid));
    return BoundTrial{.rows = safe ? 0 : 5, .in_time = safe};
  };
  const auto bound = find_safe_bound(run.scenario, question, rows_back);
  REQUIRE(bound.has_value());
  REQUIRE(!bound->safe_beyond_s.empty());
  REQUIRE((bound->safe_s && bound->unsafe_s));
  for (const SafeBound::Tried& tried : bound->tried) {
    const auto place = std::ranges::find(question.grid, tried.value_s) - question.grid.begin();
    CHECK(tried.safe == (place < 20 || (place % 2 == 1 && place + 1 < std::ssize(question.grid))));
    if (tried.value_s <= *bound->safe_s) CHECK(tried.safe);
  }
  CHECK(std::ssize(bound->tried) == bound->runs);
}

TEST_CASE("wherever the border lies, two values beyond it and one before it are tried, too") {
  const Made run = made();
  const BoundQuestion question = bound_questions(run.scenario, run.faults)[0];
  for (std::size_t border = 4; border + 4 < question.grid.size(); ++border) {
    const auto rows_back = [&](const std::vector<std::string>& assignments,
                               const std::vector<int>&) -> std::optional<BoundTrial> {
      const auto place = std::ranges::find(question.grid, value_in(assignments.front())) - question.grid.begin();
      return BoundTrial{.in_time = static_cast<std::size_t>(place) < border};
    };
    const auto bound = find_safe_bound(run.scenario, question, rows_back);
    REQUIRE(bound.has_value());
    CHECK(bound->safe_beyond_s.empty());
    CHECK(std::ranges::count(bound->tried, false, &SafeBound::Tried::safe) >= 3);
    CHECK(std::ranges::count(bound->tried, true, &SafeBound::Tried::safe) >= 2);
  }
}

TEST_CASE("a trial that is stopped leaves nothing to say") {
  const Made run = made();
  const auto stopped = [](const std::vector<std::string>&, const std::vector<int>&) -> std::optional<BoundTrial> {
    return std::nullopt;
  };
  CHECK_FALSE(find_safe_bound(run.scenario, bound_questions(run.scenario, run.faults).front(), stopped).has_value());
}

}  // namespace
}  // namespace windrow
