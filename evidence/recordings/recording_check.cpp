#include "evidence/recordings/recording_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "evidence/recordings/merge_check.h"
#include "evidence/recordings/pick.h"
#include "evidence/recordings/recording_check_schema.h"
#include "evidence/recordings/recording_check_state.h"
#include "evidence/recordings/run_check.h"
#include "sim/strategy/level_order.h"

namespace windrow {
namespace {

/// The first event that no replay could follow: it takes, removes or changes SSTables that are not there.
struct Inconsistency {
  std::size_t event = 0;
  Explanation explanation{};
};

class Consistency {
 public:
  explicit Consistency(const Trace& trace) : trace_(trace) {}

  std::optional<Inconsistency> first() {
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      const std::string problem = problem_of(trace_.events[i]);
      if (!problem.empty()) return Inconsistency{.event = i, .explanation = explain(trace_.events[i], problem)};
    }
    return std::nullopt;
  }

 private:
  std::string problem_of(const TraceEvent& event) {
    const auto* pick = std::get_if<TracePick>(&event);
    const bool of_task = pick != nullptr ? pick->major : std::holds_alternative<TraceCommit>(event);
    if (majors_left_ > 0 && !of_task) return "a task of a major compaction has not begun";
    if (pick != nullptr) return take(*pick);
    if (const auto* major = std::get_if<TraceMajor>(&event)) return reserve(*major);
    if (const auto* commit = std::get_if<TraceCommit>(&event)) return commit_task(*commit);
    if (const auto* flush = std::get_if<TraceFlush>(&event)) return add(flush->added);
    const auto* change = std::get_if<TraceLevelChange>(&event);
    if (change == nullptr) return {};
    if (!live_.contains(change->id)) return fmt::format("SSTable {} is not live", change->id);
    const bool level = 0 <= change->level && change->level < LevelOrder::level_count;
    return level ? std::string() : fmt::format("there is no level {}", change->level);
  }

  std::string add(const std::vector<TraceSSTable>& files) {
    for (const TraceSSTable& file : files) {
      if (!live_.emplace(file.id, 0).second) return fmt::format("SSTable {} is there already", file.id);
    }
    return {};
  }

  std::string reserve(const TraceMajor& major) {
    majors_left_ = major.tasks.size();
    major_s_ = major.t_s;
    for (const std::vector<std::int64_t>& task : major.tasks) {
      if (task.empty()) return "no task has no input";
      for (const std::int64_t id : task) {
        const auto file = live_.find(id);
        if (file == live_.end()) return fmt::format("SSTable {} is not live", id);
        if (std::exchange(file->second, of_major) != 0) return fmt::format("SSTable {} is in another task", id);
      }
    }
    return {};
  }

  std::string take(const TracePick& pick) {
    if (pick.inputs.empty()) return "no task has no input";
    if (pick.pick <= 0 || !running_.emplace(pick.pick, pick.inputs).second) return "its number was used before";
    if (pick.major && (majors_left_ == 0 || pick.t_s != major_s_)) return "it is in no major compaction";
    if (pick.major) --majors_left_;
    const std::int64_t taken_by = pick.changes_level() ? 0 : pick.pick;  // a level changes at once
    for (const std::int64_t id : pick.inputs) {
      const auto file = live_.find(id);
      if (file == live_.end()) return fmt::format("SSTable {} is not live", id);
      if (std::exchange(file->second, taken_by) != (pick.major ? of_major : 0))
        return fmt::format("SSTable {} is in another task", id);
    }
    return {};
  }

  std::string commit_task(const TraceCommit& commit) {
    const auto task = running_.find(commit.pick);
    if (task == running_.end()) return fmt::format("pick {} does not run", commit.pick);
    for (const std::int64_t id : commit.removed) {
      if (live_.erase(id) == 0) return fmt::format("SSTable {} is not live", id);
    }
    running_.erase(task);
    return add(commit.added);
  }

  static Explanation explain(const TraceEvent& event, std::string problem) {
    Explanation explanation{.t_s = 0,
                            .where = "the recording",
                            .what = "events",
                            .expected = "",
                            .ours = std::move(problem),
                            .rule = "",
                            .state = {}};
    if (const auto* pick = std::get_if<TracePick>(&event)) {
      explanation.t_s = pick->t_s;
      explanation.where = fmt::format("pick {}", pick->pick);
      explanation.what = "inputs";
      explanation.expected = id_list(pick->inputs);
    } else if (const auto* commit = std::get_if<TraceCommit>(&event)) {
      explanation.t_s = commit->t_s;
      explanation.where = fmt::format("pick {}", commit->pick);
      explanation.what = "removed";
      explanation.expected = id_list(commit->removed);
    } else if (const auto* major = std::get_if<TraceMajor>(&event)) {
      explanation.t_s = major->t_s;
      explanation.where = "a major compaction";
    } else if (const auto* flush = std::get_if<TraceFlush>(&event)) {
      explanation.t_s = flush->t_s;
    }
    return explanation;
  }

