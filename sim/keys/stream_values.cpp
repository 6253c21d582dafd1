#include "sim/keys/stream_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/arithmetic.h"
#include "sim/base/nearest.h"

namespace windrow {

namespace {

constexpr std::size_t most_shares = 16;
constexpr std::string_view accepted_entities =
    "a number up to 100,000,000, pattern(dev-%05d, 20000), named(a, b), from(fleet.csv), new(10/s, living 5min)";
constexpr std::string_view accepted_shapes =
    "flat, daily(peak 20:00, 3x), weekly(peak sat, 2x), burst(10x, 1h, every 7d)";
constexpr std::string_view accepted_ttls = "a time, table or none; or several with shares: 60d 5% + table";
constexpr std::string_view accepted_lateness = "none, or shares with delays: 2% by 1h..2d + 0.1% by 10d";
constexpr std::string_view accepted_pattern = "one %d or %05d for the number, %% for a percent sign";

[[noreturn]] void refuse_pattern(const Cursor& cursor, std::size_t at, const std::string& problem) {
  cursor.fail(at, problem, std::string(accepted_pattern));
}

// Splits "dev-%05d" at its number.
void read_pattern(const Cursor& cursor, std::size_t at, std::string_view text, Entities& value) {
  bool seen = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& side = seen ? value.after : value.before;
    if (text[i] != '%') {
      side += text[i];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '%') {
      side += text[++i];
      continue;
    }
    if (seen) refuse_pattern(cursor, at, "has two numbers in its pattern");
    seen = true;
    ++i;
    if (i < text.size() && text[i] == '0') value.zeros = true;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
      value.width = std::min(value.width * 10 + (text[i] - '0'), 1000);
    if (i >= text.size() || text[i] != 'd') refuse_pattern(cursor, at, "has a pattern whose `%` begins no number");
    if (value.width > 20) refuse_pattern(cursor, at, "has a pattern with more than 20 digits");
  }
  if (!seen) refuse_pattern(cursor, at, "has a pattern without a number: all names would be the same");
}

void read_names(Cursor& cursor, Entities& value) {
  std::set<std::string_view> seen;
  do {
    cursor.skip_spaces();
    const std::size_t at = cursor.at();
    const std::string_view name = cursor.until(",)");
    if (name.empty()) cursor.fail(at, "lacks a name", std::string(accepted_entities));
    if (!seen.insert(name).second)
      cursor.fail(at, fmt::format("names `{}` twice", name), std::string(accepted_entities));
    value.names.emplace_back(name);
  } while (cursor.take(','));
  value.count = static_cast<std::int64_t>(value.names.size());
}

/// How many begin in a time, and how long each writes: so many write at a time.
void read_new(Cursor& cursor, Entities& value) {
  cursor.skip_spaces();
  const std::size_t at = cursor.at();
  const Rate begin = read_rate(cursor);
  cursor.expect(',', accepted_entities);
  cursor.skip_spaces();
  if (!cursor.take_word("living")) cursor.fail(cursor.at(), "needs `living` here", std::string(accepted_entities));
  const Micros living_us = read_duration(cursor).us;
  if (living_us < us_per_s || living_us % us_per_s != 0)
    cursor.fail(at, "has entities that live for no whole seconds", "new(10/s, living 5min): 1s or more");
  value.living_s = living_us / us_per_s;
  const auto alive = static_cast<Int128>(begin.rows) * living_us;
  const bool whole = alive > 0 && alive % begin.period_us == 0;
  if (!whole || alive / begin.period_us > most_entities)
    cursor.fail(at,
                fmt::format("comes to {:.6g} entities that write at a time",
                            begin.per_s() * static_cast<double>(living_us) / static_cast<double>(us_per_s)),
                fmt::format("a number and a time that come to a whole number, 1 to {}", most_entities));
  value.count = static_cast<std::int64_t>(alive / begin.period_us);
}

std::int64_t read_count(Cursor& cursor, std::string_view what) {
  cursor.skip_spaces();
  const std::size_t at = cursor.at();
  const std::int64_t count = read_whole_number(cursor, most_entities);
  if (count < 1) cursor.fail(at, fmt::format("has no {}", what), std::string(accepted_entities));
  return count;
}

double read_factor(Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t at = cursor.at();
  const auto number = cursor.number();
  if (!number || !cursor.take('x')) cursor.fail(at, "has no factor such as 3x", std::string(accepted_shapes));
  return number->value();
}

Seconds read_clock(Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t at = cursor.at();
  const std::string_view text = cursor.until(",)");
  const auto digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9' ? text[i] - '0' : 100; };
  if (text.size() == 5 && text[2] == ':') {
    const int hour = digit(0) * 10 + digit(1);
    const int minute = digit(3) * 10 + digit(4);
    if (hour < 24 && minute < 60) return hour * 3600 + minute * 60;
  }
  cursor.fail(at, "is not a time of day", "hh:mm in UTC, such as 20:00");
}

void read_burst(Cursor& cursor, Shape& value) {
  value.factor = read_factor(cursor);
  cursor.expect(',', accepted_shapes);
  const std::size_t at = cursor.at();
  value.length_us = read_duration(cursor).us;
  cursor.expect(',', accepted_shapes);
  if (!cursor.take_word("every")) cursor.fail(cursor.at(), "needs `every` here", std::string(accepted_shapes));
  value.every_us = read_duration(cursor).us;
  if (value.length_us <= 0 || value.length_us >= value.every_us)
    cursor.fail(at, "has bursts without end or beginning", "a length above 0s and below the interval");
  if (value.every_us < 60 * us_per_s) cursor.fail(at, "has bursts too often", "an interval of at least 1min");
  if (value.factor > 1e6) cursor.fail(at, "has a factor out of range", "0x to 1e6x");
}

}  // namespace

