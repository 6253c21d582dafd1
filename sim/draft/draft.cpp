#include "sim/draft/draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include "sim/resolve/column_forms.h"
#include "sim/resolve/entity_keys.h"
#include "sim/size/entity_column.h"
#include "sim/size/key_roles.h"
#include "sim/size/question_values.h"
#include "sim/size/span_names.h"

namespace windrow {

namespace {

using Kind = CqlType::Kind;

/// Names of sections are [a-z0-9_-]+.
std::string section_name(const std::string& table) {
  std::string name;
  for (const char c : table) {
    const auto byte = static_cast<unsigned char>(c);
    name += std::isalnum(byte) != 0 && byte < 0x80 ? static_cast<char>(std::tolower(byte)) : '_';
  }
  return name;
}

bool can_differ(const Column& column) {
  const std::vector<std::string> forms = key_forms(column);
  return std::ranges::find(forms, "unique") != forms.end();
}
bool can_be_each(const Column& column) {
  return std::ranges::any_of(key_forms(column), [](const std::string& form) { return form.starts_with("each("); });
}

bool is_text(const CqlType& type) { return type.kind == Kind::text || type.kind == Kind::ascii; }

/// How the values of a column are sized, as examples of an answer.
std::string examples_of(const CqlType& type) {
  const std::string example = example_value(type);
  if (type.kind == Kind::blob) return example + ", blob(lognormal(90, 280)): bytes, or their median and p99";
  if (is_text(type)) return example + ", text(lognormal(90, 280)): bytes, or their median and p99";
  return example;
}

/// Fields that an answer has to size.
std::string fields_of(const CqlType& type) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < type.field_names.size(); ++i) {
    if (natural_bytes(type.arguments[i]) < 0) names.push_back(type.field_names[i]);
  }
  return names.empty() ? std::string() : fmt::format(" ({})", fmt::join(names, ", "));
}

/// Of a table whose rows are partitions each, the column of the key that every row has a value of its own in.
std::optional<std::size_t> row_id_place(const Table& table) {
  if (!table.clustering().empty()) return std::nullopt;
  const auto key = table.partition_key();
  const auto found = std::ranges::find_if(
      key, [](const Column& column) { return column.type.kind == Kind::timeuuid || column.type.kind == Kind::uuid; });
  return found == key.end() ? std::nullopt : std::optional<std::size_t>(found - key.begin());
}

/// A bucket of this length, in the plainest words of the scenario language.
std::string length_word(Seconds length_s) {
  if (length_s == 60) return "minute";
  if (length_s == 3600) return "hour";
  if (length_s == seconds_per_day) return "day";
  if (length_s == 7 * seconds_per_day) return "week";
  if (length_s > 0 && length_s < 3600 && length_s % 60 == 0) return fmt::format("{}min", length_s / 60);
  return named_bucket(length_s);
}

/// The bucket that a name speaks of.
std::string bucket_word(const Table& table, const Column& column) {
  return length_word(bucket_length_named(table, column));
}

std::string rate_question(const Table& table) {
  const Column* time = time_column(table);
  if (time != nullptr && time->type.kind == Kind::date && &table.clustering().back() == time)
    return fmt::format("how often one of them writes a row: 1/day at the most, as {} tells days apart", time->name);
  if (const Column* number = numbered_time(table))
    return fmt::format("how often one of them writes a row: 1/{0} at the most, as {1} tells {0}s apart",
                       bucket_word(table, *number), number->name);
  return "how often one of them writes a row: 1/s, 20/min, lognormal(4/day, 400/day)";
}

/// A type that buckets have, under a name that is none of ours, and of no id.
bool may_be_a_bucket(const Column& column) {
  const std::vector<std::string> words = words_of_name(column.name);
  if (std::ranges::find(words, "id") != words.end()) return false;
  const CqlType& type = column.type;
  return is_text(type) || type.kind == Kind::int_ || type.kind == Kind::bigint || type.kind == Kind::timestamp;
}

/// Nothing in the key says who writes: all writers are one.
bool writers_are_one(const Table& table) {
  const auto columns = table.clustering();
  const Column* time = time_column(table);
  return !columns.empty() && !entity_place(table) && std::ranges::none_of(columns, [&](const Column& column) {
    return &column != time && can_be_entity(column.type) && bucket_length_named(table, column) == 0;
  });
}

class Draft {
 public:
  Draft(const std::string& schema_path, const std::string& name, const Keyspace& keyspace) {
    line("# {}.ini: a draft for {}. Each line that begins with #? is a question; the line below it takes the answer:",
         name, schema_path);
    line("# remove its # and write the answer behind the =. Then: windrow run {}.ini", name);
    line(
        "# Other lines with a # are settings with their defaults or an example. windrow keys says what each one "
        "means.");
    line("[run]");
    line("schema = {}", schema_path);
    line("start  = 2026-01-01");
    line("length = 1y");
    line("[node]");
    line("#heap = 8GiB");
    line("#disk = 2TiB                      # needed for the limit disk_used_share");
    line("#compaction_throughput = 64MiB/s");
    add_data_center(keyspace);
  }

