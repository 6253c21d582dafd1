#include "sim/resolve/resolve_ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/ring/allocation.h"
#include "sim/ring/ring_error.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

using Allocation = DataCenter::Allocation;

/// `prefix`N or N, from 1 to `most`; nothing if it is none.
std::optional<int> number_of(std::string_view text, std::string_view prefix, int most) {
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > most) return std::nullopt;
  return number;
}

class RingMaker {
 public:
  RingMaker(const ScenarioText& text, const Scenario& scenario, InputFiles& files)
      : text_(text), scenario_(scenario), files_(files) {
    for (std::size_t dc = 0; dc < scenario.data_centers.size(); ++dc) {
      first_.push_back(static_cast<int>(ring_.places.size()));
      const DataCenter& center = scenario.data_centers[dc];
      for (int node = 0; node < center.nodes; ++node)
        ring_.places.push_back({.datacenter = static_cast<int>(dc), .rack = node % center.racks});
      ring_.replication.factors.push_back(center.replication_factor);
    }
    first_.push_back(static_cast<int>(ring_.places.size()));
  }

  ClusterRing make() {
    for (std::size_t dc = 0; dc < scenario_.data_centers.size(); ++dc) {
      const DcSection& section = text_.data_centers[dc].section;
      const DataCenter& center = scenario_.data_centers[dc];
      refuse_first_token_of_nothing(section, center);
      try {
        if (section.tokens.present()) {
          take_given(dc);
        } else if (center.allocation == Allocation::random) {
          draw(dc);
        } else {
          allocate(dc);
        }
      } catch (const RingError& error) {
        throw ScenarioError(
            {.place = text_.data_centers[dc].place, .key = "dc." + center.name, .problem = error.what()});
      }
    }
    return std::move(ring_);
  }

 private:
  static void refuse_first_token_of_nothing(const DcSection& section, const DataCenter& center) {
    const SettingBase& first_token = section.setting("first_token");
    if (!first_token.present()) return;
    if (section.tokens.present()) refuse(first_token, "stands beside `tokens`, which are all given", "one of the two");
    if (center.allocation == Allocation::random)
      refuse(first_token, "begins an allocation, and tokens are random", "`allocation = replicated` beside it");
  }

  std::string node_text(int node) const {
    const int dc = ring_.places[static_cast<std::size_t>(node)].datacenter;
    return fmt::format("node {} of {}", node + 1, scenario_.data_centers[static_cast<std::size_t>(dc)].name);
  }

  // ---------------------------------------------------------------- tokens = ring.csv

  void take_given(std::size_t dc) {
    const DataCenter& center = scenario_.data_centers[dc];
    const DcSection& section = text_.data_centers[dc].section;
    const CsvTable table =
        read_csv(files_.open(section.tokens->text, section.tokens), {"dc", "node", "rack", "token"}, 4);
    std::map<int, int> racks;
    std::map<int, std::vector<Token>> tokens;
    for (const CsvTable::Row& row : table.rows) {
      if (row_center(table, row) != dc) continue;
      const int node = row_node(table, row, dc);
      const std::optional<int> rack = number_of(row.cells[2], "rack", center.racks);
      if (!rack) {
        wrong(table, row, 2, fmt::format("is no rack of {}", center.name),
              center.racks == 1 ? "rack1" : fmt::format("rack1 to rack{} (`racks` says how many)", center.racks));
      }
      const auto [known, fresh] = racks.emplace(node, *rack);
      if (known->second != *rack)
        wrong(table, row, 2,
              fmt::format("is another rack than before: {} is in rack{}", node_text(node), known->second),
              "one rack for each node");
      const Token token = read_token_cell(table, row, 3, "token");
      const auto [owner, unheard] = owners_.emplace(token, node);
      if (!unheard)
        wrong(table, row, 3, fmt::format("is there twice: {} has it too", node_text(owner->second)), "each token once");
      tokens[node].push_back(token);
    }
    for (int node = first_[dc]; node < first_[dc + 1]; ++node) {
      if (!tokens.contains(node))
        refuse(section.tokens, fmt::format("has no token of {}", node_text(node)), "a token or more for every node");
      ring_.places[static_cast<std::size_t>(node)].rack = racks[node] - 1;
      ring_.tokens.join(node, tokens[node]);
    }
  }

