#include "sim/size/size_scenario.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/base/nearest.h"
#include "sim/keys/column_rule.h"
#include "sim/resolve/column_forms.h"
#include "sim/resolve/entity_keys.h"
#include "sim/resolve/load_scenario.h"
#include "sim/resolve/part_sizes.h"
#include "sim/schema/describe.h"
#include "sim/size/entity_column.h"
#include "sim/size/key_roles.h"
#include "sim/size/question_values.h"
#include "sim/size/sai_estimate.h"
#include "sim/stats/vint.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

using Kind = CqlType::Kind;

bool is_small_number(const CqlType& type) { return type.kind == Kind::smallint || type.kind == Kind::tinyint; }
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

/// What a clustering column that is no time may hold: of a size that is to be said, or different in every row.
std::string example_in_key(const Table& table, const Column& column) {
  const Column* time = numbered_time(table) != nullptr ? numbered_time(table) : lone_span(table);
  if (time == &column) return "time";
  if (natural_bytes(column.type) < 0) return example_value(column.type);
  std::vector<std::string> forms = key_forms(column);
  if (std::ranges::find(forms, "unique") != forms.end()) return "unique";
  if (time != nullptr && forms.size() > 1) std::erase(forms, "time");
  return forms.front();
}

struct ElementBytes {
  std::int64_t count = 0;
  Bytes bytes = 0;  // of all of them: flags, path and value of each
};

/// Elements of a collection, or fields of a user type, that is not frozen.
ElementBytes element_bytes(const Column& column, const ColumnRule& rule, const std::string& said) {
  const auto refuse = [&](const std::string& problem, const std::string& accepted) {
    throw SizeError(fmt::format("--column {}={}: {}; accepts {}", column.name, said, problem, accepted));
  };
  constexpr Bytes field_path_bytes = 2;
  const auto mean = [](const Distribution& sizes) { return sizes.mean_of_ranks(0, 1, 1); };
  if (rule.kind == ColumnRule::Kind::udt) {
    FieldSizes fields;
    const PartMisfit wrong = read_field_sizes(column.type, rule.parts, fields);
    if (!wrong.problem.empty()) refuse(wrong.problem, wrong.accepted);
    ElementBytes all{.count = std::ssize(fields.set)};
    for (const std::int32_t size : fields.set)
      all.bytes += 1 + with_length(field_path_bytes) + with_length(static_cast<double>(size));
    return all;
  }
  if (rule.kind != ColumnRule::Kind::set && rule.kind != ColumnRule::Kind::list && rule.kind != ColumnRule::Kind::map)
    refuse(fmt::format("does not fit {}", with_article(column.type)), example_value(column.type) + ", null");
  ElementSizes sizes;
  const PartMisfit wrong = read_element_sizes(column.type, rule, sizes);
  if (!wrong.problem.empty()) refuse(wrong.problem, wrong.accepted);
  Bytes element = 1 + with_length(mean(sizes.path));
  if (column.type.kind != Kind::set) element += with_length(mean(sizes.value));
  return {.count = rule.elements, .bytes = rule.elements * element};
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
  if (table_.clustering().empty())
    throw SizeError(fmt::format("{} has no clustering column: each of its partitions is one row, whatever its bucket",
                                table_.name));
  add_bucket_and_shard();
  plan_key();
  plan_offsets();
  note_indexes();
  plan_columns();
  const auto keyspace =
      std::ranges::find_if(question.schema.keyspaces, [&](const Keyspace& k) { return k.name == table_.keyspace; });
  Keyspace alone = *keyspace;
  alone.tables = {table_};
  alone.tables.front().indexes.clear();
  alone.tables.front().compact_storage = false;  // has no row liveness, and else the bytes of others: `op` says so
  alone.views.clear();
  // A keyspace that the schema does not make: its user types are needed all the same.
  if (alone.replication.empty())
    alone.replication = {{"class", "org.apache.cassandra.locator.SimpleStrategy"}, {"replication_factor", "1"}};
  cql_ = describe_keyspace(alone);
}

