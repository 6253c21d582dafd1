#include "sim/results/faults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "sim/results/node_load.h"
#include "sim/text/csv.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 20> ledger_columns = {
    "state",      "table",     "stream",   "rows",         "written_from", "written_to", "deleted_from",
    "deleted_to", "missed_by", "why",      "purged_on",    "purged_at",    "brought_by", "brought_to",
    "brought_at", "until",     "margin_s", "prevented_by", "healed_by",    "gc_grace_s"};
constexpr std::array<std::string_view, 23> repair_columns = {
    "repair",    "table",      "node",          "begin",           "hashed",     "streamed",
    "end",       "rows",       "bytes",         "sstables",        "margin_s",   "outcome",
    "kind",      "ranges_of",  "subrange",      "hashed_bytes",    "sent_bytes", "rewritten_bytes",
    "leaf_rows", "leaf_bytes", "leaf_sstables", "leaf_sent_bytes", "leaves"};
constexpr std::array<std::string_view, 8> replacement_columns = {"outage",  "node", "table", "at",
                                                                 "sources", "rows", "bytes", "sstables"};
constexpr std::array<std::string_view, 5> outage_columns = {"outage", "node", "from", "to", "kind"};

std::vector<int> from_one(std::vector<int> nodes) {
  for (int& node : nodes) ++node;
  return nodes;
}

const std::string& table_name(const RunRecord& record, int table) {
  return record.scenario->tables[static_cast<std::size_t>(table)].name;
}

std::string_view kind_name(const RunRecord& record, const RepairStep& step) {
  const auto& repairs = record.scenario->repairs;
  const auto spec = std::ranges::find(repairs, step.repair, &RepairSpec::name);
  return spec != repairs.end() && spec->kind == RepairSpec::Kind::incremental ? "incremental" : "full";
}

/// The table of a limit; -1: of all.
int table_of(const RunRecord& record, const LimitOutcome& limit) {
  const auto& tables = record.scenario->tables;
  const auto found = std::ranges::find(tables, limit.table, &TableSpec::name);
  return found == tables.end() ? -1 : static_cast<int>(found - tables.begin());
}

void judge_rows(const RunRecord& record, LimitOutcome& limit) {
  const int table = table_of(record, limit);
  limit.measured = true;
  limit.value = static_cast<double>(record.faults->resurrected(table));
  if (limit.value > limit.bound) limit.first_breach_us = first_resurrected_us(*record.faults, table);
}

void judge_margin(const RunRecord& record, LimitOutcome& limit) {
  const int table = table_of(record, limit);
  const std::optional<Seconds> margin_s = record.faults->repair_margin_s(*record.scenario, table);
  limit.measured = margin_s.has_value();
  if (!margin_s) return;
  limit.value = static_cast<double>(*margin_s);
  if (limit.value >= limit.bound) return;
  limit.first_breach_us = record.scenario->end_us;
  for (const RepairStep& step : record.faults->repairs) {
    if (step.margin_s && static_cast<double>(*step.margin_s) < limit.bound && (table < 0 || step.table == table))
      limit.first_breach_us = std::min(*limit.first_breach_us, step.end_us);
  }
}

}  // namespace

std::string stream_of(const RunRecord& record, const SuspectRows& rows) {
  int place = rows.writer;
  for (const WriterSpec& spec : record.scenario->writers) {
    if (spec.table == rows.table && place-- == 0) return spec.stream;
  }
  return {};
}

std::optional<Micros> first_resurrected_us(const FaultRecord& faults, int table) {
  std::optional<Micros> first_us;
  for (const SuspectRows& line : faults.suspects) {
    if (line.state < SuspectState::visible || (table >= 0 && line.table != table)) continue;
    const Micros at_us = std::min(line.safe_until_us, line.brought_at_us.value_or(line.safe_until_us));
    first_us = std::min(at_us, first_us.value_or(at_us));
  }
  return first_us;
}

std::optional<std::string> why_nothing_comes_back(const RunRecord& record, int table) {
  if (record.faults->has_deletes[static_cast<std::size_t>(table)] != 0) return std::nullopt;
  return "nothing is deleted: rows end by their TTL, which each replica has with the row";
}

