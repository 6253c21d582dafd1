#include "sim/verdict/fault_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "sim/results/faults.h"
#include "sim/results/node_load.h"
#include "sim/results/node_repairs.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr std::size_t lines_shown = 3;

std::string time_between(Seconds s) { return human_span(static_cast<double>(std::abs(s))); }

std::string nodes_words(const std::vector<int>& nodes) {
  std::vector<int> from_one = nodes;
  for (int& node : from_one) ++node;
  return fmt::format("{} {}", nodes.size() == 1 ? "node" : "nodes", nodes_text(from_one));
}

/// A node had forgotten the delete when the row came back, or at the end.
bool forgotten_by_then(const SuspectRows& line) {
  const std::optional<Micros> then_us = line.brought_at_us ? line.brought_at_us : line.until_us;
  return line.purged_at_us && (!then_us || *line.purged_at_us <= *then_us);
}

/// How much time was left of gc_grace, or was missing. Ledgers count whole seconds.
std::string margin_text(const SuspectRows& line) {
  const std::string span = line.margin_s == 0 ? "less than a second" : time_between(line.margin_s);
  if (line.margin_s < 0 && line.state == SuspectState::healed)
    return fmt::format("; {} after gc_grace, which unrepaired tombstones outlive here", span);
  if (line.margin_s < 0) return fmt::format("; {} too late", span);
  switch (line.state) {
    case SuspectState::healed:
    case SuspectState::stale:
      return fmt::format("; {} to spare", span);
    // Of what reads have returned nothing was to spare, even if it was healed before anybody had forgotten the delete.
    case SuspectState::visible:
      return {};
    case SuspectState::spread:
    case SuspectState::permanent:
      break;
  }
  if (forgotten_by_then(line)) return fmt::format("; {} too late", span);
  // Its holders lost their disks, or who got the row had never had it.
  return fmt::format("; gc_grace is not why, it let no node forget the delete until {} later", span);
}

std::string line_text(const RunRecord& record, const SuspectRows& line) {
  std::string text =
      fmt::format("    {}: {} of {} deleted {} to {}; {} missed it ({})", state_name(line.state),
                  number_of(line.rows, "row"), printable(stream_of(record, line)), iso_time(line.deleted_from_us),
                  iso_time(line.deleted_to_us), nodes_words(line.missed_by), printable(line.why));
  const bool forgotten_before = line.purged_at_us && (!line.until_us || *line.purged_at_us < *line.until_us);
  if (line.purged_on && forgotten_before)
    text += fmt::format("; node {} forgot it first, {}", *line.purged_on + 1, iso_time(*line.purged_at_us));
  if (line.brought_at_us)
    text += fmt::format("; {} brought the rows back to {}, {}", printable(line.brought_by),
                        nodes_words(line.brought_to), iso_time(*line.brought_at_us));
  if (!line.brought_at_us && line.until_us && !line.brought_by.empty())
    text += fmt::format("; {} brought the delete, {}", printable(line.brought_by), iso_time(*line.until_us));
  if (line.state == SuspectState::visible)
    text += fmt::format("; gc_grace was over {}, and reads returned them", iso_time(line.safe_until_us));
  return text + margin_text(line) + "\n";
}

std::string outages_text(const FaultRecord& faults) {
  std::string text;
  for (const OutageTime& outage : faults.outages) {
    if (outage.joined)
      text += fmt::format("  outages of node {} overlap from {} on: they count as one, until {}\n", outage.node + 1,
                          iso_time(outage.from_us), iso_time(outage.to_us));
  }
  return text;
}

bool is_incremental(const RepairSpec& spec) { return spec.kind == RepairSpec::Kind::incremental; }
bool in_steps(const RepairSpec& spec) { return spec.order == RepairSpec::Order::node_after_node || spec.subranges > 1; }

/// What incremental repairs, and those in several sessions, cost; of others nothing is said.
std::string costs_text(const RepairSpec& spec, const FaultRecord& faults) {
  if (!is_incremental(spec) && !in_steps(spec)) return {};
  RepairCost sum;
  std::int64_t sstables = 0;
  std::int64_t most_at_once = 0;
  for (const RepairStep& step : faults.repairs) {
    if (step.repair != spec.name) continue;
    sum.hashed_bytes += step.cost.hashed_bytes;
    sum.sent_bytes += step.cost.sent_bytes;
    sum.anticompacted_bytes += step.cost.anticompacted_bytes;
    sstables += step.sstables;
    most_at_once = std::max(most_at_once, step.sstables);
  }
  const auto bytes = [](Bytes count) { return human_bytes(static_cast<double>(count)); };
  std::string text =
      fmt::format("    all nodes together hashed {}, sent {}", bytes(sum.hashed_bytes), bytes(sum.sent_bytes));
  if (sstables > 0)
    text += fmt::format(" as {} ({} to one node at once)", number_of(sstables, "SSTable"), most_at_once);
  if (is_incremental(spec))
    text += fmt::format(", rewrote {} by anticompaction; repaired and unrepaired SSTables are compacted apart",
                        bytes(sum.anticompacted_bytes));
  return text + "\n";
}