  std::size_t row_center(const CsvTable& table, const CsvTable::Row& row) const {
    const auto found = std::ranges::find(scenario_.data_centers, row.cells[0], &DataCenter::name);
    if (found == scenario_.data_centers.end()) {
      std::vector<std::string> names;
      for (const DataCenter& center : scenario_.data_centers) names.push_back(center.name);
      wrong(table, row, 0, "is no data centre of the scenario", {}, std::string(nearest_name(row.cells[0], names)));
    }
    return static_cast<std::size_t>(found - scenario_.data_centers.begin());
  }

  int row_node(const CsvTable& table, const CsvTable::Row& row, std::size_t dc) const {
    const std::optional<int> number = number_of(row.cells[1], "", static_cast<int>(ring_.places.size()));
    if (!number || *number <= first_[dc] || *number > first_[dc + 1])
      wrong(table, row, 1, fmt::format("is no node of {}", scenario_.data_centers[dc].name),
            fmt::format("{} to {}", first_[dc] + 1, first_[dc + 1]));
    return *number - 1;
  }

  [[noreturn]] static void wrong(const CsvTable& table, const CsvTable::Row& row, std::size_t column,
                                 std::string problem, std::string accepted, std::string nearest = {}) {
    static constexpr const char* columns[] = {"dc", "node", "rack", "token"};
    throw ScenarioError({.place = table.place(row),
                         .key = columns[column],
                         .value = row.cells[column],
                         .problem = std::move(problem),
                         .accepted = std::move(accepted),
                         .nearest = std::move(nearest)});
  }

  // ---------------------------------------------------------------- made tokens

  void draw(std::size_t dc) {
    const auto nodes =
        std::span(ring_.places)
            .subspan(static_cast<std::size_t>(first_[dc]), static_cast<std::size_t>(first_[dc + 1] - first_[dc]));
    std::vector<int> num_tokens;
    for (const DataCenter& center : scenario_.data_centers) num_tokens.push_back(center.num_tokens);
    std::map<int, std::vector<Token>> tokens;
    const TokenRing ring = random_ring(nodes, num_tokens, scenario_.seed);
    for (const OwnedToken& drawn : ring.tokens()) tokens[drawn.node].push_back(drawn.token);
    for (const auto& [node, drawn] : tokens) join(first_[dc] + node, drawn);
  }

  void allocate(std::size_t dc) {
    const DataCenter& center = scenario_.data_centers[dc];
    refuse_num_tokens(center.num_tokens);
    refuse_long_allocation(center.nodes, center.num_tokens);
    const AllocationRule rule{.num_tokens = center.num_tokens, .replicas = center.replication_factor};
    const Token first_token = center.first_token.value_or(first_token_of(scenario_.seed, static_cast<int>(dc)));
    for (int node = first_[dc]; node < first_[dc + 1]; ++node)
      join(node, allocate_tokens(ring_.tokens, ring_.places, node, rule, first_token));
  }

  void join(int node, const std::vector<Token>& tokens) {
    for (const Token token : tokens) {
      const auto [owner, unheard] = owners_.emplace(token, node);
      if (!unheard)
        throw RingError(fmt::format("token {} of {} is there twice: {} has it too", token, node_text(node),
                                    node_text(owner->second)));
    }
    ring_.tokens.join(node, tokens);
  }

  const ScenarioText& text_;
  const Scenario& scenario_;
  InputFiles& files_;
  ClusterRing ring_{};
  std::vector<int> first_{};  // node of each data centre, and one past the last
  std::map<Token, int> owners_{};
};

}  // namespace

std::shared_ptr<const ClusterRing> resolve_ring(const ScenarioText& text, const Schema& schema,
                                                const Scenario& scenario, InputFiles& files) {
  if (text.data_centers.empty()) return nullptr;
  ClusterRing ring = RingMaker(text, scenario, files).make();
  const Keyspace* keyspace = schema.find_keyspace(scenario.keyspace);
  if (keyspace != nullptr && keyspace->replication.contains("class") &&
      keyspace->replication.at("class").ends_with("SimpleStrategy")) {
    if (text.data_centers.size() > 1)
      throw ScenarioError(
          {.place = text.data_centers[1].place,
           .key = "dc." + text.data_centers[1].name,
           .problem = fmt::format("keyspace {} has SimpleStrategy, which knows no data centres", keyspace->name),
           .accepted = "NetworkTopologyStrategy, or one data centre"});
    ring.replication.strategy = Replication::Strategy::simple;
  }
  return std::make_shared<const ClusterRing>(std::move(ring));
}

}  // namespace windrow
