#include "sim/keys/column_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/nearest.h"

namespace windrow {

namespace {

constexpr Seconds hour_s = 3600;
constexpr Seconds week_s = 7 * seconds_per_day;
// Weeks of the ISO calendar begin on Monday; the epoch was a Thursday.
constexpr Seconds first_monday_s = 4 * seconds_per_day;
constexpr double largest_value_bytes = 16.0 * 1024 * 1024;

struct NamedBucket {
  std::string_view name{};
  BucketName::Kind kind = BucketName::Kind::equal;
  Seconds length_s = 0;
};
constexpr std::array<NamedBucket, 6> named_buckets = {{{"minute", BucketName::Kind::equal, 60},
                                                       {"hour", BucketName::Kind::equal, hour_s},
                                                       {"day", BucketName::Kind::equal, seconds_per_day},
                                                       {"week", BucketName::Kind::equal, week_s},
                                                       {"month", BucketName::Kind::month, 0},
                                                       {"year", BucketName::Kind::year, 0}}};

std::optional<BucketName> named_bucket(std::string_view name) {
  const auto found = std::ranges::find(named_buckets, name, &NamedBucket::name);
  if (found == named_buckets.end()) return std::nullopt;
  return BucketName{
      .kind = found->kind, .length_s = found->length_s, .from_monday = name == "week", .text = std::string(name)};
}

BucketName read_bucket_length(Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t at = cursor.at();
  const Duration length = read_duration(cursor);
  if (length.us < us_per_s || length.us % us_per_s != 0) cursor.fail(at, "is no bucket", "whole seconds, at least 1s");
  const Seconds length_s = length.us / us_per_s;
  return {.kind = BucketName::Kind::equal,
          .length_s = length_s,
          .text = std::string(cursor.text().substr(at, cursor.at() - at))};
}

BucketName read_bucket(Cursor& cursor) {
  cursor.skip_spaces();
  if (cursor.peek() >= '0' && cursor.peek() <= '9') return read_bucket_length(cursor);
  const std::size_t at = cursor.at();
  const std::string_view name = cursor.word();
  if (auto bucket = named_bucket(name)) return *bucket;
  cursor.fail(at, "is no bucket", "minute, hour, day, week, month, year or a time such as 10min");
}

double read_bytes(Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t at = cursor.at();
  const auto number = cursor.number();
  if (!number) cursor.fail(at, "is no number of bytes", "bytes such as 20, 1KiB, or a distribution of them");
  double bytes = number->value();
  if (const char c = cursor.peek(); (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
    cursor.move_to(at);
    bytes = static_cast<double>(read_size(cursor).bytes);
  }
  if (bytes > largest_value_bytes) cursor.fail(at, "is larger than a mutation may be", "values up to 16MiB");
  return bytes;
}

// text(20), blob(1KiB), or just 20
Distribution read_sizes(Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  const std::string_view form = cursor.word();
  if (form == "text" || form == "blob" || form == "bytes") {
    cursor.expect('(', "text(20), text(lognormal(90, 280))");
    Distribution sizes = read_distribution(cursor, read_bytes);
    cursor.expect(')', "text(20), text(lognormal(90, 280))");
    return sizes;
  }
  cursor.move_to(begin);
  return read_distribution(cursor, read_bytes);
}

std::int64_t read_count_of(Cursor& cursor, std::int64_t most) {
  cursor.skip_spaces();
  const std::size_t at = cursor.at();
  const std::int64_t count = read_whole_number(cursor, most);
  if (count < 1) cursor.fail(at, "is not at least 1", fmt::format("1 to {}", most));
  return count;
}

constexpr int deepest_part = 32;

PartSize read_part(Cursor& cursor, int depth);

// The number of elements, and sizes of what has none of its own: (5, text(10)) of texts, (5) of numbers.
void read_collection(Cursor& cursor, bool map, int depth, std::int64_t& elements, std::vector<PartSize>& parts) {
  cursor.skip_spaces();
  elements = read_whole_number(cursor, 65'535);
  const std::size_t most = map ? 2 : 1;
  while (parts.size() < most && cursor.take(',')) parts.push_back(read_part(cursor, depth));
}

void read_fields(Cursor& cursor, int depth, std::vector<PartSize>& parts) {
  do parts.push_back(read_part(cursor, depth));
  while (cursor.take(','));
}

// text(20), null, or what is one value within another: set(3, text(10)), udt(text(20))
PartSize read_part(Cursor& cursor, int depth) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  if (depth > deepest_part)
    cursor.fail(begin, "stands too deep", fmt::format("{} values within another", deepest_part));
  const std::string_view form = cursor.word();
  using Kind = PartSize::Kind;
  if (form == "null") return {.kind = Kind::null};
  PartSize part;
  part.kind = form == "set"    ? Kind::set
              : form == "list" ? Kind::list
              : form == "map"  ? Kind::map
              : form == "udt"  ? Kind::udt
                               : Kind::bytes;
  if (part.kind == Kind::bytes) {
    cursor.move_to(begin);
    part.bytes = read_sizes(cursor);
    return part;
  }
  cursor.expect('(', accepted_column_rules);
  if (part.kind == Kind::udt)
    read_fields(cursor, depth + 1, part.parts);
  else
    read_collection(cursor, part.kind == Kind::map, depth + 1, part.elements, part.parts);
  cursor.expect(')', accepted_column_rules);
  return part;
}

void read_rate_above(Cursor& cursor, std::string_view example, ColumnRule& value) {
  if (!cursor.take_word("above")) cursor.fail(cursor.at(), "needs `above` and a rate", std::string(example));
  value.fine_above_per_s = read_rate(cursor).per_s();
}

// shard(1), shard(16) above 5000/day
void read_adaptive_shards(Cursor& cursor, ColumnRule& value) {
  constexpr std::string_view example = "adaptive(shard(1), shard(16) above 5000/day)";
  const auto shards = [&] {
    cursor.skip_spaces();
    if (!cursor.take_word("shard")) cursor.fail(cursor.at(), "is no number of shards", std::string(example));
    cursor.expect('(', example);
    const std::int64_t count = read_count_of(cursor, 1'000'000);
    cursor.expect(')', example);
    return count;
  };
  value.kind = ColumnRule::Kind::shard;
  value.count = shards();
  cursor.expect(',', example);
  value.fine_count = shards();
  read_rate_above(cursor, example, value);
}

void read_adaptive(Cursor& cursor, ColumnRule& value) {
  cursor.skip_spaces();
  const std::size_t at = cursor.at();
  const bool shards = cursor.word() == "shard";
  cursor.move_to(at);
  if (shards) return read_adaptive_shards(cursor, value);
  value.kind = ColumnRule::Kind::bucket;
  value.bucket = read_bucket(cursor);
  cursor.expect(',', accepted_column_rules);
  value.fine_bucket = read_bucket(cursor);
  read_rate_above(cursor, "adaptive(day, hour above 5000/day)", value);
}

void read_call(Cursor& cursor, std::string_view name, ColumnRule& value) {
  using Kind = ColumnRule::Kind;
  cursor.expect('(', accepted_column_rules);
  if (name == "shard") {
    value.kind = Kind::shard;
    value.count = read_count_of(cursor, 1'000'000);
  } else if (name == "each") {
    value.kind = Kind::each;
    value.count = read_count_of(cursor, 1'000'000);
    if (cursor.take(',')) value.bytes = read_sizes(cursor);
  } else if (name == "rolling") {
    value.kind = Kind::bucket;
    value.rolling = read_count_of(cursor, 1'000'000);
    cursor.expect(',', accepted_column_rules);
    value.bucket = read_bucket(cursor);
  } else if (name == "adaptive") {
    read_adaptive(cursor, value);
  } else if (name == "append") {
    const std::size_t begin = cursor.at();
    const std::string_view collection = cursor.word();
    if (collection != "set" && collection != "list" && collection != "map")
      cursor.fail(begin, "appends no collection", "append(set(1, text(10))), append(list(…)), append(map(…))");
    read_call(cursor, collection, value);
    if (value.elements == 0) cursor.fail(begin, "appends nothing", "at least one element");
    value.append = true;
  } else if (name == "set" || name == "list" || name == "map") {
    value.kind = name == "set" ? Kind::set : name == "list" ? Kind::list : Kind::map;
    read_collection(cursor, value.kind == Kind::map, 1, value.elements, value.parts);
  } else if (name == "udt") {
    value.kind = Kind::udt;
    read_fields(cursor, 1, value.parts);
  } else {
    value.kind = Kind::size;
    value.bytes = read_distribution(cursor, read_bytes);
  }
  cursor.expect(')', accepted_column_rules);
}

void read_constant(Cursor& cursor, ColumnRule& value) {
  const std::size_t begin = cursor.at();
  cursor.take('\'');
  const std::size_t end = cursor.text().find('\'', cursor.at());
  if (end == std::string_view::npos) cursor.fail(begin, "has no closing quote", std::string(accepted_column_rules));
  value.kind = ColumnRule::Kind::constant;
  value.constant = std::string(cursor.text().substr(cursor.at(), end - cursor.at()));
  cursor.move_to(end + 1);
}

/// 7, -1, 2.5: a number alone, also before `then` and `from`, which is a value and no time.
std::optional<std::size_t> end_of_bare_number(std::string_view text, std::size_t at) {
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at > begin;
  };
  if (at < text.size() && text[at] == '-') ++at;
  if (!digits()) return std::nullopt;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits()) return std::nullopt;
  }
  const std::size_t rest = text.find_first_not_of(" \t", at);
  const std::string_view after = rest == std::string_view::npos ? std::string_view() : text.substr(rest);
  const bool alone = after.empty() || after.starts_with("then ") || after.starts_with("from ");
  return alone ? std::optional(at) : std::nullopt;
}

}  // namespace