/// How the sessions of a repair ended: of all nodes that began at once, or of a node's own ranges.
struct RepairsCounted {
  std::int64_t done = 0;
  std::int64_t refused = 0;
  std::int64_t failed = 0;
  std::int64_t partly = 0;  // some nodes' ranges were repaired, those of others not
  Micros longest_us = 0;
};

RepairsCounted counted(const RepairSpec& spec, const FaultRecord& faults) {
  RepairsCounted all;
  std::map<Micros, std::set<RepairStep::Outcome>> sessions;
  for (const RepairStep& step : faults.repairs) {
    if (step.repair != spec.name || !step.is_own() || step.table != spec.tables.front()) continue;
    sessions[step.begin_us].insert(step.outcome);
    all.longest_us = std::max(all.longest_us, step.end_us - step.cycle_us);
  }
  for (const auto& [begin_us, outcomes] : sessions) {
    const bool some = outcomes.contains(RepairStep::Outcome::done);
    if (some) ++(outcomes.size() == 1 ? all.done : all.partly);
    if (!some) ++(outcomes.contains(RepairStep::Outcome::failed) ? all.failed : all.refused);
  }
  return all;
}

std::string repairs_text(const RunRecord& record) {
  const FaultRecord& faults = *record.faults;
  std::string text;
  for (const RepairSpec& spec : record.scenario->repairs) {
    const RepairsCounted of = counted(spec, faults);
    text += fmt::format("  repair {}: {} done", printable(spec.name),
                        in_steps(spec) ? number_of(of.done, "session") : fmt::to_string(of.done));
    if (of.partly > 0)
      text += fmt::format(", {} done of some nodes' ranges, others share theirs with a node that was away", of.partly);
    if (of.refused > 0)
      text += fmt::format(", {} refused because a node was away{}", of.refused,
                          is_incremental(spec) ? " or another incremental repair ran" : "");
    if (of.failed > 0) text += fmt::format(", {} failed because a node went away", of.failed);
    const Micros longest_us = std::max(of.longest_us, spec.takes_us);
    if (longest_us > spec.every_us)
      text += fmt::format("; it takes {}, longer than its interval of {}",
                          human_span(static_cast<double>(longest_us) / us_per_s),
                          human_span(static_cast<double>(spec.every_us) / us_per_s));
    text += "\n" + costs_text(spec, faults);
  }
  if (record.scenario->repairs.empty()) text += "  nothing is repaired\n";
  return text;
}

/// What repairs left on the nodes of a table.
std::string left_on_nodes(const RunRecord& record, int table) {
  std::string text;
  std::size_t nodes = 0;
  for (const NodeRepairsSaid& node : node_repairs(record)) {
    if (node.cost.table == table && nodes++ < node_repairs_said) text += fmt::format("    {}\n", node.says);
  }
  if (nodes > node_repairs_said)
    text += fmt::format("    and {}: summary.json\n", number_of(nodes - node_repairs_said, "more node"));
  return text;
}

/// What reads that compare answers wrote.
std::string reads_text(const FaultRecord& faults) {
  std::string text;
  for (const ReadRepair& wrote : faults.read_repairs)
    text += fmt::format("  read {}: wrote {} to node {}, which lacked them, {} to {}\n", printable(wrote.read),
                        number_of(wrote.rows, "row or delete", "rows and deletes"), wrote.node + 1,
                        iso_time(wrote.first_us), iso_time(wrote.last_us));
  return text;
}

/// Some read of the scenario waits for more than one replica.
bool reads_compare(const RunRecord& record) {
  return std::ranges::any_of(record.scenario->reads,
                             [](const ReadSpec& read) { return read.consistency != Consistency::one; });
}

