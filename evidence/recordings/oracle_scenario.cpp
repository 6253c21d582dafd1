#include "evidence/recordings/oracle_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace windrow {
namespace {

constexpr std::string_view blanks = " \t\f\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.push_back(trimmed(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::int64_t whole_number(std::string_view key, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw OracleScenarioError(fmt::format("{} = {}: accepts a whole number", key, text));
  return value;
}

/// Seconds since the epoch of `2026-01-01T00:00:00Z`.
Seconds instant(std::string_view key, std::string_view text) {
  const auto bad = [&] { return OracleScenarioError(fmt::format("{} = {}: accepts 2026-01-01T00:00:00Z", key, text)); };
  if (text.size() != 20 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' ||
      text[19] != 'Z')
    throw bad();
  const auto field = [&](std::size_t at, std::size_t length) { return whole_number(key, text.substr(at, length)); };
  const std::int64_t month = field(5, 2);
  const std::int64_t day = field(8, 2);
  if (month < 1 || month > 12 || day < 1 || day > 31 || field(11, 2) > 23 || field(14, 2) > 59 || field(17, 2) > 59)
    throw bad();
  // Days from the civil calendar, years beginning in March.
  const std::int64_t year = field(0, 4) - (month <= 2 ? 1 : 0);
  const std::int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const std::int64_t days = year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - 719'468;
  return days * seconds_per_day + field(11, 2) * 3600 + field(14, 2) * 60 + field(17, 2);
}

std::string instant_text(Seconds time_s) {
  std::int64_t year = 1970;
  std::int64_t days = time_s / seconds_per_day;
  const auto leap = [](std::int64_t y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; };
  for (; days >= (leap(year) ? 366 : 365); ++year) days -= leap(year) ? 366 : 365;
  const std::array<std::int64_t, 12> lengths = {31, leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::size_t month = 0;
  for (; days >= lengths[month]; ++month) days -= lengths[month];
  const Seconds rest = time_s % seconds_per_day;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", year, month + 1, days + 1, rest / 3600, rest / 60 % 60,
                     rest % 60);
}

/// `key = value` lines as java.util.Properties reads them, but for backslashes, which no scenario needs.
class Keys {
 public:
  explicit Keys(std::string_view text) {
    std::size_t line_number = 0;
    while (!text.empty()) {
      const auto end = text.find('\n');
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++line_number;
      if (line.empty() || line[0] == '#' || line[0] == '!') continue;
      if (line.find('\\') != std::string_view::npos)
        throw OracleScenarioError(fmt::format("line {}: escapes are not accepted", line_number));
      const auto at = line.find_first_of("=: \t");
      const std::string_view key = line.substr(0, at);
      std::string_view value = at == std::string_view::npos ? std::string_view{} : trimmed(line.substr(at));
      if (!value.empty() && (value[0] == '=' || value[0] == ':')) value = trimmed(value.substr(1));
      values_.insert_or_assign(std::string(key), std::string(value));
    }
  }

  bool has(std::string_view key) const { return values_.contains(key); }

  std::string text(std::string_view key, std::string_view otherwise) {
    used_.emplace(key);
    const auto found = values_.find(key);
    return found == values_.end() ? std::string(otherwise) : found->second;
  }

  std::string required(std::string_view key) {
    if (!has(key)) throw OracleScenarioError(fmt::format("{}: missing", key));
    return text(key, "");
  }

  std::int64_t number(std::string_view key, std::int64_t otherwise, std::int64_t least = 0) {
    const std::int64_t value = has(key) ? whole_number(key, text(key, "")) : otherwise;
    if (value < least) throw OracleScenarioError(fmt::format("{} = {}: accepts {} or more", key, value, least));
    used_.emplace(key);
    return value;
  }

  int small_number(std::string_view key, int otherwise) {
    const std::int64_t value = number(key, otherwise, 1);
    if (value > 1'000'000) throw OracleScenarioError(fmt::format("{} = {}: too large", key, value));
    return static_cast<int>(value);
  }

