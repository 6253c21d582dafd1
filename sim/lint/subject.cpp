#include "sim/lint/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "sim/base/arithmetic.h"
#include "sim/size/key_roles.h"
#include "sim/size/span_names.h"
#include "sim/size/time_window.h"

namespace windrow {

namespace {

std::shared_ptr<const SourceText> schema_text(const LoadedScenario& scenario) {
  const std::string& name = scenario.text.run.schema->text;
  const auto found = std::ranges::find_if(scenario.inputs, [&](const auto& input) { return input->name == name; });
  if (found != scenario.inputs.end()) return *found;
  const auto cql =
      std::ranges::find_if(scenario.inputs, [&](const auto& input) { return input->name.ends_with(name); });
  return cql != scenario.inputs.end() ? *cql : std::make_shared<const SourceText>();
}

bool is_partition_key(const Table& table, const std::string& column) {
  const Column* found = table.find_column(column);
  return found != nullptr && found->kind == Column::Kind::partition_key;
}

}  // namespace

LintSubject lint_subject(const Schema& schema, const std::vector<std::shared_ptr<const SourceText>>& texts) {
  LintSubject subject;
  for (const auto& text : texts) subject.places.add(text);
  for (const Keyspace& keyspace : schema.keyspaces) {
    for (const Table& table : keyspace.tables) subject.tables.push_back({.schema = &table});
  }
  return subject;
}

LintSubject lint_subject(const LoadedScenario& scenario) {
  LintSubject subject = lint_subject(scenario.schema, {schema_text(scenario)});
  subject.scenario = &scenario;
  for (LintTable& table : subject.tables) {
    const auto& specs = scenario.scenario.tables;
    const auto spec = std::ranges::find_if(specs, [&](const TableSpec& each) {
      return each.schema.name == table.schema->name && each.schema.keyspace == table.schema->keyspace;
    });
    if (spec == specs.end()) continue;
    table.spec = &*spec;
    table.schema = &spec->schema;
    table.index = static_cast<int>(spec - specs.begin());
    for (const WriterSpec& writer : scenario.scenario.writers) {
      if (writer.table == table.index) table.writers.push_back(&writer);
    }
    for (const Named<StreamSection>& stream : scenario.text.streams) {
      const bool writes =
          std::ranges::any_of(table.writers, [&](const WriterSpec* writer) { return writer->stream == stream.name; });
      if (writes) table.streams.push_back(&stream);
    }
  }
  return subject;
}

Place LintSubject::option(const LintTable& table, std::string_view option, std::string_view entry) const {
  if (scenario != nullptr) {
    std::string name(option);
    if (!entry.empty()) name += "." + std::string(entry);
    for (const Named<TableSection>& section : scenario->text.tables) {
      const auto found = section.section.option.find(name);
      const bool same =
          section.name == table.schema->name || section.name == table.schema->keyspace + "." + table.schema->name;
      if (same && found != section.section.option.end()) return found->second.place();
    }
  }
  return places.option(*table.schema, option, entry);
}

/// A schema alone: rows come in order of a time that is an event's own, or of a number that with the bucket before it
/// is one. Counters are added to; without a TTL `updated_at` moves, and goes with its id.
static bool orders_events(const Table& table) {
  const Column* time = time_column(table);
  const auto counts = [](const Column& column) { return column.type.kind == CqlType::Kind::counter; };
  if (std::ranges::any_of(table.columns, counts)) return false;
  if (time == nullptr || time->type.kind == CqlType::Kind::date) return numbers_a_bucket(table);
  // A time of day alone comes round again.
  if (time->type.kind == CqlType::Kind::time && bucket_column(table) == nullptr &&
      std::ranges::none_of(table.clustering(), [&](const Column& column) {
        return column.position < time->position && names_a_bucket(table, column);
      }))
    return false;
  if (table.options.default_time_to_live > 0) return true;
  if (is_behind_ids(table)) return false;
  static constexpr std::array moving{"updated",    "modified", "expires",    "expire",   "expiry",
                                     "expiration", "due",      "birth",      "deadline", "until",
                                     "scheduled",  "valid",    "visibility", "last",     "next"};
  return std::ranges::none_of(words_of_name(time->name),
                              [](const std::string& word) { return std::ranges::find(moving, word) != moving.end(); });
}

bool is_a_row_a_day(const Table& table) {
  if (table.clustering().empty()) return false;
  const Column& last = table.clustering().back();
  const Column* time = time_column(table);
  if (time != nullptr) return time->type.kind == CqlType::Kind::date && time == &last;
  return names_a_bucket(table, last) && bucket_length_named(table, last) >= seconds_per_day;
}

bool is_behind_ids(const Table& table) {
  using Kind = CqlType::Kind;
  const Column* time = time_column(table);
  const auto is_id = [&](const Column& column) {
    const std::vector<std::string> words = words_of_name(column.name);
    const auto has = [&](const char* word) { return std::ranges::find(words, word) != words.end(); };
    if (has("type") || has("kind") || has("status") || has("state") || names_a_bucket(table, column)) return false;
    const Kind kind = column.type.kind;
    return has("id") || has("key") || kind == Kind::uuid || kind == Kind::timeuuid || kind == Kind::text ||
           kind == Kind::ascii || kind == Kind::blob;
  };
  return time != nullptr && std::ranges::count_if(table.clustering(), [&](const Column& column) {
                              return column.position < time->position && is_id(column);
                            }) > 1;
}

bool is_said_to_be_time(const LintTable& table, const Column& column) {
  return std::ranges::any_of(table.writers, [&](const WriterSpec* writer) {
    return std::ranges::any_of(writer->clustering, [&](const ClusteringSpec& spec) {
      return spec.source == ClusteringSpec::Source::time && spec.column == column.name;
    });
  });
}

bool is_time_series(const LintTable& table) {
  const bool written_by_time = std::ranges::any_of(
      table.schema->clustering(), [&](const Column& column) { return is_said_to_be_time(table, column); });
  if (is_a_row_a_day(*table.schema)) return false;
  if (table.written())
    return written_by_time || time_column(*table.schema) != nullptr || numbers_a_bucket(*table.schema);
  return orders_events(*table.schema);
}

bool is_written_once(const LintTable& table) { return is_append_only(table) && expires_always(table); }

Seconds windowed_s(const LintTable& table) { return windowed_s(longest_ttl(table), table.options().gc_grace_seconds); }

std::string good_window(const LintTable& table, const LintSubject& subject) {
  const auto bucket = time_bucket(table, subject);
  return window_for(windowed_s(table), bucket ? bucket->length_s : 0).cql();
}

bool is_append_only(const LintTable& table) {
  return std::ranges::all_of(table.writers, [](const WriterSpec* writer) {
    return writer->op == WriteOp::insert || writer->op == WriteOp::update;
  });
}

std::vector<Seconds> lifetimes(const LintTable& table) {
  const Seconds table_ttl_s = table.options().default_time_to_live;
  std::set<Seconds> all;
  for (const WriterSpec* writer : table.writers) {
    if (writer->op == WriteOp::remove) continue;
    for (const TtlShare& share : writer->ttl) all.insert(share.ttl_s < 0 ? table_ttl_s : share.ttl_s);
  }
  if (all.empty()) all.insert(table_ttl_s);
  std::vector<Seconds> sorted(all.begin(), all.end());
  if (sorted.front() == 0) std::rotate(sorted.begin(), sorted.begin() + 1, sorted.end());
  return sorted;
}

bool expires_always(const LintTable& table) { return lifetimes(table).back() > 0; }

Seconds longest_ttl(const LintTable& table) { return std::ranges::max(lifetimes(table)); }

std::optional<LintBucket> time_bucket(const LintTable& table, const LintSubject& subject) {
  std::optional<LintBucket> bucket;
  for (const Named<StreamSection>* stream : table.streams) {
    for (const auto& [name, rule] : stream->section.column) {
      const ColumnRule& first = rule->parts.front().value;
      if (first.kind != ColumnRule::Kind::bucket || !is_partition_key(*table.schema, name)) continue;
      const Seconds length_s = first.bucket.nominal_length_s();
      if (!bucket || length_s < bucket->length_s)
        bucket = LintBucket{.column = name, .length_s = length_s, .place = rule.place()};
    }
  }
  if (table.written()) return bucket;
  const Column* column = bucket_column(*table.schema);
  if (column == nullptr) return std::nullopt;
  return LintBucket{.column = column->name,
                    .length_s = bucket_length_named(*table.schema, *column),
                    .place = subject.places.column(*table.schema, column->name)};
}

bool is_table_per_period(const LintTable& table) {
  if (table.spec != nullptr) return table.spec->per == TableSpec::Per::month;
  const std::vector<std::string> words = words_of_name(table.schema->name);
  if (words.empty()) return false;
  const auto is_year = [](const std::string& word) {
    return word.size() >= 4 && word.size() <= 8 && (word.starts_with("19") || word.starts_with("20")) &&
           word.find_first_not_of("0123456789") == std::string::npos;
  };
  return std::ranges::any_of(words, is_year);
}

std::optional<Seconds> window_s(const LintTable& table) { return time_window_s(table.options().compaction_options); }

bool counts_microseconds(const LintTable& table) {
  const auto* windows = std::get_if<TimeWindowOptions>(&table.options().compaction_options);
  return windows == nullptr || windows->timestamp_resolution == "MICROSECONDS";
}

double peak_events_per_s(const WriterSpec& writer) {
  double peak = 0;
  for (const RateStretch& stretch : writer.rate)
    peak = std::max(peak, static_cast<double>(stretch.rows) * 1e6 / static_cast<double>(stretch.period_us));
  return peak / static_cast<double>(writer.entities * writer.shards);
}

std::string span_text(Seconds span_s) {
  struct Unit {
    const char* name = "";
    Seconds length_s = 1;
  };
  static constexpr std::array units{Unit{"d", seconds_per_day}, Unit{"h", 3'600}, Unit{"min", 60}};
  for (const Unit& unit : units) {
    if (span_s < unit.length_s) continue;
    if (span_s % unit.length_s == 0)
      return fmt::format("{} {}", count_text(static_cast<double>(span_s / unit.length_s)), unit.name);
    return fmt::format("{:.1f} {}", static_cast<double>(span_s) / static_cast<double>(unit.length_s), unit.name);
  }
  return fmt::format("{} s", span_s);
}

std::string count_of(double count, std::string_view noun) {
  const std::string number = count_text(count);
  return fmt::format("{} {}{}", number, noun, number == "1" ? "" : "s");
}

std::string count_text(double count) {
  std::string text = fmt::format("{:.0f}", count);
  for (auto place = static_cast<std::ptrdiff_t>(text.size()) - 3; place > 0; place -= 3)
    text.insert(static_cast<std::size_t>(place), ",");
  return text;
}

}  // namespace windrow
