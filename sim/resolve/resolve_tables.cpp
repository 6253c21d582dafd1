#include "sim/resolve/resolve_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "sim/base/nearest.h"
#include "sim/resolve/cql_input.h"
#include "sim/schema/column_set.h"
#include "sim/schema/identifier.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

bool allows_unsafe(const ScenarioText& text) { return text.node.values.allow_unsafe_aggressive_sstable_expiration; }

std::vector<std::string> table_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const Keyspace& keyspace : schema.keyspaces) {
    for (const Table& table : keyspace.tables) names.push_back(table.name);
  }
  return names;
}

// `table` or `keyspace.table`; nothing else than one table may be meant.
Table* find_in_schema(Schema& schema, const std::string& name) {
  const std::size_t dot = name.find('.');
  Table* found = nullptr;
  for (Keyspace& keyspace : schema.keyspaces) {
    if (dot != std::string::npos && keyspace.name != name.substr(0, dot)) continue;
    if (Table* table = keyspace.find_table(dot == std::string::npos ? name : name.substr(dot + 1))) {
      if (found != nullptr) return nullptr;
      found = table;
    }
  }
  return found;
}

// A value of CQL as written, or in quotes if it is a bare word: 99p, LZ4Compressor.
std::string cql_value_text(const std::string& text) {
  const char first = text.front();
  const bool number = (first >= '0' && first <= '9') || first == '-' || first == '.';
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole_number = number && error == std::errc() && end == text.data() + text.size();
  const bool as_it_is =
      whole_number || first == '\'' || first == '{' || first == '$' || text == "true" || text == "false";
  return as_it_is ? text : quoted_string(text);
}

std::string unquoted(const std::string& text) {
  if (text.size() < 2 || text.front() != '\'' || text.back() != '\'') return text;
  return text.substr(1, text.size() - 2);
}

std::string map_text(const OptionMap& map) {
  std::vector<std::string> entries;
  for (const auto& [key, value] : map) entries.push_back(quoted_string(key) + ": " + quoted_string(value));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

// table.T.compaction.class = …: a map of the schema with entries over it. Another class begins a new map.
void override_map(const Named<TableSection>& section, const std::string& option, const OptionMap& from_schema,
                  TableOptions& options, bool unsafe) {
  OptionMap map = from_schema;
  const std::string prefix = option + ".";
  const auto class_setting = section.section.option.find(prefix + "class");
  const SettingBase* first = nullptr;
  if (class_setting != section.section.option.end()) {
    const std::string wanted = unquoted(class_setting->second->text);
    const std::string before = map.contains("class") ? map["class"] : "";
    if (!before.ends_with(wanted)) map.clear();
    map["class"] = wanted;
  }
  for (const auto& [name, setting] : section.section.option) {
    if (!name.starts_with(prefix)) continue;
    map[name.substr(prefix.size())] = unquoted(setting->text);
    if (first == nullptr) first = &setting;
  }
  if (first == nullptr) return;
  // The map counts as a whole; what is refused is said at the entry that the message names.
  const auto named = [&](const std::string& message) {
    const SettingBase* best = first;
    std::size_t longest = 0;
    for (const auto& [name, setting] : section.section.option) {
      if (!name.starts_with(prefix) || name.size() <= longest ||
          message.find(name.substr(prefix.size())) == std::string::npos)
        continue;
      best = &setting;
      longest = name.size();
    }
    return best;
  };
  options = override_options(option + " = " + map_text(map), options, named, unsafe, {});
}

void apply_options(const Named<TableSection>& section, Table& table, bool unsafe) {
  TableOptions& options = table.options;
  std::vector<std::string> keys;
  for (const Key<TableSection>& key : TableSection::keys()) {
    if (!key.info().family()) keys.push_back(key.info().name);
  }
  std::set<std::string, std::less<>> maps;
  for (const auto& [name, setting] : section.section.option) {
    if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
      maps.insert(name.substr(0, dot));
      continue;
    }
    const SettingBase* here = &setting;
    options = override_options(
        name + " = " + cql_value_text(setting->text), options, [here](const std::string&) { return here; }, unsafe,
        keys);
  }
  for (const std::string& name : maps) {
    const OptionMap* map = name == "compaction"    ? &options.compaction
                           : name == "compression" ? &options.compression
                           : name == "caching"     ? &options.caching
                                                   : nullptr;
    if (map == nullptr) {
      const auto setting = section.section.option.lower_bound(name + ".");
      refuse(setting->second, fmt::format("is an option `{}` that has no parts", name),
             "compaction.…, compression.…, caching.…",
             std::string(nearest_name(name, std::vector<std::string>{"compaction", "compression", "caching"})));
    }
    override_map(section, name, OptionMap(*map), options, unsafe);
  }
}

