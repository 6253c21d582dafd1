#include "sim/verdict/node_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/load/cluster_load.h"
#include "sim/record/node_runs.h"
#include "sim/results/node_limit.h"
#include "sim/results/node_load.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

/// "1.63 times " the mean node's; nothing where it is the mean node's.
std::string times(double over_mean) { return over_mean == 1 ? "" : human_count(over_mean) + " times "; }

std::int64_t rows_of(const RunRecord& run) {
  std::int64_t rows = 0;
  for (const TableRecord& table : run.tables) rows += table.samples.empty() ? 0 : table.samples.back().rows_written;
  return rows;
}

std::string because_of(const RunRecord& record, const HottestNode& hottest) {
  const std::optional<NamedCause> cause = named_cause(record, hottest.hour, hottest.node);
  if (!cause) return {};
  const bool number = cause->entity.find_first_not_of("0123456789") == std::string::npos;
  std::string text = fmt::format("    most of it: {}{} of {}", number ? "entity " : "", printable(cause->entity),
                                 printable(cause->stream));
  if (!cause->bucket.empty()) text += fmt::format(", bucket {}", printable(cause->bucket));
  if (cause->shard) text += fmt::format(", shard {}", *cause->shard);
  if (!cause->replicas.empty())
    text += fmt::format(", on {} {}", cause->replicas.size() == 1 ? "node" : "nodes", nodes_text(cause->replicas));
  return text + "\n";
}

std::string center_text(const RunRecord& record, int number) {
  const DataCenter& center = record.scenario->data_centers[static_cast<std::size_t>(number)];
  const HottestNode hottest = hottest_node(*record.load, number);
  std::string text = fmt::format("  {}: {}, {}; ", printable(center.name), number_of(center.nodes, "node"),
                                 number_of(center.replication_factor, "copy", "copies"));
  if (center.placement == DataCenter::Placement::alike) return text + "all alike, as the scenario says\n";
  if (hottest.over_mean == 0) return text + "nothing is written\n";
  if (center.nodes <= center.replication_factor) return text + "each node is written every row\n";
  text += fmt::format("node {} has {}the writes of the mean node in the hour from {}\n", hottest.node + 1,
                      times(hottest.over_mean), iso_time(record.load->hours().begin_us(hottest.hour)));
  return text + because_of(record, hottest);
}

/// A line for each way in which it is known who holds what.
std::string known_text(const ClusterLoad& load) {
  std::string text;
  const auto say = [&](PlacementKind kind, const char* how) {
    const ClusterLoad::Known& known = load.known(kind);
    if (known.keys > 0)
      text += fmt::format("  {}: {} of {}, {}\n", how, number_of(known.keys, "key"),
                          number_of(known.entities, "entity", "entities"), number_of(known.rows, "row"));
  };
  say(PlacementKind::hashed, "hashed");
  say(PlacementKind::borrowed, "with the replicas of hashed buckets");
  say(PlacementKind::even, "evenly on the ring");
  if (load.rest_deviation() > 0)
    text += fmt::format("  what is not hashed moves a node's bucket by ± {} of its rows\n",
                        human_share(load.rest_deviation()));
  return text;
}

/// The node that was written most, where several were run.
const RunRecord& busiest_run(const RunRecord& record) {
  const std::vector<const RunRecord*> runs = node_runs(record);
  return **std::ranges::max_element(runs, {}, [](const RunRecord* run) { return rows_of(*run); });
}

/// Whose disk and compactions the tables are.
std::string disk_text(const RunRecord& record) {
  if (record.faults) return {};  // said beside them
  if (record.others.empty()) return "  disk and compaction below are those of each node: all are alike\n";
  const std::optional<double> over_mean = disk_over_mean(record);
  const RunRecord& busiest = busiest_run(record);
  const double rows_mean = node_mean(record, rows_of);
  const std::string fullest =
      over_mean
          ? fmt::format(
                "node {}, {} at its peak on {}, {}the mean node's; disk and compaction below are "
                "its own",
                record.identity.node, human_bytes(record.disk.value), iso_day(record.disk.at_us), times(*over_mean))
          : fmt::format("none, no node has anything on disk; what is below is node {}'s", record.identity.node);
  return fmt::format("  fullest: {}\n  busiest: node {}, {} in all, {}the mean node's\n", fullest,
                     busiest.identity.node, number_of(rows_of(busiest), "row"),
                     times(rows_mean > 0 ? static_cast<double>(rows_of(busiest)) / rows_mean : 1.0));
}

}  // namespace

std::string nodes_verdict(const RunRecord& record) {
  std::string text;
  for (std::size_t center = 0; center < record.scenario->data_centers.size(); ++center)
    text += center_text(record, static_cast<int>(center));
  return text + known_text(*record.load) + disk_text(record);
}

}  // namespace windrow