void read_value(Cursor& cursor, Entities& value) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  if (cursor.peek() >= '0' && cursor.peek() <= '9') {
    value.count = read_count(cursor, "entities");
    return;
  }
  const std::string_view form = cursor.word();
  const std::vector<std::string> forms = {"pattern", "named", "from", "new"};
  if (std::ranges::find(forms, form) == forms.end()) {
    if (form.empty()) cursor.until(" ");
    cursor.fail(begin, "is not a set of entities", std::string(accepted_entities),
                std::string(nearest_name(form, forms)));
  }
  cursor.expect('(', accepted_entities);
  if (form == "pattern") {
    value.kind = Entities::Kind::pattern;
    cursor.skip_spaces();
    const std::size_t at = cursor.at();
    const std::string_view pattern = cursor.until(",)");
    read_pattern(cursor, at, pattern, value);
    cursor.expect(',', accepted_entities);
    value.count = read_count(cursor, "entities");
  } else if (form == "named") {
    value.kind = Entities::Kind::named;
    read_names(cursor, value);
  } else if (form == "new") {
    read_new(cursor, value);
  } else {
    value.kind = Entities::Kind::file;
    cursor.skip_spaces();
    const std::size_t at = cursor.at();
    value.file = std::string(cursor.until(")"));
    if (value.file.empty()) cursor.fail(at, "names no file", std::string(accepted_entities));
  }
  cursor.expect(')', accepted_entities);
}

void read_value(Cursor& cursor, StreamRate& value) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  if (cursor.take_word("from") && cursor.take('(')) {
    const std::string_view file = cursor.until(")");
    if (!file.empty() && file.find(':') == std::string_view::npos) {
      value.profile_file = std::string(file);
      cursor.expect(')', "from(profile.csv)");
      return;
    }
  }
  cursor.move_to(begin);
  std::optional<Rate> exact;
  value.spread = read_distribution(cursor, [&](Cursor& c) {
    exact = read_rate(c);
    return exact->per_s();
  });
  if (!value.spread.varies()) value.exact = exact;
}

void read_value(Cursor& cursor, Shape& value) {
  const std::size_t begin = cursor.at();
  value.kind = read_choice<Shape::Kind>(cursor, {{"flat", Shape::Kind::flat},
                                                 {"daily", Shape::Kind::daily},
                                                 {"weekly", Shape::Kind::weekly},
                                                 {"burst", Shape::Kind::burst}});
  if (value.kind == Shape::Kind::flat) return;
  cursor.expect('(', accepted_shapes);
  if (value.kind == Shape::Kind::burst) {
    read_burst(cursor, value);
  } else {
    if (!cursor.take_word("peak")) cursor.fail(cursor.at(), "needs `peak` here", std::string(accepted_shapes));
    if (value.kind == Shape::Kind::daily) {
      value.peak_s = read_clock(cursor);
    } else {
      const auto day = read_word_of(cursor, {"mon", "tue", "wed", "thu", "fri", "sat", "sun"});
      value.peak_s = static_cast<Seconds>(day) * seconds_per_day;
    }
    cursor.expect(',', accepted_shapes);
    value.factor = read_factor(cursor);
    const double most = value.kind == Shape::Kind::daily ? 12 : 6;
    if (value.factor < 1 || value.factor > most) {
      cursor.fail(begin, "has a peak out of range", fmt::format("1x to {}x the mean", most));
    }
  }
  cursor.expect(')', accepted_shapes);
}