void SizeScenarios::find_bucket() {
  if (question_.bucket_column.empty()) {
    const Column* bucket = bucket_column(table_);
    if (bucket == nullptr) return;
    const auto guess = guessed_bucket(table_);
    const bool guessed = guess && guess->column == bucket;
    if (guessed && question_.columns.contains(bucket->name)) return;  // it is said what else it holds
    bucket_column_ = bucket->name;
    if (guessed)
      notes_.push_back(
          fmt::format("{0} is taken for the time bucket, as its name is one in {1}; --column {0}=… says "
                      "what else it is",
                      bucket->name, guess->languages));
    return;
  }
  std::vector<std::string> names;
  for (const Column& column : table_.partition_key()) names.push_back(column.name);
  if (std::ranges::find(names, question_.bucket_column) == names.end()) {
    const std::string_view nearest = nearest_name(question_.bucket_column, names);
    throw SizeError(fmt::format("--bucket-column {}: is no column of the partition key; accepts {}{}",
                                question_.bucket_column, fmt::join(names, ", "),
                                nearest.empty() ? std::string() : fmt::format("; did you mean {}?", nearest)));
  }
  bucket_column_ = question_.bucket_column;
}

// Of the bytes that the column has: a type that can hold an entity's number.
void SizeScenarios::plan_entity(Column& column) {
  const std::int64_t bytes = natural_bytes(column.type);
  const bool holds = is_text(column.type) || column.type.kind == Kind::uuid || column.type.kind == Kind::timeuuid ||
                     column.type.kind == Kind::bigint || column.type.kind == Kind::int_ ||
                     column.type.kind == Kind::smallint || column.type.kind == Kind::tinyint ||
                     column.type.kind == Kind::varint || column.type.kind == Kind::inet;
  if (!holds) column.type = simple_type(bytes == 8 ? Kind::bigint : bytes == 4 ? Kind::int_ : Kind::text);
  entity_is_text_ = is_text(column.type);
  column_lines_.push_back(fmt::format("column.{} = entity", column.name));
}

// The same for all rows, in the bytes that the column has.
void SizeScenarios::plan_constant(Column& column) {
  const std::int64_t bytes = natural_bytes(column.type);
  const bool whole = column.type.kind == Kind::bigint || column.type.kind == Kind::int_ ||
                     column.type.kind == Kind::smallint || column.type.kind == Kind::tinyint ||
                     column.type.kind == Kind::varint;
  const std::string was = column.type.to_string();
  std::string constant = whole ? "'1'" : is_text(column.type) || bytes < 1 ? "'ten bytes.'" : "";
  if (constant.empty()) constant = "'" + std::string(static_cast<std::size_t>(bytes), '.') + "'";
  if (!whole && !is_text(column.type)) column.type = simple_type(Kind::blob);
  column_lines_.push_back(fmt::format("column.{} = {}", column.name, constant));
  const bool shown = whole || is_text(column.type);
  notes_.push_back(fmt::format("{} is taken to be {} everywhere; --column {}=… says otherwise", column.name,
                               shown && was != "blob" && column.type.kind != Kind::blob ? constant : "one " + was,
                               column.name));
}

void SizeScenarios::add_bucket_and_shard() {
  const std::vector<KeyRole> roles = partition_key_roles(table_);
  find_bucket();
  const auto shard = std::ranges::find(roles, KeyRole::shard);
  if (shard != roles.end()) {
    const std::string& name = table_.partition_key()[static_cast<std::size_t>(shard - roles.begin())].name;
    if (name != bucket_column_) shard_column_ = name;
  }
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
  if (dated->type.kind == Kind::timeuuid || dated->type.kind == Kind::uuid || natural_bytes(dated->type) == 0) {
    notes_.push_back(fmt::format("{} is {}, which names no bucket: sizes are with a text", bucket_column_,
                                 with_article(dated->type)));
    dated->type = simple_type(Kind::text);
  }
  if (dated->type.kind == Kind::date && std::ranges::any_of(question_.buckets, within_a_day)) {
    dated->type = simple_type(Kind::timestamp);
    notes_.push_back(
        fmt::format("{} is a date, which cannot tell hours apart: sizes are with a timestamp", bucket_column_));
  }
  const bool sharded = std::ranges::any_of(question_.shards, [](std::int64_t shards) { return shards > 1; });
  if (shard_column_.empty() && sharded) shard_column_ = add(free_name(table_, "shard"), Kind::int_);
  table_.sort_columns();
}

/// Who writes: the column that is said to be the entity, else the one that most likely is, else the first.
std::string SizeScenarios::entity_of_key(const std::vector<KeyRole>& roles) const {
  const auto key = table_.partition_key();
  for (const Column& column : key) {
    const auto given = question_.columns.find(column.name);
    if (given != question_.columns.end() && given->second == "entity") return column.name;
  }
  const auto open = [&](std::size_t i) {
    return key[i].name != bucket_column_ && key[i].name != shard_column_ && roles[i] != KeyRole::time_bucket &&
           !question_.columns.contains(key[i].name);
  };
  if (const auto place = entity_place(table_); place && open(*place)) return key[*place].name;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (open(i)) return key[i].name;
  }
  return {};
}

