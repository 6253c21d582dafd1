// What it costs to know which node is written what, hour by hour, in yardsticks (a million operations of the hold
// model): 12 nodes with 3 copies, 3 years, 20,000 devices that write once a minute, day buckets, rates that change
// every hour. Hashing at most 20, load at most 10; all nodes with their results and one kind of read at most 200. And
// 100 nodes, a year, 200,000 devices: at most 450 in all. usage: bench_cluster [--tiny]

#include <fmt/core.h>
#include <sys/resource.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "bench/hold_model.h"
#include "sim/load/cluster_load.h"
#include "sim/nodes/cluster_run.h"
#include "sim/placement/slot_hasher.h"
#include "sim/record/node_runs.h"
#include "sim/resolve/load_scenario.h"
#include "sim/results/catalog.h"

namespace {

using windrow_bench::least_seconds_of;

constexpr const char* table =
    "CREATE TABLE readings (device text, day text, at timestamp, value double, PRIMARY KEY ((device, day), at));";

windrow::LoadedScenario case_of(int nodes, int days, int devices, bool reads = false) {
  std::string ini = fmt::format(
      "[run]\nschema = t.cql\nlength = {}d\n[dc.main]\nnodes = {}\nreplication_factor = 3\n[stream.devices]\ntable = "
      "readings\nentities = pattern(device-%07d, {})\nrate = 1/min\nshape = daily(peak 20:00, 3x)\ncolumn.day = day\n",
      days, nodes, devices);
  if (reads) ini += "[read.newest]\nof = devices\nlatest = 10\nconsistency = LOCAL_QUORUM\nrate = 50/s\n";
  return windrow::load_scenario("bench.ini", ini, {},
                                [](const std::string&) { return std::optional<std::string>(table); });
}

void bench(int nodes, int days, int devices, double yardstick_s) {
  const windrow::LoadedScenario loaded = case_of(nodes, days, devices);
  const windrow::Scenario& scenario = loaded.scenario;
  const windrow::ReplicaMap replicas(scenario.ring->tokens, scenario.ring->places, scenario.ring->replication);
  std::int64_t checksum = 0;
  const windrow::WriterSpec& writer = scenario.writers.front();
  const std::int64_t hashed_keys = windrow::ClusterLoad(scenario).hashed_keys();  // the rest borrows from them
  const double hashing_s = least_seconds_of(
      [&] {
        windrow::SlotHasher hasher({.keys = writer.keys.get(), .entities = writer.entities, .shards = writer.shards});
        const std::int64_t first = writer.bucket.number(scenario.start_us / windrow::us_per_s);
        for (std::int64_t day = 0; day < hashed_keys / devices; ++day)
          checksum += hasher.sets(writer.bucket.label(first + day), replicas).front();
      },
      1);
  const double load_s = least_seconds_of(
      [&] {
        const windrow::ClusterLoad load(scenario);
        checksum += load.rows().sum();
      },
      1);
  fmt::print(
      "{:3} nodes, {:4} days, {} devices: {} keys hashed in {:.2f} yardsticks; load without them {:.2f}; sum {}\n",
      nodes, days, devices, hashed_keys, hashing_s / yardstick_s, (load_s - hashing_s) / yardstick_s, checksum);
}

/// All nodes by themselves, one after the other, with the result files: of the first case at most 200 yardsticks, and
/// 300 MB in all.
void bench_nodes(int nodes, int days, int devices, bool reads, double yardstick_s) {
  const windrow::LoadedScenario loaded = case_of(nodes, days, devices, reads);
  std::size_t bytes = 0;
  std::size_t runs = 0;
  const double seconds = least_seconds_of(
      [&] {
        const auto load = std::make_shared<const windrow::ClusterLoad>(loaded.scenario);
        windrow::RunRecord record = windrow::run_cluster(
            loaded.scenario, load, {}, {}, [](std::size_t, windrow::Micros) { return true; }, windrow::in_turn);
        record.load = load;
        runs = windrow::node_runs(record).size();
        windrow::TextSink results;
        windrow::write_results(record, results);
        bytes = 0;
        for (const windrow::NamedText& text : results.texts()) bytes += text.text.size();
      },
      1);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  fmt::print("{:3} runs of nodes with their results{}, {} bytes: {:.1f} yardsticks, {:.2f} each; {} MB at the most\n",
             runs, reads ? " and a read" : "", bytes, seconds / yardstick_s,
             seconds / yardstick_s / static_cast<double>(runs), used.ru_maxrss / 1024);
}

}  // namespace

int main(int argc, char** argv) {
  const bool tiny = argc > 1 && std::strcmp(argv[1], "--tiny") == 0;
  std::uint64_t checksum = 0;
  const double yardstick_s =
      least_seconds_of([&] { checksum += windrow_bench::hold_model(tiny ? 10'000 : 1'000'000); }, tiny ? 0 : 3);
  fmt::print("yardstick: {:.4f} s; sum {}\n", yardstick_s, checksum);
  bench(12, tiny ? 3 : 3 * 365, tiny ? 200 : 20'000, yardstick_s);
  for (const bool reads : {false, true}) bench_nodes(12, tiny ? 3 : 3 * 365, tiny ? 200 : 20'000, reads, yardstick_s);
  if (!tiny) {
    bench(100, 365, 200'000, yardstick_s);
    bench_nodes(100, 365, 200'000, true, yardstick_s);
  }
  return 0;
}