  const Trace& trace_;
  std::size_t majors_left_ = 0;  // tasks of a major compaction that have not begun
  Seconds major_s_ = 0;
  static constexpr std::int64_t of_major = -1;   // taken, its task has not begun
  std::map<std::int64_t, std::int64_t> live_{};  // id to the pick it is in, 0: none
  std::map<std::int64_t, std::vector<std::int64_t>> running_{};
};

Explanation explanation_of(const PickDisagreement& disagreement) {
  return {.t_s = disagreement.t_s,
          .where = disagreement.pick > 0 ? fmt::format("pick {}", disagreement.pick) : "a call that found nothing",
          .what = disagreement.what,
          .expected = disagreement.expected,
          .ours = disagreement.ours,
          .rule = disagreement.rule,
          .state = {disagreement.state}};
}

TestResult pick_test(const PickResult& picks) {
  TestResult result{.test = "pick", .agreeing = {}, .disagreements = 0, .first = {}, .notes = {}};
  std::set<std::int64_t> differing_picks;
  std::int64_t differing_nulls = 0;
  for (const PickDisagreement& disagreement : picks.disagreements) {
    if (disagreement.pick > 0) differing_picks.insert(disagreement.pick);
    if (disagreement.pick == 0 && disagreement.what == "inputs") ++differing_nulls;
  }
  result.count("picks", std::max<std::int64_t>(0, picks.picks - std::ssize(differing_picks)));
  result.count("calls that find nothing", picks.nulls - differing_nulls);
  if (picks.ties > 0) result.notes.push_back(fmt::format("{} equal choices among equal sizes", picks.ties));
  for (const PickDisagreement& disagreement : picks.disagreements) result.disagree(explanation_of(disagreement));
  if (picks.unknown > 0) {
    result.disagree(
        {.t_s = 0,
         .where = "rule 5.7",
         .what = "partitions",
         .expected = "",
         .ours = fmt::format("{} calls turn on partitions that the merge test did not reproduce", picks.unknown),
         .rule = "5.7 worth dropping tombstones",
         .state = {}});
  }
  return result;
}

/// The pick test up to the first event that fits no state, and that event.
TestResult pick_test_until(const Recording& recording, const Inconsistency& inconsistency, const TokensOf* tokens) {
  Trace beginning = recording.trace;
  beginning.events.resize(inconsistency.event);
  PickResult picks = verify_picks(recording.scenario, beginning, recorded_cql(recording.scenario), tokens);
  Explanation parting = inconsistency.explanation;
  std::erase_if(picks.disagreements, [&](const PickDisagreement& disagreement) {
    // Behind the cut everything is missing; what we would have done at it belongs to the explanation.
    const bool at_cut = disagreement.t_s == parting.t_s && disagreement.pick == 0 && disagreement.what == "inputs";
    if (at_cut && parting.rule.empty()) {
      parting.ours = fmt::format("{} ({})", disagreement.ours, parting.ours);
      parting.rule = disagreement.rule;
      parting.state = {disagreement.state};
    }
    return at_cut || disagreement.t_s > parting.t_s || disagreement.what == "events" ||
           disagreement.what == "null_ticks";
  });
  picks.unknown = 0;
  TestResult result = pick_test(picks);
  result.disagree(std::move(parting));
  return result;
}

}  // namespace

std::int64_t TestResult::count_of(std::string_view what) const {
  const auto found = std::ranges::find(agreeing, what, &AgreeingCount::what);
  return found == agreeing.end() ? 0 : found->number;
}

void TestResult::count(std::string_view what, std::int64_t number) {
  const auto found = std::ranges::find(agreeing, what, &AgreeingCount::what);
  if (found == agreeing.end()) {
    agreeing.push_back({.what = std::string(what), .number = number});
  } else {
    found->number += number;
  }
}

void TestResult::disagree(Explanation explanation) {
  ++disagreements;
  if (!first) first = std::move(explanation);
}

bool RecordingResult::agrees() const { return std::ranges::all_of(tests, &TestResult::agrees); }

RecordingResult check_recording(const Recording& recording) {
  RecordingResult result{.name = recording.name, .tests = {}};
  const std::optional<Inconsistency> inconsistency = Consistency(recording.trace).first();
  ReplayedTokens tokens;
  if (inconsistency) {
    TestResult merges = check_merges(recording, &tokens);
    result.tests.push_back(pick_test_until(recording, *inconsistency, &tokens));
    result.tests.push_back(std::move(merges));
  } else {
    const ApplyCql apply_cql = recorded_cql(recording.scenario);
    PickResult picks = verify_picks(recording.scenario, recording.trace, apply_cql);
    const bool needs_tokens = picks.unknown > 0;
    TestResult merges = check_merges(recording, needs_tokens ? &tokens : nullptr);
    if (needs_tokens)
      picks = verify_picks(recording.scenario, recording.trace, recorded_cql(recording.scenario), &tokens);
    result.tests.push_back(pick_test(picks));
    result.tests.push_back(std::move(merges));
  }
  result.tests.push_back(check_run(recording));
  return result;
}

}  // namespace windrow
