#include "sim/size/key_roles.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string_view>

#include "sim/size/span_names.h"

namespace windrow {

namespace {

using Kind = CqlType::Kind;

constexpr Seconds shortest_month_s = 28 * seconds_per_day;  // the shortest

bool is_whole_number(const CqlType& type) {
  return type.kind == Kind::int_ || type.kind == Kind::smallint || type.kind == Kind::tinyint ||
         type.kind == Kind::bigint || type.kind == Kind::varint;
}

bool can_hold_a_bucket(const CqlType& type) {
  return is_whole_number(type) || type.kind == Kind::text || type.kind == Kind::ascii || type.kind == Kind::date ||
         type.kind == Kind::timestamp || type.kind == Kind::timeuuid;
}

/// Named by nothing but a unit of time, of which it is so many: minutes int.
bool is_number_of_spans(const Column& column) {
  static constexpr std::array units{"minutes", "hours", "days"};
  const std::vector<std::string> words = words_of_name(column.name);
  return is_whole_number(column.type) && words.size() == 1 && std::ranges::find(units, words.front()) != units.end();
}

bool names_time(const Column& column) { return std::ranges::any_of(words_of_name(column.name), is_word_of_time); }

bool holds_a_moment(const CqlType& type) { return type.kind == Kind::timestamp || type.kind == Kind::timeuuid; }

bool is_number(std::string_view word) { return word.find_first_not_of("0123456789") == std::string_view::npos; }

/// Nothing but spans of time and how many of them.
bool is_spans_alone(std::span<const std::string> words) {
  return std::ranges::all_of(words,
                             [](const std::string& word) { return is_number(word) || span_named(word) != nullptr; });
}

bool can_be_of(const NamedSpan& span, const Column& column, std::size_t words) {
  return can_hold_a_bucket(column.type) && (!span.of_numbers || words > 1 || column.type.kind != Kind::text);
}

/// Another column of the key is a span of time in the same language.
bool is_supported(const Table& table, const Column& column, const NamedSpan& span) {
  return std::ranges::any_of(table.columns, [&](const Column& other) {
    const bool of_the_key = other.kind == Column::Kind::partition_key || other.kind == Column::Kind::clustering;
    if (!of_the_key || &other == &column || other.name == column.name) return false;
    const std::vector<std::string> words = words_of_name(other.name);
    return is_spans_alone(words) && std::ranges::any_of(words, [&](const std::string& word) {
             const NamedSpan* found = span_named(word);
             return found != nullptr && can_be_of(*found, other, words.size()) && supports(*found, span);
           });
  });
}

/// The spans that a name speaks of, word for word; nullptr where it speaks of none.
std::vector<const NamedSpan*> spans_named(const Table& table, const Column& column) {
  const std::vector<std::string> words = words_of_name(column.name);
  std::vector<const NamedSpan*> spans;
  for (const std::string& word : words) spans.push_back(span_named(word));
  const std::vector<const NamedSpan*> all = spans;
  const bool alone = is_spans_alone(words);
  for (const NamedSpan*& span : spans) {
    if (span == nullptr || !span->doubtful) continue;
    const auto beside = [&](const NamedSpan* other) { return other != nullptr && supports(*other, *span); };
    const bool certain = alone && can_be_of(*span, column, words.size()) &&
                         (std::ranges::any_of(all, beside) || is_supported(table, column, *span));
    if (!certain) span = nullptr;
  }
  return spans;
}

}  // namespace

bool names_a_bucket(const Table& table, const Column& column) {
  if (!can_hold_a_bucket(column.type)) return false;
  // In a partition key a time can only be the beginning of a bucket: each row would be a partition.
  const bool key_time = column.kind == Column::Kind::partition_key && column.position > 0;
  if (key_time && (column.type.kind == Kind::timestamp || (column.type.kind == Kind::bigint && names_time(column))))
    return true;
  if (column.type.kind == Kind::date) return true;
  if (column.kind == Column::Kind::clustering && holds_a_moment(column.type)) {
    const std::vector<std::string> words = words_of_name(column.name);
    if (names_day_and_time(words) || names_date(words)) return false;
  }
  return std::ranges::any_of(spans_named(table, column), [](const NamedSpan* span) { return span != nullptr; });
}

Seconds bucket_length_named(const Table& table, const Column& column) {
  const std::vector<std::string> words = words_of_name(column.name);
  if (holds_a_moment(column.type) && names_day_and_time(words)) return 0;
  const std::vector<const NamedSpan*> spans = spans_named(table, column);
  Seconds finest_s = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const NamedSpan* span = spans[i];
    if (span == nullptr || span->length_s == 0) continue;
    std::int64_t times = 1;
    if (i > 0) std::from_chars(words[i - 1].data(), words[i - 1].data() + words[i - 1].size(), times);
    const Seconds length_s = span->length_s * std::clamp<std::int64_t>(times, 1, 1000);
    finest_s = finest_s == 0 ? length_s : std::min(finest_s, length_s);  // year_month: a month
  }
  return finest_s == 0 && column.type.kind == Kind::date ? seconds_per_day : finest_s;
}

