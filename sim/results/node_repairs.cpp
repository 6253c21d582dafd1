#include "sim/results/node_repairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/text/text.h"

namespace windrow {

namespace {

std::string bytes_text(Bytes bytes) { return human_bytes(static_cast<double>(bytes)); }
std::string span_text(Seconds s) { return human_span(static_cast<double>(s)); }

std::string compacted_text(const NodeRepairs& cost) {
  if (cost.compacted_sstables == 0) return {};
  std::string text = ", ";
  if (cost.compacted_sstables < cost.received_sstables) text += fmt::format("{} of them ", cost.compacted_sstables);
  text += "compacted ";
  text += cost.compacted_after_s == 0 ? "at once" : span_text(cost.compacted_after_s) + " later on average";
  if (cost.most_compactions_waiting > 1)
    text += fmt::format(" (up to {} compactions waiting or running)", cost.most_compactions_waiting);
  return text;
}

std::string windows_text(const NodeRepairs& cost) {
  if (cost.windows_touched == 0) return {};
  std::string text =
      fmt::format("; windows touched by repair: {} of {}, for {} on average", cost.windows_touched, cost.windows,
                  cost.window_touched_s == 0 ? "less than a second" : span_text(cost.window_touched_s));
  if (cost.windows_touched_at_end > 0)
    text += fmt::format(" ({} more SSTables than before)",
                        number_of(cost.windows_touched_at_end, "still has", "still have"));
  return text;
}

/// `brought`: rows that the node lacked.
std::string says(const NodeRepairsSaid& node, Rows brought) {
  const NodeRepairs& cost = node.cost;
  std::string text = fmt::format("node {}:", cost.node + 1);
  const bool more_along = node.leaves.arrives_whole && node.leaves.rows > brought;
  if (cost.received_sstables > 0) {
    text += brought == 0 ? " repairs found nothing that it lacked, and brought whole leaves"
            : more_along ? " repairs brought whole leaves with what it lacked"
                         : " repairs brought what it lacked";
    text += fmt::format(" in {}, {} on disk ({} at once)", number_of(cost.received_sstables, "SSTable"),
                        bytes_text(cost.received_bytes), cost.received_at_once);
    text += compacted_text(cost) + windows_text(cost);
  } else {
    text += " repairs found nothing that it lacked";
  }
  if (!node.leaves.arrives_whole && node.leaves.sstables > 0 && node.leaves.rows > brought)
    text += fmt::format("; the engine streams it whole leaves: {}{} in {}", node.leaves.expected ? "about " : "",
                        bytes_text(node.leaves.bytes), number_of(node.leaves.sstables, "SSTable"));
  if (!cost.incremental) return text;
  if (cost.divided_sstables > 0)
    text += fmt::format("; anticompaction made {} of {}, {}", number_of(cost.made_sstables, "SSTable"),
                        cost.divided_sstables, bytes_text(cost.anticompacted_bytes));
  text +=
      fmt::format("; {} of the data is repaired and {} pending on average, {} repaired at the end",
                  human_share(cost.repaired_mean), human_share(cost.pending_mean), human_share(cost.repaired_at_end));
  return text;
}

}  // namespace

std::vector<NodeRepairsSaid> node_repairs(const RunRecord& record) {
  std::vector<NodeRepairsSaid> all;
  for (const NodeRepairs& cost : record.faults->node_repairs) {
    NodeRepairsSaid node{.cost = cost};
    Rows brought = 0;
    for (const RepairStep& step : record.faults->repairs) {
      if (step.node != cost.node || step.table != cost.table) continue;
      node.leaves += step.leaves_received;
      brought += step.rows;
    }
    if (!cost.any() && node.leaves.sstables == 0) continue;
    node.says = says(node, brought);
    all.push_back(std::move(node));
  }
  std::ranges::stable_sort(all, [](const NodeRepairsSaid& a, const NodeRepairsSaid& b) {
    const auto most = [](const NodeRepairsSaid& node) {
      return std::pair(node.cost.received_sstables, node.cost.made_sstables);
    };
    return most(a) > most(b);
  });
  return all;
}

nlohmann::ordered_json node_repairs_json(const RunRecord& record) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const NodeRepairsSaid& node : node_repairs(record)) {
    const NodeRepairs& cost = node.cost;
    nlohmann::ordered_json line{
        {"table", printable(record.scenario->tables[static_cast<std::size_t>(cost.table)].name)},
        {"node", cost.node + 1},
        {"says", node.says},
        {"received_sstables", cost.received_sstables},
        {"received_at_once", cost.received_at_once},
        {"received_bytes", cost.received_bytes},
        {"compacted_sstables", cost.compacted_sstables},
        {"compacted_after_s", cost.compacted_after_s},
        {"most_compactions_waiting", cost.most_compactions_waiting},
        {"windows_touched", cost.windows_touched},
        {"windows", cost.windows},
        {"window_touched_s", cost.window_touched_s},
        {"windows_touched_at_end", cost.windows_touched_at_end},
        {"leaf_rows", node.leaves.rows},
        {"leaf_bytes", node.leaves.bytes},
        {"leaf_sstables", node.leaves.sstables}};
    if (cost.incremental) {
      line["divided_sstables"] = cost.divided_sstables;
      line["made_sstables"] = cost.made_sstables;
      line["anticompacted_bytes"] = cost.anticompacted_bytes;
      line["repaired_share_mean"] = cost.repaired_mean;
      line["pending_share_mean"] = cost.pending_mean;
      line["repaired_share_at_end"] = cost.repaired_at_end;
    }
    all.push_back(std::move(line));
  }
  return all;
}

}  // namespace windrow
