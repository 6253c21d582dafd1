// What runs are expected to cost (sim/cost), what they do, counted in the same steps, and the seconds they take.
// usage: bench_estimate [--tiny] [--random DAYS FIRST LAST [--draw N] [--times T]] [SCENARIO.ini]...; without a file
// those of scenarios/; --random: those of the generator of these seeds, DAYS days long (one alone is shown), of draw N
// (0), with T times as many entities (1).

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/hold_model.h"
#include "sim/cost/expected_cost.h"
#include "sim/resolve/endless.h"
#include "sim/resolve/load_scenario.h"
#include "sim/resolve/not_modelled.h"
#include "sim/resolve/table_months.h"
#include "sim/words/scenario_error.h"
#include "tests/cost/lib/counted_work.h"
#include "tests/cost/lib/random_run.h"

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void print_kinds(const char* name, const windrow::Work& work) {
  fmt::print(
      "  {:9} events {:.3g} tables {:.3g} sub_streams {:.3g} sstables {:.3g} ordered {:.3g} cohorts {:.3g} met {:.3g} "
      "purged {:.3g} "
      "minutes {:.3g} "
      "rows {:.3g} "
      "parts {:.3g} sets {:.3g} looked {:.3g} partitions {:.3g} "
      "samples {:.3g} live {:.3g} looks {:.3g} reads {:.3g} read {:.3g} pieces {:.3g} keys {:.3g} sketched {:.3g}\n",
      name, work.events, work.tables, work.sub_streams, work.sstables, work.ordered, work.cohorts, work.met_cohorts,
      work.purged_cohorts, work.minutes, work.rows, work.parts, work.sets, work.looked_rows, work.partitions,
      work.samples, work.live_sstables, work.looks, work.reads, work.read_partitions, work.read_pieces, work.keys,
      work.sketched);
}

void measure(const std::string& name, const std::string& text, const windrow::ReadFile& files) {
  windrow::LoadedScenario loaded = windrow::load_scenario(name + ".ini", text, {}, files);
  windrow::refuse_what_is_not_modelled(loaded);
  windrow::refuse_what_does_not_end(loaded);
  windrow::split_months(loaded.scenario);
  const windrow::ExpectedCost expected = windrow::expected_cost(loaded.scenario);
  const double expected_s = expected.steps() * windrow::seconds_per_step;
  fmt::print("{:32} expected {:8.3f} s", name, expected_s);
  std::fflush(stdout);
  windrow::Work done;
  const double took = windrow_bench::seconds_of([&] { done = windrow::counted_work(loaded.scenario); });
  done.keys = expected.work.keys;
  done.stops = expected.work.stops;
  done.sketched = expected.work.sketched;
  const double counted_s = windrow::steps_of(done) * windrow::seconds_per_step;
  fmt::print(", counted {:8.3f} s, took {:8.3f} s: {:.2f} times counted, {:.2f} times taken\n", counted_s, took,
             expected_s / counted_s, expected_s / took);
  print_kinds("counted", done);
  print_kinds("expected", expected.work);
  std::fflush(stdout);
}

void measure_file(const fs::path& path) {
  measure(path.stem().string(), text_of(path), [&](const std::string& name) {
    const fs::path file = path.parent_path() / name;
    return fs::exists(file) ? std::optional(text_of(file)) : std::nullopt;
  });
}

/// What the language refuses is left out.
void measure_random(std::uint64_t seed, std::int64_t days, int draw, std::int64_t times, bool show) {
  const windrow::RandomRun run = windrow::random_run(seed, days, draw, times);
  if (show) fmt::print("{}{}\n", run.ini, run.files.at("t.cql"));
  try {
    measure(fmt::format("random {}", seed), run.ini, [&](const std::string& name) {
      const auto found = run.files.find(name);
      return found == run.files.end() ? std::nullopt : std::optional(found->second);
    });
  } catch (const windrow::ScenarioError& error) {
    if (show) fmt::print("{}\n", error.what());
  } catch (const std::invalid_argument& error) {
    fmt::print(": {}\n", error.what());
  } catch (const std::length_error& error) {
    fmt::print(": {}\n", error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  bool tiny = false;
  std::int64_t days = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  int draw = 0;
  std::int64_t times = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--tiny") == 0) {
      tiny = true;
    } else if (std::strcmp(argv[i], "--random") == 0 && i + 3 < argc) {
      days = std::atoll(argv[++i]);
      first = static_cast<std::uint64_t>(std::atoll(argv[++i]));
      last = static_cast<std::uint64_t>(std::atoll(argv[++i]));
    } else if (std::strcmp(argv[i], "--draw") == 0 && i + 1 < argc) {
      draw = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--times") == 0 && i + 1 < argc) {
      times = std::atoll(argv[++i]);
    } else {
      files.emplace_back(argv[i]);
    }
  }
  if (days > 0) {
    for (std::uint64_t seed = first; seed <= last; ++seed) measure_random(seed, days, draw, times, first == last);
    return 0;
  }
  if (files.empty()) {
    for (const auto& entry : fs::directory_iterator("scenarios")) {
      if (entry.path().extension() == ".ini") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  if (tiny) files.resize(std::min<std::size_t>(files.size(), 1));
  for (const fs::path& file : files) measure_file(file);
  return 0;
}