  /// One of the names, the first is the default; returns its place.
  template <std::size_t Count>
  std::size_t one_of(std::string_view key, const std::array<std::string_view, Count>& names) {
    const std::string value = text(key, names[0]);
    const auto found = std::ranges::find(names, value);
    if (found == names.end())
      throw OracleScenarioError(fmt::format("{} = {}: accepts {}", key, value, fmt::join(names, ", ")));
    return static_cast<std::size_t>(found - names.begin());
  }

  void refuse_unknown() const {
    for (const auto& [key, value] : values_)
      if (!used_.contains(key)) throw OracleScenarioError(fmt::format("{}: unknown key", key));
  }

 private:
  std::map<std::string, std::string, std::less<>> values_;
  std::set<std::string, std::less<>> used_;
};

constexpr std::array<std::string_view, 2> stagger_names = {"spread", "none"};
constexpr std::array<std::string_view, 5> bucket_names = {"none", "hour", "day", "week", "month"};
constexpr std::array<std::string_view, 2> value_kind_names = {"ramp", "mix"};
constexpr std::array<std::string_view, 2> timestamp_names = {"arrival", "event"};
constexpr std::array<std::string_view, 3> op_names = {"insert", "update", "none"};
constexpr std::array<std::string_view, 3> statics_names = {"none", "each", "once"};
constexpr std::array<std::string_view, 2> pause_mode_names = {"drop", "delay"};
constexpr std::array<std::string_view, 5> delete_names = {"none", "row", "cell", "partition", "range"};

std::optional<Seconds> ttl_of(std::string_view key, std::string_view text) {
  if (text == "none") return std::nullopt;
  return whole_number(key, text);
}

std::vector<OracleStream::Pause> pauses_of(std::string_view key, std::string_view text) {
  std::vector<OracleStream::Pause> pauses;
  for (const std::string_view part : split(text, ',')) {
    if (part.empty()) continue;
    const std::vector<std::string_view> ends = split(part, '-');
    if (ends.size() != 2) throw OracleScenarioError(fmt::format("{} = {}: accepts a-b,c-d", key, text));
    pauses.push_back({.from_s = whole_number(key, ends[0]), .to_s = whole_number(key, ends[1])});
  }
  return pauses;
}

