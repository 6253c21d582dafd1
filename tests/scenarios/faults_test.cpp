#include "sim/results/faults.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/advice/safe_bounds.h"
#include "sim/cluster/cluster.h"
#include "sim/cluster/fault_record.h"
#include "sim/content/keyed_write.h"
#include "sim/results/catalog.h"
#include "sim/ring/replica_map.h"
#include "sim/scenario/cluster_ring.h"
#include "sim/scenario/scenario_workload.h"
#include "sim/stats/murmur3.h"
#include "tests/scenarios/played.h"
#include "tests/support/xz.h"

// Whether deleted data comes back: what each scenario of outages and repairs shows, as its first line says it.

namespace windrow {
namespace {

using test::Played;

const std::vector<std::string> weekly = {"repair.monthly.every=7d", "repair.monthly.from=2026-01-07"};

std::vector<std::string> with(std::vector<std::string> some, const std::vector<std::string>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

TEST_CASE("zombie: 36,000 rows of a delete a minute and device, six hours down; hints of three hours leave 18,000") {
  const Played without("zombie", {"node.hinted_handoff=false"});
  CHECK(without.record().faults->suspected() == 36'000);
  const Played run("zombie");
  const FaultRecord& faults = *run.record().faults;
  CHECK(faults.suspected() == 18'000);
  CHECK(faults.rows(SuspectState::permanent) == 18'000);
  CHECK(run.limit("resurrected_rows").value == 18'000);
  CHECK_FALSE(run.limit("resurrected_rows").holds());
  CHECK(faults.repair_margin_s(*run.record().scenario) == (10 - 35) * 86'400 - 6 * 3'600);
  const Played covered("zombie", {"node.max_hint_window=6h"});
  CHECK(covered.record().faults->suspected() == 0);
  CHECK(covered.limit("resurrected_rows").holds());
}

TEST_CASE("zombie: a repair within gc_grace makes near misses of them; no hints with gc_grace 0") {
  const Played repaired("zombie", with(weekly, {"node.hinted_handoff=false", "run.length=60d"}));
  const FaultRecord& faults = *repaired.record().faults;
  CHECK(faults.rows(SuspectState::healed) == 36'000);
  CHECK(faults.resurrected() == 0);
  CHECK(faults.repair_margin_s(*repaired.record().scenario) == 3 * 86'400 - 6 * 3'600);
  REQUIRE(faults.suspects.size() == 1);
  CHECK(faults.suspects.front().brought_by == "repair monthly");
  CHECK(faults.suspects.front().margin_s > 0);
  const Played zero("zombie", with(weekly, {"table.events.gc_grace_seconds=0"}));
  CHECK(zero.record().faults->suspected() == 36'000);
  CHECK(zero.record().faults->resurrected() == 36'000);
}

TEST_CASE("zombie: a repair after the others forgot the deletes copies the rows to them") {
  const Played late("zombie", {"node.hinted_handoff=false", "run.length=60d"});
  const FaultRecord& faults = *late.record().faults;
  REQUIRE(faults.suspects.size() == 1);
  const SuspectRows& line = faults.suspects.front();
  CHECK(line.state == SuspectState::permanent);
  CHECK(line.rows == 36'000);
  CHECK(line.missed_by == std::vector<int>{2});
  CHECK(line.brought_to == std::vector<int>{0, 1});
  CHECK(line.brought_by == "repair monthly");
  CHECK(line.margin_s < 0);
  Rows received = 0;
  for (const RepairStep& step : faults.repairs) received += step.rows;
  CHECK(received >= 2 * 36'000);
  TextSink sink;
  write_results(late.record(), sink);
  bool found = false;
  for (const NamedText& file : sink.texts()) {
    if (file.name != "resurrections.csv") continue;
    found = true;
    CHECK(
        file.text.starts_with("state,table,stream,rows,written_from,written_to,deleted_from,deleted_to,missed_by,why,"
                              "purged_on,purged_at,brought_by,brought_to,brought_at,until,margin_s,prevented_by"));
    CHECK(file.text.find("permanent,events,devices,36000,") != std::string::npos);
  }
  CHECK(found);
}

TEST_CASE("gc-grace-table: rows come back where the margin is negative, by what the classic table says, nowhere else") {
  // An outage that meets no repair: the margins of the schedule, with repairs that take six hours, of the first row
  // one.
  const Played calm("gc-grace-table", {"outage.night.from=2026-01-13T21:30", "outage.night.length=1min"});
  const Seconds day_s = 86'400;
  const Seconds t_s = 6 * 3'600;
  const std::vector<Seconds> margins = {-3'600, -t_s, day_s - t_s, -4 * day_s - t_s, -t_s, 3 * day_s - t_s};
  for (int table = 0; table < 6; ++table) {
    CAPTURE(table);
    CHECK(calm.record().faults->repair_margin_s(*calm.record().scenario, table) ==
          margins[static_cast<std::size_t>(table)]);
    CHECK(calm.record().faults->resurrected(table) == 0);
  }
  const Played run("gc-grace-table");
  const FaultRecord& faults = *run.record().faults;
  for (int table = 0; table < 6; ++table) {
    CAPTURE(table);
    const bool unsafe = margins[static_cast<std::size_t>(table)] < 0;
    CHECK((faults.resurrected(table) > 0) == unsafe);
    CHECK((*faults.repair_margin_s(*run.record().scenario, table) < 0) == unsafe);
    CHECK(faults.suspected(table) > 700);
  }
}

/// The classic table with outages that are drawn instead of the one night.
LoadedScenario classic_table(std::uint64_t seed) {
  std::string text = test::read_file("scenarios/gc-grace-table.ini");
  text.resize(text.find("[outage.night]"));
  text += "[outage.any]\nrate = 6/y\nlength = lognormal(4h, 8h)\n";
  const std::vector<std::string> assignments = {"run.seed=" + std::to_string(seed)};
  return load_scenario("scenarios/gc-grace-table.ini", text, assignments,
                       [](const std::string& other) { return std::optional(test::read_file("scenarios/" + other)); });
}

TEST_CASE("gc-grace-table with outages that are drawn: rows come back where margins are negative, and nowhere else") {
  std::vector<int> seeds_back(6, 0);
  std::vector<int> seeds_in_time(6, 0);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const LoadedScenario loaded = classic_table(seed);
    RunObserver nobody;
    const FaultRecord faults = play_cluster(loaded.scenario, nobody, {});
    for (int table = 0; table < 6; ++table) {
      CAPTURE(table);
      const auto place = static_cast<std::size_t>(table);
      const bool back = faults.resurrected(table) > 0;
      // Of a repair that an outage refuses the next one is late, too: that is in the run's margin.
      const bool in_time = *faults.repair_margin_s(loaded.scenario, table) >= 0;
      CHECK_FALSE((back && in_time));
      seeds_back[place] += back ? 1 : 0;
      seeds_in_time[place] += in_time ? 1 : 0;
    }
  }
  for (const std::size_t unsafe : {0U, 1U, 3U, 4U}) {
    CAPTURE(unsafe);
    CHECK(seeds_in_time[unsafe] == 0);
    // Of seven days it takes an outage in the six hours after one of four repairs has begun.
    if (unsafe != 4) CHECK(seeds_back[unsafe] > 0);
  }
  CHECK(seeds_in_time[2] > 5);
  CHECK(seeds_in_time[5] > 5);
}

TEST_CASE("skipped-repair: three weeks without repair bring back what one node missed; without the gap it is healed") {
  const Played run("skipped-repair");
  CHECK(run.record().faults->rows(SuspectState::permanent) == 2'159);
  CHECK_FALSE(run.limit("resurrected_rows").holds());
  CHECK_FALSE(run.limit("repair_margin_min").holds());
  CHECK(run.limit("repair_margin_min").margin_share() < 0);
  const Played whole("skipped-repair", {"repair.weekly.skip=2026-06-01..2026-06-02"});
  CHECK(whole.record().faults->resurrected() == 0);
  CHECK(whole.record().faults->rows(SuspectState::healed) == 2'159);
  CHECK(whole.limit("resurrected_rows").holds());
  CHECK(whole.limit("repair_margin_min").holds());
  CHECK(whole.limit("repair_margin_min").value == 3 * 86'400 - 6 * 3'600);
}

TEST_CASE(
    "repair-overruns: repairs that take longer than their interval run one after the other, and an outage fails one") {
  const Played run("repair-overruns");
  const FaultRecord& faults = *run.record().faults;
  std::optional<Micros> ended;
  int failed = 0;
  for (const RepairStep& step : faults.repairs) {
    if (step.node != 0) continue;
    if (ended) CHECK(step.begin_us == *ended);
    ended = step.end_us;
    failed += step.outcome == RepairStep::Outcome::failed ? 1 : 0;
  }
  CHECK(failed == 1);
  CHECK(faults.rows(SuspectState::visible) == 2'159);
}

TEST_CASE(
    "hints-and-gc-grace-zero: no hint is applied with gc_grace 0; with ten days an hour's outage leaves nothing") {
  CHECK(Played("hints-and-gc-grace-zero").record().faults->resurrected() == 240);
  const Played days("hints-and-gc-grace-zero", {"table.events.gc_grace_seconds=864000"});
  CHECK(days.record().faults->resurrected() == 0);
  CHECK(days.record().faults->suspected() == 0);
}

/// Of the lines of one node.
RepairCost costs_of(const FaultRecord& faults, int node) {
  RepairCost sum;
  for (const RepairStep& step : faults.repairs) {
    if (step.node != node) continue;
    sum.hashed_bytes += step.cost.hashed_bytes;
    sum.anticompacted_bytes += step.cost.anticompacted_bytes;
  }
  return sum;
}

TEST_CASE(
    "incremental-repair-twcs: three sessions write what is new one, two thirds and one third more; -pr alone does") {
  // A third of each file is of the first session, a third of the second, and the last third is still written: its
  // SSTable spans more than one range. What is flushed between them is a day's hour or two.
  const Played turns("incremental-repair-twcs");
  const FaultRecord& faults = *turns.record().faults;
  for (int node = 0; node < 3; ++node) {
    const RepairCost cost = costs_of(faults, node);
    const double times = static_cast<double>(cost.anticompacted_bytes) / static_cast<double>(cost.hashed_bytes);
    CHECK(times > 1.9);
    CHECK(times < 2.2);
  }
  for (const RepairStep& step : faults.repairs) CHECK(step.outcome == RepairStep::Outcome::done);
  // Two days of gc_grace less the 33 hours from the start to the end of the third node's first session.
  CHECK(faults.repair_margin_s(*turns.record().scenario) == 48 * 3'600 - 33 * 3'600);
  // With all ranges every SSTable lies inside, and is marked as it is.
  const Played all("incremental-repair-twcs", {"repair.daily.ranges=all"});
  CHECK(costs_of(*all.record().faults, 0).anticompacted_bytes == 0);
  CHECK(costs_of(*all.record().faults, 0).hashed_bytes > 0);
  CHECK(turns.table().compactions_done > 2 * all.table().compactions_done);
}

TEST_CASE("repair-floods-twcs: an SSTable of every window from each node that has rows of a leaf that differs") {
  const Played run("repair-floods-twcs");
  const Scenario& scenario = *run.record().scenario;
  // Every row has two other replicas, both differ from node 0, and both send; a day of keys has four windows.
  const ClusterRing& ring = *scenario.ring;
  const ReplicaMap replicas(ring.tokens, ring.places, ring.replication);
  const WriterSpec& writer = scenario.writers.front();
  constexpr std::int64_t day_us = 86'400 * us_per_s;
  std::int64_t least = 0;
  std::set<int> all_senders;
  // What had expired for a day of gc_grace when the repair begins, three days after the outage, nobody compares.
  const Micros first_us = scenario.outages[0].from_us + 2 * day_us;
  for (Micros day = first_us; day < scenario.outages[0].from_us + scenario.outages[0].length_us; day += day_us) {
    std::set<int> senders;
    for (std::int64_t entity = 0; entity < writer.entities; ++entity) {
      const std::string key = writer.keys->key(entity, writer.bucket.label(writer.bucket.number(day / us_per_s)), 0);
      const auto set = replicas.set(replicas.set_of(murmur3_token(key)));  // ascending
      if (set[0] == 0) senders.insert(set.begin() + 1, set.end());
    }
    least += 4 * std::ssize(senders);
    all_senders.insert(senders.begin(), senders.end());
  }
  std::int64_t flood = 0;
  for (const RepairStep& step : run.record().faults->repairs) flood = std::max(flood, step.sstables);
  CHECK(least > 3'000);
  // A flush begins with the write that comes after the one before: a node has one fewer than the time has windows.
  CHECK(flood >= least - std::ssize(all_senders));
  // One that goes beyond midnight has rows of both days, and a sender may have rows of one of them alone.
  CHECK(flood <= least + 120);
}

/// The composite key of two texts.
std::string key_of(const std::string& first, const std::string& second) {
  std::string key;
  for (const std::string& part : {first, second}) {
    key += static_cast<char>(part.size() >> 8);
    key += static_cast<char>(part.size() & 0xff);
    key += part;
    key += '\0';
  }
  return key;
}

TEST_CASE("datacenter-away: 21 hours of deletes that both nodes of a data centre missed, healed by a repair of all") {
  const Played run("datacenter-away");
  const FaultRecord& faults = *run.record().faults;
  const Rows missed = 21 * 60 * 100;
  CHECK(faults.suspected() == missed);
  CHECK(faults.rows(SuspectState::healed) == missed);
  Rows hinted = 0;  // of the first three hours
  for (const SuspectRows& line : faults.suspects) {
    CHECK(line.missed_by == std::vector<int>{3, 4});
    if (line.hinted) hinted += line.rows;
    CHECK(line.brought_by == (line.hinted ? "hints" : "repair weekly"));
  }
  CHECK(hinted == 18'000);
  CHECK(faults.repair_margin_s(*run.record().scenario) == 3 * 86'400 - 6 * 3'600);
  // All replicas that LOCAL_QUORUM asks lack the same deletes, in the other data centre none.
  CHECK(faults.read_repairs.empty());
  // A quorum of five that a node of dublin reads has one from frankfurt, which knows.
  const Played asks_far("datacenter-away", {"read.look-back.consistency=QUORUM"});
  const FaultRecord& read = *asks_far.record().faults;
  REQUIRE(read.suspects.size() > 0);
  for (const SuspectRows& line : read.suspects) CHECK(line.brought_by == (line.hinted ? "hints" : "read look-back"));
  CHECK(read.rows(SuspectState::healed) == missed);
  // Repaired after gc_grace, the rows come back in both data centres.
  const Played late("datacenter-away", {"repair.weekly.every=30d", "repair.weekly.from=2026-02-06"});
  CHECK(late.record().faults->rows(SuspectState::permanent) == missed);
  for (const SuspectRows& line : late.record().faults->suspects) {
    if (!line.hinted) CHECK(line.brought_to == std::vector<int>{0, 1, 2});
  }
}

TEST_CASE("bucket-drop: 37 days of devices whose delete one of three nodes missed, healed by the repair of the week") {
  // A delete every 72 minutes: 40 in two days, of which three came within three hours of the first.
  const Played run("bucket-drop");
  const FaultRecord& faults = *run.record().faults;
  CHECK(faults.suspected() == 37 * 48);
  CHECK(faults.rows(SuspectState::healed) == 37 * 48);
  Rows hinted = 0;
  for (const SuspectRows& line : faults.suspects) {
    CHECK(line.missed_by == std::vector<int>{2});
    CHECK(line.brought_by == (line.hinted ? "hints" : "repair weekly"));
    if (line.hinted) hinted += line.rows;
  }
  CHECK(hinted == 3 * 48);
  const Played late("bucket-drop", {"repair.weekly.every=60d", "repair.weekly.from=2026-02-20"});
  CHECK(late.record().faults->rows(SuspectState::healed) == 0);
  CHECK(late.record().faults->resurrected() == 37 * 48);
}

TEST_CASE("bucket-drop with lost mutations: the deletes of days that a node lost come with the repair of the week") {
  const Played run("bucket-drop", {"node.lost_mutations=1%"});
  const FaultRecord& faults = *run.record().faults;
  Rows lost = 0;
  for (const SuspectRows& line : faults.suspects) {
    if (line.why != "lost") continue;
    lost += line.rows;
    CHECK(line.state <= SuspectState::stale);
    if (line.state == SuspectState::healed) CHECK(line.brought_by == "repair weekly");
  }
  CHECK(lost > 2 * 48);
  CHECK(faults.resurrected() == 0);
}

TEST_CASE(
    "shorter-ttl-overwrite: what was missed of exceptions over thresholds without a TTL comes back, and no more") {
  const Played run("shorter-ttl-overwrite");
  const Scenario& scenario = *run.record().scenario;
  const TableWorkload workload = scenario_workload(scenario, 0);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  const Micros from_us = scenario.outages.front().from_us;
  std::map<Token, std::int32_t> ttl_s;
  Rows expected = 0;
  for (const KeyedArrival& arrival : workload.keyed_arrivals()) {
    const Micros at_us = arrival.place.time * workload.writers().front().unit_us;
    const KeyedPartition write = keyed_write(space, arrival, 0);
    const std::int32_t ttl = write.rows.front().liveness->ttl_s;
    const auto [before, first] = ttl_s.try_emplace(write.token, 1);
    if (at_us >= from_us && at_us < from_us + scenario.outages.front().length_us) {
      const bool hinted = at_us <= from_us + scenario.node.max_hint_window_us;
      if (ttl > 0 && !first && before->second == 0 && !hinted) ++expected;
    }
    before->second = ttl;
  }
  CHECK(expected > 20);
  CHECK(run.record().faults->resurrected() == expected);
  CHECK(run.record().faults->rows(SuspectState::permanent) == expected);
  for (const SuspectRows& line : run.record().faults->suspects) {
    if (line.state == SuspectState::permanent) CHECK(line.brought_to == std::vector<int>{0, 1});
  }
  // With a gc_grace longer than the time between repairs none; without longer-lived values under them none either.
  const Played graced("shorter-ttl-overwrite", {"table.thresholds.gc_grace_seconds=864000"});
  CHECK(graced.record().faults->resurrected() == 0);
  CHECK(graced.record().faults->rows(SuspectState::healed) > 0);
  const Played alike("shorter-ttl-overwrite", {"stream.devices.ttl=12h"});
  CHECK(alike.record().faults->suspects.empty());
}

TEST_CASE("zombie-six-nodes: what comes back is of the partitions that the node holds, six hours of 12 rows an hour") {
  const Played run("zombie-six-nodes");
  const Scenario& scenario = *run.record().scenario;
  const ReplicaMap replicas(scenario.ring->tokens, scenario.ring->places, scenario.ring->replication);
  int held = 0;
  for (int device = 0; device < 100; ++device) {
    const std::string name = std::to_string(1'000 + device).substr(1);
    const Token token = murmur3_token(key_of("device-" + name, "2026-01-05"));
    const auto nodes = replicas.set(replicas.set_of(token));
    held += std::ranges::find(nodes, 2) != nodes.end() ? 1 : 0;
  }
  CHECK((held > 30 && held < 70));
  CHECK(run.record().faults->suspected() == held * 6 * 12);
  CHECK(run.record().faults->resurrected() == held * 6 * 12);
  // From the beginning of a repair to the end of the next: seven days and six hours.
  CHECK(run.record().faults->repair_margin_s(scenario) == (3 - 7) * 86'400 - 6 * 3'600);
}

TEST_CASE("node-back-after-gc-grace: ten days of deletes come back; of a node that is replaced instead none does") {
  // 20 devices with 12 rows an hour: written in the ten days before the outage, deleted in its first ten days. Hints of
  // its first three hours are older than gc_grace when it is back.
  const Rows ten_days = 20 * 12 * 24 * 10;
  const Played back("node-back-after-gc-grace");
  CHECK(back.record().faults->suspected() == ten_days);
  CHECK(back.record().faults->resurrected() == ten_days);
  CHECK_FALSE(back.limit("resurrected_rows").holds());
  const Played replaced("node-replaced-after-gc-grace");
  const FaultRecord& faults = *replaced.record().faults;
  CHECK(faults.suspects.empty());
  CHECK(replaced.limit("resurrected_rows").holds());
  REQUIRE(faults.replacements.size() == 1);
  CHECK(faults.replacements.front().sources == std::vector<int>{0});
  CHECK(faults.replacements.front().at_us == faults.outages.front().to_us);
  CHECK(faults.replacements.front().rows > ten_days);
  TextSink sink;
  write_results(replaced.record(), sink);
  const bool told = std::ranges::any_of(sink.texts(), [](const NamedText& file) {
    return file.name == "replacements.csv" && file.text.starts_with("outage,node,table,at,sources,rows,bytes,sstables");
  });
  CHECK(told);
  const Played same("node-replaced-after-gc-grace", {"outage.waits_for_parts.ends=return"});
  CHECK(same.record().faults->resurrected() == ten_days);
}

TEST_CASE("gdpr-deletes: of twelve hours hints bring three, the weekly repair the other nine") {
  const Played run("gdpr-deletes");
  const FaultRecord& faults = *run.record().faults;
  CHECK(faults.resurrected() == 0);
  CHECK(faults.rows(SuspectState::healed) == 500 * 2 * 9 / 24);
  CHECK(faults.repair_margin_s(*run.record().scenario) == 3 * 86'400 - 6 * 3'600);
}

TEST_CASE("lost mutations: a hundredth of the deletes at each of three nodes, with hints for all that are away") {
  const Played run("zombie", {"node.lost_mutations=1%", "node.max_hint_window=6h"});
  const FaultRecord& faults = *run.record().faults;
  // 100 devices, a delete a minute each for thirty days.
  const Rows deletes = 100 * 24 * 60 * 30;
  CHECK(std::abs(faults.suspected() - 3 * deletes / 100) <= 30);
  for (const SuspectRows& line : faults.suspects) CHECK((line.hinted || line.why == "lost"));
  CHECK(faults.resurrected() > 0);
  const Played none("zombie", {"node.lost_mutations=0%", "node.max_hint_window=6h"});
  CHECK(none.record().faults->suspected() == 0);
}

TEST_CASE("zombie: the longest interval of repairs and the shortest gc_grace, by search and by hand") {
  const Played run("zombie");
  const Scenario& scenario = *run.record().scenario;
  const PlayBound play_bound = [&](const std::vector<std::string>& assignments, const std::vector<int>& tables) {
    return bound_trial(scenario, *Played("zombie", assignments).record().faults, tables);
  };
  const auto questions = bound_questions(scenario, *run.record().faults);
  REQUIRE(questions.size() == 2);
  const auto interval = find_safe_bound(scenario, questions[0], play_bound);
  const auto gc_grace = find_safe_bound(scenario, questions[1], play_bound);
  REQUIRE((interval && gc_grace));
  // gc_grace is ten days, a repair takes six hours. One every seven days begins on the fifteenth, a second before node
  // 3 goes away, and fails: from the eighth to the end of the next it is 14 days and six hours.
  CHECK(interval->safe_s == 6 * 86'400);
  CHECK(interval->unsafe_s == 7 * 86'400);
  CHECK(interval->rows == 0);
  CHECK(safe_bound_text(*interval) ==
        "repair.monthly.every has no border: of the values tried 6h, 29h, 46h, 5d, 6d, 8d are safe, 7d, 10d, 20d, 24d, "
        "40d are not (7d: a repair is refused or fails, and the next comes too late for gc_grace)");
  // One every eight days begins on the ninth and the seventeenth, when node 3 is there: eight days and six hours.
  CHECK(interval->safe_beyond_s == std::vector<Seconds>{8 * 86'400});
  CHECK(gc_grace->safe_beyond_s.empty());
  // The first repair ends on the fifth of February at 06:00, 35 days and six hours after the start.
  CHECK(gc_grace->safe_s == 36 * 86'400);
  CHECK(gc_grace->unsafe_s == 35 * 86'400);
  // Missed are 18,000 deletes, from 03:00:01 on the fifteenth to 06:00:01, one each 0.6 s. With a repair every 24 days
  // that of the 25th ends at 06:00:00: of all but two rows the second of the delete and ten days are over then. One on
  // the 24th is a day early: luck, for it would be late for a delete of the second.
  const std::vector<int> tables = {0};
  CHECK(play_bound(bound_assignments(scenario, questions[0], 24 * 86'400), tables)->rows == 3 * 60 * 100 - 2);
  const std::optional<BoundTrial> lucky = play_bound(bound_assignments(scenario, questions[0], 23 * 86'400), tables);
  CHECK((lucky->rows == 0 && !lucky->in_time));
}

TEST_CASE("a table whose rows only expire: whatever is missed, nothing comes back") {
  const Played run(
      "zombie", {"stream.erasures.rate=0/s", "table.events.default_time_to_live=864000", "node.hinted_handoff=false"});
  CHECK(run.record().faults->suspects.empty());
  CHECK(run.limit("resurrected_rows").holds());
}

}  // namespace
}  // namespace windrow