std::vector<RecordedFlush> read_flushes(const TableSection& section, Micros start_us, InputFiles& files) {
  std::vector<RecordedFlush> flushes;
  if (!section.flushes.present()) return flushes;
  const CsvTable table =
      read_csv(files.open(section.flushes->text, section.flushes), {"time", "operations", "data_bytes"}, 3);
  const auto whole = [](Cursor& cursor) {
    return static_cast<double>(read_whole_number(cursor, 1'000'000'000'000'000));
  };
  for (const CsvTable::Row& row : table.rows) {
    RecordedFlush flush{.at_us = read_moment_cell(table, row, 0, "time", start_us),
                        .operations = static_cast<std::int64_t>(read_cell(table, row, 1, "operations", whole)),
                        .data_bytes = static_cast<Bytes>(read_cell(table, row, 2, "data_bytes", whole))};
    if (!flushes.empty() && flush.at_us <= flushes.back().at_us) {
      throw ScenarioError({.place = table.place(row),
                           .key = "time",
                           .value = row.cells[0],
                           .problem = "is not after the line before",
                           .accepted = "lines in the order of time"});
    }
    flushes.push_back(flush);
  }
  return flushes;
}

std::vector<std::string> indexes_and_views(const Schema& schema, const Table& table) {
  std::vector<std::string> names;
  for (const Index& index : table.indexes) names.push_back((index.is_sai() ? "SAI index " : "index ") + index.name);
  const Keyspace* keyspace = schema.find_keyspace(table.keyspace);
  if (keyspace == nullptr) return names;
  for (const MaterializedView& view : keyspace->views) {
    if (view.base_table == table.name) names.push_back("materialized view " + view.name);
  }
  return names;
}

TableSpec table_spec(const Table& schema, const TableSection* section, Micros start_us, InputFiles& files) {
  TableSpec spec = section == nullptr ? TableSpec{} : section->values;
  spec.schema = schema;
  spec.name = schema.name;
  if (section == nullptr) return spec;
  spec.flushes = read_flushes(*section, start_us, files);
  spec.compression_measured = section->setting("compression_ratio").present();
  if (section->drop_after.present() && spec.per == TableSpec::Per::once)
    refuse(section->drop_after, "drops nothing: the table is not one of several", "`per = month` beside it");
  spec.drop = *section->on_drop;
  spec.drop.after_us = section->drop_after->us;
  return spec;
}

[[noreturn]] void refuse_table(const std::string& name, const std::vector<std::string>& names,
                               const SettingBase* setting, const Place& place, const std::string& key) {
  const Mistake mistake{.place = setting == nullptr ? place : setting->place(),
                        .key = setting == nullptr ? key : setting->key(),
                        .value = name,
                        .problem = "is no table of the schema (or more than one)",
                        .accepted = fmt::format("{}", fmt::join(names, ", ")),
                        .nearest = std::string(nearest_name(name, names))};
  throw ScenarioError(mistake);
}

}  // namespace

Schema load_schema(const ScenarioText& text, InputFiles& files) {
  Schema schema;
  run_cql_file(files.open(text.run.schema->text, text.run.schema), schema, allows_unsafe(text));
  if (table_names(schema).empty()) refuse(text.run.schema, "makes no table", "CQL with at least one CREATE TABLE");
  for (const Named<TableSection>& section : text.tables) {
    Table* table = find_in_schema(schema, section.name);
    if (table == nullptr)
      refuse_table(section.name, table_names(schema), nullptr, section.place, "table." + section.name);
    apply_options(section, *table, allows_unsafe(text));
  }
  return schema;
}

std::vector<TableSpec> resolve_tables(const ScenarioText& text, const Schema& given, Micros start_us,
                                      InputFiles& files) {
  Schema schema = given;
  std::set<const Table*> named;
  for (const Named<StreamSection>& stream : text.streams) {
    const Setting<ReferredName>& table = stream.section.table;
    if (!table.present()) {
      throw ScenarioError({.place = stream.place,
                           .key = "stream." + stream.name + ".table",
                           .problem = "is missing",
                           .accepted = fmt::format("{}", fmt::join(table_names(schema), ", ")),
                           .note = "add a line `table = …`: the table that is written"});
    }
    const Table* found = find_in_schema(schema, table->name);
    if (found == nullptr) refuse_table(table->name, table_names(schema), &table, {}, {});
    if (std::ssize(found->regular_columns()) > ColumnSet::most) {
      refuse(table, fmt::format("has {} regular columns", found->regular_columns().size()),
             fmt::format("a table of at most {}", ColumnSet::most));
    }
    named.insert(found);
  }
  std::map<const Table*, const TableSection*> sections;
  for (const Named<TableSection>& section : text.tables) {
    const Table* found = find_in_schema(schema, section.name);
    named.insert(found);
    sections[found] = &section.section;
  }
  std::vector<TableSpec> tables;
  for (const Keyspace& keyspace : schema.keyspaces) {
    for (const Table& table : keyspace.tables) {
      if (!named.contains(&table)) continue;
      const auto section = sections.find(&table);
      tables.push_back(table_spec(table, section == sections.end() ? nullptr : section->second, start_us, files));
      tables.back().not_counted = indexes_and_views(schema, table);
    }
  }
  return tables;
}

int find_table(const std::vector<TableSpec>& tables, const std::string& name, const SettingBase& setting) {
  int found = -1;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    names.push_back(tables[i].name);
    if (name == tables[i].name || name == tables[i].schema.keyspace + "." + tables[i].name) found = static_cast<int>(i);
  }
  if (found < 0) refuse_table(name, names, &setting, {}, {});
  return found;
}

