#include "sim/cluster/leaf_streams.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "sim/cluster/ring_rows.h"
#include "sim/content/merge.h"
#include "tests/cluster/random_cluster.h"

namespace windrow {
namespace {

using windrow_test::hour_us;

/// 2,000 devices, a row an hour each in a bucket a day: 8,000 partitions in four days. Node 1 gets nothing for `hours`.
struct Missed {
  explicit Missed(std::int64_t hours) : scenario(made()), ring(scenario) {
    for (int i = 0; i < scenario.data_centers.front().nodes; ++i)
      nodes.push_back(std::make_unique<Node>(scenario, ring.of_node(i), nobody, RunOptions{}));
    tables.emplace_back(ring, nodes, 0);
    play_until(30 * hour_us);
    nodes.front()->cut_off();
    play_until((30 + hours) * hour_us);
    nodes.front()->reached_again();
    play_until(96 * hour_us - 1);
    for (const auto& node : nodes) node->flush(0);
    found = differences(tables.front(), nodes.front()->now_s(), {});
  }

  static Scenario made() {
    Scenario made = windrow_test::random_ring(5);
    made.end_us = made.start_us + 96 * hour_us;
    made.outages.clear();
    made.repairs.clear();
    made.tables.front().schema.options.compaction_options = SizeTieredOptions{};
    made.tables.front().schema.options.gc_grace_seconds = 864'000;
    made.writers.resize(1);
    WriterSpec& writer = made.writers.front();
    writer.entities = 2'000;
    writer.shards = 1;
    writer.spread = true;
    writer.bucket = BucketRule::every(86'400);
    writer.ttl = {TtlShare{}};
    writer.until_us = made.end_us;
    writer.rate = {{.from_us = made.start_us, .rows = writer.entities, .period_us = hour_us}};
    return made;
  }
  void play_until(Micros after_us) {
    for (const auto& node : nodes) {
      node->play_until(scenario.start_us + after_us);
      node->take_arrivals();
    }
  }
  std::vector<LeafStream> streams(std::int64_t most_looked_at, Bytes memory = GiB(1)) const {
    const HashedTrees trees =
        hashed_trees(tables.front(), ring.trees_wanted({}), found, {}, memory, most_looked_at, most_looked_at);
    CHECK(trees.by_token == (most_looked_at > 0));
    TokenIndex tokens;
    return leaf_streams(tables.front(), trees, found, {}, tokens);
  }

  Scenario scenario;
  RunObserver nobody{};
  RingRows ring;
  Replicas nodes{};
  std::vector<TableReplicas> tables{};
  std::vector<Difference> found{};
};

Rows rows_of(const std::vector<LeafStream>& streams) {
  Rows sum = 0;
  for (const LeafStream& stream : streams) sum += stream.sum.rows;
  return sum;
}

TEST_CASE("leaves: how many rows of neighbours are expected goes with how many there are") {
  for (const std::int64_t hours : {1, 3, 20}) {
    CAPTURE(hours);
    const Missed missed(hours);
    for (const Bytes memory : {GiB(1), Bytes{600'000}, Bytes{20'000}}) {
      CAPTURE(memory);
      const std::vector<LeafStream> followed = missed.streams(INT64_MAX, memory);
      const std::vector<LeafStream> expected = missed.streams(0, memory);
      REQUIRE(followed.size() == expected.size());
      REQUIRE(!followed.empty());
      // A range whose keys come to nearly a power of two may have a tree of one level more or less.
      const auto is = static_cast<double>(rows_of(expected));
      const auto should = static_cast<double>(rows_of(followed));
      CHECK(std::abs(is / should - 1) < 0.2);
    }
  }
}

TEST_CASE(
    "leaves: what is streamed whole lies on the receivers' disks, a second time where they had it, and heals all") {
  const Missed missed(3);
  const TableReplicas& table = missed.tables.front();
  const auto rows_on = [&](int node) {
    Rows rows = 0;
    for (const auto& [id, file] : table.store(node).sstables()) rows += file->counted_rows();
    return rows;
  };
  std::vector<Rows> before;
  for (int node = 0; node < table.count(); ++node) before.push_back(rows_on(node));
  std::vector<Rows> streamed(before.size(), 0);
  std::vector<Rows> lacking(before.size(), 0);
  std::vector<Stream> files;
  for (LeafStream& stream : missed.streams(INT64_MAX)) {
    CHECK(stream.sum.sstables == std::ssize(stream.files));
    Rows rows = 0;
    for (Stream& file : stream.files) {
      rows += counted_rows(table.store(file.to).space(), file.content);
      files.push_back(std::move(file));
    }
    CHECK(rows == stream.sum.rows);
    streamed[static_cast<std::size_t>(stream.to)] += rows;
  }
  find_lacking(table, files);
  for (Stream& file : files) {
    lacking[static_cast<std::size_t>(file.to)] += table.space().rows(file.lacking);
    missed.nodes[static_cast<std::size_t>(file.to)]->stream_in(0, std::move(file.content), file.status);
  }
  CHECK(differences(table, missed.nodes.front()->now_s(), {}).empty());
  for (int node = 0; node < table.count(); ++node) {
    const auto place = static_cast<std::size_t>(node);
    CHECK(rows_on(node) == before[place] + streamed[place]);
    CHECK(streamed[place] >= lacking[place]);
    CHECK(table.store(node).may_hold_duplicates() == (streamed[place] > 0));
    CHECK(table.space().rows(table.members_on(node, 0)) == before[place] + lacking[place]);
  }
  CHECK(lacking.front() > 0);
  CHECK(streamed.front() > lacking.front());
}

TEST_CASE("leaves: with less memory for trees more of what did not differ goes along, and never less than what did") {
  const Missed missed(1);
  Rows differing = 0;
  for (const Difference& difference : missed.found) differing += missed.tables.front().space().rows(difference.rows);
  Rows before = differing;
  for (const Bytes memory : {GiB(1), Bytes{600'000}, Bytes{20'000}}) {
    const Rows rows = rows_of(missed.streams(INT64_MAX, memory));
    CHECK(rows > before);
    before = rows;
  }
}

}  // namespace
}  // namespace windrow