std::optional<GuessedBucket> guessed_bucket(const Table& table) {
  std::optional<GuessedBucket> guessed;
  for (const Column& column : table.partition_key()) {
    if (names_a_bucket(table, column)) return std::nullopt;
    const NamedSpan* span = span_named(column.name);
    if (guessed || span == nullptr || !span->doubtful || !can_be_of(*span, column, 1)) continue;
    guessed = {.column = &column, .length_s = span->length_s, .languages = languages_text(span->languages)};
  }
  return guessed;
}

bool names_a_thing_that_ends(const Column& column) {
  static constexpr std::array things{"trace", "session", "request", "run", "job", "order", "call", "trip"};
  const std::vector<std::string> words = words_of_name(column.name);
  return std::ranges::any_of(words,
                             [](const std::string& word) { return std::ranges::find(things, word) != things.end(); });
}

bool may_be_bucket_or_entity(const Table& table) {
  const auto key = table.partition_key();
  if (key.size() != 1 || key.front().type.kind == Kind::date || key.front().type.kind == Kind::timestamp) return false;
  if (table.clustering().empty()) return false;
  return guessed_bucket(table) || (names_a_bucket(table, key.front()) && bucket_length_named(table, key.front()) == 0);
}

std::vector<KeyRole> partition_key_roles(const Table& table) {
  const auto key = table.partition_key();
  std::vector<KeyRole> roles(key.size(), KeyRole::entity);
  const auto is_number_bucket = [&](std::size_t i) {
    return is_whole_number(key[i].type) && bucket_length_named(table, key[i]) == 0;
  };
  bool bucket = false;
  for (std::size_t i = 0; i < key.size(); ++i) {
    // The first column of a longer key says whose rows they are, unless its name is that of a span of time.
    const bool alone = key.size() == 1 || i > 0;
    if (!names_a_bucket(table, key[i]) ||
        (!alone && key[i].type.kind == Kind::text && bucket_length_named(table, key[i]) == 0))
      continue;
    if (may_be_bucket_or_entity(table)) continue;
    roles[i] = KeyRole::time_bucket;
    bucket = bucket || !is_number_bucket(i);
  }
  // Beside a bucket of a known length, a text without one is whose rows they are: ((symbol, date_bucket, interval), t);
  // and a number of minutes, hours or days says how long something is: ((minutes, object, date), t).
  const auto known = [&](const Column& column) {
    return names_a_bucket(table, column) && bucket_length_named(table, column) > 0 && !is_number_of_spans(column);
  };
  const bool length_known = std::ranges::any_of(key, known);
  for (std::size_t i = 0; i < key.size() && length_known; ++i) {
    const bool no_length = key[i].type.kind == Kind::text && bucket_length_named(table, key[i]) == 0;
    if (no_length || is_number_of_spans(key[i])) roles[i] = KeyRole::entity;
  }
  for (std::size_t i = 0; i < key.size(); ++i) {
    const std::vector<std::string> words = words_of_name(key[i].name);
    const bool named_shard = std::ranges::find(words, "shard") != words.end();
    if (is_whole_number(key[i].type) &&
        (named_shard || (roles[i] == KeyRole::time_bucket && bucket && is_number_bucket(i))))
      roles[i] = KeyRole::shard;
  }
  if (const auto guessed = guessed_bucket(table); guessed && key.size() > 1)
    roles[static_cast<std::size_t>(guessed->column->position)] = KeyRole::time_bucket;
  // A letter speaks of time only beside a month or a year: ((id, ym, d), t).
  const bool beside_months = std::ranges::any_of(key, [&](const Column& column) {
    return names_a_bucket(table, column) && bucket_length_named(table, column) >= shortest_month_s;
  });
  for (std::size_t i = 1; i < key.size() && beside_months; ++i) {
    const bool letter = key[i].name == "m" || key[i].name == "d" || key[i].name == "h";
    if (letter && is_whole_number(key[i].type)) roles[i] = KeyRole::time_bucket;
  }
  return roles;
}