std::vector<ChangeSpec> resolve_changes(const ScenarioText& text, const Schema& schema,
                                        const std::vector<TableSpec>& tables, Micros start_us, Micros end_us) {
  std::vector<const Named<ChangeSection>*> ordered;
  for (const auto& change : text.changes) ordered.push_back(&change);
  std::ranges::stable_sort(ordered, {}, [](const auto* change) { return change->section.at->us; });
  Schema now = schema;
  std::vector<ChangeSpec> changes;
  for (const auto* change : ordered) {
    const Setting<Moment>& at = change->section.at;
    if (at->us <= start_us || at->us >= end_us)
      refuse(at, "is outside the run", "a date within the run, after its start");
    const auto [keyspace, name] = run_alter(change->section.cql, now, allows_unsafe(text));
    const auto table = std::ranges::find_if(tables, [&, &space = keyspace, &wanted = name](const TableSpec& each) {
      return each.schema.keyspace == space && each.name == wanted;
    });
    if (table == tables.end())
      refuse(change->section.cql, fmt::format("changes table {}, which no stream writes", name),
             "a table that a stream writes");
    const Table* after = now.find_table(keyspace, name);
    changes.push_back({.name = change->name,
                       .at_us = at->us,
                       .table = static_cast<int>(table - tables.begin()),
                       .cql = change->section.cql->text,
                       .after = *after});
  }
  return changes;
}

