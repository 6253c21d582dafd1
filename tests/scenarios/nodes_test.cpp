#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "sim/record/node_runs.h"
#include "sim/results/catalog.h"
#include "sim/results/node_limit.h"
#include "sim/results/node_load.h"
#include "tests/scenarios/played.h"

// Which node burns, and when: what each scenario of several nodes shows, as its first line says it.

namespace windrow {
namespace {

using test::Played;

std::map<std::string, std::string> files_of(const Played& run) {
  TextSink sink;
  write_results(run.record(), sink);
  std::map<std::string, std::string> files;
  for (const NamedText& file : sink.texts()) files[file.name] = file.text;
  return files;
}

std::string line_of(const std::string& text, int number) {
  std::size_t begin = 0;
  for (int line = 0; line < number; ++line) begin = text.find("\r\n", begin) + 2;
  return text.substr(begin, text.find("\r\n", begin) - begin);
}

TEST_CASE("one-chatty-device: one bucket of one device puts three nodes at 1.87 times the mean, each day others") {
  const Played run("one-chatty-device", {"run.length=3d"});
  CHECK(run.limit("node_max_over_mean").value == doctest::Approx(1.8651).epsilon(0.00003));
  CHECK(run.breach_days("node_max_over_mean") == 0);
  for (const auto& [hour, node, replicas] :
       {std::tuple(0, 0, "1+3+6"), std::tuple(24, 1, "2+5+6"), std::tuple(48, 1, "2+4+5")}) {
    const std::optional<NamedCause> cause = named_cause(run.record(), hour, node);
    REQUIRE(cause);
    CHECK(cause->entity == "device-chatty");
    CHECK(cause->bucket == "2026-01-0" + std::to_string(1 + hour / 24));
    CHECK(nodes_text(cause->replicas) == replicas);
  }
  const auto files = files_of(run);
  CHECK(files.at("load.csv").starts_with("at,dc,node,writes,write_bytes,reads,compacted_bytes"));
  CHECK(line_of(files.at("load.csv"), 1).starts_with("2026-01-01T00:00:00Z,main,1,389460,"));
  CHECK(line_of(files.at("load.csv"), 6).starts_with("2026-01-01T00:00:00Z,main,6,391680,"));
  CHECK(line_of(files.at("nodes.csv"), 0) == "dc,node,quantity,at,value,over_mean,stream,entity,bucket,shard,replicas");
  CHECK(line_of(files.at("nodes.csv"), 1).starts_with("main,1,writes,2026-01-01T00:00:00Z,389460,1.85"));
  CHECK(line_of(files.at("nodes.csv"), 1).ends_with(",chatty,device-chatty,2026-01-01,,1+3+6"));
  CHECK(line_of(files.at("ring.csv"), 1) == "main,1,rack1,-8024664199056170134");
  CHECK(files.at("nodetool/status.txt").find("48.8%") != std::string::npos);
  CHECK(files.at("nodetool/ring.txt").find("10.1.0.5         rack1       Up     Normal  ?               50.73%") !=
        std::string::npos);
}

TEST_CASE("one-chatty-device: the node on which the device's bucket lay ten days of fourteen is the fullest") {
  const Played run("one-chatty-device");
  const std::vector<const RunRecord*> nodes = node_runs(run.record());
  REQUIRE(nodes.size() == 6);
  CHECK(run.record().identity.node == 3);
  CHECK(run.last().rows_written == 96'664'320);
  CHECK(nodes.front()->tables.front().samples.back().rows_written == 44'159'040);
  CHECK(disk_over_mean(run.record()).value_or(0) == doctest::Approx(1.329).epsilon(0.01));
}

TEST_CASE("one-chatty-device-sharded: sixteen shards bring the busiest node from 1.87 to below 1.5 times the mean") {
  const Played run("one-chatty-device-sharded");
  CHECK(run.limit("node_max_over_mean").holds());
  CHECK(run.limit("node_max_over_mean").value > 1.2);
}

TEST_CASE("hot-bucket-by-hour: as hot with buckets of an hour as of a day, but never for long") {
  const auto hot_hours = [](const Played& run) {
    const ClusterLoad& load = *run.record().load;
    int longest = 0;
    for (int node = 0; node < load.nodes(); ++node) {
      int hours = 0;
      for (int hour = 0; hour < load.hours().count(); ++hour) {
        hours = load.over_mean(hour, node).value_or(0) > 1.5 ? hours + 1 : 0;
        longest = std::max(longest, hours);
      }
    }
    return longest;
  };
  const Played by_hour("hot-bucket-by-hour");
  const Played by_day("hot-bucket-by-hour", {"stream.everybody.column.bucket=day"});
  CHECK(by_hour.limit("node_max_over_mean").value == doctest::Approx(2).epsilon(0.01));
  CHECK(by_day.limit("node_max_over_mean").value == doctest::Approx(2).epsilon(0.01));
  CHECK(hot_hours(by_hour) < 14);
  CHECK(hot_hours(by_day) >= 48);
}

TEST_CASE("shards-and-tokens: how many tokens a node has is nothing to one busy account") {
  for (const char* tokens : {"1", "4", "16"}) {
    CAPTURE(tokens);
    const Played run("shards-and-tokens", {std::string("dc.main.num_tokens=") + tokens});
    CHECK(run.limit("node_max_over_mean").value > 1.6);
  }
}

TEST_CASE("two-datacenters: each has its own ring, its own copies and its own busiest node") {
  const Played run("two-datacenters");
  const ClusterLoad& load = *run.record().load;
  CHECK(load.nodes() == 10);
  for (int hour = 0; hour < load.hours().count(); ++hour) {
    const std::int64_t written = load.written()[static_cast<std::size_t>(hour)];
    CHECK(load.rows().row(hour).head(6).sum() == 3 * written);
    CHECK(load.rows().row(hour).tail(4).sum() == 2 * written);
  }
  CHECK(hottest_node(load, 0).node < 6);
  CHECK(hottest_node(load, 1).node >= 6);
}

}  // namespace
}  // namespace windrow