void SizeScenarios::plan_key() {
  const std::size_t columns = table_.partition_key().size();
  const std::vector<KeyRole> roles = partition_key_roles(table_);
  const std::string entity = entity_of_key(roles);
  for (std::size_t i = 0; i < columns; ++i) {
    Column& column = table_.columns[i];  // of the partition key: they stand first
    if (column.name == bucket_column_ || column.name == shard_column_) continue;
    if (const auto given = question_.columns.find(column.name); given != question_.columns.end()) {
      column_lines_.push_back(fmt::format("column.{} = {}", column.name, given->second));
      continue;
    }
    if (roles[i] == KeyRole::time_bucket) {
      coarser_.emplace_back(column.name, named_bucket(bucket_length_named(table_, column)));
    } else if (column.name == entity) {
      plan_entity(column);
    } else {
      plan_constant(column);
    }
  }
  const Column* time = time_column(table_);
  const Column* row_time = time != nullptr ? time : numbered_time(table_);
  for (const Column& column : table_.clustering()) {
    const auto given = question_.columns.find(column.name);
    if (given != question_.columns.end() && given->second == "time" && is_small_number(column.type)) {
      offsets_.push_back(column.name);
    } else if (given != question_.columns.end()) {
      column_lines_.push_back(fmt::format("column.{} = {}", column.name, given->second));
    } else if (row_time != nullptr && names_a_bucket(table_, column) && column.position < row_time->position) {
      column_lines_.push_back(
          fmt::format("column.{} = {}", column.name, named_bucket(bucket_length_named(table_, column))));
    } else if (&column == time) {
      column_lines_.push_back(fmt::format("column.{} = time", column.name));
    } else if (time == nullptr || natural_bytes(column.type) < 0) {
      unsaid_.push_back(fmt::format("--column '{}={}'", column.name, example_in_key(table_, column)));
    }
  }
}

// A small number is an offset within buckets that are short enough: others are sized all the same, in as many bytes.
void SizeScenarios::plan_offsets() {
  for (const std::string& name : offsets_) {
    Column& column = *std::ranges::find(table_.columns, name, &Column::name);
    const std::int64_t bytes = natural_bytes(column.type);
    notes_.push_back(fmt::format("{} is {}: it tells {} rows of a bucket apart", name, with_article(column.type),
                                 std::int64_t{1} << (8 * bytes - 1)));
    column_lines_.push_back(fmt::format("column.{} = blob({})", name, bytes));
    column.type = simple_type(Kind::blob);
  }
}

/// One row a partition: they count where their size is known, and ask for none.
void SizeScenarios::plan_statics() {
  std::vector<std::string> left_out;
  for (const Column& column : table_.static_columns()) {
    const auto given = question_.columns.find(column.name);
    const bool said = given != question_.columns.end();
    if (said && given->second == "null") continue;
    if (column.type.is_multi_cell() || (!said && natural_bytes(column.type) < 0)) {
      left_out.push_back(column.name);
      continue;
    }
    written_.push_back(column.name);
    if (said) column_lines_.push_back(fmt::format("column.{} = {}", column.name, given->second));
  }
  if (left_out.empty()) return;
  std::erase_if(table_.columns,
                [&](const Column& column) { return std::ranges::find(left_out, column.name) != left_out.end(); });
  notes_.push_back(fmt::format(
      "{} of one row a partition {} left out: nothing says how long {} values are, or they are "
      "of several cells",
      fmt::join(left_out, ", "), left_out.size() == 1 ? "is" : "are", left_out.size() == 1 ? "its" : "their"));
}

