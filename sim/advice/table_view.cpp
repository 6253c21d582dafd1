#include "sim/advice/table_view.h"

#include <algorithm>
#include <map>

#include "sim/base/check.h"
#include "sim/size/time_window.h"

namespace windrow {

namespace {

void see_ttls(const Scenario& scenario, int number, AdvisedTable& table) {
  std::map<Seconds, double> rows_of;  // per second, by TTL
  const Seconds table_ttl_s = table.options().default_time_to_live;
  const auto ttl_of = [&](const TtlShare& share) { return share.ttl_s < 0 ? table_ttl_s : share.ttl_s; };
  const auto writes = [&](const WriterSpec& writer) { return writer.table == number && writer.op != WriteOp::remove; };
  for (const WriterSpec& writer : scenario.writers) {
    if (!writes(writer)) continue;
    const auto length_us = static_cast<double>(writer.until_us - writer.from_us);
    for (const TtlShare& share : writer.ttl)
      rows_of[ttl_of(share)] += writer.rows_per_s() * length_us * static_cast<double>(share.share_ppm);
  }
  if (rows_of.empty()) return;
  table.main_ttl_s = std::ranges::max_element(rows_of, {}, [](const auto& ttl) { return ttl.second; })->first;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const WriterSpec& writer : scenario.writers) {
    if (!writes(writer)) continue;
    for (const TtlShare& share : writer.ttl) {
      if (share.share_ppm == 0 || ttl_of(share) == table.main_ttl_s) continue;
      note(table.other_ttl_streams, writer.stream);
      if (ttl_of(share) == 0) note(table.ttl_less_streams, writer.stream);
    }
    if (writer.timestamp.from_event) note(table.stamped_streams, writer.stream);
  }
}

void see_rules(const LoadedScenario& loaded, AdvisedTable& table) {
  for (const Named<StreamSection>& stream : loaded.text.streams) {
    if (std::ranges::find(table.streams, stream.name) == table.streams.end()) continue;
    for (const auto& [name, setting] : stream.section.column) {
      const Column* column = table.spec->schema.find_column(name);
      if (column == nullptr || column->kind != Column::Kind::partition_key) continue;
      const ColumnRule& rule = setting->parts.front().value;
      if (rule.kind != ColumnRule::Kind::bucket && rule.kind != ColumnRule::Kind::shard) continue;
      table.rules.push_back({.kind = rule.kind,
                             .stream = stream.name,
                             .column = name,
                             .length_s = rule.bucket.nominal_length_s(),
                             .plain = rule.rolling == 0 && rule.fine_above_per_s == 0 && !setting->changes(),
                             .count = std::max<std::int64_t>(1, rule.count)});
    }
  }
}

}  // namespace

const KeyRule* AdvisedTable::rule(ColumnRule::Kind kind, const std::string& stream) const {
  const auto found = std::ranges::find_if(
      rules, [&](const KeyRule& rule) { return rule.kind == kind && (rule.stream == stream || stream.empty()); });
  return found == rules.end() ? nullptr : &*found;
}

Seconds AdvisedTable::bucket_s() const {
  Seconds shortest_s = 0;
  for (const KeyRule& rule : rules) {
    if (rule.kind == ColumnRule::Kind::bucket && (shortest_s == 0 || rule.length_s < shortest_s))
      shortest_s = rule.length_s;
  }
  return shortest_s;
}

const TableRecord* find_table(const RunRecord& record, const std::string& name) {
  const auto found = std::ranges::find(record.tables, name, &TableRecord::name);
  return found == record.tables.end() ? nullptr : &*found;
}

AdvisedTable advised_table(const LoadedScenario& loaded, const TableRecord& record) {
  AdvisedTable table{.record = &record, .key_name = record.family.empty() ? record.name : record.family};
  const auto spec = std::ranges::find(loaded.scenario.tables, table.key_name, &TableSpec::name);
  SIM_CHECK(spec != loaded.scenario.tables.end(), "a table of the scenario");
  table.spec = &*spec;
  table.window_s = record.window_length_s.value_or(0);
  const int number = static_cast<int>(spec - loaded.scenario.tables.begin());
  for (const WriterSpec& writer : loaded.scenario.writers) {
    if (writer.table != number) continue;
    if (writer.op == WriteOp::remove) {
      table.deletes = true;
    } else if (std::ranges::find(table.streams, writer.stream) == table.streams.end()) {
      table.streams.push_back(writer.stream);
    }
  }
  see_ttls(loaded.scenario, number, table);
  see_rules(loaded, table);
  return table;
}

}  // namespace windrow
