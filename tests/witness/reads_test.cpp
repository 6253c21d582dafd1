#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "evidence/recordings/oracle_workload.h"
#include "evidence/recordings/recording_check_schema.h"
#include "sim/engine/table_store.h"
#include "tests/support/seeds.h"
#include "tests/witness/lib/dice.h"
#include "tests/witness/lib/harness.h"
#include "tests/witness/lib/random_scenario.h"
#include "tests/witness/lib/reader.h"
#include "tests/witness/lib/shrink.h"

namespace windrow::witness {
namespace {

using windrow_test::seeds;

/// Requests of every kind at one instant.
std::vector<ReadRequest> requests_at(Seconds now_s, Seconds gc_before_s, bool spares_unrepaired, Seconds start_s,
                                     Dice& dice) {
  const Micros now_us = now_s * us_per_s;
  ReadRequest base{
      .now_s = now_s, .gc_before_s = gc_before_s, .newest_us = now_us, .spares_unrepaired = spares_unrepaired};
  std::vector<ReadRequest> requests;
  for (const std::int64_t rows : {1, 3, 12, 60}) {
    requests.push_back(base);
    requests.back().latest_rows = rows;
    requests.back().shards = dice.percent(25) ? dice.between(1, 6) : 0;
    requests.back().start_known = dice.percent(80);
    requests.back().oldest_us = (requests.back().start_known ? start_s - 40 * seconds_per_day : start_s) * us_per_s;
  }
  for (const Seconds back_s : {3600, 30'000, 200'000}) {
    requests.push_back(base);
    requests.back().to_us = now_us + us_per_s - dice.between(0, 1) * dice.between(0, 2 * back_s) * us_per_s;
    requests.back().from_us = requests.back().to_us - back_s * us_per_s;
    requests.back().shards = dice.percent(25) ? dice.between(1, 6) : 0;
  }
  return requests;
}

/// The table in both engines, and what reads cost at each sample, in order.
struct Lines {
  std::vector<std::string> questions{};
  std::vector<std::string> costs{};
};

struct CountedRequests {
  std::int64_t requests = 0;
  std::int64_t tombstones = 0;
  std::int64_t several = 0;  // a partition in more than one file
  std::int64_t stopped = 0;  // at the limit
  std::int64_t spared = 0;   // tombstones, of a table that purges only what is repaired
};

std::vector<ReadPart> parts_of(const Writer& writer) {
  const Micros from_us = writer.rhythm.event(0) * writer.unit_us;
  return {{.writer = &writer, .from_us = from_us, .until_us = INT64_MAX, .shards = writer.shards}};
}

std::vector<ReadSource> sources_of(const TableStore& table, const Content& memtable) {
  std::vector<ReadSource> sources;
  for (const auto& [id, file] : table.sstables()) {
    const auto [first, last] = file->token_span();
    sources.push_back({.content = &file->content(),
                       .max_timestamp_us = file->extremes().max_timestamp_us,
                       .first_token = first,
                       .last_token = last,
                       .min_deletion_s = file->extremes().min_local_deletion_time_s});
    find_clusterings(table.space(), file->content(), sources.back());
  }
  sources.push_back(
      {.content = &memtable, .memtable = true, .min_deletion_s = memtable_min_deletion(table.space(), memtable)});
  return sources;
}

bool only_repaired(const CompactionOptions& options) { return common_options(options).only_purge_repaired_tombstones; }

class ReadsOfCohorts final : public HarnessObserver {
 public:
  ReadsOfCohorts(const OracleScenario& scenario, const TableWorkload& workload, Lines& lines, CountedRequests& counted)
      : scenario_(scenario), workload_(workload), lines_(lines), counted_(counted) {}

  void sampled(Seconds now_s, const TableStore& table) override {
    const bool spares = only_repaired(table.settings().compaction);
    const Content memtable = table.memtable().content();
    const std::vector<ReadSource> sources = sources_of(table, memtable);
    Dice dice(static_cast<std::uint64_t>(now_s));
    for (const ReadRequest& request : requests_at(now_s, table.gc_before(now_s), spares, scenario_.start_s, dice)) {
      for (const Writer& writer : workload_.writers()) {
        if (!writer.writes || writer.clustering.modulus > 0) continue;
        ReadCosts costs;
        add_read_costs(table.space(), sources, parts_of(writer), request, costs);
        lines_.questions.push_back(fmt::format("at {} s, stream {}, latest {}, {} s to {} s, {} shards",
                                               now_s - scenario_.start_s, writer.name, request.latest_rows,
                                               request.from_us / us_per_s - scenario_.start_s,
                                               request.to_us / us_per_s - scenario_.start_s, request.shards));
        lines_.costs.push_back(line_of(costs));
        ++counted_.requests;
        counted_.tombstones += costs.tombstones.max() > 0 ? 1 : 0;
        counted_.spared += spares && costs.tombstones.max() > 0 ? 1 : 0;
        counted_.several += costs.sstables.max() > 1 ? 1 : 0;
        counted_.stopped += request.latest_rows > 0 && costs.partitions.max() == 1 ? 1 : 0;
      }
    }
  }

