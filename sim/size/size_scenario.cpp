#include "sim/size/size_scenario.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/base/nearest.h"
#include "sim/keys/column_rule.h"
#include "sim/resolve/entity_keys.h"
#include "sim/resolve/load_scenario.h"
#include "sim/schema/describe.h"
#include "sim/size/key_roles.h"
#include "sim/size/question_values.h"
#include "sim/size/sai_estimate.h"
#include "sim/stats/vint.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

using Kind = CqlType::Kind;

bool is_text(const CqlType& type) {
  return type.kind == Kind::text || type.kind == Kind::ascii || type.kind == Kind::blob;
}

const Table& find_table(const SizeQuestion& question) {
  std::vector<std::string> names;
  for (const Keyspace& keyspace : question.schema.keyspaces) {
    for (const Table& table : keyspace.tables) {
      if (table.name == question.table || table.keyspace + "." + table.name == question.table) return table;
      names.push_back(table.name);
    }
  }
  if (names.empty()) throw SizeError("the schema has no table");
  if (question.table.empty() && names.size() == 1)
    return question.schema.keyspaces.front().tables.empty()
               ? *std::ranges::find_if(question.schema.keyspaces, [](const Keyspace& k) { return !k.tables.empty(); })
                      ->tables.begin()
               : question.schema.keyspaces.front().tables.front();
  if (question.table.empty()) throw SizeError(fmt::format("--table: which one? accepts {}", fmt::join(names, ", ")));
  const std::string_view nearest = nearest_name(question.table, names);
  throw SizeError(fmt::format("--table {}: is no table of the schema; accepts {}{}", question.table,
                              fmt::join(names, ", "),
                              nearest.empty() ? std::string() : fmt::format("; did you mean {}?", nearest)));
}

std::string free_name(const Table& table, std::string name) {
  while (table.find_column(name) != nullptr) name += "_2";
  return name;
}

Bytes with_length(double bytes) {
  const auto whole = std::llround(bytes);
  return whole + unsigned_vint_size(static_cast<std::uint64_t>(whole));
}

}  // namespace

SizeScenarios::SizeScenarios(const SizeQuestion& question) : question_(question), table_(find_table(question)) {
  std::vector<std::string> names;
  for (const Column& column : table_.columns) names.push_back(column.name);
  for (const auto& [name, rule] : question.columns) {
    if (table_.find_column(name) != nullptr) continue;
    const std::string_view nearest = nearest_name(name, names);
    throw SizeError(fmt::format("--column {}: is no column of {}; accepts {}{}", name, table_.name,
                                fmt::join(names, ", "),
                                nearest.empty() ? std::string() : fmt::format("; did you mean {}?", nearest)));
  }
  add_bucket_and_shard();
  plan_key();
  note_indexes();
  plan_columns();
  const auto keyspace =
      std::ranges::find_if(question.schema.keyspaces, [&](const Keyspace& k) { return k.name == table_.keyspace; });
  Keyspace alone = *keyspace;
  alone.tables = {table_};
  alone.tables.front().indexes.clear();
  alone.views.clear();
  if (alone.replication.empty()) {
    cql_ = describe_table(alone.tables.front());
  } else {
    cql_ = describe_keyspace(alone);
  }
}

void SizeScenarios::add_bucket_and_shard() {
  const std::vector<KeyRole> roles = partition_key_roles(table_);
  const Column* bucket = bucket_column(table_);
  const auto shard = std::ranges::find(roles, KeyRole::shard);
  if (shard != roles.end())
    shard_column_ = table_.partition_key()[static_cast<std::size_t>(shard - roles.begin())].name;
  if (bucket != nullptr) bucket_column_ = bucket->name;
  auto position = static_cast<int>(roles.size());
  const auto add = [&](const std::string& name, Kind kind) {
    table_.columns.push_back(
        {.name = name, .type = simple_type(kind), .kind = Column::Kind::partition_key, .position = position++});
    notes_.push_back(fmt::format("{} has no such column: `{} {}` was added to its partition key", table_.name, name,
                                 kind_name(kind)));
    return name;
  };
  if (bucket_column_.empty()) bucket_column_ = add(free_name(table_, "bucket"), Kind::text);
  const auto within_a_day = [](const std::string& text) {
    const BucketName name = read_bucket(text);
    return name.kind == BucketName::Kind::equal && name.length_s % seconds_per_day != 0;
  };
  const auto dated = std::ranges::find(table_.columns, bucket_column_, &Column::name);
  if (dated->type.kind == Kind::date && std::ranges::any_of(question_.buckets, within_a_day)) {
    dated->type = simple_type(Kind::timestamp);
    notes_.push_back(
        fmt::format("{} is a date, which cannot tell hours apart: sizes are with a timestamp", bucket_column_));
  }
  const bool sharded = std::ranges::any_of(question_.shards, [](std::int64_t shards) { return shards > 1; });
  if (shard_column_.empty() && sharded) shard_column_ = add(free_name(table_, "shard"), Kind::int_);
  table_.sort_columns();
}

