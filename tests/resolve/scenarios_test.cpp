#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "sim/resolve/resolved_ini.h"
#include "tests/resolve/support.h"

using namespace windrow;
using namespace windrow::test;

namespace {

double rows_per_s(const Scenario& scenario, const std::string& stream = {}) {
  double sum = 0;
  for (const WriterSpec& writer : scenario.writers) {
    if (stream.empty() || writer.stream == stream) sum += writer.rows_per_s();
  }
  return sum;
}

}  // namespace

TEST_CASE("iot-sensors: 20,000 devices that write once a minute, a partition each a day") {
  const Scenario scenario = load_file("iot-sensors").scenario;
  REQUIRE(scenario.writers.size() == 1);
  const WriterSpec& writer = scenario.writers.front();
  CHECK(writer.entities == 20'000);
  CHECK(writer.rate == std::vector<RateStretch>{{.from_us = scenario.start_us, .rows = 1, .period_us = 3000}});
  CHECK(writer.bucket.length() == seconds_per_day);
  CHECK(writer.key_bytes == 2 + 12 + 1 + 2 + 10 + 1);
  CHECK(writer.keys->constant_length() == writer.key_bytes);
  CHECK(writer.keys->key(7, writer.bucket.label(writer.bucket.number(scenario.start_us / us_per_s)), 0) ==
        std::string("\0\14device-00007\0\0\12"
                    "2026-01-01\0",
                    28));
  CHECK(writer.clustering_bytes == 9);
  REQUIRE(writer.columns.size() == 3);
  CHECK(writer.columns[0].column == "battery_level");
  CHECK(writer.columns[0].fixed_length);
  CHECK(writer.columns[0].sizes_bytes == std::vector<std::int32_t>{4});
  CHECK(scenario.tables.front().schema.options.default_time_to_live == 7'776'000);
  CHECK(scenario.limits.size() == 3);
}

TEST_CASE("sensor-unbounded: one row a second for five years of 365 days") {
  const Scenario scenario = load_file("sensor-unbounded").scenario;
  CHECK(scenario.writers.front().bucket.single());
  CHECK(scenario.end_us - scenario.start_us == 5 * 365 * seconds_per_day * us_per_s);
  CHECK(rows_per_s(scenario) == doctest::Approx(1));
  CHECK(scenario.writers.front().keys->key(0, 0, 0) == "boiler-7");
}

TEST_CASE("tweet-stream: a skewed fleet in classes, its total exact, and a busy account with a daily peak") {
  const LoadedScenario loaded = load_file("tweet-stream");
  const Scenario& scenario = loaded.scenario;
  CHECK(scenario.data_centers.front().nodes == 6);
  CHECK(scenario.writers.size() == 32 + 8 + 1);
  const double sigma = std::log(100.0) / 2.3263478740408408;
  CHECK(rows_per_s(scenario, "everybody") ==
        doctest::Approx(50'000 * 4 * std::exp(sigma * sigma / 2) / 86'400).epsilon(1e-9));
  CHECK(scenario.writers[39].single);
  CHECK(scenario.writers[39].names->name(0) == "account-49999");
  CHECK(scenario.writers[38].rows_per_s() < scenario.writers[39].rows_per_s());
  const WriterSpec& busy = scenario.writers.back();
  CHECK(busy.names->name(0) == "jon_haddad");
  CHECK(busy.shards == 4);
  CHECK(busy.columns.front().mean_bytes() ==
        doctest::Approx(90 * std::exp(std::pow(std::log(280.0 / 90) / 2.3263478740408408, 2) / 2)).epsilon(0.01));
  CHECK(busy.rate.size() > 30 * 23);
}

TEST_CASE("mixed-ttl: a second stream like the first, without TTL, for three days") {
  const Scenario scenario = load_file("mixed-ttl").scenario;
  REQUIRE(scenario.writers.size() == 2);
  const WriterSpec& blockers = scenario.writers[1];
  CHECK(blockers.entities == 5);
  CHECK(blockers.until_us - blockers.from_us == 3 * seconds_per_day * us_per_s);
  CHECK(blockers.ttl.front().ttl_s == 0);
  CHECK(scenario.writers[0].ttl.front().ttl_s == -1);
  CHECK(scenario.tables.front().flush_size_bytes == MiB(32));
}

TEST_CASE("sperf-stcs: recorded flushes, and two classes of keys that take 84 and 16 of 100 writes") {
  const Scenario scenario = load_file("sperf-stcs").scenario;
  const TableSpec& table = scenario.tables.front();
  REQUIRE(table.flushes.size() == 16);
  CHECK(table.flushes[0].operations == 266'360);
  CHECK(table.flushes[0].at_us == scenario.start_us + 420 * us_per_s);
  CHECK(table.flushes[0].data_bytes + table.flushes[1].data_bytes + table.flushes[2].data_bytes +
            table.flushes[3].data_bytes ==
        102'729'684);
  REQUIRE(scenario.writers.size() == 2);
  CHECK(scenario.writers[0].op == WriteOp::overwrite);
  CHECK(scenario.writers[0].overwrite.keys == 440'000);
  CHECK(scenario.writers[1].overwrite.keys == 400'000);
  CHECK(rows_per_s(scenario, "hot") / rows_per_s(scenario) == doctest::Approx(0.84));
  CHECK(scenario.writers[0].clustering_bytes == 0);
}

TEST_CASE("a resolved scenario resolves to itself, beside copies of its inputs") {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("scenarios")) {
    if (entry.path().extension() == ".ini") names.insert(entry.path().stem().string());
  }
  CHECK(names.size() >= 21);
  for (const std::string& name : names) {
    CAPTURE(name);
    const LoadedScenario first = load_file(name, {"run.seed=7"});
    const std::string ini = resolved_ini(first);
    std::map<std::string, std::string> files;
    for (const StoredInput& input : stored_inputs(first)) files[input.path] = input.text;
    const LoadedScenario second = load(ini, files);
    CHECK(resolved_ini(second) == ini);
    CHECK(second.scenario.name == first.scenario.name);
    CHECK(second.scenario.seed == 7);
    CHECK(second.scenario.writers.size() == first.scenario.writers.size());
    CHECK(second.scenario.writers.back().rate == first.scenario.writers.back().rate);
  }
}