const Column* bucket_column(const Table& table) {
  const std::vector<KeyRole> roles = partition_key_roles(table);
  const Column* finest = nullptr;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles[i] != KeyRole::time_bucket) continue;
    const Column& column = table.partition_key()[i];
    const Seconds length_s = bucket_length_named(table, column);
    const bool finer =
        finest == nullptr ||
        (length_s > 0 && (bucket_length_named(table, *finest) == 0 || length_s < bucket_length_named(table, *finest)));
    if (finer) finest = &column;
  }
  return finest;
}

const Column* time_column(const Table& table) {
  const auto clustering = table.clustering();
  const auto first_of = [&](auto wanted) -> const Column* {
    const auto found = std::ranges::find_if(clustering, wanted);
    return found == clustering.end() ? nullptr : &*found;
  };
  // A bucket in front of the time is no time of its own.
  const Column* last_time = nullptr;
  for (const Column& column : clustering) {
    if (column.type.kind != Kind::timestamp && column.type.kind != Kind::timeuuid) continue;
    if (last_time == nullptr || names_a_bucket(table, *last_time)) last_time = &column;
  }
  if (last_time != nullptr) return last_time;
  for (const Kind kind : {Kind::time, Kind::date})
    if (const Column* time = first_of([&](const Column& c) { return c.type.kind == kind; })) return time;
  return first_of([](const Column& c) {
    const bool counts = c.type.kind == Kind::bigint || c.type.kind == Kind::int_ || c.type.kind == Kind::double_;
    return counts && names_time(c);
  });
}

/// The finest number that names a span of time, and that no other number comes after: hour, not the hour before a
/// milli.
static const Column* number_of_time(const Table& table) {
  const Column* time = time_column(table);
  if (time != nullptr && time->type.kind != Kind::date) return nullptr;
  const Column* finest = nullptr;
  const Column* last = nullptr;
  for (const Column& column : table.clustering()) {
    if (!is_whole_number(column.type)) continue;
    last = &column;
    if (!names_a_bucket(table, column) || bucket_length_named(table, column) == 0) continue;
    const bool of_a_day = bucket_length_named(table, column) < seconds_per_day;
    if (time != nullptr && (column.position < time->position || !of_a_day)) continue;
    if (finest == nullptr || bucket_length_named(table, column) < bucket_length_named(table, *finest)) finest = &column;
  }
  return finest == last ? finest : nullptr;
}

bool numbers_a_time_of_day(const Table& table) {
  int parts = 0;
  for (const Column& column : table.columns) {
    const bool of_the_key = column.kind == Column::Kind::partition_key || column.kind == Column::Kind::clustering;
    if (!of_the_key || !names_a_bucket(table, column)) continue;
    const Seconds length_s = bucket_length_named(table, column);
    if (!is_whole_number(column.type) || length_s == 0 || length_s >= seconds_per_day) return false;
    ++parts;
  }
  return parts > 1;
}

bool numbers_a_bucket(const Table& table) {
  const Column* number = number_of_time(table);
  if (number == nullptr || numbers_a_time_of_day(table)) return false;
  const Column* bucket = bucket_column(table);
  const auto longer = [&](const Column& column) {
    return bucket_length_named(table, column) > bucket_length_named(table, *number);
  };
  return (bucket != nullptr && longer(*bucket)) || std::ranges::any_of(table.clustering(), [&](const Column& column) {
           return column.position < number->position && names_a_bucket(table, column) && longer(column);
         });
}

const Column* numbered_time(const Table& table) {
  const Column* number = number_of_time(table);
  if (number == nullptr) return nullptr;
  const bool small = number->type.kind == Kind::smallint || number->type.kind == Kind::tinyint;
  return small || numbers_a_bucket(table) ? number : nullptr;
}

const Column* lone_span(const Table& table) {
  if (time_column(table) != nullptr || numbered_time(table) != nullptr) return nullptr;
  const auto named = [&](const Column& column) {
    return names_a_bucket(table, column) && bucket_length_named(table, column) > 0;
  };
  const auto columns = table.clustering();
  const auto found = std::ranges::find_if(columns, named);
  return found != columns.end() && std::ranges::count_if(columns, named) == 1 ? &*found : nullptr;
}

}  // namespace windrow
