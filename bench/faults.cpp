// What outages and repairs cost. 300 outages in all, fifty of every node and year: cohorts per SSTable, in the mean
// over all samples and nodes, with and without them (wanted: at most twice as many). 12 nodes with 3 copies, 20,000
// devices a minute each, day buckets, 5 % of the rows deleted after 30 days, weekly repairs of six hours, two outages a
// node and year, in yardsticks of processor time (wanted: at most 220 elapsed with two threads, 400 MB). A year of
// repair-floods-twcs, thousands of small SSTables at once (wanted: at most 60). usage, from the repository's root:
// bench_faults [--tiny | --cohorts | --floods]

#include <fmt/core.h>
#include <sys/resource.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "bench/hold_model.h"
#include "sim/cluster/cluster.h"
#include "sim/resolve/load_scenario.h"

namespace {

constexpr const char* table =
    "CREATE TABLE readings (device text, day text, at timestamp, value double, PRIMARY KEY ((device, day), at)) WITH "
    "default_time_to_live = 7776000 AND compaction = {'class': 'TimeWindowCompactionStrategy', "
    "'compaction_window_unit': 'DAYS', 'compaction_window_size': '1'};";

struct Case {
  int nodes = 12;
  int days = 3 * 365;
  int devices = 20'000;
  std::string rate = "1/min";
  std::string deletes = "3/h";
  std::string flush_size = "64MiB";
  std::string outages = "2/y";  // of a node; empty: none
};

windrow::LoadedScenario load(const Case& what) {
  std::string ini = fmt::format(
      "[run]\nschema = t.cql\nlength = {}d\n[dc.main]\nnodes = {}\nreplication_factor = 3\n[table.readings]\n"
      "flush_size = {}\n[stream.devices]\ntable = readings\nentities = pattern(device-%07d, {})\nrate = {}\n"
      "column.day = day\n[stream.erasures]\nlike = devices\nop = delete(row, 30d)\nrate = {}\n[repair.weekly]\nevery = "
      "7d\ntakes = 6h\n",
      what.days, what.nodes, what.flush_size, what.devices, what.rate, what.deletes);
  if (!what.outages.empty()) ini += "[outage.any]\nrate = " + what.outages + "\nlength = lognormal(2h, 12h)\n";
  return windrow::load_scenario("bench.ini", ini, {},
                                [](const std::string&) { return std::optional<std::string>(table); });
}

/// Counts what lies on a node's disk at every sample.
class Cohorts final : public windrow::RunObserver {
 public:
  void sampled(const windrow::Node& node) override {
    for (const auto& [id, file] : node.table(0).sstables()) {
      ++sstables;
      cohorts += std::ssize(file->content().cohorts);
    }
  }
  std::int64_t sstables = 0;
  std::int64_t cohorts = 0;
};

double bench(const Case& what, double yardstick_s) {
  const windrow::LoadedScenario loaded = load(what);
  std::vector<Cohorts> counts(static_cast<std::size_t>(what.nodes));
  std::vector<windrow::RunObserver*> observers;
  for (Cohorts& count : counts) observers.push_back(&count);
  windrow::FaultRecord faults;
  const double seconds =
      windrow_bench::seconds_of([&] { faults = windrow::play_cluster(loaded.scenario, observers, {}); });
  Cohorts all;
  for (const Cohorts& count : counts) {
    all.sstables += count.sstables;
    all.cohorts += count.cohorts;
  }
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const double mean = static_cast<double>(all.cohorts) / static_cast<double>(all.sstables);
  fmt::print(
      "{:2} nodes, {:4} days, {:5} devices, {:3} outages: {:.1f} yardsticks, {} MB at the most so far, {} rows came "
      "back; {:.2f} cohorts an SSTable\n",
      what.nodes, what.days, what.devices, faults.outages.size(), seconds / yardstick_s, used.ru_maxrss / 1024,
      faults.resurrected(), mean);
  return mean;
}

std::optional<std::string> text_of(const std::string& name) {
  std::ifstream file("scenarios/" + name);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// A year of scenarios/repair-floods-twcs.ini, without result files.
void bench_floods(bool tiny, double yardstick_s) {
  const std::string name = "repair-floods-twcs.ini";
  std::vector<std::string> assignments;
  if (tiny) assignments = {"stream.readings.entities=pattern(device-%03d, 10)"};
  const windrow::LoadedScenario loaded = windrow::load_scenario(name, text_of(name).value(), assignments, text_of);
  std::int64_t sent = 0;
  const double seconds = windrow_bench::least_seconds_of(
      [&] {
        windrow::RunObserver nobody;
        const windrow::FaultRecord faults = windrow::play_cluster(loaded.scenario, nobody, {});
        sent = 0;
        for (const windrow::RepairStep& step : faults.repairs) sent += step.sstables;
      },
      tiny ? 0 : 3);
  fmt::print("repair-floods-twcs: {} SSTables at once, {:.1f} yardsticks\n", sent, seconds / yardstick_s);
}

}  // namespace

int main(int argc, char** argv) {
  const bool tiny = argc > 1 && std::strcmp(argv[1], "--tiny") == 0;
  const bool cohorts_only = argc > 1 && std::strcmp(argv[1], "--cohorts") == 0;
  std::uint64_t checksum = 0;
  const double yardstick_s = windrow_bench::least_seconds_of(
      [&] { checksum += windrow_bench::hold_model(tiny ? 10'000 : 1'000'000); }, tiny ? 0 : 3);
  fmt::print("yardstick: {:.4f} s; sum {}\n", yardstick_s, checksum);
  bench_floods(tiny, yardstick_s);
  if (argc > 1 && std::strcmp(argv[1], "--floods") == 0) return 0;
  Case calm{.nodes = 6,
            .days = tiny ? 40 : 365,
            .devices = tiny ? 20 : 500,
            .rate = "12/h",
            .deletes = "12/d",
            .flush_size = "1MiB",
            .outages = ""};
  const double without = bench(calm, yardstick_s);
  calm.outages = "50/y";
  const double with = bench(calm, yardstick_s);
  fmt::print("cohorts an SSTable with outages over those without: {:.2f}\n", with / without);
  if (!cohorts_only) bench(tiny ? Case{.days = 20, .devices = 50, .flush_size = "1MiB"} : Case{}, yardstick_s);
  return 0;
}