void SizeScenarios::plan_key() {
  const auto key = table_.partition_key();
  const std::vector<KeyRole> roles = partition_key_roles(table_);
  for (std::size_t i = 0; i < key.size(); ++i) {
    const Column& column = key[i];
    if (column.name == bucket_column_ || column.name == shard_column_) continue;
    if (const auto given = question_.columns.find(column.name); given != question_.columns.end()) {
      column_lines_.push_back(fmt::format("column.{} = {}", column.name, given->second));
      if (given->second == "entity") entity_column_ = column.name;
      continue;
    }
    if (roles[i] == KeyRole::time_bucket) {
      column_lines_.push_back(fmt::format("column.{} = {}", column.name, named_bucket(column)));
    } else if (entity_column_.empty()) {
      entity_column_ = column.name;
      entity_is_text_ = is_text(column.type);
      column_lines_.push_back(fmt::format("column.{} = entity", column.name));
    } else {
      const std::string constant = is_text(column.type) ? "'ten bytes.'" : "'1'";
      column_lines_.push_back(fmt::format("column.{} = {}", column.name, constant));
      notes_.push_back(fmt::format("{} is taken to be {} everywhere; --column {}=… says otherwise", column.name,
                                   constant, column.name));
    }
  }
  const Column* time = time_column(table_);
  for (const Column& column : table_.clustering()) {
    const auto given = question_.columns.find(column.name);
    if (given != question_.columns.end()) {
      column_lines_.push_back(fmt::format("column.{} = {}", column.name, given->second));
    } else if (&column != time && time != nullptr && names_a_bucket(column) && column.position < time->position) {
      column_lines_.push_back(fmt::format("column.{} = {}", column.name, named_bucket(column)));
    } else if (&column == time) {
      column_lines_.push_back(fmt::format("column.{} = time", column.name));
    }
  }
}

void SizeScenarios::plan_columns() {
  std::vector<std::string> missing;
  if (!table_.static_columns().empty()) notes_.push_back("static columns are left out: they are one row a partition");
  for (Column& column : table_.columns) {
    if (column.kind != Column::Kind::regular) continue;
    const auto given = question_.columns.find(column.name);
    const bool said = given != question_.columns.end();
    if (said && given->second == "null") continue;
    written_.push_back(column.name);
    if (column.type.is_multi_cell()) {
      if (!said) {
        missing.push_back(fmt::format("--column '{}=map(5, text(8), text(20))' (or set, list, null)", column.name));
        continue;
      }
      column_lines_.push_back(fmt::format("column.{} = {}", column.name, rule_of_complex(column)));
      notes_.push_back(
          fmt::format("{} ({}) is an estimate, a few bytes a row: its elements and its tombstone, written whole",
                      column.name, column.type.to_string()));
      column.type = simple_type(Kind::blob);
    } else if (said) {
      column_lines_.push_back(fmt::format("column.{} = {}", column.name, given->second));
    } else if (natural_bytes(column.type) < 0) {
      const char* example = column.type.kind == Kind::blob ? "blob(100)"
                            : is_text(column.type)         ? "text(20)"
                                                           : "blob(16)";
      missing.push_back(fmt::format("--column '{}={}'", column.name, example));
    }
  }
  if (!missing.empty()) {
    throw SizeError(fmt::format("nothing says how long the values of {} are; add {}",
                                missing.size() == 1 ? "a column" : "some columns", fmt::join(missing, " ")));
  }
  table_.sort_columns();
}

void SizeScenarios::note_indexes() {
  constexpr std::int64_t rows = 1'000'000;
  const auto per_row = [&](double bytes) { return bytes / static_cast<double>(rows); };
  bool first = true;
  for (const Index& index : table_.indexes) {
    const Column* column = table_.find_column(index.target);
    if (!index.is_sai() || column == nullptr) continue;
    const auto given = question_.columns.find(column->name);
    const bool natural = natural_bytes(column->type) >= 0;
    if (!natural && (given == question_.columns.end() || given->second == "null")) continue;
    const double bytes = natural ? static_cast<double>(natural_bytes(column->type))
                                 : read_rule(column->name, given->second).bytes.mean_of_ranks(0, 1, 1);
    const SaiBytes index_bytes = sai_index_bytes(column->type, bytes, rows);
    notes_.push_back(fmt::format(
        "the index on {} adds about {:.1f} bytes a row where its values are few, {:.1f} where all differ{} (an "
        "estimate)",
        column->name, per_row(index_bytes.few), per_row(index_bytes.different),
        first ? fmt::format(", and {:.1f} for the keys of all indexes", per_row(sai_key_bytes(rows))) : ""));
    first = false;
  }
}

