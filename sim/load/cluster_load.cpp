#include "sim/load/cluster_load.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "sim/base/check.h"
#include "sim/scenario/scenario_workload.h"

namespace windrow {

namespace {

constexpr std::int64_t few_entities = 16;  // are called by name, and hashed before classes are

/// The writers of a table's specs, as scenario_workload counts them.
std::vector<const WriterSpec*> specs_of(const Scenario& scenario, int table) {
  std::vector<const WriterSpec*> specs;
  for (const WriterSpec& spec : scenario.writers) {
    if (spec.table == table) specs.push_back(&spec);
  }
  return specs;
}

}  // namespace

ClusterLoad::ClusterLoad(const Scenario& scenario)
    : scenario_(&scenario),
      hours_{.start_us = scenario.start_us, .end_us = scenario.end_us},
      places_(scenario.ring->places),
      replicas_(scenario.ring->tokens, scenario.ring->places, scenario.ring->replication) {
  for (const DataCenter& center : scenario.data_centers) nodes_in_.push_back(center.nodes);
  place_writers(scenario);
  const auto empty = [&] { return NodeHours(NodeHours::Zero(hours_.count(), nodes())); };
  by_table_.assign(scenario.tables.size(), empty());
  all_ = most_ = empty();
  most_writer_ = NodeHours::Constant(hours_.count(), nodes(), -1);
  written_.assign(static_cast<std::size_t>(hours_.count()), 0);
  NodeHours of_writer;
  for (std::size_t number = 0; number < writers_.size(); ++number) {
    of_writer = empty();
    add(writers_[number], static_cast<int>(number), scenario.seed, of_writer);
  }
  make_alike(scenario);
  center_rows_ = Eigen::ArrayXXd::Zero(hours_.count(), std::ssize(nodes_in_));
  for (int node = 0; node < nodes(); ++node) center_rows_.col(place(node).datacenter) += all_.col(node).cast<double>();
  center_mean_hour_ = center_rows_.colwise().mean();
}

void ClusterLoad::place_writers(const Scenario& scenario) {
  const Scenario whole = undivided(scenario);
  for (int table = 0; table < std::ssize(scenario.tables); ++table)
    workloads_.push_back(scenario_workload(whole, table));
  std::vector<PlacementDemand> demands;
  for (int table = 0; table < std::ssize(scenario.tables); ++table) {
    const std::vector<const WriterSpec*> specs = specs_of(scenario, table);
    const TableWorkload& workload = workloads_[static_cast<std::size_t>(table)];
    for (const Writer& writer : workload.writers()) {
      const WriterSpec* spec = specs[static_cast<std::size_t>(writer.spec)];
      Placed placed{.load = WriterLoad(workload, writer, hours_),
                    .spec = spec,
                    .table = table,
                    .named = spec->single || spec->entities <= few_entities};
      if (placed.load.buckets() == 0) continue;
      demands.push_back(placed.load.demand(placed.named));
      writers_.push_back(std::move(placed));
    }
  }
  const std::vector<PlacementPlan> plans = spend_placements(demands, scenario.exact_placements);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    writers_[i].plan = plans[i];
    if (replicas_.sets() > 1)
      writers_[i].shares = std::make_unique<NodeShares>(writers_[i].load.writer(), replicas_, nodes());
  }
  count_known();
}

void ClusterLoad::count_known() {
  std::set<std::tuple<int, std::string, std::int64_t>> counted;
  double variance = 0;
  double rows = 0;
  double copies = 0;
  for (const Placed& placed : writers_) {
    Known& known = known_[static_cast<std::size_t>(placed.plan.kind)];
    const auto slots = static_cast<double>(placed.load.keys().slots());
    const auto of_writer = static_cast<double>(placed.load.rows());
    if (counted.emplace(placed.table, placed.spec->stream, placed.spec->first_entity).second)
      known.entities += placed.spec->entities;
    known.keys += placed.load.keys().slots() * placed.load.buckets();
    known.rows += placed.load.rows();
    hashed_keys_ += placed.plan.hashed_buckets * placed.load.keys().slots();
    rows += of_writer;
    copies = static_cast<double>(replicas_.set(0).size()) / static_cast<double>(nodes());
    if (placed.plan.kind == PlacementKind::hashed) continue;
    variance += of_writer * of_writer / slots * copies * (1 - copies);
  }
  if (rows > 0 && copies > 0) rest_deviation_ = std::sqrt(variance) / (rows * copies);
}