OracleStream stream_of(Keys& keys, int index, std::string_view name, const OracleScenario& scenario) {
  const auto key = [&](std::string_view rest) { return fmt::format("{}.{}", name, rest); };
  OracleStream s;
  s.index = index;
  s.name = name;
  s.pk_prefix = keys.text(key("pk_prefix"), name);
  s.entities = keys.number(key("entities"), s.entities, 1);
  s.period_s = keys.number(key("period_s"), s.period_s, 1);
  s.phase_s = keys.number(key("phase_s"), s.phase_s);
  s.from_s = keys.number(key("from_s"), s.from_s);
  s.to_s = keys.number(key("to_s"), scenario.end_s - scenario.start_s);
  s.spread = keys.one_of(key("stagger"), stagger_names) == 0;
  s.bucket = static_cast<OracleStream::Bucket>(keys.one_of(key("bucket"), bucket_names));
  s.shards = keys.number(key("shards"), s.shards, 1);
  s.columns = keys.small_number(key("columns"), scenario.columns);
  s.value_size = keys.number(key("value_size"), s.value_size);
  s.value_jitter = keys.number(key("value_jitter"), s.value_jitter);
  s.mixed_values = keys.one_of(key("value_kind"), value_kind_names) == 1;
  s.op = static_cast<OracleStream::Op>(keys.one_of(key("op"), op_names));
  s.statics = static_cast<OracleStream::Statics>(keys.one_of(key("statics"), statics_names));
  s.ttl_s = ttl_of(key("ttl"), keys.text(key("ttl"), "none"));
  s.ttl_alt_every = keys.number(key("ttl_alt_every"), s.ttl_alt_every);
  s.ttl_alt_s = ttl_of(key("ttl_alt"), keys.text(key("ttl_alt"), "none"));
  const std::string ck = keys.text(key("ck"), "event");
  if (ck.starts_with("mod:"))
    s.ck_mod = whole_number(key("ck"), std::string_view(ck).substr(4));
  else if (ck != "event")
    throw OracleScenarioError(fmt::format("{} = {}: accepts event or mod:M", key("ck"), ck));
  s.timestamp_from_event = keys.one_of(key("timestamp"), timestamp_names) == 1;
  s.timestamp_offset_us =
      keys.number(key("timestamp_offset_us"), s.timestamp_offset_us, std::numeric_limits<std::int64_t>::min());
  s.late_every = keys.number(key("late_every"), s.late_every);
  s.late_s = keys.number(key("late_s"), s.late_s);
  s.pauses = pauses_of(key("pauses"), keys.text(key("pauses"), ""));
  s.pauses_delay = keys.one_of(key("pause_mode"), pause_mode_names) == 1;
  s.delete_kind = static_cast<DeleteKind>(keys.one_of(key("delete.kind"), delete_names));
  s.delete_every = keys.number(key("delete.every"), s.delete_every, 1);
  s.delete_remainder = keys.number(key("delete.remainder"), s.delete_remainder);
  s.delete_age_s = keys.number(key("delete.age_s"), s.delete_age_s);
  s.delete_count = keys.number(key("delete.count"), s.delete_count, 1);
  s.delete_from_s = keys.number(key("delete.from_s"), s.delete_from_s);
  if (keys.has(key("delete.to_s"))) s.delete_to_s = keys.number(key("delete.to_s"), 0);
  s.delete_by_event = keys.number(key("delete.by_event"), 0) == 1;
  s.history_from_s = keys.number(key("history_from_s"), 0, std::numeric_limits<std::int64_t>::min());
  s.history_s = keys.number(key("history_s"), 0);
  s.null_columns = static_cast<int>(keys.number(key("null_columns"), 0));
  s.elements = keys.number(key("elements"), -1, -1);
  s.append = keys.number(key("append"), 0) == 1;
  const bool whole_buckets = s.delete_kind == DeleteKind::partition || s.delete_kind == DeleteKind::range;
  if (whole_buckets && (s.bucket == OracleStream::Bucket::none || s.bucket == OracleStream::Bucket::month))
    throw OracleScenarioError(fmt::format("{}: needs a bucket of an hour, a day or a week", key("delete.kind")));
  return s;
}

