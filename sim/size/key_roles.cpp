#include "sim/size/key_roles.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

namespace windrow {

namespace {

using Kind = CqlType::Kind;

struct NamedSpan {
  std::string_view word{};
  Seconds length_s = 0;  // 0: a bucket of any length
};

constexpr Seconds minute_s = 60;
constexpr Seconds hour_s = 3'600;
constexpr Seconds month_s = 2'629'746;  // a twelfth of the Gregorian year
constexpr std::array spans{
    NamedSpan{"minute", minute_s},
    NamedSpan{"minutes", minute_s},
    NamedSpan{"min", minute_s},
    NamedSpan{"hour", hour_s},
    NamedSpan{"hours", hour_s},
    NamedSpan{"hourly", hour_s},
    NamedSpan{"day", seconds_per_day},
    NamedSpan{"days", seconds_per_day},
    NamedSpan{"daily", seconds_per_day},
    NamedSpan{"date", seconds_per_day},
    NamedSpan{"ymd", seconds_per_day},
    NamedSpan{"yyyymmdd", seconds_per_day},
    NamedSpan{"week", 7 * seconds_per_day},
    NamedSpan{"weekly", 7 * seconds_per_day},
    NamedSpan{"month", month_s},
    NamedSpan{"monthly", month_s},
    NamedSpan{"yyyymm", month_s},
    NamedSpan{"quarter", 3 * month_s},
    NamedSpan{"year", 12 * month_s},
    NamedSpan{"yyyy", 12 * month_s},
    NamedSpan{"bucket", 0},
    NamedSpan{"epoch", 0},
    NamedSpan{"period", 0},
    NamedSpan{"timebucket", 0},
    NamedSpan{"partition", 0},
    NamedSpan{"dpart", 0},
    NamedSpan{"slice", 0},
    NamedSpan{"timeslice", 0},
    NamedSpan{"slot", 0},
    NamedSpan{"timeslot", 0},
    NamedSpan{"interval", 0},
    NamedSpan{"yyyymmddhh", hour_s},
    NamedSpan{"ymdh", hour_s},
    NamedSpan{"yyyyww", 7 * seconds_per_day},
    NamedSpan{"ym", month_s},
};

// What stands before a span in names that are written in one word: epochday, eventdate, logdate.
constexpr std::array before_spans{std::string_view("epoch"), std::string_view("event"),   std::string_view("log"),
                                  std::string_view("trade"), std::string_view("reading"), std::string_view("record"),
                                  std::string_view("time"),  std::string_view("utc"),     std::string_view("local")};

const NamedSpan* find_span(std::string_view word) {
  const auto* found = std::ranges::find(spans, word, &NamedSpan::word);
  return found == spans.end() ? nullptr : found;
}

/// The finer of two spans; one without a length is the coarser.
const NamedSpan* finer(const NamedSpan* a, const NamedSpan* b) {
  if (a->length_s == 0 || b->length_s == 0) return a->length_s == 0 ? b : a;
  return b->length_s < a->length_s ? b : a;
}

/// Of names in one word, too: yearmonth, daybucket, epochday, event_dt.
const NamedSpan* span_named(std::string_view word) {
  if (const NamedSpan* found = find_span(word)) return found;
  for (std::size_t cut = 2; cut + 2 < word.size(); ++cut) {
    const std::string_view front = word.substr(0, cut);
    const NamedSpan* back = find_span(word.substr(cut));
    if (back == nullptr) continue;
    if (std::ranges::find(before_spans, front) != before_spans.end()) return back;
    if (const NamedSpan* first = find_span(front)) return finer(first, back);
  }
  return word.ends_with("dt") ? find_span("date") : nullptr;
}

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

bool names_time(const Column& column) {
  static constexpr std::array words{"time", "timestamp", "ts", "timeuuid", "at", "when", "created", "epoch", "millis"};
  return std::ranges::any_of(words_of_name(column.name),
                             [](const std::string& word) { return std::ranges::find(words, word) != words.end(); });
}

enum class Letter { lower, upper, digit, other };
Letter letter_kind(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (std::isdigit(byte) != 0) return Letter::digit;
  if (std::isupper(byte) != 0) return Letter::upper;
  return std::isalpha(byte) != 0 || byte >= 0x80 ? Letter::lower : Letter::other;
}

}  // namespace

std::vector<std::string> words_of_name(std::string_view name) {
  std::vector<std::string> words;
  Letter before = Letter::other;
  for (const char c : name) {
    const Letter kind = letter_kind(c);
    const bool goes_on = kind == before || (before == Letter::upper && kind == Letter::lower);
    if (kind != Letter::other) {
      if (!goes_on) words.emplace_back();
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    before = kind;
  }
  return words;
}

bool names_a_bucket(const Column& column) {
  if (!can_hold_a_bucket(column.type)) return false;
  // In a partition key a time can only be the beginning of a bucket: each row would be a partition.
  const bool key_time = column.kind == Column::Kind::partition_key && column.position > 0;
  if (key_time && (column.type.kind == Kind::timestamp || (column.type.kind == Kind::bigint && names_time(column))))
    return true;
  if (column.type.kind == Kind::date) return true;
  return std::ranges::any_of(words_of_name(column.name),
                             [](const std::string& word) { return span_named(word) != nullptr; });
}

Seconds bucket_length_named(const Column& column) {
  const std::vector<std::string> words = words_of_name(column.name);
  Seconds finest_s = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const NamedSpan* span = span_named(words[i]);
    if (span == nullptr || span->length_s == 0) continue;
    std::int64_t times = 1;
    if (i > 0) std::from_chars(words[i - 1].data(), words[i - 1].data() + words[i - 1].size(), times);
    const Seconds length_s = span->length_s * std::clamp<std::int64_t>(times, 1, 1000);
    finest_s = finest_s == 0 ? length_s : std::min(finest_s, length_s);  // year_month: a month
  }
  return finest_s == 0 && column.type.kind == Kind::date ? seconds_per_day : finest_s;
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
  return !table.clustering().empty() && names_a_bucket(key.front()) && bucket_length_named(key.front()) == 0;
}

std::vector<KeyRole> partition_key_roles(const Table& table) {
  const auto key = table.partition_key();
  std::vector<KeyRole> roles(key.size(), KeyRole::entity);
  const auto is_number_bucket = [&](std::size_t i) {
    return is_whole_number(key[i].type) && bucket_length_named(key[i]) == 0;
  };
  bool bucket = false;
  for (std::size_t i = 0; i < key.size(); ++i) {
    // The first column of a longer key says whose rows they are, unless its name is that of a span of time.
    const bool alone = key.size() == 1 || i > 0;
    if (!names_a_bucket(key[i]) || (!alone && key[i].type.kind == Kind::text && bucket_length_named(key[i]) == 0))
      continue;
    if (may_be_bucket_or_entity(table)) continue;
    roles[i] = KeyRole::time_bucket;
    bucket = bucket || !is_number_bucket(i);
  }
  // Beside a bucket of a known length, a text without one is whose rows they are: ((symbol, date_bucket, interval), t);
  // and a number of minutes, hours or days says how long something is: ((minutes, object, date), t).
  const auto known = [](const Column& column) {
    return names_a_bucket(column) && bucket_length_named(column) > 0 && !is_number_of_spans(column);
  };
  const bool length_known = std::ranges::any_of(key, known);
  for (std::size_t i = 0; i < key.size() && length_known; ++i) {
    const bool no_length = key[i].type.kind == Kind::text && bucket_length_named(key[i]) == 0;
    if (no_length || is_number_of_spans(key[i])) roles[i] = KeyRole::entity;
  }
  for (std::size_t i = 0; i < key.size(); ++i) {
    const std::vector<std::string> words = words_of_name(key[i].name);
    const bool named_shard = std::ranges::find(words, "shard") != words.end();
    if (is_whole_number(key[i].type) &&
        (named_shard || (roles[i] == KeyRole::time_bucket && bucket && is_number_bucket(i))))
      roles[i] = KeyRole::shard;
  }
  // A letter speaks of time only beside a month or a year: ((id, ym, d), t).
  const bool beside_months = std::ranges::any_of(
      key, [](const Column& column) { return names_a_bucket(column) && bucket_length_named(column) >= month_s; });
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
    const Seconds length_s = bucket_length_named(column);
    const bool finer = finest == nullptr ||
                       (length_s > 0 && (bucket_length_named(*finest) == 0 || length_s < bucket_length_named(*finest)));
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
    if (last_time == nullptr || names_a_bucket(*last_time)) last_time = &column;
  }
  if (last_time != nullptr) return last_time;
  if (const Column* time =
          first_of([](const Column& c) { return c.type.kind == Kind::time || c.type.kind == Kind::date; }))
    return time;
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
    if (!names_a_bucket(column) || bucket_length_named(column) == 0) continue;
    const bool of_a_day = bucket_length_named(column) < seconds_per_day;
    if (time != nullptr && (column.position < time->position || !of_a_day)) continue;
    if (finest == nullptr || bucket_length_named(column) < bucket_length_named(*finest)) finest = &column;
  }
  return finest == last ? finest : nullptr;
}