  void add(const Table& table) {
    const std::string stream = free_section(section_name(table.name));
    line("");
    line("[table.{}]", table.name);
    line("#flush_size = 64MiB               # Data bytes of a flushed SSTable, as measured");
    line(
        "#compression_ratio = 0.4          # as nodetool tablestats prints it; without it disk figures are upper "
        "bounds");
    line("[stream.{}]", stream);
    line("table = {}", table.name);
    if (writers_are_one(table))
      question("entities", "who writes: 1, with the rate of all together, as no column of the key tells writers apart");
    else
      question("entities", "who writes: a number, pattern(device-%05d, 20000), named(a, b), from(fleet.csv)");
    question("rate", rate_question(table));
    add_partition_key(table);
    add_clustering(table);
    if (table.is_counter())
      line("op = update                      # counters are counted up");
    else if (table.clustering().empty() && !row_id_place(table))
      question("op", "each writer has one row, written again and again: overwrite(1000) where entities = 1000");
    else if (time_column(table) == nullptr)
      line(
          "#op = overwrite(1000)             # all writers together write so many rows again and again; else each is "
          "new");
    const auto values = table.regular_columns();
    for (const Column& column : values) add_value(column);
    const std::size_t left_out = add_statics(table);
    if (left_out == 0 && values.size() > 1)
      line("#columns = {} + {}   # only these are written: a null is a tombstone, what is left out costs nothing",
           values[0].name, values[1].name);
    if (table.options.default_time_to_live == 0 && !table.is_counter()) {
      line(
          "#ttl = 90d                        # the table has no default_time_to_live: without this rows stay for ever");
    }
  }