void ClusterLoad::add(const Placed& placed, int number, std::uint64_t seed, NodeHours& of_writer) {
  placed.load.add(placed.plan, seed, replicas_, of_writer, placed.shares.get());
  placed.load.add_rows(written_);
  by_table_[static_cast<std::size_t>(placed.table)] += of_writer;
  all_ += of_writer;
  if (std::ranges::find(scenario_->reads, placed.spec->stream, &ReadSpec::stream) != scenario_->reads.end()) {
    const auto [place, first] = by_stream_.try_emplace(placed.spec->stream);
    StreamRows& of_stream = place->second;
    if (first) of_stream.rows = NodeHours::Zero(hours_.count(), nodes());
    of_stream.rows += of_writer;
    of_stream.of_node = of_stream.rows.colwise().sum();
  }
  most_writer_ = (of_writer > most_).select(NodeHours::Constant(hours_.count(), nodes(), number), most_writer_);
  most_ = most_.max(of_writer);
}

/// Nodes of a data centre with `placement = alike` share what it is written evenly.
void ClusterLoad::make_alike(const Scenario& scenario) {
  int first = 0;
  for (const DataCenter& center : scenario.data_centers) {
    if (center.placement == DataCenter::Placement::alike) {
      for (NodeHours& of_table : by_table_) {
        for (Eigen::Index hour = 0; hour < of_table.rows(); ++hour) {
          auto nodes = of_table.row(hour).segment(first, center.nodes);
          const std::int64_t rows = nodes.sum();
          // The odd rows move on from hour to hour.
          for (int node = 0; node < center.nodes; ++node)
            nodes((node + static_cast<int>(hour)) % center.nodes) =
                rows * (node + 1) / center.nodes - rows * node / center.nodes;
        }
      }
      most_writer_.middleCols(first, center.nodes) = -1;
    }
    first += center.nodes;
  }
  all_.setZero();
  for (const NodeHours& of_table : by_table_) all_ += of_table;
}

std::optional<double> ClusterLoad::over_mean(int hour, int node) const {
  const int center = place(node).datacenter;
  const double rows = center_rows_(hour, center);
  if (rows == 0 || rows < center_mean_hour_(center) / 100) return std::nullopt;
  const auto of_node = static_cast<double>(all_(hour, node));
  return of_node * nodes_in_[static_cast<std::size_t>(center)] / rows;
}

double ClusterLoad::stream_share(const std::string& stream, int hour, int node) const {
  const auto found = by_stream_.find(stream);
  const std::int64_t in_run = found == by_stream_.end() ? 0 : found->second.of_node.sum();
  if (in_run == 0) return 1.0 / nodes();
  const auto& [rows, of_nodes] = found->second;
  const std::int64_t in_hour = rows.row(hour).sum();
  if (in_hour == 0) return static_cast<double>(of_nodes(node)) / static_cast<double>(in_run);
  return static_cast<double>(rows(hour, node)) / static_cast<double>(in_hour);
}

ClusterLoad::NodeNumbers ClusterLoad::numbers(int node) const {
  constexpr double hour_s = 3600;
  NodeNumbers numbers;
  std::vector<std::int64_t> rows(all_.col(node).begin(), all_.col(node).end());
  numbers.max_hour = static_cast<int>(std::ranges::max_element(rows) - rows.begin());
  for (int hour = 0; hour < hours_.count(); ++hour) {
    numbers.mean_per_s += static_cast<double>(rows[static_cast<std::size_t>(hour)]);
    const std::optional<double> over = over_mean(hour, node);
    if (!over || *over <= numbers.max_over_mean) continue;
    numbers.max_over_mean = *over;
    numbers.worst_hour = hour;
  }
  numbers.mean_per_s /= hour_s * hours_.count();
  std::ranges::sort(rows);
  numbers.max_per_s = static_cast<double>(rows.back()) / hour_s;
  const auto p99 = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(rows.size()))) - 1;
  numbers.p99_per_s = static_cast<double>(rows[p99]) / hour_s;
  return numbers;
}

std::optional<ClusterLoad::Cause> ClusterLoad::cause(int hour, int node) const {
  const std::int64_t number = most_writer_(hour, node);
  if (number < 0) return std::nullopt;
  const Placed& placed = writers_[static_cast<std::size_t>(number)];
  Cause cause{.spec = placed.spec, .writer = &placed.load.writer(), .rows = most_(hour, node)};
  if (placed.named && placed.plan.kind == PlacementKind::hashed)
    cause.partition = placed.load.busiest(hour, node, replicas_);
  return cause;
}

}  // namespace windrow