Seconds end_of(Keys& keys, Seconds start_s) {
  const std::string text = keys.required("days");
  double days = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), days);
  if (error != std::errc{} || end != text.data() + text.size() || !(days > 0) || days > 36'500)
    throw OracleScenarioError(fmt::format("days = {}: accepts a number above 0", text));
  return start_s + static_cast<Seconds>(std::floor(days * 86'400.0 + 0.5));  // as Math.round
}

void parse_alters(Keys& keys, OracleScenario& scenario) {
  for (int k = 1;; ++k) {
    const std::string at = fmt::format("alter.{}.at_s", k);
    if (!keys.has(at)) return;
    scenario.alters.push_back(
        {.at_s = scenario.start_s + keys.number(at, 0), .with = keys.required(fmt::format("alter.{}.with", k))});
  }
}

void parse_majors(Keys& keys, OracleScenario& scenario) {
  for (int k = 1;; ++k) {
    const std::string at = fmt::format("major.{}.at_s", k);
    if (!keys.has(at)) break;
    scenario.majors.push_back(scenario.start_s + keys.number(at, 0));
  }
  if (!scenario.majors.empty() && scenario.delayed())
    throw OracleScenarioError("major.1.at_s: accepted only where compactions take no time");
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

constexpr std::array<std::string_view, 5> repair_ends = {"pending", "repaired", "unrepaired", "finish", "fail"};
constexpr std::array<std::string_view, 4> repair_files = {"all", "oldest", "newest", "every"};

bool names_session(OracleRepair::To to) {
  return to != OracleRepair::To::repaired && to != OracleRepair::To::unrepaired;
}

void read_repaired_files(const std::string& key, const std::string& text, OracleRepair& repair) {
  const std::vector<std::string> words = words_of(text == "unrepaired" ? "all" : text);
  const auto kind = words.empty() ? repair_files.end() : std::ranges::find(repair_files, words.front());
  const std::size_t expected = kind == repair_files.begin() ? 1 : kind == repair_files.end() - 1 ? 4 : 2;
  if (kind == repair_files.end() || words.size() != expected || (expected == 4 && words[2] != "remainder"))
    throw OracleScenarioError(
        fmt::format("{} = {}: accepts all, oldest N, newest N or every M remainder R", key, text));
  repair.files = static_cast<OracleRepair::Files>(kind - repair_files.begin());
  if (expected > 1) repair.number = whole_number(key, words[1]);
  if (expected == 4) repair.remainder = whole_number(key, words[3]);
  if (repair.number < 0 || (expected == 4 && repair.number < 1))
    throw OracleScenarioError(fmt::format("{} = {}: accepts a positive number", key, text));
}

void parse_repairs(Keys& keys, OracleScenario& scenario) {
  std::vector<std::string> begun;
  for (int k = 1;; ++k) {
    const std::string at = fmt::format("repair.{}.at_s", k);
    if (!keys.has(at)) return;
    OracleRepair repair{.at_s = scenario.start_s + keys.number(at, 0)};
    const std::string to_key = fmt::format("repair.{}.to", k);
    const std::string to = keys.required(to_key);
    const std::vector<std::string> words = words_of(to);
    const auto kind = words.empty() ? repair_ends.end() : std::ranges::find(repair_ends, words.front());
    const auto bad = [&](std::string_view accepted) {
      return OracleScenarioError(fmt::format("{} = {}: accepts {}", to_key, to, accepted));
    };
    if (kind == repair_ends.end()) throw bad("pending S, repaired, unrepaired, finish S or fail S");
    repair.to = static_cast<OracleRepair::To>(kind - repair_ends.begin());
    if (words.size() != (names_session(repair.to) ? 2 : 1)) throw bad("one word for a session where one is meant");
    if (names_session(repair.to)) repair.session = words[1];
    if (repair.to == OracleRepair::To::pending) begun.push_back(repair.session);
    const bool ends = repair.to == OracleRepair::To::finish || repair.to == OracleRepair::To::fail;
    if (ends && std::ranges::find(begun, repair.session) == begun.end()) throw bad("a session that was pending before");
    const std::string files_key = fmt::format("repair.{}.files", k);
    if (!ends) read_repaired_files(files_key, keys.required(files_key), repair);
    scenario.repairs.push_back(std::move(repair));
  }
}

std::string repaired_files_text(const OracleRepair& repair) {
  std::string text(repair_files[static_cast<std::size_t>(repair.files)]);
  if (repair.files != OracleRepair::Files::all) text += fmt::format(" {}", repair.number);
  if (repair.files == OracleRepair::Files::every) text += fmt::format(" remainder {}", repair.remainder);
  return text;
}

/// Lines of keys that differ from their default.
class Lines {
 public:
  explicit Lines(std::string prefix = "") : prefix_(std::move(prefix)) {}

  void always(std::string_view key, std::string_view value) {
    text_ += fmt::format("{}{} = {}\n", prefix_, key, value);
  }
  void number(std::string_view key, std::int64_t value, std::int64_t otherwise) {
    if (value != otherwise) always(key, fmt::format("{}", value));
  }
  void name(std::string_view key, std::string_view value, std::string_view otherwise) {
    if (value != otherwise) always(key, value);
  }
  void ttl(std::string_view key, std::optional<Seconds> value) {
    if (value) always(key, fmt::format("{}", *value));
  }
  const std::string& text() const { return text_; }

 private:
  std::string prefix_;
  std::string text_;
};

std::string stream_text(const OracleStream& s, const OracleScenario& scenario) {
  const OracleStream plain;
  Lines lines(s.name + ".");
  lines.name("pk_prefix", s.pk_prefix, s.name);
  lines.number("entities", s.entities, plain.entities);
  lines.number("period_s", s.period_s, plain.period_s);
  lines.number("phase_s", s.phase_s, plain.phase_s);
  lines.number("from_s", s.from_s, plain.from_s);
  lines.number("to_s", s.to_s, scenario.end_s - scenario.start_s);
  lines.name("stagger", stagger_names[s.spread ? 0 : 1], stagger_names[0]);
  lines.name("bucket", bucket_names[static_cast<std::size_t>(s.bucket)], bucket_names[0]);
  lines.number("shards", s.shards, plain.shards);
  lines.number("columns", s.columns, scenario.columns);
  lines.number("value_size", s.value_size, plain.value_size);
  lines.number("value_jitter", s.value_jitter, plain.value_jitter);
  lines.name("value_kind", value_kind_names[s.mixed_values ? 1 : 0], value_kind_names[0]);
  lines.name("op", op_names[static_cast<std::size_t>(s.op)], op_names[0]);
  lines.ttl("ttl", s.ttl_s);
  lines.number("ttl_alt_every", s.ttl_alt_every, plain.ttl_alt_every);
  lines.ttl("ttl_alt", s.ttl_alt_s);
  if (s.ck_mod > 0) lines.always("ck", fmt::format("mod:{}", s.ck_mod));
  lines.name("timestamp", timestamp_names[s.timestamp_from_event ? 1 : 0], timestamp_names[0]);
  lines.number("timestamp_offset_us", s.timestamp_offset_us, plain.timestamp_offset_us);
  lines.number("late_every", s.late_every, plain.late_every);
  lines.number("late_s", s.late_s, plain.late_s);
  std::vector<std::string> pauses;
  for (const OracleStream::Pause& pause : s.pauses) pauses.push_back(fmt::format("{}-{}", pause.from_s, pause.to_s));
  lines.name("pauses", fmt::format("{}", fmt::join(pauses, ",")), "");
  lines.name("pause_mode", pause_mode_names[s.pauses_delay ? 1 : 0], pause_mode_names[0]);
  lines.name("delete.kind", delete_names[static_cast<std::size_t>(s.delete_kind)], delete_names[0]);
  lines.number("delete.every", s.delete_every, plain.delete_every);
  lines.number("delete.remainder", s.delete_remainder, plain.delete_remainder);
  lines.number("delete.age_s", s.delete_age_s, plain.delete_age_s);
  lines.number("delete.count", s.delete_count, plain.delete_count);
  lines.number("delete.from_s", s.delete_from_s, plain.delete_from_s);
  lines.ttl("delete.to_s", s.delete_to_s);
  lines.number("delete.by_event", s.delete_by_event ? 1 : 0, 0);
  lines.number("history_from_s", s.history_from_s, 0);
  lines.number("history_s", s.history_s, 0);
  lines.number("null_columns", s.null_columns, 0);
  lines.number("elements", s.elements, -1);
  lines.number("append", s.append ? 1 : 0, 0);
  lines.name("statics", statics_names[static_cast<std::size_t>(s.statics)], statics_names[0]);
  return lines.text();
}

}  // namespace

std::string OracleScenario::create_table() const {
  std::string values;
  for (int column = 0; column < columns; ++column) values += fmt::format(", v{} blob", column);
  for (int column = 0; column < statics; ++column) values += fmt::format(", s{} blob static", column);
  return fmt::format(
      "CREATE TABLE oracle.t (pk text, ck bigint{}, PRIMARY KEY (pk, ck)) "
      "WITH id = 00000000-0000-1000-8000-000000000001 AND {}",
      values, table);
}

std::string OracleScenario::alter_table(const OracleAlter& alter) const {
  return fmt::format("ALTER TABLE oracle.t WITH {}", alter.with);
}

OracleScenario parse_oracle_scenario(std::string_view text) {
  Keys keys(text);
  OracleScenario s;
  s.comment = keys.text("comment", "");
  s.format = keys.text("format", s.format);
  s.compat = keys.text("compat", s.compat);
  s.table = keys.required("table");
  if (keys.has("start")) s.start_s = instant("start", keys.text("start", ""));
  s.end_s = end_of(keys, s.start_s);
  s.tick_s = keys.number("tick_s", s.tick_s, 1);
  s.flush_every_s = keys.number("flush_every_s", s.flush_every_s);
  s.flush_phase_s = keys.number("flush_phase_s", s.flush_phase_s);
  s.flush_every_rows = keys.number("flush_every_rows", s.flush_every_rows);
  s.sample_every_s = keys.number("sample_every_s", s.sample_every_s, 1);
  s.compaction_delay_s = keys.number("compaction_delay_s", s.compaction_delay_s);
  s.compaction_bytes_per_s = keys.number("compaction_bytes_per_s", s.compaction_bytes_per_s);
  s.compaction_slots = keys.small_number("compaction_slots", s.compaction_slots);
  s.columns = keys.small_number("columns", s.columns);
  s.statics = static_cast<int>(keys.number("statics", s.statics));
  static constexpr std::array<std::string_view, 2> booleans = {"false", "true"};
  s.allow_unsafe_aggressive_sstable_expiration =
      keys.one_of("allow_unsafe_aggressive_sstable_expiration", booleans) == 1;
  const std::string names = keys.required("streams");
  for (const std::string_view name : split(names, ','))
    s.streams.push_back(stream_of(keys, static_cast<int>(s.streams.size()), name, s));
  parse_alters(keys, s);
  parse_majors(keys, s);
  parse_repairs(keys, s);
  keys.refuse_unknown();
  return s;
}

std::string oracle_scenario_text(const OracleScenario& scenario) {
  const OracleScenario plain;
  Lines lines;
  lines.name("comment", scenario.comment, "");
  lines.name("format", scenario.format, plain.format);
  lines.name("compat", scenario.compat, plain.compat);
  lines.name("start", instant_text(scenario.start_s), instant_text(plain.start_s));
  lines.always("days", fmt::format("{}", static_cast<double>(scenario.end_s - scenario.start_s) / 86'400.0));
  lines.number("columns", scenario.columns, plain.columns);
  lines.number("statics", scenario.statics, plain.statics);
  lines.number("tick_s", scenario.tick_s, plain.tick_s);
  lines.number("sample_every_s", scenario.sample_every_s, plain.sample_every_s);
  lines.number("flush_every_s", scenario.flush_every_s, plain.flush_every_s);
  lines.number("flush_phase_s", scenario.flush_phase_s, plain.flush_phase_s);
  lines.number("flush_every_rows", scenario.flush_every_rows, plain.flush_every_rows);
  lines.number("compaction_delay_s", scenario.compaction_delay_s, plain.compaction_delay_s);
  lines.number("compaction_bytes_per_s", scenario.compaction_bytes_per_s, plain.compaction_bytes_per_s);
  lines.number("compaction_slots", scenario.compaction_slots, plain.compaction_slots);
  if (scenario.allow_unsafe_aggressive_sstable_expiration)
    lines.always("allow_unsafe_aggressive_sstable_expiration", "true");
  lines.always("table", scenario.table);
  for (std::size_t k = 0; k < scenario.alters.size(); ++k) {
    lines.always(fmt::format("alter.{}.at_s", k + 1), fmt::format("{}", scenario.alters[k].at_s - scenario.start_s));
    lines.always(fmt::format("alter.{}.with", k + 1), scenario.alters[k].with);
  }
  for (std::size_t k = 0; k < scenario.majors.size(); ++k)
    lines.always(fmt::format("major.{}.at_s", k + 1), fmt::format("{}", scenario.majors[k] - scenario.start_s));
  for (std::size_t k = 0; k < scenario.repairs.size(); ++k) {
    const OracleRepair& repair = scenario.repairs[k];
    const std::string end(repair_ends[static_cast<std::size_t>(repair.to)]);
    lines.always(fmt::format("repair.{}.at_s", k + 1), fmt::format("{}", repair.at_s - scenario.start_s));
    lines.always(fmt::format("repair.{}.to", k + 1), names_session(repair.to) ? end + " " + repair.session : end);
    if (repair.to != OracleRepair::To::finish && repair.to != OracleRepair::To::fail)
      lines.always(fmt::format("repair.{}.files", k + 1), repaired_files_text(repair));
  }
  std::vector<std::string> names;
  for (const OracleStream& stream : scenario.streams) names.push_back(stream.name);
  lines.always("streams", fmt::format("{}", fmt::join(names, ", ")));
  std::string text = lines.text();
  for (const OracleStream& stream : scenario.streams) text += stream_text(stream, scenario);
  return text;
}

}  // namespace windrow