  std::string finish() {
    line("");
    line("[limits]");
    line("partition_size_max = 100MiB");
    line("sstables_max       = 150");
    line("held_back_share    = 20%          # of live bytes that have expired and are still there");
    line("#disk_used_share   = 50%");
    return std::move(text_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }
  void question(const std::string& key, const std::string& what) {
    line("#? {}", what);
    line("#{} =", key);
  }

  std::string free_section(std::string name) {
    while (!streams_.insert(name).second) name += "_2";
    return name;
  }

  void add_data_center(const Keyspace& keyspace) {
    std::vector<std::pair<std::string, std::string>> centers;
    for (const auto& [key, value] : keyspace.replication) {
      if (key != "class" && key != "replication_factor") centers.emplace_back(key, value);
    }
    const auto all = keyspace.replication.find("replication_factor");
    if (centers.empty() && all != keyspace.replication.end()) centers.emplace_back("main", all->second);
    for (const auto& [center, factor] : centers) {
      line("[dc.{}]                         # {} of every row, as keyspace {} says", center,
           factor == "1" ? "1 copy" : factor + " copies", keyspace.name);
      question("nodes", "how many nodes the data centre has: 6");
    }
    if (!centers.empty()) return;
    line("[dc.main]");
    line("#replication_factor = 3           # copies of every row; the schema has no keyspace that says it");
    question("nodes", "how many nodes the data centre has: 6");
  }

  void add_partition_key(const Table& table) {
    const std::vector<KeyRole> roles = partition_key_roles(table);
    const auto key = table.partition_key();
    const std::optional<std::size_t> entity = entity_place(table);
    const std::optional<std::size_t> row_id = row_id_place(table);
    const std::optional<GuessedBucket> guess = guessed_bucket(table);
    std::set<Seconds> guessed;
    for (std::size_t i = 0; i < key.size(); ++i) {
      const std::string column = "column." + key[i].name;
      if (roles[i] == KeyRole::shard) {
        question(column, "how many shards the writers use: shard(4)");
      } else if (guess && key.size() > 1 && guess->column == &key[i]) {
        question(column,
                 fmt::format("what {} holds: a bucket such as {} or month, if it is a time, as in {}; else beside "
                             "the writer {}",
                             key[i].name, length_word(guess->length_s), guess->languages,
                             fmt::join(key_forms(key[i]), ", ")));
      } else if (roles[i] == KeyRole::time_bucket && bucket_length_named(table, key[i]) > 0 &&
                 guessed.insert(bucket_length_named(table, key[i])).second) {
        line("{} = {}                  # guessed from its name", column, bucket_word(table, key[i]));
      } else if (roles[i] == KeyRole::time_bucket) {
        question(column,
                 fmt::format("what {} holds: a bucket such as minute, 10min, hour, day, week, month", key[i].name));
      } else if (i == row_id) {
        line(
            "{} = unique                # every write is a row of its own; if rows are written again: entity, and op = "
            "overwrite(1000, cyclic) below",
            column);
      } else if (i == entity && may_be_bucket_or_entity(table)) {
        question(column,
                 fmt::format("what {} holds: entity, if each writer has one for ever; a bucket such as hour, day, "
                             "week, if it is a time: then entities = 1, with the rate of all",
                             key[i].name));
      } else if (i == entity) {
        line("{} = entity{}", column,
             key.size() == 1 && names_a_thing_that_ends(key[i])
                 ? "                # or unique, with each(10) below: every write is a partition of ten rows; or "
                   "entities = "
                   "new(10/s, living 5min) above"
                 : "");
      } else {
        const std::vector<std::string> forms = key_forms(key[i]);
        question(column,
                 forms.empty()
                     ? fmt::format("{} is {}, and a scenario has no word for such a key: declare it as text here, as "
                                   "long as its value",
                                   key[i].name, with_article(key[i].type))
                     : fmt::format("what {} holds beside the writer: {}{}", key[i].name, fmt::join(forms, ", "),
                                   bucket_column(table) == nullptr && may_be_a_bucket(key[i])
                                       ? "; or, if it is a time, a bucket such as day, week, month"
                                       : ""));
      }
    }
  }

  void add_clustering(const Table& table) {
    const Column* time = numbered_time(table) != nullptr ? numbered_time(table) : time_column(table);
    // What comes before a row's own time, or before the last column of all: year, month, day, milli.
    const int tells_rows_apart = time != nullptr ? time->position : static_cast<int>(table.clustering().size()) - 1;
    bool entity = entity_place(table).has_value();
    for (const Column& column : table.clustering()) {
      const std::string name = "column." + column.name;
      if (&column == time) {
        line("{} = time", name);
      } else if (!entity && can_be_entity(column.type) && bucket_length_named(table, column) == 0) {
        line("{} = entity                  # nothing in the partition key says who writes{}", name,
             time != nullptr ? "" : "; or unique, with entities = 1: each row is another");
        entity = true;
      } else if (&column == lone_span(table) && column.position < tells_rows_apart) {
        question(name, fmt::format("what {0} holds: time, if each row is of another {1}; {1}, if a column after it "
                                   "tells rows of a {1} apart",
                                   column.name, bucket_word(table, column)));
      } else if (bucket_length_named(table, column) > 0 && names_a_bucket(table, column) &&
                 column.position < tells_rows_apart) {
        line("{} = {}                  # guessed from its name", name, bucket_word(table, column));
      } else if (is_text(column.type) && names_a_bucket(table, column)) {
        question(name, fmt::format("what {} holds: a bucket such as hour or day, each(50, text(20)), 'a constant'",
                                   column.name));
      } else if (time == nullptr || natural_bytes(column.type) <= 0 || !can_differ(column)) {
        question(name, fmt::format("what {} holds: {}{}", column.name, fmt::join(key_forms(column), ", "),
                                   can_be_each(column) ? "; each(n): so many rows at once" : ""));
      } else {
        line("{} = unique", name);
      }
    }
  }

  /// Returns how many are left out.
  std::size_t add_statics(const Table& table) {
    std::vector<std::string> written;
    std::vector<std::string> left_out;
    for (const Column& column : table.regular_columns()) written.push_back(column.name);
    bool any = false;
    for (const Column& column : table.static_columns()) {
      if (column.type.is_multi_cell()) {
        left_out.push_back(column.name);
        continue;
      }
      any = true;
      written.push_back(column.name);
      add_value(column);
    }
    if (any)
      line("#statics = once                   # static columns come with the first row of a partition; else with each");
    if (!left_out.empty() && !written.empty()) {
      line("columns = {}", fmt::join(written, " + "));
      line("# not {}: static columns of several cells are not modelled yet", left_out.front());
    }
    return left_out.size();
  }

  void add_value(const Column& column) {
    const bool sized = natural_bytes(column.type) >= 0 && !column.type.is_multi_cell();
    if (sized) return;
    question("column." + column.name,
             fmt::format("how large {}{} is: {}", column.name, fields_of(column.type), examples_of(column.type)));
  }

  std::string text_{};
  std::set<std::string> streams_{};
};

}  // namespace

std::string draft_scenario(const Schema& schema, const std::string& schema_path, const std::string& name,
                           const std::string& table) {
  std::vector<std::string> names;
  const auto asked = [&](const Table& each) {
    return table.empty() || each.name == table || each.keyspace + "." + each.name == table;
  };
  for (const Keyspace& keyspace : schema.keyspaces) {
    for (const Table& each : keyspace.tables) names.push_back(each.name);
  }
  const auto has_tables = [&](const Keyspace& keyspace) { return std::ranges::any_of(keyspace.tables, asked); };
  const auto first = std::ranges::find_if(schema.keyspaces, has_tables);
  if (names.empty()) throw DraftError("has no table; a scenario needs one");
  if (first == schema.keyspaces.end())
    throw DraftError(fmt::format("has no table {}; --table accepts {}", table, fmt::join(names, ", ")));
  Draft draft(schema_path, name, *first);
  for (const Keyspace& keyspace : schema.keyspaces) {
    for (const Table& each : keyspace.tables) {
      if (asked(each)) draft.add(each);
    }
  }
  return draft.finish();
}

}  // namespace windrow