std::string table_text(const RunRecord& record, int table) {
  const FaultRecord& faults = *record.faults;
  const std::string name = printable(record.scenario->tables[static_cast<std::size_t>(table)].name);
  if (const auto why = why_nothing_comes_back(record, table))
    return fmt::format("  {}: no row can come back: {}\n", name, *why) + left_on_nodes(record, table);
  const std::optional<Seconds> margin_s = faults.repair_margin_s(*record.scenario, table);
  std::string margin;
  if (margin_s && *margin_s >= 0)
    margin = fmt::format("; repairs leave {} of gc_grace to spare", time_between(*margin_s));
  if (margin_s && *margin_s < 0)
    margin = fmt::format("; UNSAFE: from the beginning of a repair to the end of the next it is {} more than gc_grace",
                         time_between(*margin_s));
  const Rows back = faults.resurrected(table);
  std::string text =
      back > 0 ? fmt::format("  {}: {}", name, number_of(back, "DELETED ROW CAME BACK", "DELETED ROWS CAME BACK"))
               : fmt::format("  {}: no deleted row came back", name);
  text += fmt::format("; of {} a node missed the delete and got no hint, {} healed in time{}\n",
                      number_of(faults.suspected(table), "row"),
                      number_of(faults.rows(SuspectState::healed, table), "was", "were"), margin);
  std::vector<const SuspectRows*> worst;
  for (const SuspectRows& line : faults.suspects) {
    if (line.table == table && !line.hinted) worst.push_back(&line);
  }
  std::ranges::stable_sort(
      worst, {}, [](const SuspectRows* line) { return std::pair(-static_cast<int>(line->state), -line->rows); });
  for (std::size_t i = 0; i < std::min(lines_shown, worst.size()); ++i) text += line_text(record, *worst[i]);
  if (worst.size() > lines_shown)
    text += fmt::format("    and {}, see resurrections.csv\n", number_of(worst.size() - lines_shown, "more line"));
  return text + left_on_nodes(record, table);
}

std::string prevention_text(const FaultRecord& faults) {
  if (faults.resurrected() == 0) return {};
  if (faults.prevented_by.empty()) return "  no single change that was tried prevents it\n";
  return fmt::format("  none comes back with {}\n", printable(faults.prevented_by));
}

std::string bounds_text(const FaultRecord& faults) {
  std::string text;
  for (const SafeBound& bound : faults.safe_bounds) text += fmt::format("  {}\n", printable(safe_bound_text(bound)));
  if (!faults.safe_bounds_note.empty()) text += fmt::format("  {}\n", printable(faults.safe_bounds_note));
  return text;
}

std::string replacements_text(const RunRecord& record) {
  std::string text;
  for (const OutageTime& outage : record.faults->outages) {
    if (outage.ends != OutageSpec::Ends::replaced || outage.to_us == outage.from_us) continue;
    if (outage.to_us >= record.scenario->end_us) {
      text += fmt::format("  node {} lost its disk {} ({}), and is not replaced before the end\n", outage.node + 1,
                          iso_time(outage.from_us), printable(outage.name));
      continue;
    }
    Rows rows = 0;
    Bytes bytes = 0;
    for (const Replacement& sent : record.faults->replacements) {
      if (sent.node != outage.node || sent.at_us != outage.to_us) continue;
      rows += sent.rows;
      bytes += sent.bytes;
    }
    text += fmt::format("  node {} is replaced {} ({}): it got {}, {}, from others\n", outage.node + 1,
                        iso_time(outage.to_us), printable(outage.name), number_of(rows, "row"),
                        human_bytes(static_cast<double>(bytes)));
  }
  return text;
}

}  // namespace

std::string faults_verdict(const RunRecord& record) {
  std::string text =
      outages_text(*record.faults) + replacements_text(record) + repairs_text(record) + reads_text(*record.faults);
  for (int table = 0; table < static_cast<int>(record.scenario->tables.size()); ++table)
    text += table_text(record, table);
  text += prevention_text(*record.faults) + bounds_text(*record.faults);
  const char* reads = reads_compare(record) ? "reads that are not stated, speculative ones" : "read repair";
  const bool lacked_alone = std::ranges::any_of(record.faults->repairs, [](const RepairStep& step) {
    return !step.leaves_received.arrives_whole || !step.leaves_sent.arrives_whole;
  });
  return text +
         fmt::format(
             "  Not modelled: {}; a repair hashes all when it begins and streams when it ends{}. Disk and "
             "compaction below are those of node {}.\n",
             reads,
             lacked_alone
                 ? ", and of what it streams between many partitions only the rows that a node lacks reach its disk"
                 : "",
             record.faults->recorded_node + 1);
}

}  // namespace windrow
