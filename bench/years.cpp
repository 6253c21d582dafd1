// Node-years in yardsticks: one million operations of a binary-heap hold model in the same process.
// Per case: events, seconds, yardsticks with the result files and without, cohorts of an SSTable in the mean, and
// a checksum of what was written. Seconds are the least of several runs, where these are short. usage: bench_years
// [--tiny] [--plain] [--days N] [CASE]; --tiny runs two hours instead of years, --days so many days, --plain makes no
// results.

#include <fmt/core.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/hold_model.h"
#include "bench/year_case.h"
#include "sim/engine/node.h"
#include "sim/record/recorder.h"
#include "sim/results/catalog.h"

namespace {

using windrow_bench::least_seconds_of;
using windrow_bench::scenario_of;
using windrow_bench::YearCase;

constexpr double seconds_per_year = 365 * 86'400;

class Counter final : public windrow::RunObserver {
 public:
  void flushed(const windrow::Node& node, const windrow::FlushEvent& event) override { see(node, *event.change); }
  void committed(const windrow::Node& node, const windrow::CommitEvent& event) override { see(node, *event.change); }
  std::int64_t events = 0;
  std::uint64_t checksum = 0;
  std::size_t most_live = 0;
  std::int64_t files = 0;
  std::int64_t cohorts = 0;

 private:
  void see(const windrow::Node& node, const windrow::Change& change) {
    ++events;
    most_live = std::max(most_live, node.table(0).live().size());
    for (const auto& sstable : change.added) {
      ++files;
      cohorts += static_cast<std::int64_t>(sstable->cohort_count());
      checksum = checksum * 1'000'003 + static_cast<std::uint64_t>(sstable->identity().data_bytes);
    }
  }
};

/// Files as a run writes them, one after the other into one that nobody keeps.
class WrittenFiles final : public windrow::Sink {
 public:
  void open(std::string_view) override {}
  void append(std::string_view text) override { bytes_ += std::fwrite(text.data(), 1, text.size(), file_.get()); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{std::tmpfile(), &std::fclose};
  std::size_t bytes_ = 0;
};

std::size_t results_of(const windrow::Scenario& scenario) {
  windrow::Recorder recorder(scenario, {.version = "bench", .scenario_hash = "", .node = 1}, {});
  windrow::run_node(scenario, recorder, {});
  WrittenFiles results;
  windrow::write_results(recorder.take(), results);
  return results.bytes();
}

void measure(const YearCase& what, double seconds, double yardstick, bool plain) {
  const windrow::Scenario scenario = scenario_of(what, seconds);
  Counter counter;
  const double took = least_seconds_of([&] {
    counter = {};
    windrow::run_node(scenario, counter, {});
  });
  std::size_t bytes = 0;
  const double with_results = least_seconds_of([&] { bytes = plain ? 0 : results_of(scenario); });
  fmt::print(
      "{:16} {:8} events {:7.3f} s {:7.2f} yardsticks {:6.3f} us/event {:5} live at most, {} made of {:.2f} cohorts "
      "each; with results {:7.2f} yardsticks, "
      "{} bytes; checksum {:x}\n",
      what.name, counter.events, took, took / yardstick, took / static_cast<double>(counter.events) * 1e6,
      counter.most_live, counter.files, static_cast<double>(counter.cohorts) / static_cast<double>(counter.files),
      with_results / yardstick, bytes, counter.checksum);
  std::fflush(stdout);
}

/// All at once, a thread each, so that all their state is there at one time.
void measure_nodes(const YearCase& what, double seconds, int nodes) {
  std::vector<Counter> counters(static_cast<std::size_t>(nodes));
  {
    std::vector<std::jthread> threads;
    for (int node = 0; node < nodes; ++node) {
      threads.emplace_back([&, node] {
        windrow::run_node(scenario_of(what, seconds, node), counters[static_cast<std::size_t>(node)], {});
      });
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{:16} {} nodes at once: {} MB at most in memory\n", what.name, nodes, usage.ru_maxrss / 1000);
}

}  // namespace

int main(int argc, char** argv) {
  bool tiny = false;
  bool plain = false;
  double length_days = 0;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--tiny") == 0) {
      tiny = true;
    } else if (std::strcmp(argv[i], "--plain") == 0) {
      plain = true;
    } else if (std::strcmp(argv[i], "--days") == 0 && i + 1 < argc) {
      length_days = std::strtod(argv[++i], nullptr);
    } else {
      only = argv[i];
    }
  }
  const windrow::SizeTieredOptions tiers;
  const windrow::TimeWindowOptions days;
  const windrow::TimeWindowOptions short_windows{.window_unit_s = 60, .window_size = 100};
  constexpr windrow::Seconds most_of_a_year = 364 * 86'400;
  const std::vector<YearCase> cases = {
      {"stcs", tiers, 1, 1, 0},
      {"twcs", days, 1, 1, most_of_a_year},
      {"stcs-slow", tiers, 0.1, 1, 0},
      {"twcs-slow", days, 0.1, 1, most_of_a_year},
      {"twcs-slow-10y", days, 0.1, 10, most_of_a_year},
      {"stcs-slow-10y", tiers, 0.1, 10, 0},
      {"twcs-5000-live", short_windows, 1, 1, most_of_a_year},
      {"stcs-ttl-30d", tiers, 1, 1, 30 * 86'400},
      {"ucs", windrow::UnifiedOptions{}, 1, 1, 0},
      {"lcs", windrow::LeveledOptions{}, 1, 1, 0},
      {"ucs-slow", windrow::UnifiedOptions{}, 0.1, 1, 0},
      {"lcs-slow", windrow::LeveledOptions{}, 0.1, 1, 0},
      {"lcs-slow-ttl-30d", windrow::LeveledOptions{}, 0.1, 1, 30 * 86'400},
      {"lcs-ttl-30d", windrow::LeveledOptions{}, 1, 1, 30 * 86'400},
  };
  std::uint64_t checksum = 0;
  const double yardstick = least_seconds_of([&] { checksum = windrow_bench::hold_model(tiny ? 10'000 : 1'000'000); });
  fmt::print("yardstick {:.4f} s, checksum {:x}\n", yardstick, checksum);
  const YearCase nodes{"nodes-3y", days, 0.1, 3, most_of_a_year};
  const auto seconds_of = [&](const YearCase& what) {
    if (length_days > 0) return length_days * 86'400;
    return tiny ? 7'200.0 : what.years * seconds_per_year;
  };
  if (only.empty() || only == nodes.name) measure_nodes(nodes, seconds_of(nodes), 12);
  for (const YearCase& what : cases) {
    if (!only.empty() && what.name != only) continue;
    measure(what, seconds_of(what), yardstick, plain);
  }
  return 0;
}