// As a blob of the size that its tombstone and elements take. Storage rule 1.8: deletion, count, then flags, path and
// value of each; both parts of the deletion grow with the time since the file's first row.
std::string SizeScenarios::rule_of_complex(const Column& column) {
  const auto given = question_.columns.find(column.name);
  const ColumnRule rule = read_rule(column.name, given->second);
  const bool known =
      rule.kind == ColumnRule::Kind::map || rule.kind == ColumnRule::Kind::set || rule.kind == ColumnRule::Kind::list;
  if (!known)
    throw SizeError(
        fmt::format("--column {}={}: is no collection; accepts map(5, text(8), text(20)), set(5, text(10)), list(5, "
                    "text(10)), null",
                    column.name, given->second));
  constexpr Bytes timeuuid_bytes = 16;
  constexpr Bytes deletion_bytes = 6 + 3;
  const auto mean = [](const Distribution& sizes) { return sizes.mean_of_ranks(0, 1, 1); };
  Bytes element = 1;
  element += rule.kind == ColumnRule::Kind::list ? with_length(timeuuid_bytes) : with_length(mean(rule.elements.key));
  if (rule.kind != ColumnRule::Kind::set) element += with_length(mean(rule.elements.value));
  const Bytes bytes = deletion_bytes + unsigned_vint_size(static_cast<std::uint64_t>(rule.elements.elements)) +
                      rule.elements.elements * element;
  more_cells_per_row_ += rule.elements.elements - 1;
  Bytes blob = bytes - 2;
  while (blob > 0 && 1 + with_length(static_cast<double>(blob)) > bytes) --blob;
  return fmt::format("blob({})", blob);
}

std::string SizeScenarios::entities_for(const std::string& rate) const {
  if (!question_.entities.empty()) return question_.entities;
  const bool spread = rate.find('(') != std::string::npos;
  const int count = spread ? 1'000 : 1;
  return entity_is_text_ ? fmt::format("pattern(entity-%05d, {})", count) : fmt::format("{}", count);
}

LoadedScenario SizeScenarios::make(const std::string& rate, const std::string& bucket, std::int64_t shards) const {
  const BucketName name = read_bucket(bucket);
  if (shards < 1) throw SizeError(fmt::format("--shards {}: accepts 1 or more", shards));
  const bool fleet = rate.ends_with(".csv");
  constexpr int buckets = 3;  // so that one of them lies between two others, wherever they begin
  const Seconds length_s = name.kind == BucketName::Kind::equal
                               ? buckets * name.length_s
                               : buckets * name.nominal_length_s() + 10 * seconds_per_day;
  std::string ini =
      fmt::format("[run]\nschema = schema.cql\nlength = {}s\n[node]\nformat = {}\n[stream.size]\ntable = {}\n",
                  length_s, question_.format, table_.name);
  ini += fleet ? fmt::format("entities = from({})\n", rate)
               : fmt::format("entities = {}\nrate = {}\n", entities_for(rate), rate);
  ini += fmt::format("column.{} = {}\n", bucket_column_, bucket);
  if (!shard_column_.empty()) ini += fmt::format("column.{} = shard({})\n", shard_column_, shards);
  if (!written_.empty()) ini += fmt::format("columns = {}\n", fmt::join(written_, " + "));
  for (const std::string& line : column_lines_) ini += line + "\n";
  const auto read = [&](const std::string& file) -> std::optional<std::string> {
    if (file == "schema.cql") return cql_;
    return question_.read ? question_.read(file) : std::nullopt;
  };
  try {
    return load_scenario("size.ini", ini, {}, read);
  } catch (const ScenarioError& error) {
    const Mistake& mistake = error.mistake();
    if (mistake.place.file() != "size.ini" && mistake.place.line > 0) throw SizeError(error.what());
    std::string key = mistake.key;
    const std::size_t from = key.find("column.");
    if (from != std::string::npos)
      key = fmt::format("--column {}{}", key.substr(from + 7), mistake.value.empty() ? "" : "=");
    if (key == "stream.size.rate") key = "--rate ";
    if (key == "stream.size.entities") key = fleet ? "--rate " : "--entities ";
    if (key == "node.format") key = "--sstable-format ";
    throw SizeError(
        fmt::format("{}{}: {}{}{}{}", key, mistake.value, mistake.problem, mistake.accepted.empty() ? "" : "; accepts ",
                    mistake.accepted,
                    mistake.nearest.empty() ? std::string() : fmt::format("; did you mean {}?", mistake.nearest)));
  }
}

}  // namespace windrow