bool numbers_a_time_of_day(const Table& table) {
  int parts = 0;
  for (const Column& column : table.columns) {
    const bool of_the_key = column.kind == Column::Kind::partition_key || column.kind == Column::Kind::clustering;
    if (!of_the_key || !names_a_bucket(column)) continue;
    const Seconds length_s = bucket_length_named(column);
    if (!is_whole_number(column.type) || length_s == 0 || length_s >= seconds_per_day) return false;
    ++parts;
  }
  return parts > 1;
}

bool numbers_a_bucket(const Table& table) {
  const Column* number = number_of_time(table);
  if (number == nullptr || numbers_a_time_of_day(table)) return false;
  const Column* bucket = bucket_column(table);
  const auto longer = [&](const Column& column) { return bucket_length_named(column) > bucket_length_named(*number); };
  return (bucket != nullptr && longer(*bucket)) || std::ranges::any_of(table.clustering(), [&](const Column& column) {
           return column.position < number->position && names_a_bucket(column) && longer(column);
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
  const auto named = [](const Column& column) { return names_a_bucket(column) && bucket_length_named(column) > 0; };
  const auto columns = table.clustering();
  const auto found = std::ranges::find_if(columns, named);
  return found != columns.end() && std::ranges::count_if(columns, named) == 1 ? &*found : nullptr;
}

}  // namespace windrow