void read_value(Cursor& cursor, Growth& value) {
  constexpr std::string_view accepted =
      "a share per year from -90%/y to 1000%/y, such as 40%/y, also 40%/y by week or by day";
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  const bool negative = cursor.take('-');
  const auto number = cursor.number();
  if (!number || !cursor.take('%') || !cursor.take('/') || (cursor.unit() != "y")) {
    cursor.until("");
    cursor.fail(begin, "is not a growth", std::string(accepted));
  }
  value.per_year = (negative ? -1 : 1) * number->value() / 100;
  if (value.per_year < -0.9 || value.per_year > 10) cursor.fail(begin, "is out of range", std::string(accepted));
  cursor.skip_spaces();
  if (!cursor.take_word("by")) return;
  cursor.skip_spaces();
  const std::string_view step = cursor.word();
  if (step == "day")
    value.step_us = seconds_per_day * us_per_s;
  else if (step == "week")
    value.step_us = 7 * seconds_per_day * us_per_s;
  else if (step != "month")
    cursor.fail(begin, "has steps of no known length", std::string(accepted));
}

void read_value(Cursor& cursor, Op& value) {
  using O = OverwriteRule::Order;
  constexpr std::string_view accepted =
      "insert, update, overwrite(keys[, random|cyclic|zipf(s)]), delete(row|range|partition, age)";
  value.kind = read_choice<WriteOp>(cursor, {{"insert", WriteOp::insert},
                                             {"update", WriteOp::update},
                                             {"overwrite", WriteOp::overwrite},
                                             {"delete", WriteOp::remove}});
  if (value.kind == WriteOp::insert || value.kind == WriteOp::update) return;
  cursor.expect('(', accepted);
  if (value.kind == WriteOp::overwrite) {
    cursor.skip_spaces();
    const std::size_t at = cursor.at();
    value.overwrite.keys = read_whole_number(cursor, 10'000'000'000);
    if (value.overwrite.keys < 1) cursor.fail(at, "has no keys", std::string(accepted));
    if (cursor.take(',')) {
      value.overwrite.order = read_choice<O>(cursor, {{"random", O::random}, {"cyclic", O::cyclic}, {"zipf", O::zipf}});
      if (value.overwrite.order == O::zipf) {
        cursor.expect('(', accepted);
        cursor.skip_spaces();
        const std::size_t begin = cursor.at();
        value.overwrite.zipf_exponent = read_plain_number(cursor);
        if (value.overwrite.zipf_exponent <= 0 || value.overwrite.zipf_exponent > 10)
          cursor.fail(begin, "has an exponent out of range", "zipf(s) with s above 0, at most 10");
        cursor.expect(')', accepted);
      }
    }
  } else {
    value.remove.kind = read_choice<DeleteKind>(
        cursor, {{"row", DeleteKind::row}, {"range", DeleteKind::range}, {"partition", DeleteKind::partition}});
    cursor.expect(',', accepted);
    value.remove.age_us = read_duration(cursor).us;
  }
  cursor.expect(')', accepted);
}

void read_value(Cursor& cursor, TtlMix& value) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  std::int64_t stated = 0;
  int without = 0;
  do {
    if (value.parts.size() >= most_shares) cursor.fail(begin, "has too many parts", "at most 16 parts");
    TtlShare part;
    cursor.skip_spaces();
    const std::size_t at = cursor.at();
    if (cursor.take_word("none")) {
      part.ttl_s = 0;
    } else if (!cursor.take_word("table")) {
      const Duration ttl = read_duration(cursor);
      if (ttl.us % us_per_s != 0 || ttl.us == 0)
        cursor.fail(at, "is no whole number of seconds above 0", std::string(accepted_ttls));
      part.ttl_s = ttl.us / us_per_s;
      if (part.ttl_s > 630'720'000)
        cursor.fail(at, "is longer than the server takes", "a TTL of at most 20y (630720000 s)");
    }
    cursor.skip_spaces();
    if (cursor.peek() >= '0' && cursor.peek() <= '9') {
      part.share_ppm = read_share(cursor).ppm;
      stated += part.share_ppm;
    } else {
      part.share_ppm = -1;
      ++without;
    }
    value.parts.push_back(part);
  } while (cursor.take('+'));
  if (without > 1 || stated > 100 * ppm_of_percent || (without == 0 && stated != 100 * ppm_of_percent)) {
    cursor.fail(begin, "has shares that do not make 100%", std::string(accepted_ttls));
  }
  for (TtlShare& part : value.parts) {
    if (part.share_ppm < 0) part.share_ppm = 100 * ppm_of_percent - stated;
  }
}