void SizeScenarios::plan_columns() {
  std::vector<std::string> missing = std::move(unsaid_);
  const std::size_t of_the_key = missing.size();
  plan_statics();
  for (Column& column : table_.columns) {
    if (column.kind != Column::Kind::regular) continue;
    const auto given = question_.columns.find(column.name);
    const bool said = given != question_.columns.end();
    if (said && given->second == "null") continue;
    written_.push_back(column.name);
    if (column.type.is_multi_cell()) {
      if (!said) {
        missing.push_back(fmt::format("--column '{}={}'", column.name, example_value(column.type)));
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
      missing.push_back(fmt::format("--column '{}={}'", column.name, example_value(column.type)));
    }
  }
  if (!missing.empty()) {
    const bool values = missing.size() > of_the_key;
    throw SizeError(fmt::format("nothing says {} {}; add {}{}", values ? "how long the values of" : "what",
                                fmt::format("{} {}", missing.size() == 1 ? "a column" : "some columns",
                                            values                ? "are"
                                            : missing.size() == 1 ? "holds"
                                                                  : "hold"),
                                fmt::join(missing, " "),
                                !values           ? ""
                                : of_the_key == 0 ? "; null instead leaves a column out"
                                                  : "; null instead leaves a column out that is not of the key"));
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
  constexpr Bytes deletion_bytes = 6 + 3;
  const ElementBytes elements = element_bytes(column, rule, given->second);
  const Bytes bytes = deletion_bytes + unsigned_vint_size(static_cast<std::uint64_t>(elements.count)) + elements.bytes;
  more_cells_per_row_ += elements.count - 1;
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
  const Seconds bucket_s =
      name.kind == BucketName::Kind::equal ? name.length_s : name.nominal_length_s() + 10 * seconds_per_day;
  const Seconds length_s = buckets * bucket_s;
  std::string ini =
      fmt::format("[run]\nschema = schema.cql\nlength = {}s\n[node]\nformat = {}\n[stream.size]\ntable = {}\n",
                  length_s, question_.format, table_.name);
  ini += fleet ? fmt::format("entities = from({})\n", rate)
               : fmt::format("entities = {}\nrate = {}\n", entities_for(rate), rate);
  ini += fmt::format("column.{} = {}\n", bucket_column_, bucket);
  // A key of year, month and day has no longer buckets than its year and its month.
  for (const auto& [column, length] : coarser_) {
    const bool longer = name.nominal_length_s() > read_bucket(length).nominal_length_s();
    ini += fmt::format("column.{} = {}\n", column, longer ? bucket : length);
  }
  if (!shard_column_.empty()) ini += fmt::format("column.{} = shard({})\n", shard_column_, shards);
  if (table_.is_counter() || table_.compact_storage) ini += "op = update\n";
  if (!written_.empty()) ini += fmt::format("columns = {}\n", fmt::join(written_, " + "));
  for (const std::string& line : column_lines_) ini += line + "\n";
  const auto read = [&](const std::string& file) -> std::optional<std::string> {
    if (file == "schema.cql") return cql_;
    return question_.read ? question_.read(file) : std::nullopt;
  };
  try {
    LoadedScenario loaded = load_scenario("size.ini", ini, {}, read);
    double rows_per_s = 0;
    for (const WriterSpec& writer : loaded.scenario.writers) rows_per_s = std::max(rows_per_s, writer.rows_per_s());
    const double gap_s = rows_per_s > 0 ? 1 / rows_per_s : 0;
    constexpr Seconds longest_s = 100 * 365 * seconds_per_day;
    if (2 * gap_s <= static_cast<double>(bucket_s)) return loaded;
    // Somebody who writes less than a row a bucket: so long that there are many.
    const auto longer_s = static_cast<Seconds>(std::min(100 * gap_s, static_cast<double>(longest_s))) + length_s;
    const std::vector<std::string> longer = {fmt::format("run.length={}s", std::min(longer_s, longest_s))};
    return load_scenario("size.ini", ini, longer, read);
  } catch (const ScenarioError& error) {
    const Mistake& mistake = error.mistake();
    if (mistake.place.file() != "size.ini" && mistake.place.line > 0) throw SizeError(error.what());
    std::string key = mistake.key.starts_with("stream.size") || mistake.key.starts_with("node.") ? mistake.key : "";
    const std::size_t from = key.find("column.");
    if (from != std::string::npos)
      key = fmt::format("--column {}{}", key.substr(from + 7), mistake.value.empty() ? "" : "=");
    if (key == "stream.size.rate") key = "--rate ";
    if (key == "stream.size.table") key = "--table ";
    if (key == "stream.size.entities") key = fleet ? "--rate " : "--entities ";
    if (key == "node.format") key = "--sstable-format ";
    throw SizeError(
        fmt::format("{}{}: {}{}{}{}", key, mistake.value, mistake.problem, mistake.accepted.empty() ? "" : "; accepts ",
                    mistake.accepted,
                    mistake.nearest.empty() ? std::string() : fmt::format("; did you mean {}?", mistake.nearest)));
  }
}

}  // namespace windrow