 private:
  const OracleScenario& scenario_;
  const TableWorkload& workload_;
  Lines& lines_;
  CountedRequests& counted_;
};

std::vector<std::string> reads_of_rows(const OracleScenario& scenario, const TableWorkload& workload, Trace& trace) {
  std::vector<std::string> lines;
  trace = play(scenario, nullptr, [&](Seconds now_s, const Table& table) {
    const bool spares = only_repaired(table.settings().compaction);
    Dice dice(static_cast<std::uint64_t>(now_s));
    const Seconds gc_before_s = now_s - table.settings().gc_grace_s;
    for (const ReadRequest& request : requests_at(now_s, gc_before_s, spares, scenario.start_s, dice)) {
      for (const Writer& writer : workload.writers()) {
        if (!writer.writes || writer.clustering.modulus > 0) continue;
        lines.push_back(line_of(request_rows(table, parts_of(writer), request)));
      }
    }
  });
  return lines;
}

/// The first request that cohorts and rows tell different costs of; empty: none.
std::string disagreement(OracleScenario scenario, CountedRequests& counted) {
  try {
    scenario.sample_every_s = (scenario.end_s - scenario.start_s) / 4 + 1234;  // within buckets
    const TableWorkload workload = oracle_workload(scenario);
    Recording recording{.name = scenario.comment, .scenario = scenario, .trace = {}};
    const std::vector<std::string> rows = reads_of_rows(scenario, workload, recording.trace);
    Lines cohorts;
    ReadsOfCohorts observer(scenario, workload, cohorts, counted);
    play(PlayedTable{.scenario = &scenario,
                     .workload = &workload,
                     .schema = recorded_schema(scenario, scenario.create_table(), workload, Replay::exact),
                     .sizer = recorded_disk_sizes(recording),
                     .picks = [](TableStore& table, Seconds now_s) { return table.ask(now_s); },
                     .majors = [](TableStore& table, Seconds now_s) { return table.reserve_major(now_s); },
                     .observers = {&observer}});
    if (rows.size() != cohorts.costs.size()) return fmt::format("{} and {} samples", rows.size(), cohorts.costs.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] != cohorts.costs[i])
        return fmt::format("{}: rows {}, cohorts {}", cohorts.questions[i], rows[i], cohorts.costs[i]);
    }
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

using Make = OracleScenario (*)(std::uint64_t, Strategies);

CountedRequests hold_reads_to_rows(Make make, Strategies strategies, std::uint64_t scenarios) {
  CountedRequests counted;
  CountedRequests unused;
  int failed = 0;
  for (std::uint64_t seed = 1; seed <= scenarios && failed < 3; ++seed) {
    const OracleScenario scenario = make(seed, strategies);
    const std::string found = disagreement(scenario, counted);
    if (found.empty()) continue;
    ++failed;
    const OracleScenario smallest =
        shrink(scenario, [&](const OracleScenario& smaller) { return !disagreement(smaller, unused).empty(); });
    FAIL_CHECK("seed ", seed, ": ", found, "\nsmallest scenario that fails:\n", oracle_scenario_text(smallest),
               "there ", disagreement(smallest, unused));
  }
  return counted;
}

/// Reads of streams with static columns are refused.
OracleScenario random_scenario_of_ranges_alone(std::uint64_t seed, Strategies strategies) {
  OracleScenario scenario = random_scenario_of_ranges(seed, strategies);
  scenario.statics = 0;
  for (OracleStream& stream : scenario.streams) stream.statics = OracleStream::Statics::none;
  return scenario;
}

TEST_CASE("reads cost as many partitions and SSTables and rows and tombstones as read row by row") {
  const CountedRequests plain = hold_reads_to_rows(random_scenario, Strategies::all, seeds(120));
  const CountedRequests beyond = hold_reads_to_rows(random_scenario_beyond, Strategies::all, seeds(120));
  const CountedRequests columns = hold_reads_to_rows(random_scenario_of_columns, Strategies::all, seeds(80));
  const CountedRequests ranges = hold_reads_to_rows(random_scenario_of_ranges_alone, Strategies::all, seeds(80));
  for (const CountedRequests& counted : {plain, beyond, columns, ranges}) {
    MESSAGE(counted.requests, " requests, ", counted.tombstones, " met tombstones, ", counted.several,
            " several SSTables, ", counted.stopped, " stopped within a partition, ", counted.spared,
            " met what is not repaired");
    CHECK(counted.requests > 1000);
    CHECK(counted.tombstones > 200);
    CHECK(counted.several > 200);
    CHECK(counted.stopped > 50);
  }
}

}  // namespace
}  // namespace windrow::witness
