#include "sim/load/cluster_load.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "sim/stats/random_stream.h"
#include "tests/load/cluster_text.h"

namespace windrow {
namespace {

using Counts = std::vector<std::int64_t>;

const std::string recorded_ring = "[dc.main]\nnodes = 6\nreplication_factor = 3\ntokens = ring.csv\n";

std::string run_of(const std::string& length) { return "[run]\nschema = t.cql\nlength = " + length + "\n"; }

Counts rows_of_hour(const ClusterLoad& load, int hour) {
  const auto row = load.rows().row(hour);
  return {row.begin(), row.end()};
}

Counts rows_of_day(const ClusterLoad& load, int day) {
  const auto days = load.rows().middleRows(day * 24, 24).colwise().sum().eval();
  return {days.begin(), days.end()};
}

double max_over_mean(const Counts& rows) {
  const auto sum = static_cast<double>(std::accumulate(rows.begin(), rows.end(), std::int64_t{0}));
  return static_cast<double>(std::ranges::max(rows)) * static_cast<double>(rows.size()) / sum;
}

double mean_of_days(const ClusterLoad& load) {
  double sum = 0;
  const int days = load.hours().count() / 24;
  for (int day = 0; day < days; ++day) sum += max_over_mean(rows_of_day(load, day));
  return sum / days;
}

double hottest(const ClusterLoad& load) {
  double most = 0;
  for (int node = 0; node < load.nodes(); ++node) most = std::max(most, load.numbers(node).max_over_mean);
  return most;
}

const std::string one_device = "[stream.one]\ntable = unbucketed\nentities = named(only)\nrate = 1/s\n";

TEST_CASE("one partition alone: its nodes bear twice the mean of six, four times that of twelve, exactly") {
  const auto six = test::cluster(run_of("3d") + "[dc.main]\nnodes = 6\nreplication_factor = 3\n" + one_device);
  CHECK(hottest(ClusterLoad(six.scenario)) == 2.0);
  const auto twelve = test::cluster(run_of("3d") + "[dc.main]\nnodes = 12\nreplication_factor = 3\n" + one_device);
  CHECK(hottest(ClusterLoad(twelve.scenario)) == 4.0);
}

TEST_CASE("a thousand devices by day on given tokens: as many partitions on each node as their hashes say") {
  const auto loaded = test::cluster(run_of("3d") + recorded_ring +
                                    "[stream.devices]\ntable = readings\nentities = pattern(device-%04d, 1000)\n"
                                    "rate = 1/d\ncolumn.day = day\n");
  const ClusterLoad load(loaded.scenario);
  CHECK(rows_of_day(load, 0) == Counts{491, 487, 512, 477, 505, 528});
  CHECK(rows_of_day(load, 1) == Counts{460, 516, 508, 493, 507, 516});
  CHECK(rows_of_day(load, 2) == Counts{481, 511, 484, 496, 515, 513});
}

TEST_CASE("rows of all tables are counted, whatever their number") {
  const auto loaded = test::cluster(run_of("3d") + recorded_ring + one_device +
                                    "[stream.devices]\ntable = readings\nentities = pattern(device-%04d, 1000)\n"
                                    "rate = 1/d\ncolumn.day = day\n");
  const ClusterLoad load(loaded.scenario);
  CHECK(load.rows().sum() == 3 * (3 * 1'000 + 3 * 86'400));
}

TEST_CASE("one chatty device among a thousand: rows of every hour on each node, to the last row, and who did it") {
  const auto loaded = test::cluster(run_of("3d") + recorded_ring +
                                    "[stream.devices]\ntable = readings\nentities = pattern(device-%04d, 1000)\n"
                                    "rate = 1/min\ncolumn.day = day\n"
                                    "[stream.chatty]\nlike = devices\nentities = named(device-chatty)\nrate = 100/s\n");
  const ClusterLoad load(loaded.scenario);
  for (int hour = 0; hour < 24; ++hour)
    CHECK(rows_of_hour(load, hour) == Counts{389'460, 29'220, 390'720, 28'620, 30'300, 391'680});
  CHECK(max_over_mean(rows_of_hour(load, 0)) == doctest::Approx(1.8651).epsilon(0.00003));
  CHECK(max_over_mean(rows_of_hour(load, 24)) == doctest::Approx(1.8617).epsilon(0.00003));
  CHECK(max_over_mean(rows_of_hour(load, 48)) == doctest::Approx(1.8614).epsilon(0.00003));

  const std::vector<std::vector<int>> nodes_of_day = {{0, 2, 5}, {1, 4, 5}, {1, 3, 4}};
  for (int day = 0; day < 3; ++day) {
    const std::vector<int>& nodes = nodes_of_day[static_cast<std::size_t>(day)];
    const std::optional<ClusterLoad::Cause> cause = load.cause(day * 24 + 7, nodes.front());
    REQUIRE(cause);
    CHECK(cause->spec->stream == "chatty");
    REQUIRE(cause->partition);
    CHECK(cause->partition->rows == 360'000);
    const auto set = load.replicas().set(cause->partition->set);
    CHECK(std::vector<int>(set.begin(), set.end()) == nodes);
  }
  CHECK(load.cause(0, 1)->spec->stream == "devices");
  CHECK_FALSE(load.cause(0, 1)->partition);
}

TEST_CASE("a busy account in 1 to 32 shards on the recorded ring: how far its nodes are above the mean, by day") {
  const std::vector<std::pair<int, double>> expected = {{1, 2.000}, {2, 1.934},  {4, 1.651},
                                                        {8, 1.472}, {16, 1.344}, {32, 1.239}};
  for (const auto& each : expected) {
    const int shards = each.first;
    const double over_mean = each.second;
    CAPTURE(shards);
    const auto loaded = test::cluster(
        run_of("730d") + recorded_ring +
        fmt::format("[stream.busy]\ntable = sharded\nentities = named(jon_haddad)\nrate = 32/h\ncolumn.day = day\n"
                    "column.shard = shard({})\n",
                    shards));
    CHECK(mean_of_days(ClusterLoad(loaded.scenario)) == doctest::Approx(over_mean).epsilon(0.00025));
  }
}

/// Three racks of two nodes that know nothing of each other: in each rack who of the two has a range is drawn anew.
std::string independent_racks() {
  constexpr int pairs = 256;
  std::string csv = "dc,node,rack,token\n";
  for (int rack = 1; rack <= 3; ++rack) {
    RandomStream stream(1, fmt::format("rack {}", rack));
    for (int place = 0; place < pairs; ++place) {
      const auto first = static_cast<Token>(stream.next() >> 63);
      for (Token node = 0; node < 2; ++node) {
        const Token token = min_token + ((place * 2 + node) * 4 + rack) * (Token{1} << 53);
        csv += fmt::format("main,{},rack{},{}\n", 2 * rack - (node ^ first), rack, token);
      }
    }
  }
  return csv;
}

TEST_CASE("three racks of two nodes: each rack splits four shards by itself") {
  const auto loaded =
      test::cluster(run_of("2000d") + "[dc.main]\nnodes = 6\nracks = 3\nreplication_factor = 3\ntokens = racks.csv\n" +
                        "[stream.busy]\ntable = sharded\nentities = named(jon_haddad)\nrate = 4/h\ncolumn.day = day\n" +
                        "column.shard = shard(4)\n",
                    {{"racks.csv", independent_racks()}});
  CHECK(std::abs(mean_of_days(ClusterLoad(loaded.scenario)) - 1.639) < 0.02);
}

TEST_CASE("what is not hashed borrows: a node's shares, how they vary and the worst hour are those of all keys") {
  const std::string text = run_of("30d") +
                           "exact_placements = {}\n[dc.main]\nnodes = 12\nreplication_factor = 3\n"
                           "[stream.devices]\ntable = hourly\nentities = pattern(device-%05d, 20000)\nrate = 1/h\n"
                           "column.hour = hour\n";
  const auto all = test::cluster(fmt::format(fmt::runtime(text), 25'000'000));
  const auto some = test::cluster(fmt::format(fmt::runtime(text), 64 * 20'000));
  const ClusterLoad hashed(all.scenario);
  const ClusterLoad borrowed(some.scenario);
  CHECK(hashed.known(PlacementKind::hashed).keys == 720 * 20'000);
  CHECK(borrowed.known(PlacementKind::borrowed).keys == 720 * 20'000);
  CHECK(borrowed.hashed_keys() == 64 * 20'000);
  const auto moments = [](const ClusterLoad& load, int node) {
    const Eigen::ArrayXd shares = load.rows().col(node).cast<double>() / 20'000;
    return std::pair(shares.mean(), std::sqrt((shares - shares.mean()).square().mean()));
  };
  double hashed_sd = 0;
  double borrowed_sd = 0;
  for (int node = 0; node < 12; ++node) {
    const auto [mean, sd] = moments(hashed, node);
    const auto [mean_of_some, sd_of_some] = moments(borrowed, node);
    CHECK(std::abs(mean_of_some - mean) <= 4 * sd / std::sqrt(64));
    hashed_sd += sd / 12;
    borrowed_sd += sd_of_some / 12;
  }
  CHECK(std::abs(borrowed_sd / hashed_sd - 1) <= 0.10);
  CHECK(std::abs(hottest(borrowed) / hottest(hashed) - 1) <= 0.015);
}

TEST_CASE("placement = alike: every node has the mean node's share") {
  const auto loaded =
      test::cluster(run_of("2d") + "[dc.main]\nnodes = 6\nreplication_factor = 3\nplacement = alike\n" + one_device);
  const ClusterLoad load(loaded.scenario);
  CHECK(rows_of_hour(load, 5) == Counts{1800, 1800, 1800, 1800, 1800, 1800});
  CHECK(hottest(load) == 1.0);
}

}  // namespace
}  // namespace windrow
