// Mixes in yardsticks. Shares of rows: three years of 50,000 devices at 2 rows a minute each, 40 % more a year, size
// tiers and after a year windows of a day; with no shares, with one TTL and one lateness of their own, with ten and
// three. Many writers: ten tables of ten streams each for three years; 100,000 entities in classes of their rates for
// one. The last number is a checksum of what was written. usage: bench_mixes [--tiny] [--days N] [CASE]; --tiny runs
// two days instead of three years.

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/hold_model.h"
#include "bench/year_case.h"
#include "sim/engine/node.h"

namespace {

using windrow::Micros;
using windrow::us_per_s;

constexpr Micros day_us = 86'400 * us_per_s;
constexpr Micros hour_us = 3600 * us_per_s;

/// Each share of late rows comes in eight parts, evenly from ten minutes to three hours, as a range's do.
std::vector<windrow::LateShare> late_shares(int shares) {
  std::vector<windrow::LateShare> late;
  for (int i = 0; i < shares * 8; ++i)
    late.push_back({.share_ppm = 10'000 / 8, .delay_us = (i / 8 + 1) * (hour_us / 6 + i % 8 * hour_us / 3)});
  return late;
}

std::vector<windrow::TtlShare> ttl_shares(int shares) {
  std::vector<windrow::TtlShare> ttl;
  for (int i = 0; i < shares; ++i) ttl.push_back({.share_ppm = 30'000, .ttl_s = (7 + i) * 86'400});
  ttl.push_back({.share_ppm = windrow::ppm - shares * 30'000});
  return ttl;
}

struct MixCase {
  std::string name{};
  int ttls = 0;
  int late = 0;
};

windrow::Scenario scenario_of(const MixCase& what, int days) {
  const windrow_bench::YearCase base{
      .name = what.name, .compaction = windrow::SizeTieredOptions{}, .ttl_s = 90 * 86'400};
  windrow::Scenario scenario = windrow_bench::scenario_of(base, days * 86'400.0);
  scenario.tables[0].schema.options.gc_grace_seconds = 864'000;
  windrow::WriterSpec& writer = scenario.writers[0];
  writer.entities = 50'000;
  writer.columns.resize(1);
  writer.late = late_shares(what.late);
  writer.ttl = ttl_shares(what.ttls);
  writer.rate.clear();
  for (int month = 0; month * 30 < days; ++month) {
    const auto rows = static_cast<std::int64_t>(50'000 * 2880 * std::pow(1.4, month / 12.0));
    writer.rate.push_back({.from_us = scenario.start_us + month * 30 * day_us, .rows = rows, .period_us = day_us});
  }
  windrow::ChangeSpec windows{.at_us = scenario.start_us + day_us * (days / 3), .after = scenario.tables[0].schema};
  windows.after.options.compaction = {{"class", "TimeWindowCompactionStrategy"}};
  windows.after.options.compaction_options = windrow::TimeWindowOptions{};
  scenario.changes.push_back(std::move(windows));
  return scenario;
}

/// So many streams of equal rate in each of so many tables, 0.01 MB/s a table.
windrow::Scenario tables_and_streams(int tables, int streams, int days) {
  windrow::Scenario scenario = windrow_bench::scenario_of(
      {.compaction = windrow::TimeWindowOptions{}, .megabytes_per_s = 0.01, .ttl_s = 90 * 86'400}, days * 86'400.0);
  const windrow::TableSpec table = scenario.tables.front();
  windrow::WriterSpec writer = scenario.writers.front();
  writer.entities /= streams;
  writer.rate.front().rows /= streams;
  scenario.tables.clear();
  scenario.writers.clear();
  for (int t = 0; t < tables; ++t) {
    scenario.tables.push_back(table);
    scenario.tables.back().name = scenario.tables.back().schema.name = fmt::format("readings{}", t);
    for (int s = 0; s < streams; ++s) {
      writer.stream = fmt::format("devices{}-{}", t, s);
      writer.table = t;
      writer.entity_group = static_cast<int>(scenario.writers.size());
      scenario.writers.push_back(writer);
    }
  }
  return scenario;
}

/// 100,000 entities in 24 classes, each of twice as few as the class before and 1.8 times its rate.
windrow::Scenario classes_of_rates(int days) {
  windrow::Scenario scenario = windrow_bench::scenario_of(
      {.compaction = windrow::TimeWindowOptions{}, .megabytes_per_s = 1, .ttl_s = 90 * 86'400}, days * 86'400.0);
  const windrow::WriterSpec any = scenario.writers.front();
  scenario.writers.clear();
  std::int64_t left = 100'000;
  double rows_a_day = 24;
  for (int i = 0; left > 0; ++i) {
    windrow::WriterSpec writer = any;
    writer.stream = fmt::format("class{}", i);
    writer.entity_group = i;
    writer.entities = (left + 1) / 2;
    writer.rate = {{.from_us = scenario.start_us,
                    .rows = static_cast<std::int64_t>(static_cast<double>(writer.entities) * rows_a_day),
                    .period_us = day_us}};
    scenario.writers.push_back(writer);
    left -= writer.entities;
    rows_a_day *= 1.8;
  }
  return scenario;
}

class Cohorts final : public windrow::RunObserver {
 public:
  void flushed(const windrow::Node&, const windrow::FlushEvent& event) override { see(*event.change); }
  void committed(const windrow::Node&, const windrow::CommitEvent& event) override { see(*event.change); }
  std::int64_t events = 0;
  std::int64_t files = 0;
  std::int64_t cohorts = 0;
  std::size_t most = 0;
  std::uint64_t checksum = 0;

 private:
  void see(const windrow::Change& change) {
    ++events;
    for (const auto& sstable : change.added) {
      ++files;
      cohorts += static_cast<std::int64_t>(sstable->cohort_count());
      checksum = checksum * 1'000'003 + static_cast<std::uint64_t>(sstable->bytes_on_disk());
      most = std::max(most, sstable->cohort_count());
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  bool tiny = false;
  int days = 3 * 365;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--tiny") == 0) {
      tiny = true;
      days = 2;
    } else if (std::strcmp(argv[i], "--days") == 0 && i + 1 < argc) {
      days = std::atoi(argv[++i]);
    } else {
      only = argv[i];
    }
  }
  const double yardstick =
      windrow_bench::least_seconds_of([&] { windrow_bench::hold_model(tiny ? 10'000 : 1'000'000); });
  fmt::print("yardstick {:.4f} s\n", yardstick);
  const auto measure = [&](const std::string& name, const auto& scenario_of_days, int length) {
    if (!only.empty() && name != only) return;
    const windrow::Scenario scenario = scenario_of_days(length);
    Cohorts seen;
    const double took = windrow_bench::least_seconds_of([&] {
      seen = {};
      windrow::run_node(scenario, seen, {});
    });
    fmt::print("{:20} {:7} events {:8.3f} s {:8.2f} yardsticks; SSTables of {:.1f} cohorts, {} at most; {:016x}\n",
               name, seen.events, took, took / yardstick,
               static_cast<double>(seen.cohorts) / static_cast<double>(std::max<std::int64_t>(1, seen.files)),
               seen.most, seen.checksum);
    std::fflush(stdout);
  };
  for (const MixCase& what :
       {MixCase{"no-shares", 0, 0}, MixCase{"one-ttl-one-late", 1, 1}, MixCase{"ten-ttls-three-late", 10, 3}})
    measure(
        what.name, [&](int length) { return scenario_of(what, length); }, days);
  measure(
      "ten-tables", [](int length) { return tables_and_streams(10, 10, length); }, days);
  measure("classes-of-rates", classes_of_rates, std::min(days, 365));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{} MB at most in memory\n", usage.ru_maxrss / 1000);
  return 0;
}