BucketRule BucketName::rule() const {
  switch (kind) {
    case Kind::month:
      return BucketRule::month();
    case Kind::year:
      return BucketRule::year();
    case Kind::equal:
      break;
  }
  return BucketRule::every(length_s, from_monday ? first_monday_s : 0);
}

Seconds BucketName::nominal_length_s() const {
  return kind == Kind::month ? 365 * seconds_per_day / 12 : kind == Kind::year ? 365 * seconds_per_day : length_s;
}

void read_value(Cursor& cursor, ColumnRule& value) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  if (cursor.peek() == '\'') {
    read_constant(cursor, value);
  } else if (const auto end = end_of_bare_number(cursor.text(), begin)) {
    value.kind = ColumnRule::Kind::constant;
    value.constant = std::string(cursor.text().substr(begin, *end - begin));
    cursor.move_to(*end);
  } else if (cursor.peek() >= '0' && cursor.peek() <= '9') {
    value.kind = ColumnRule::Kind::bucket;
    value.bucket = read_bucket_length(cursor);
  } else {
    const std::string_view name = cursor.word();
    static const std::vector<std::pair<std::string, ColumnRule::Kind>> plain = {{"entity", ColumnRule::Kind::entity},
                                                                                {"start", ColumnRule::Kind::start},
                                                                                {"time", ColumnRule::Kind::time},
                                                                                {"unique", ColumnRule::Kind::unique},
                                                                                {"null", ColumnRule::Kind::null}};
    static const std::vector<std::string> calls = {"shard", "each",   "rolling", "adaptive", "set",   "list",
                                                   "map",   "append", "text",    "blob",     "bytes", "udt"};
    const auto word = std::ranges::find(plain, name, &std::pair<std::string, ColumnRule::Kind>::first);
    if (word != plain.end()) {
      value.kind = word->second;
    } else if (const auto bucket = named_bucket(name)) {
      value.kind = ColumnRule::Kind::bucket;
      value.bucket = *bucket;
    } else if (std::ranges::find(calls, name) != calls.end()) {
      read_call(cursor, name, value);
    } else {
      std::vector<std::string> known = calls;
      for (const auto& entry : plain) known.push_back(entry.first);
      for (const NamedBucket& named : named_buckets) known.emplace_back(named.name);
      if (name.empty()) cursor.until(" ");
      cursor.fail(begin, "says nothing about a column", std::string(accepted_column_rules),
                  std::string(nearest_name(name, known)));
    }
  }
  value.text = std::string(cursor.text().substr(begin, cursor.at() - begin));
}

}  // namespace windrow
