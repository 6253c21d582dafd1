#include "evidence/recordings/recording_check.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>

#include "tests/support/recorded.h"

namespace windrow {
namespace {

using test::check_agreement;
using test::read_recording;

const TestResult& test_of(const RecordingResult& result, const std::string& test) {
  return *std::ranges::find(result.tests, test, &TestResult::test);
}

/// The only event of a kind that `chosen` accepts first.
template <class Event>
Event& find_event(Trace& trace, const std::function<bool(const Event&)>& chosen) {
  for (TraceEvent& event : trace.events) {
    auto* found = std::get_if<Event>(&event);
    if (found != nullptr && chosen(*found)) return *found;
  }
  FAIL("the recording has no such event");
  return std::get<Event>(trace.events.front());
}

const Recording& tie_recording() {
  static const Recording recording = read_recording("tests/oracle", "twcs_ties");
  return recording;
}

/// What the three tests say of a recording after `change`.
RecordingResult after(const std::function<void(Trace&)>& change) {
  Recording recording = tie_recording();
  change(recording.trace);
  return check_recording(recording, Replay::exact);
}

std::string where(const RecordingResult& result, const std::string& test) {
  const TestResult& found = test_of(result, test);
  return found.first ? found.first->where + ": " + found.first->what : "agrees";
}

TEST_CASE("pick, merge and run of the recordings agree, exactly and as a run follows them") {
  for (const VerifyReport& report : check_agreement("tests/oracle", {Replay::exact, Replay::as_run})) {
    CHECK(report.recordings.size() == 44);
    CHECK(summary_text(report).starts_with("44 traces: pick 44, merge 44, run 44 agree; 10,618 picks, 52,791 calls, "));
  }
}

TEST_CASE("the recordings of random scenarios agree") {
  for (const VerifyReport& report : check_agreement("tests/oracle-random", {Replay::exact, Replay::as_run}))
    CHECK(report.recordings.size() == 29);
}

TEST_CASE("the recordings of repairs agree") {
  for (const VerifyReport& report : check_agreement("tests/oracle-repair", {Replay::exact, Replay::as_run}))
    CHECK(report.recordings.size() == 28);
}

TEST_CASE("the recordings of tasks that the first harness cannot play agree") {
  for (const VerifyReport& report : check_agreement("tests/oracle-tasks", {Replay::exact, Replay::as_run}))
    CHECK(report.recordings.size() == 13);
}

TEST_CASE("the recordings with static columns agree") {
  for (const VerifyReport& report : check_agreement("tests/oracle-static", {Replay::exact, Replay::as_run}))
    CHECK(report.recordings.size() == 6);
}

TEST_CASE("another choice is found where it was made") {
  const RecordingResult result = after([](Trace& trace) {
    auto& pick = find_event<TracePick>(trace, [](const TracePick& each) { return each.pick == 20; });
    std::int64_t other = 0;
    for (const std::int64_t id : pick.live) {
      const bool free = std::ranges::find(pick.compacting, id) == pick.compacting.end();
      if (free && std::ranges::find(pick.inputs, id) == pick.inputs.end()) other = id;
    }
    REQUIRE(other > 0);
    pick.inputs.back() = other;
    std::ranges::sort(pick.inputs);
  });
  CHECK(where(result, "run") == "pick 20: inputs");
  CHECK(where(result, "merge") == "pick 20: removed");
  CHECK(where(result, "pick") == "pick 20: inputs");
  CHECK(test_of(result, "pick").count_of("picks") == 19);
  const Explanation& first = *test_of(result, "run").first;
  CHECK(!first.rule.empty());
  CHECK(first.state.size() > 5);
}

TEST_CASE("an input that is not there is found by all three tests") {
  const RecordingResult result = after([](Trace& trace) {
    find_event<TracePick>(trace, [](const TracePick& pick) { return pick.pick == 7; }).inputs.back() = 999'999;
  });
  CHECK(where(result, "pick") == "pick 7: inputs");
  CHECK(where(result, "merge") == "pick 7: events");
  CHECK(where(result, "run") == "pick 7: inputs");
  CHECK(test_of(result, "pick").first->expected.ends_with(" 999999"));
}

TEST_CASE("a field of an SSTable is found by the merge test") {
  const auto change_field = [](const std::function<void(TraceSSTable&)>& change) {
    return after([&](Trace& trace) {
      change(find_event<TraceCommit>(trace, [](const TraceCommit& commit) { return commit.pick == 5; }).added.front());
    });
  };
  std::int64_t id = 0;
  const RecordingResult rows = change_field([&](TraceSSTable& file) {
    id = file.id;
    ++file.rows;
  });
  CHECK(where(rows, "merge") == fmt::format("pick 5, SSTable {}: rows", id));
  CHECK(where(rows, "run") == fmt::format("pick 5, SSTable {}: rows", id));
  CHECK(where(rows, "pick") == "agrees");
  CHECK(test_of(rows, "merge").disagreements == 1);

  const RecordingResult drop_times = change_field([](TraceSSTable& file) { ++file.drop_times.back().second; });
  CHECK(where(drop_times, "merge") == fmt::format("pick 5, SSTable {}: drop_times", id));
  CHECK(where(drop_times, "run") == "agrees");

  const RecordingResult token = change_field([](TraceSSTable& file) { ++file.last_token; });
  CHECK(where(token, "merge") == fmt::format("pick 5, SSTable {}: last_token", id));

  const RecordingResult cells = change_field([](TraceSSTable& file) { file.cell_counts.back().second += 2; });
  CHECK(where(cells, "merge") == fmt::format("pick 5, SSTable {}: cell_counts", id));
}

TEST_CASE("what surrounds a choice is compared as well") {
  const auto change_pick = [](const std::function<void(TracePick&)>& change) {
    return after([&](Trace& trace) {
      change(find_event<TracePick>(trace, [](const TracePick& pick) { return pick.pick == 30; }));
    });
  };
  CHECK(where(change_pick([](TracePick& pick) { ++pick.pending; }), "run") == "pick 30: pending");
  CHECK(where(change_pick([](TracePick& pick) { ++pick.pending; }), "pick") == "pick 30: pending");
  CHECK(where(change_pick([](TracePick& pick) { std::swap(pick.live[0], pick.live[1]); }), "run") ==
        "pick 30: live order");
  CHECK(where(change_pick([](TracePick& pick) { pick.expired = {pick.inputs.front()}; }), "merge") ==
        "pick 30: expired");
  CHECK(where(change_pick([](TracePick& pick) { *pick.highest_window_ms += 1; }), "run") ==
        "pick 30: highest_window_ms");
  CHECK(where(change_pick([](TracePick& pick) { pick.kind = "tombstone"; }), "pick") == "pick 30: kind");
  CHECK(where(change_pick([](TracePick& pick) { pick.holder = "repaired"; }), "pick") == "pick 30: holder");
}

TEST_CASE("the levels and buckets that a unified strategy chose from are compared") {
  Recording recording = read_recording("tests/oracle-tasks", "major_ucs_l10");
  auto& chosen = find_event<TracePick>(recording.trace, [](const TracePick& pick) {
    return !pick.unified_levels.empty() && !pick.unified_levels.front().buckets.empty();
  });
  ++chosen.unified_levels.front().buckets.front().overlap;
  CHECK(where(check_recording(recording, Replay::exact), "pick").ends_with("ucs_levels bucket overlap"));
  CHECK(where(check_recording(recording, Replay::exact), "merge") == "agrees");
}

TEST_CASE("a commit that a recording lacks ends the comparison") {
  Recording recording = read_recording("tests/oracle", "stcs_delayed");
  std::vector<TraceEvent>& events = recording.trace.events;
  const auto commit =
      std::ranges::find_if(events, [](const TraceEvent& event) { return std::holds_alternative<TraceCommit>(event); });
  const std::int64_t pick = std::get<TraceCommit>(*commit).pick;
  events.erase(commit, events.end() - 1);
  const RecordingResult result = check_recording(recording, Replay::exact);
  CHECK(where(result, "run") == fmt::format("pick {}: events", pick));
  CHECK(where(result, "pick") == "agrees");
  CHECK(test_of(result, "pick").notes.front().starts_with(fmt::format("until pick {} at ", pick)));
}

TEST_CASE("calls that find nothing, samples and the end are compared") {
  const RecordingResult calls = after(
      [](Trace& trace) { ++find_event<TraceNullTicks>(trace, [](const TraceNullTicks&) { return true; }).count; });
  CHECK(where(calls, "run") == "null_ticks: loops that find nothing");
  CHECK(where(calls, "merge") == "agrees");

  const RecordingResult sample =
      after([](Trace& trace) { ++find_event<TraceSample>(trace, [](const TraceSample&) { return true; }).live_bytes; });
  CHECK(where(sample, "run") == "sample 2026-01-02T00:00:00Z: live_bytes");

  const RecordingResult end =
      after([](Trace& trace) { ++find_event<TraceEnd>(trace, [](const TraceEnd&) { return true; }).rows; });
  CHECK(where(end, "run") == "the end: rows");
}

TEST_CASE("an event too few ends the comparison there") {
  const RecordingResult result = after([](Trace& trace) {
    std::int64_t flushes = 0;
    const auto tenth = std::ranges::find_if(trace.events, [&](const TraceEvent& event) {
      return std::holds_alternative<TraceFlush>(event) && ++flushes == 10;
    });
    trace.events.erase(tenth);
  });
  CHECK(where(result, "run") == "flush 10: events");
  CHECK(where(result, "merge") == "flush 10: events");
}

TEST_CASE("a major compaction of other tasks is found, and one that leaves files taken is no recording") {
  Recording recording = read_recording("tests/oracle-tasks", "major_ucs_l10");
  auto& major = find_event<TraceMajor>(recording.trace, [](const TraceMajor& each) { return each.tasks.size() > 1; });
  std::swap(major.tasks[0], major.tasks[1]);
  CHECK(where(check_recording(recording, Replay::exact), "pick") == "a major compaction: tasks");
  CHECK(where(check_recording(recording, Replay::exact), "run") == "a major compaction: tasks");
  major.tasks[1] = major.tasks[0];
  CHECK(where(check_recording(recording, Replay::exact), "pick") == "a major compaction: tasks");
  CHECK(where(check_recording(recording, Replay::exact), "merge") == "a major compaction: events");
}

TEST_CASE("a level that changes otherwise is found") {
  Recording recording = read_recording("tests/oracle-tasks", "uplevel_ttl");
  auto& change = find_event<TraceLevelChange>(recording.trace, [](const TraceLevelChange&) { return true; });
  ++change.level;
  CHECK(where(check_recording(recording, Replay::exact), "pick").ends_with("level"));
  CHECK(where(check_recording(recording, Replay::exact), "merge") == "a level: events");
  CHECK(where(check_recording(recording, Replay::exact), "run").ends_with("level"));
  change.level = 9;
  CHECK(where(check_recording(recording, Replay::exact), "pick").ends_with("level"));
}

TEST_CASE("another table is found in the header") {
  const RecordingResult result = after([](Trace& trace) {
    const std::size_t place = trace.header.ddl.find("gc_grace_seconds = 21600");
    REQUIRE(place != std::string::npos);
    trace.header.ddl.replace(place, 24, "gc_grace_seconds = 21601");
  });
  CHECK(where(result, "run") == "the header: ddl");
}

}  // namespace
}  // namespace windrow
