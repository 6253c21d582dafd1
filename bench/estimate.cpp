// What runs are expected to cost (sim/cost), what they do, counted in the same steps, and the seconds they take.
// usage: bench_estimate [--tiny] [SCENARIO.ini]...; without a file those of scenarios/.

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "bench/hold_model.h"
#include "sim/cluster/cluster.h"
#include "sim/cost/expected_cost.h"
#include "sim/load/cluster_load.h"
#include "sim/nodes/cluster_run.h"
#include "sim/resolve/load_scenario.h"
#include "sim/resolve/table_months.h"

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

windrow::Work work_of(const windrow::Scenario& scenario) {
  if (windrow::has_faults(scenario)) {
    windrow::Recorder recorder(scenario, {}, {});
    const windrow::FaultRecord faults = windrow::play_cluster(scenario, recorder, {});
    return recorder.take().done * faults.nodes;
  }
  std::shared_ptr<const windrow::ClusterLoad> load;
  if (scenario.ring) load = std::make_shared<const windrow::ClusterLoad>(scenario);
  const windrow::RunRecord record = windrow::run_cluster(
      scenario, load, {}, {}, [](std::size_t, windrow::Micros) { return true; }, windrow::one_by_one);
  return record.done;
}

void print_kinds(const char* name, const windrow::Work& work) {
  fmt::print(
      "  {:9} events {:.3g} tables {:.3g} sub_streams {:.3g} sstables {:.3g} cohorts {:.3g} minutes {:.3g} rows {:.3g} "
      "samples {:.3g} live {:.3g} looks {:.3g} reads {:.3g} keys {:.3g}\n",
      name, work.events, work.tables, work.sub_streams, work.sstables, work.cohorts, work.minutes, work.rows,
      work.samples, work.live_sstables, work.looks, work.reads, work.keys);
}

void measure(const fs::path& path) {
  windrow::LoadedScenario loaded =
      windrow::load_scenario(path.filename().string(), text_of(path), {}, [&](const std::string& name) {
        const fs::path file = path.parent_path() / name;
        return fs::exists(file) ? std::optional(text_of(file)) : std::nullopt;
      });
  windrow::split_months(loaded.scenario);
  const windrow::ExpectedCost expected = windrow::expected_cost(loaded.scenario);
  windrow::Work done;
  const double took = windrow_bench::seconds_of([&] { done = work_of(loaded.scenario); });
  done.keys = expected.work.keys;
  const double counted_s = windrow::steps_of(done) * windrow::seconds_per_step;
  const double expected_s = expected.steps() * windrow::seconds_per_step;
  fmt::print("{:32} {:8.3f} s, counted {:8.3f} s, expected {:8.3f} s: {:.2f} times counted, {:.2f} times taken\n",
             path.stem().string(), took, counted_s, expected_s, expected_s / counted_s, expected_s / took);
  print_kinds("counted", done);
  print_kinds("expected", expected.work);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  bool tiny = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--tiny") == 0) {
      tiny = true;
    } else {
      files.emplace_back(argv[i]);
    }
  }
  if (files.empty()) {
    for (const auto& entry : fs::directory_iterator("scenarios")) {
      if (entry.path().extension() == ".ini") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  if (tiny) files.resize(std::min<std::size_t>(files.size(), 1));
  for (const fs::path& file : files) measure(file);
  return 0;
}