std::string safe_bound_text(const SafeBound& bound) {
  const auto span = [](std::optional<Seconds> s) {
    return *s > 0 && *s % seconds_per_day == 0 ? fmt::format("{}d", *s / seconds_per_day)
                                               : fmt::format("{}h", *s / 3'600);
  };
  const bool interval = bound.of == SafeBound::Of::repair_interval;
  std::string why = bound.fell_out ? "a repair is refused or fails, and the next comes too late for gc_grace"
                                   : "repairs are too far apart for gc_grace";
  if (bound.rows > 0) why = number_of(bound.rows, "row comes", "rows come") + " back";
  if (!bound.unsafe_s)
    return fmt::format("any {} from {} to {} is safe, as are all {} values tried", bound.key, span(bound.first_s),
                       span(bound.last_s), bound.runs);
  // A border is said only where everything that was tried is on its side of it.
  if (!bound.safe_beyond_s.empty()) {
    std::vector<std::string> safe;
    std::vector<std::string> unsafe;
    for (const SafeBound::Tried& tried : bound.tried) (tried.safe ? safe : unsafe).push_back(span(tried.value_s));
    return fmt::format("{} has no border: of the values tried {} are safe, {} are not ({}: {})", bound.key,
                       fmt::join(safe, ", "), fmt::join(unsafe, ", "), span(bound.unsafe_s), why);
  }
  if (!bound.safe_s)
    return fmt::format("none of {} values of {} that were tried is safe: even with {} {}", bound.runs, bound.key,
                       span(bound.unsafe_s), why);
  return fmt::format(
      "{} is safe {} ({}: {}), as all {} values tried say", bound.key,
      interval ? fmt::format("up to {}", span(bound.safe_s)) : fmt::format("from {} on", span(bound.safe_s)),
      span(bound.unsafe_s), why, bound.runs);
}

void judge_faults(RunRecord& record) {
  for (LimitOutcome& limit : record.limits) {
    if (limit.name == limit_row("resurrected_rows").key) judge_rows(record, limit);
    if (limit.name == limit_row("repair_margin_min").key) judge_margin(record, limit);
  }
}

void write_resurrections(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "resurrections.csv", ledger_columns);
  for (const SuspectRows& line : record.faults->suspects) {
    const bool copied = line.brought_at_us.has_value();
    csv.word(state_name(line.state)).text(table_name(record, line.table)).text(stream_of(record, line));
    csv.number(line.rows).time(line.written_from_us).time(line.written_to_us);
    csv.time(line.deleted_from_us).time(line.deleted_to_us);
    csv.word(nodes_text(from_one(line.missed_by))).text(line.why);
    csv.number_or_empty(line.purged_on ? std::optional<std::int64_t>(*line.purged_on + 1) : std::nullopt);
    csv.time_or_empty(line.purged_at_us).text(copied ? line.brought_by : std::string());
    csv.word(nodes_text(from_one(line.brought_to))).time_or_empty(line.brought_at_us).time_or_empty(line.until_us);
    csv.number(line.margin_s).text(line.state < SuspectState::visible ? std::string() : record.faults->prevented_by);
    csv.text(copied ? std::string() : line.brought_by);
    csv.number(record.faults->gc_grace_s[static_cast<std::size_t>(line.table)]).end_row();
  }
  csv.close();
}

void write_repairs(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "repairs.csv", repair_columns);
  for (const RepairStep& step : record.faults->repairs) {
    csv.text(step.repair).text(table_name(record, step.table)).number(std::int64_t{step.node} + 1);
    csv.time(step.begin_us).time(step.begin_us).time(step.end_us).time(step.end_us);
    csv.number(step.rows).number(step.bytes).number(step.sstables).number_or_empty(step.margin_s);
    csv.word(outcome_name(step.outcome)).word(kind_name(record, step));
    csv.number_or_empty(step.ranges_of ? std::optional<std::int64_t>(*step.ranges_of + 1) : std::nullopt);
    csv.number(step.subrange + 1).number(step.cost.hashed_bytes).number(step.cost.sent_bytes);
    csv.number(step.cost.anticompacted_bytes);
    const StreamedLeaves& leaves = step.leaves_received;
    csv.number(leaves.rows).number(leaves.bytes).number(leaves.sstables).number(step.leaves_sent.bytes);
    const bool expected = leaves.expected || step.leaves_sent.expected;
    const bool whole = leaves.arrives_whole && step.leaves_sent.arrives_whole;
    csv.word(expected ? "expected" : whole ? "by_token" : "counted").end_row();
  }
  csv.close();
}

void write_outages(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "outages.csv", outage_columns);
  for (const OutageTime& outage : record.faults->outages) {
    csv.text(outage.name).number(std::int64_t{outage.node} + 1).time(outage.from_us).time(outage.to_us);
    csv.word(outage.kind == OutageSpec::Kind::down ? "down" : "cut_off").end_row();
  }
  csv.close();
}

void write_replacements(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "replacements.csv", replacement_columns);
  for (const Replacement& sent : record.faults->replacements) {
    csv.text(sent.outage).number(std::int64_t{sent.node} + 1).text(table_name(record, sent.table)).time(sent.at_us);
    csv.word(nodes_text(from_one(sent.sources))).number(sent.rows).number(sent.bytes).number(sent.sstables).end_row();
  }
  csv.close();
}

}  // namespace windrow
