#include "tests/witness/lib/words.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace windrow::witness {
namespace {

using Bucket = StreamWords::Bucket;

std::string date(std::int64_t hours) {
  const std::time_t time = words_start_s + hours * 3600;
  return fmt::format("{:%Y-%m-%dT%H:%M}", fmt::gmtime(time));
}

std::string ttl_text(Seconds ttl_s) {
  if (ttl_s < 0) return "table";
  return ttl_s == 0 ? "none" : fmt::format("{}s", ttl_s);
}

std::string bucket_text(Bucket bucket) {
  return bucket == Bucket::hour ? "hour" : bucket == Bucket::day ? "day" : "month";
}

/// Parts per million are ten-thousandths of a percent.
std::string percent(std::int64_t ppm) { return fmt::format("{}.{:04d}%", ppm / 10'000, ppm % 10'000); }

std::string ttl_mix_text(const StreamWords& s) {
  std::string text;
  for (const StreamWords::Part& part : s.ttl_parts)
    text += fmt::format("{} {} + ", ttl_text(part.seconds), percent(part.ppm));
  return text + ttl_text(s.ttl_s.front().value);
}

std::string shards_text(const StreamWords& s) {
  if (s.fast_shards == 0) return fmt::format("shard({})", s.shards);
  return fmt::format("adaptive(shard({}), shard({}) above {}/day)", s.shards, s.fast_shards, s.fast_per_day);
}

std::string late_text(const StreamWords& s) {
  if (s.late_s > 0) return fmt::format("100% by {}s", s.late_s);
  std::string text;
  for (const StreamWords::Part& part : s.late_parts)
    text += fmt::format("{}{} by {}s", text.empty() ? "" : " + ", percent(part.ppm), part.seconds);
  return text.empty() ? "none" : text;
}

template <class T, class Text>
std::string timed(const std::vector<StreamWords::Then<T>>& parts, const Text& text) {
  std::string line = text(parts.front().value);
  for (std::size_t i = 1; i < parts.size(); ++i)
    line += fmt::format(" then {} from {}", text(parts[i].value), date(parts[i].from_h));
  return line;
}

using Lines = std::map<std::string, std::string>;

/// Everything that can be said of a stream.
Lines lines_of(const StreamWords& s) {
  Lines lines;
  lines["table"] = s.table;
  if (s.of < 0) {
    lines["rate"] = timed(s.rows_per_day, [](std::int64_t rows) { return fmt::format("{}/day", rows); });
    lines["entities"] = fmt::format("pattern({}-%02d, {})", s.name, s.entities);
  }
  if (s.living_s > 0) {
    lines["entities"] = fmt::format("new({}/{}s, living {}s)", s.entities, s.living_s, s.living_s);
    lines["column.shard"] = "'0'";
  }
  lines["copies"] = fmt::format("{}", s.copies);
  if (s.from_h) lines["from"] = date(*s.from_h);
  if (s.until_h) lines["until"] = date(*s.until_h);
  lines["op"] = s.update ? "update" : "insert";
  if (s.keys_in_partition > 0)
    lines["op"] = fmt::format("overwrite({}, cyclic)", s.keys_in_partition * s.entities * s.shards);
  lines["ttl"] = s.ttl_parts.empty() ? timed(s.ttl_s, ttl_text) : ttl_mix_text(s);
  lines["late"] = late_text(s);
  lines["timestamp"] = s.timestamp_from_event ? "event" : "arrival";
  if (s.timestamp_from_event && s.timestamp_offset_s > 0)
    lines["timestamp"] += fmt::format(" + {}s", s.timestamp_offset_s);
  lines["column.device"] = "entity";
  lines["column.bucket"] = timed(s.bucket, bucket_text);
  if (s.living_s == 0) lines["column.shard"] = shards_text(s);
  lines["zone"] = s.own_clock ? "clock.csv" : "UTC";
  lines["column.v0"] = fmt::format("text({})", s.v0_bytes);
  if (!s.only_v0) lines["column.v1"] = fmt::format("text({})", s.v1_bytes);
  lines["columns"] = s.only_v0 ? "v0" : "v0 + v1";
  if (s.statics != StreamWords::Statics::none) {
    lines["columns"] += " + s0";
    lines["column.s0"] = fmt::format("text({})", s.s0_bytes);
    lines["statics"] = s.statics == StreamWords::Statics::once ? "once" : "each";
  }
  if (s.at_once) lines["stagger"] = "none";
  if (s.per_min > 0) lines["per"] = fmt::format("{}min", s.per_min);
  lines["delay"] = fmt::format("{}s", s.delay_s);
  return lines;
}

/// Lines that say no more than their absence.
const Lines& unsaid() {
  static const Lines lines = {{"copies", "1"},          {"op", "insert"}, {"ttl", "table"}, {"late", "none"},
                              {"timestamp", "arrival"}, {"delay", "0s"},  {"zone", "UTC"}};
  return lines;
}

std::string stream_text(const ScenarioWords& words, const StreamWords& stream) {
  std::string text = fmt::format("[stream.{}]\n", stream.name);
  Lines known = unsaid();
  if (stream.of >= 0) {  // entities and texts come along
    const StreamWords& source = words.streams[static_cast<std::size_t>(stream.of)];
    const Lines theirs = lines_of(source);
    for (const char* key : {"column.device", "column.v0", "column.v1"})
      if (const auto line = theirs.find(key); line != theirs.end()) known.insert(*line);
    if (stream.like < 0) text += fmt::format("of = {}\n", source.name);
  }
  if (stream.like >= 0) {
    const StreamWords& model = words.streams[static_cast<std::size_t>(stream.like)];
    text += fmt::format("like = {}\n", model.name);
    known = lines_of(model);
  }
  for (const auto& [key, value] : lines_of(stream)) {
    const auto said = known.find(key);
    if (said == known.end() || said->second != value) text += fmt::format("{} = {}\n", key, value);
  }
  return text;
}

}  // namespace

std::string ini_text(const ScenarioWords& words) {
  std::string text = fmt::format(
      "[run]\nschema = t.cql\nstart = {}\nlength = {}h\n[node]\nformat = {}\nbackground_check = 10min\n"
      "concurrent_compactors = 64\ncompaction_throughput = {}B/s\n",
      date(0), words.hours, words.format, words.throughput_bytes_per_s);
  text += words.ring;
  if (!words.alter.empty())
    text += fmt::format("[change.c]\nat = {}\ncql = ALTER TABLE oracle.t0 WITH {}\n", date(words.alter_h), words.alter);
  for (const TableWords& table : words.tables)
    if (table.flush_bytes > 0) text += fmt::format("[table.{}]\nflush_size = {}B\n", table.name, table.flush_bytes);
  for (const StreamWords& stream : words.streams) text += stream_text(words, stream);
  return text;
}

std::string cql_text(const ScenarioWords& words) {
  std::string text;
  for (const TableWords& table : words.tables)
    text += fmt::format(
        "CREATE TABLE oracle.{} (device text, bucket timestamp, shard int, at timestamp, v0 text, v1 text, {}"
        "PRIMARY KEY ((device, bucket, shard), at)) WITH memtable_flush_period_in_ms = {} AND {};\n",
        table.name, table.statics ? "s0 text static, " : "", table.flush_period_s * 1000, table.options);
  return text;
}

std::optional<std::string> file_text(const ScenarioWords& words, const std::string& name) {
  if (name == "t.cql") return cql_text(words);
  if (name == "clock.csv") return words_clock;
  return std::nullopt;
}

}  // namespace windrow::witness