namespace {

// Copies that a keyspace has in a data centre; 0: it does not say. SimpleStrategy and NetworkTopologyStrategy with a
// replication_factor for all name none.
int copies_in(const Keyspace& keyspace, const std::string& center) {
  const auto own = keyspace.replication.find(center);
  const auto all = keyspace.replication.find("replication_factor");
  if (own != keyspace.replication.end()) return std::atoi(own->second.c_str());
  return all == keyspace.replication.end() ? 0 : std::atoi(all->second.c_str());
}

std::vector<std::string> centers_of(const Keyspace& keyspace) {
  std::vector<std::string> names;
  for (const auto& [key, value] : keyspace.replication) {
    if (key != "class" && key != "replication_factor") names.push_back(key);
  }
  return names;
}

// Of a table that a stream writes, if any.
const Keyspace* keyspace_of(const Schema& schema, const std::vector<TableSpec>& tables) {
  const Keyspace* keyspace = tables.empty() ? nullptr : schema.find_keyspace(tables.front().schema.keyspace);
  return keyspace != nullptr && keyspace->replication.empty() ? nullptr : keyspace;
}

void check_center(const Keyspace& keyspace, const Named<DcSection>& center) {
  if (center.section.replication.present() || copies_in(keyspace, center.name) > 0) return;
  const std::vector<std::string> names = centers_of(keyspace);
  throw ScenarioError({.place = center.place,
                       .key = "dc." + center.name,
                       .value = center.name,
                       .problem = fmt::format("is no data centre of keyspace {}", keyspace.name),
                       .accepted = names.empty() ? "no [dc.NAME]" : fmt::format("{}", fmt::join(names, ", ")),
                       .nearest = std::string(nearest_name(center.name, names)),
                       .note = "a line `replication = 3` below it takes so many copies, whatever the schema says"});
}

}  // namespace

std::vector<DataCenter> resolve_data_centers(const ScenarioText& text, const Schema& schema,
                                             const std::vector<TableSpec>& tables) {
  if (text.data_centers.empty()) return {DataCenter{}};
  const Keyspace* keyspace = keyspace_of(schema, tables);
  std::vector<DataCenter> centers;
  for (const Named<DcSection>& each : text.data_centers) {
    const auto& [name, place, section] = each;
    DataCenter center = section.values;
    center.name = name;
    const SettingBase& copies = section.setting("replication_factor");
    if (copies.present() && section.replication.present())
      refuse(section.replication, "stands beside replication_factor",
             "one of them: replication goes over the schema, replication_factor must agree with it");
    if (keyspace != nullptr) check_center(*keyspace, each);
    const int stated = keyspace == nullptr ? 0 : copies_in(*keyspace, name);
    if (section.replication.present()) {
      center.replication_factor = static_cast<int>(section.replication->count);
    } else if (copies.present()) {
      if (stated != 0 && stated != center.replication_factor) {
        refuse(copies,
               fmt::format("disagrees with the schema: keyspace {} has {} copies in {}", keyspace->name, stated, name),
               fmt::format("{}, no such line, or replication = {} over the schema", stated, copies.text()));
      }
    } else {
      center.replication_factor = stated != 0 ? stated : std::min(3, center.nodes);
    }
    if (center.replication_factor > center.nodes) {
      const Place at = section.setting("nodes").given() ? section.setting("nodes").place() : place;
      throw ScenarioError(
          {.place = at,
           .key = "dc." + name + ".nodes",
           .value = fmt::format("{}", center.nodes),
           .problem = fmt::format("are fewer than the {} copies of every row", center.replication_factor),
           .accepted = "at least as many nodes as copies"});
    }
    if (center.racks > center.nodes)
      refuse(section.setting("racks"), "are more racks than nodes", fmt::format("1 to {}", center.nodes));
    centers.push_back(center);
  }
  return centers;
}

}  // namespace windrow
