#include "sim/nodes/cluster_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "sim/record/node_runs.h"
#include "sim/results/catalog.h"
#include "sim/results/node_limit.h"
#include "tests/load/cluster_text.h"

namespace windrow {
namespace {

const std::string readings_table =
    "CREATE TABLE readings (device text, day text, at timestamp, value double, PRIMARY KEY ((device, day), at)) WITH "
    "default_time_to_live = 432000 AND gc_grace_seconds = 3600 AND compaction = {'class': "
    "'TimeWindowCompactionStrategy', "
    "'compaction_window_unit': 'DAYS', 'compaction_window_size': 1};";

LoadedScenario chatty(const std::string& centers, const std::string& more = {}) {
  return test::cluster("[run]\nschema = t.cql\nlength = 12d\n" + centers +
                           "[node]\nheap = 1GiB\ndisk = 1TiB\n"
                           "[stream.devices]\ntable = readings\nentities = pattern(device-%04d, 300)\nrate = 1/min\n"
                           "column.day = day\n"
                           "[stream.chatty]\nlike = devices\nentities = named(device-chatty)\nrate = 20/s\n" +
                           more,
                       {{"t.cql", readings_table}});
}

RunRecord played(const LoadedScenario& loaded, const AtOnce& at_once = in_turn) {
  const auto load = std::make_shared<const ClusterLoad>(loaded.scenario);
  RunRecord record = run_cluster(
      loaded.scenario, load, {}, {}, [](std::size_t, Micros) { return true; }, at_once);
  REQUIRE(record.complete);
  record.load = load;
  judge_load(record);
  return record;
}

std::string texts_of(const RunRecord& record) {
  TextSink sink;
  write_results(record, sink);
  std::string all;
  for (const NamedText& text : sink.texts()) all += text.name + "\n" + text.text;
  return all;
}

const std::string six = "[dc.main]\nnodes = 6\nreplication_factor = 3\ntokens = ring.csv\n";

TEST_CASE("every node has a run of its own rows, and its disk is as full as they say") {
  const LoadedScenario loaded = chatty(six);
  const RunRecord record = played(loaded);
  const std::vector<const RunRecord*> runs = node_runs(record);
  REQUIRE(runs.size() == 6);
  Rows rows = 0;
  for (std::size_t node = 0; node < runs.size(); ++node) {
    CHECK(runs[node]->identity.node == static_cast<int>(node) + 1);
    const TableSample& last = runs[node]->tables.front().samples.back();
    CHECK(last.rows_written == record.load->rows(0).col(static_cast<int>(node)).sum());
    rows += last.rows_written;
    CHECK(record.disk.value >= runs[node]->disk.value);
  }
  CHECK(rows == 3 * std::int64_t{12 * 86'400} * 25);
  // Bytes a row are the same everywhere: what is on a node's disk follows from its own partitions.
  const auto bytes_a_row = [](const RunRecord& run) {
    const Census& files = run.tables.front().end_files;
    const Rows there = files.live.rows + files.waiting.rows + files.purgeable.rows;
    return static_cast<double>(run.end_disk_bytes) / static_cast<double>(there);
  };
  const double mean = node_mean(record, bytes_a_row);
  for (const RunRecord* run : runs) CHECK(bytes_a_row(*run) == doctest::Approx(mean).epsilon(0.02));
  CHECK(record.disk.value > 1.2 * node_mean(record, [](const RunRecord& run) { return run.disk.value; }));
}

TEST_CASE("results are the same in whatever order and on however many threads nodes are run") {
  const LoadedScenario loaded = chatty(six, "late = 2% by 5h\n");
  const std::string once = texts_of(played(loaded));
  const auto backwards = [](std::size_t count, const std::function<void(std::size_t)>& work) {
    for (std::size_t i = count; i-- > 0;) work(i);
  };
  CHECK(texts_of(played(loaded, backwards)) == once);
  const auto on_threads = [](std::size_t count, const std::function<void(std::size_t)>& work) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
    for (std::thread& thread : threads) thread.join();
  };
  CHECK(texts_of(played(loaded, on_threads)) == once);
}

TEST_CASE("files have rows of all nodes; the summary's tables are the fullest node's, its limits the worst node's") {
  const LoadedScenario loaded = chatty(six, "[limits]\ndisk_used_share = 60%\n");
  const RunRecord record = played(loaded);
  TextSink sink;
  write_results(record, sink);
  const auto text_of = [&](const std::string& name) {
    return std::ranges::find(sink.texts(), name, &NamedText::name)->text;
  };
  const auto summary = nlohmann::json::parse(text_of("summary.json"));
  REQUIRE(summary.at("nodes").size() == 6);
  const int fullest = summary.at("tables").at("readings").at("node");
  CHECK(fullest == record.identity.node);
  double most = 0;
  for (const auto& node : summary.at("nodes")) {
    most = std::max(most, node.at("peak_disk_bytes").get<double>());
    CHECK(node.at("fullest") == (node.at("node") == fullest));
    CHECK(node.at("rows_written").get<Rows>() > 0);
  }
  CHECK(summary.at("nodes").at(static_cast<std::size_t>(fullest - 1)).at("peak_disk_bytes") == most);
  CHECK(summary.at("limits").front().at("node") == fullest);
  for (int node = 1; node <= 6; ++node)
    CHECK(text_of("sstables.csv").find("," + std::to_string(node) + ",readings,") != std::string::npos);
}

TEST_CASE("nodes that are alike are run once, and as one of several like nodes always was") {
  for (const char* centers : {"[dc.main]\nnodes = 3\nreplication_factor = 3\n",
                              "[dc.main]\nnodes = 6\nreplication_factor = 3\nplacement = alike\n"}) {
    const LoadedScenario loaded = chatty(centers);
    const RunRecord record = played(loaded);
    CHECK(record.others.empty());
    Recorder recorder(loaded.scenario, {}, {});
    run_node(loaded.scenario, recorder, {});
    const RunRecord alone = recorder.take();
    CHECK(record.disk.value == alone.disk.value);
    CHECK(record.tables.front().samples.back().rows_written == alone.tables.front().samples.back().rows_written);
  }
}

TEST_CASE("every strategy, deletes, overwrites and history run on nodes that differ, and no row is lost") {
  const std::vector<std::string> classes = {"SizeTieredCompactionStrategy", "LeveledCompactionStrategy",
                                            "UnifiedCompactionStrategy", "TimeWindowCompactionStrategy"};
  for (const std::string& strategy : classes) {
    for (const char* exact : {"2000000", "100"}) {
      for (const char* how : {"", "late = 5% by 20h\n", "ttl = 1d 20% + 3d\n",
                              "[stream.gone]\nlike = devices\nrate = 1/h\nop = delete(row, 2d)\n"}) {
        INFO(strategy, ", ", std::string(exact), ", ", std::string(how));
        const auto loaded = test::cluster(
            std::string("[run]\nschema = t.cql\nlength = 9d\nexact_partitions = ") + exact +
                "\n[dc.main]\nnodes = 5\nreplication_factor = 2\n[node]\nheap = 256MiB\n"
                "[stream.devices]\ntable = readings\nentities = pattern(device-%d, 40)\nrate = 2/min\n"
                "column.day = day\n" +
                how,
            {{"t.cql",
              "CREATE TABLE readings (device text, day text, at timestamp, value double, PRIMARY KEY ((device, day), "
              "at)) WITH gc_grace_seconds = 3600 AND compaction = {'class': '" +
                  strategy + "'};"}});
        const RunRecord record = played(loaded);
        for (const RunRecord* run : node_runs(record)) {
          const Rows written = record.load->rows(0).col(run->identity.node - 1).sum();
          const Rows deleted = std::string(how).find("delete") != std::string::npos ? 40 * 24 * 9 : 0;
          const Rows rows = run->tables.front().samples.back().rows_written;
          CHECK(std::abs(rows - written) <= 5 + deleted);
        }
      }
    }
  }
}

}  // namespace
}  // namespace windrow
