#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "evidence/agreement/timeline_result.h"
#include "evidence/timelines/timeline_check.h"
#include "evidence/timelines/timeline_ring.h"
#include "tests/timelines/recorded_cases.h"

namespace windrow {
namespace {

const TimelineRing& ring() {
  static const TimelineRing recorded = parse_timeline_ring(test::read_file("tests/tokens/tokens-4.json"));
  return recorded;
}

void all_alike(const AgreedCount& count, std::int64_t all) {
  CHECK(count.alike == count.all);
  CHECK(count.all == all);
}

/// Plays all cases; exactly those that are named `differ`.
TimelineCounts played(const std::vector<TimelineCase>& cases, const TimelineRing& ring,
                      const std::set<std::string>& differ) {
  TimelineCounts counts;
  std::set<std::string> differing;
  for (const TimelineCase& one : cases) {
    const TimelineResult result = check_timeline(one, ring);
    CHECK(result.judged);
    counts.add(result.counts);
    if (result.differences.empty()) continue;
    differing.insert(one.name);
    if (differ.contains(one.name)) continue;
    for (const TimelineDifference& difference : result.differences)
      FAIL_CHECK(one.name, " ", difference.where, ": ", difference.what, "\n  engine ", difference.expected,
                 "\n  ours   ", difference.ours);
  }
  CHECK(differing == differ);
  return counts;
}

TEST_CASE("the timelines of a real cluster come out of their steps alone") {
  TimelineCounts counts;
  int judged = 0;
  for (const TimelineCase& one : test::recorded_cases()) {
    const TimelineResult result = check_timeline(one, ring());
    CHECK(result.judged == !one.chance);
    if (!result.judged) continue;
    ++judged;
    counts.add(result.counts);
    for (const TimelineDifference& difference : result.differences)
      FAIL_CHECK(one.name, " ", difference.where, ": ", difference.what, "\n  engine ", difference.expected,
                 "\n  ours   ", difference.ours);
  }
  CHECK(judged == 162);
  all_alike(counts.reads, 2306);  // 2,303 of a partition, 3 of the table
  all_alike(counts.contents, 3003);
  all_alike(counts.by_state, 2604);
  all_alike(counts.repairs, 174);
  all_alike(counts.verdicts, 982);
  CHECK(counts.lists.all == 185);
  CHECK(counts.lists.alike == 158);  // the others depend on automatic compaction or on pairs of anticompaction
  all_alike(counts.rough_lists, 27);
  CHECK(counts.unchanged.alike == counts.unchanged.all);
  CHECK(counts.hint_files.alike == counts.hint_files.all);
}

TEST_CASE("random timelines that were recorded later come out of their steps, too") {
  const auto cases = parse_timeline_cases(test::read_xz("tests/cluster-oracle-random/cases.jsonl.xz"));
  CHECK(cases.size() == 168);
  const TimelineCounts counts = played(cases, ring(), {});
  all_alike(counts.reads, 2693);
  all_alike(counts.contents, 4221);
  all_alike(counts.by_state, 3755);
  all_alike(counts.repairs, 193);
  all_alike(counts.verdicts, 1276);
  CHECK(counts.unchanged.alike == counts.unchanged.all);
  CHECK(counts.hint_files.alike == counts.hint_files.all);
}

/// Two data centres, of three nodes and of one.
struct TwoCenters {
  TimelineRing ring = parse_timeline_ring(test::read_file("tests/cluster-oracle-centers/tokens-4.json"));
  std::vector<TimelineCase> cases = parse_timeline_cases(test::read_xz("tests/cluster-oracle-centers/cases.jsonl.xz"));
};

TEST_CASE("random timelines of two data centres come out of their steps, too") {
  const TwoCenters recorded;
  CHECK(recorded.cases.size() == 120);
  // A repair's streams passed on what one of them had just brought: chance (README), and it differs.
  const TimelineCounts counts = played(recorded.cases, recorded.ring, {"centers_74_09"});
  CHECK(counts.reads.alike == 2340);
  CHECK(counts.reads.all == 2341);
  CHECK(counts.contents.alike == 4272);
  CHECK(counts.contents.all == 4273);
  CHECK(counts.by_state.alike == 3681);
  CHECK(counts.by_state.all == 3682);
  all_alike(counts.repairs, 142);
  CHECK(counts.verdicts.alike == 917);
  CHECK(counts.verdicts.all == 918);
  CHECK(counts.unchanged.alike == counts.unchanged.all);
  CHECK(counts.hint_files.alike == counts.hint_files.all);
}

TEST_CASE("of two data centres, wrong on purpose: all nodes of one, and LOCAL_QUORUM or EACH_QUORUM of any") {
  const TwoCenters recorded;
  const auto noticed = [&](const auto& turn) {
    return std::ranges::any_of(recorded.cases, [&](TimelineCase one) {
      turn(one);
      return !check_timeline(one, recorded.ring).agrees();
    });
  };
  CHECK(noticed([](TimelineCase& one) { one.center_of.assign(one.center_of.size(), 0); }));
  const auto ask_any = [](std::size_t of_levels) {
    return [of_levels](TimelineCase& one) {
      for (TimelineStep& step : one.steps) {
        const auto local = std::ranges::count(step.asked.most_of_center, 0);
        if (!step.asked.most_of_center.empty() && static_cast<std::size_t>(local) == of_levels)
          step.asked.most_of_center.clear();
      }
    };
  };
  CHECK(noticed(ask_any(1)));  // LOCAL_QUORUM: none of one data centre
  CHECK(noticed(ask_any(0)));  // EACH_QUORUM
}

TEST_CASE("the harness's ring is that of the file") {
  for (const Token token : {Token{0}, min_token, max_token, Token{-8005384034711838087}, Token{8906882935892269175}})
    CHECK(harness_ring().replicas(token) == ring().replicas(token));
  CHECK(harness_ring().ranges() == ring().ranges());
  for (int node = 0; node < 3; ++node) CHECK(harness_ring().primary_ranges(node) == ring().primary_ranges(node));
}

TEST_CASE("what was seen is what a case is judged by") {
  TimelineCase one = test::recorded_cases().at(1);
  REQUIRE(check_timeline(one, ring()).agrees());
  for (TimelineStep& step : one.steps) {
    if (step.action == TimelineAction::read && !step.rows.empty()) {
      step.rows.pop_back();
      break;
    }
  }
  const TimelineResult wrong = check_timeline(one, ring());
  REQUIRE(wrong.differences.size() == 1);
  CHECK(wrong.differences.front().what == "rows");
  CHECK(wrong.counts.reads.alike == wrong.counts.reads.all - 1);
  const CaptureResult file = timeline_result(std::vector{wrong});
  CHECK_FALSE(file.agrees());
  CHECK(file.remarks.size() == 1);
  CHECK(file.disagreements.front().case_name == one.name);
}

}  // namespace
}  // namespace windrow