void read_value(Cursor& cursor, SpreadOfTime& value) {
  value.us = read_distribution(cursor, [](Cursor& c) { return static_cast<double>(read_duration(c).us); });
}

void read_value(Cursor& cursor, SpanOfDates& value) {
  constexpr std::string_view accepted = "DATE..DATE, such as 2026-05-01..2026-05-20";
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  value.from_us = read_moment(cursor).us;
  cursor.expect('.', accepted);
  cursor.expect('.', accepted);
  value.to_us = read_moment(cursor).us;
  if (value.to_us <= value.from_us) cursor.fail(begin, "goes back in time", std::string(accepted));
}

void read_value(Cursor& cursor, Lateness& value) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  if (cursor.take_word("none")) return;
  std::int64_t stated = 0;
  const auto quantity = [](Cursor& c) { return static_cast<double>(read_duration(c).us); };
  do {
    if (value.parts.size() >= most_shares) cursor.fail(begin, "has too many parts", "at most 16 parts");
    Lateness::Part part;
    part.share_ppm = read_share(cursor).ppm;
    stated += part.share_ppm;
    cursor.skip_spaces();
    if (!cursor.take_word("by")) cursor.fail(cursor.at(), "needs `by` and a delay", std::string(accepted_lateness));
    cursor.skip_spaces();
    const std::size_t at = cursor.at();
    part.delay_us = read_distribution(cursor, quantity);
    if (cursor.peek() == '.' && !part.delay_us.varies()) {
      cursor.expect('.', accepted_lateness);
      cursor.expect('.', accepted_lateness);
      part.delay_us.kind = Distribution::Kind::uniform;
      part.delay_us.second = quantity(cursor);
      if (part.delay_us.second < part.delay_us.first)
        cursor.fail(at, "has its bounds exchanged", std::string(accepted_lateness));
    }
    value.parts.push_back(std::move(part));
  } while (cursor.take('+'));
  if (stated > 100 * ppm_of_percent) cursor.fail(begin, "has shares above 100%", std::string(accepted_lateness));
}

void read_value(Cursor& cursor, TimestampRule& value) {
  value.from_event = read_choice<bool>(cursor, {{"arrival", false}, {"event", true}});
  if (cursor.take('+')) {
    value.offset_us = read_duration(cursor).us;
  } else if (cursor.take('-')) {
    value.offset_us = -read_duration(cursor).us;
  }
}

void read_value(Cursor& cursor, BackfillSpan& value) {
  constexpr std::string_view accepted = "from DATE to DATE at RATE, such as from 2020-01-01 to 2021-01-01 at 1000/s";
  const auto need = [&](std::string_view word) {
    cursor.skip_spaces();
    const std::size_t at = cursor.at();
    if (!cursor.take_word(word)) cursor.fail(at, fmt::format("needs `{}` here", word), std::string(accepted));
  };
  const std::size_t begin = cursor.at();
  need("from");
  value.from_us = read_moment(cursor).us;
  need("to");
  value.to_us = read_moment(cursor).us;
  if (value.to_us <= value.from_us) cursor.fail(begin, "ends before it begins", std::string(accepted));
  need("at");
  value.rate = read_rate(cursor);
}

void read_value(Cursor& cursor, Zone& value) {
  constexpr std::string_view accepted = "UTC, an offset such as +02:00, a zone such as Europe/Berlin, or a CSV file";
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  if (cursor.take_word("UTC")) return;
  const bool negative = cursor.peek() == '-';
  if (!cursor.take('-') && !cursor.take('+')) {
    value.name = cursor.until("");
    if (value.name.find_first_of("/.") == std::string::npos) cursor.fail(begin, "is not a zone", std::string(accepted));
    return;
  }
  value.offset_s = (negative ? -1 : 1) * read_clock(cursor);
  if (value.offset_s < -12 * 3600 || value.offset_s > 14 * 3600)
    cursor.fail(begin, "is outside -12:00 to +14:00", std::string(accepted));
}

void read_value(Cursor& cursor, DropRule& value) {
  using S = DropRule::Snapshot;
  value.snapshot = read_choice<S>(cursor, {{"snapshot", S::keep}, {"remove", S::none}});
  if (value.snapshot == S::none || !cursor.take_word("for")) return;
  value.snapshot_kept_us = read_duration(cursor).us;
  if (value.snapshot_kept_us > 0) value.snapshot = S::for_a_time;
}

}  // namespace windrow
