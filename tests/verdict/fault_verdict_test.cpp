#include "sim/verdict/fault_verdict.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/cluster/fault_record.h"
#include "tests/record/made_scenario.h"

namespace windrow {
namespace {

constexpr Micros hour_us = 3'600 * us_per_s;

/// The text of a ledger with one line, of rows that the first node deleted at the start.
std::string text_of(SuspectRows line) {
  const Scenario scenario = test::made_scenario(4);
  line.rows = 7;
  line.missed_by = {1};
  line.why = "night";
  line.deleted_from_us = line.deleted_to_us = scenario.start_us;
  RunRecord record;
  record.scenario = &scenario;
  record.faults = std::make_shared<FaultRecord>(
      FaultRecord{.nodes = 3, .suspects = {line}, .has_deletes = {1}, .gc_grace_s = {seconds_per_day}});
  return faults_verdict(record);
}

bool says(const SuspectRows& line, const std::string& words) {
  const std::string text = text_of(line);
  INFO(text);
  return text.find(words) != std::string::npos;
}

TEST_CASE("a delete that was forgotten in the second in which the row was copied came too late, not just in time") {
  const Micros forgotten_us = test::start_us + 25 * hour_us;
  SuspectRows line{.state = SuspectState::permanent,
                   .purged_on = 0,
                   .purged_at_us = forgotten_us,
                   .brought_by = "repair weekly",
                   .brought_to = {0, 2},
                   .brought_at_us = forgotten_us,
                   .margin_s = 0};
  CHECK(says(line, "; less than a second too late\n"));
  CHECK_FALSE(says(line, "to spare"));
  line.state = SuspectState::spread;
  line.brought_at_us = forgotten_us + us_per_s / 2;
  CHECK(says(line, "; less than a second too late\n"));
  line.brought_at_us = forgotten_us + 2 * hour_us;
  line.margin_s = -2 * 3'600;
  CHECK(says(line, "; 2 h too late\n"));
}

TEST_CASE("a delete that came in the last second came in time") {
  SuspectRows line{.state = SuspectState::healed,
                   .brought_by = "repair weekly",
                   .until_us = test::start_us + test::day_us,
                   .margin_s = 0};
  CHECK(says(line, "; less than a second to spare\n"));
  line.margin_s = 1;
  CHECK(says(line, "; 1 s to spare\n"));
  CHECK(says({.state = SuspectState::stale, .margin_s = 0}, "; less than a second to spare\n"));
}

TEST_CASE("rows that came back while gc_grace let nobody forget their delete were not to be spared by time") {
  // Who stored the delete lost its disk; the one that was away shows the rows, or repairs copied them to the new node.
  const std::string why = "; gc_grace is not why, it let no node forget the delete until ";
  SuspectRows line{.state = SuspectState::permanent, .margin_s = 3 * 3'600};
  CHECK(says(line, why + "3 h later\n"));
  CHECK_FALSE(says(line, "to spare"));
  line.state = SuspectState::spread;
  line.brought_by = "repair weekly";
  line.brought_to = {2};
  line.brought_at_us = test::start_us + 21 * hour_us;
  CHECK(says(line, why + "3 h later\n"));
  // One that still stored it forgot it after the copy.
  line.purged_on = 0;
  line.purged_at_us = *line.brought_at_us + 6 * hour_us;
  line.margin_s = 6 * 3'600;
  CHECK(says(line, why + "6 h later\n"));
  line.purged_at_us = *line.brought_at_us + 1;
  line.margin_s = 0;
  CHECK(says(line, why + "less than a second later\n"));
}

}  // namespace
}  // namespace windrow
