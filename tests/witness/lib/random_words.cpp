#include <fmt/format.h>

#include <algorithm>

#include "sim/stats/murmur3.h"
#include "tests/witness/lib/dice.h"
#include "tests/witness/lib/random_scenario.h"
#include "tests/witness/lib/words.h"

namespace windrow::witness {
namespace {

using Bucket = StreamWords::Bucket;

// What changes does so on these hours: then every entity has had its turn.
constexpr std::int64_t step_h = 4;

std::int64_t some_step(Dice& dice, std::int64_t hours) { return step_h * dice.between(1, hours / step_h - 1); }

void draw_changes(Dice& dice, StreamWords& s, std::int64_t hours) {
  const auto some_ttl_s = [&] { return dice.one_of<Seconds>({-1, 0, 3600, 20'000, 43'200, 86'400}); };
  const auto some_bucket = [&] { return dice.one_of({Bucket::hour, Bucket::day, Bucket::day, Bucket::month}); };
  if (dice.percent(50)) s.ttl_s = {{some_ttl_s(), 0}};
  if (dice.percent(25)) s.ttl_s = {s.ttl_s.front(), {some_ttl_s(), dice.percent(50) ? 24 : some_step(dice, hours)}};
  if (dice.percent(60)) s.bucket = {{some_bucket(), 0}};
  if (dice.percent(25)) s.bucket = {s.bucket.front(), {some_bucket(), dice.percent(50) ? 24 : some_step(dice, hours)}};
  // A writer that begins in the middle of a turn begins with its first entity again: changes are at hours of UTC.
  s.own_clock = dice.percent(25) && s.bucket.size() == 1 && s.ttl_s.size() == 1;
  if (dice.percent(30)) s.late_s = dice.one_of<Seconds>({30, 3600, 20'000});
  if (dice.percent(30)) s.update = !s.update;
  if (dice.percent(30)) s.v0_bytes = dice.between(1, 60);
  if (dice.percent(15)) s.v1_bytes = dice.between(2000, 20'000);
  if (dice.percent(25)) s.only_v0 = !s.only_v0;
  if (dice.percent(30)) {
    s.timestamp_from_event = !s.timestamp_from_event;
    s.timestamp_offset_s = dice.one_of<Seconds>({0, 5, 4000});
  }
}

void draw_rate(Dice& dice, StreamWords& s, std::int64_t hours, std::int64_t most_rows) {
  const auto some_rate = [&] {
    std::int64_t rate = dice.one_of<std::int64_t>({6, 12, 24, 48, 144, 720});
    while (rate > 6 && rate * hours / 24 * s.entities * s.copies > most_rows) rate = rate > 24 ? 24 : rate / 2;
    return rate;
  };
  s.rows_per_day = {{some_rate(), 0}};
  if (dice.percent(40)) s.rows_per_day.push_back({dice.percent(25) ? 0 : some_rate(), some_step(dice, hours)});
  if (dice.percent(20) && s.rows_per_day.size() == 2 && s.rows_per_day[1].from_h + step_h < hours)
    s.rows_per_day.push_back({some_rate(), s.rows_per_day[1].from_h + step_h});
}

StreamWords writer(Dice& dice, const ScenarioWords& words) {
  StreamWords s;
  s.entities = dice.one_of<std::int64_t>({1, 2, 3, 5, 8, 12});
  if (dice.percent(50)) s.copies = dice.between(2, 5);
  draw_rate(dice, s, words.hours, 500);
  if (dice.percent(25)) s.from_h = some_step(dice, words.hours / 2 + step_h);
  if (dice.percent(25)) s.until_h = std::min(words.hours, s.from_h.value_or(0) + some_step(dice, words.hours));
  draw_changes(dice, s, words.hours);
  return s;
}

/// Rows of an entity come at least this often, where any come.
std::int64_t slowest_min(const StreamWords& s, std::int64_t copies) {
  std::int64_t slowest = 1;
  for (const auto& part : s.rows_per_day)
    if (part.value > 0) slowest = std::max(slowest, 1440 / (part.value * copies));
  return slowest;
}

StreamWords derived(Dice& dice, const ScenarioWords& words, int source_place) {
  const StreamWords& source = words.streams[static_cast<std::size_t>(source_place)];
  StreamWords s;
  s.of = source_place;
  s.entities = source.entities;
  s.rows_per_day = source.rows_per_day;
  s.v0_bytes = source.v0_bytes;
  s.v1_bytes = source.v1_bytes;
  draw_changes(dice, s, words.hours);
  s.only_v0 = s.only_v0 && source.only_v0;  // texts that come along are written
  s.late_s = 0;
  s.delay_s = dice.one_of<Seconds>({0, 0, 30, 300, 10'000});
  if (source.per_min > 0) {
    s.per_min = std::min<std::int64_t>(240, source.per_min * dice.between(1, 2));
  } else if (dice.percent(60)) {
    s.per_min = dice.one_of<std::int64_t>({30, 60, 120, 240});
    while (s.per_min < slowest_min(source, source.copies)) s.per_min *= 2;
  } else if (dice.percent(50)) {
    s.copies = dice.between(2, 3);
  }
  return s;
}

/// Another stream that begins with `like`, and says some things differently.
StreamWords alike(Dice& dice, const ScenarioWords& words, int model) {
  const StreamWords& other = words.streams[static_cast<std::size_t>(model)];
  StreamWords s = other;
  s.like = model;
  if (s.of >= 0) {
    draw_changes(dice, s, words.hours);
    s.only_v0 = s.only_v0 && other.only_v0;
    s.late_s = 0;
    if (dice.percent(40)) s.delay_s += 60;
    return s;
  }
  if (dice.percent(50)) s.entities = dice.one_of<std::int64_t>({1, 2, 3, 5, 8, 12});
  if (dice.percent(30)) s.copies = dice.between(1, 4);
  draw_rate(dice, s, words.hours, 400);
  if (s.from_h && !s.until_h && dice.percent(30)) s.until_h = words.hours;
  draw_changes(dice, s, words.hours);
  s.only_v0 = s.only_v0 && other.only_v0;
  return s;
}

TableWords table(std::string name, std::uint64_t seed, Dice& dice) {
  OracleScenario options = random_scenario(seed);
  while (options.allow_unsafe_aggressive_sstable_expiration) options = random_scenario(++seed + 1'000'000);
  TableWords made{.name = std::move(name), .options = options.table};
  if (dice.percent(70)) made.flush_bytes = dice.between(1, 12) * 1024;
  if (made.flush_bytes == 0 || dice.percent(50)) made.flush_period_s = dice.one_of<Seconds>({1200, 3600, 5400, 14'400});
  return made;
}

}  // namespace

ScenarioWords random_words(std::uint64_t seed) {
  Dice dice(seed * 7 + 3);
  ScenarioWords words;
  words.hours = step_h * dice.between(6, 15);
  words.format = dice.one_of({"nb", "oa", "da"});
  if (dice.percent(50)) words.throughput_bytes_per_s = dice.one_of<std::int64_t>({1000, 5000, 50'000});
  words.tables.push_back(table("t0", seed * 11, dice));
  const auto add = [&](StreamWords stream, bool own_table) {
    stream.name = std::string(1, static_cast<char>('a' + std::ssize(words.streams)));
    if (own_table)
      words.tables.push_back(table(fmt::format("t{}", words.tables.size()), seed * 11 + words.tables.size(), dice));
    stream.table = words.tables[own_table ? words.tables.size() - 1 : 0].name;
    words.streams.push_back(std::move(stream));
  };
  add(writer(dice, words), false);
  const bool copied = words.streams[0].copies > 1;
  if (dice.percent(60) || (!copied && dice.percent(60))) add(alike(dice, words, 0), false);
  if (dice.percent(60) || (!copied && words.streams.size() == 1)) {
    add(derived(dice, words, static_cast<int>(dice.between(0, std::ssize(words.streams) - 1))), true);
    const int first_derived = static_cast<int>(words.streams.size()) - 1;
    const bool by_interval = words.streams.back().per_min > 0;
    if (by_interval && dice.percent(40)) add(derived(dice, words, first_derived), true);
    if (dice.percent(40)) add(alike(dice, words, first_derived), true);
  }
  return words;
}

namespace {

std::vector<StreamWords::Part> some_parts(Dice& dice, const std::vector<Seconds>& seconds) {
  std::vector<StreamWords::Part> parts;
  std::int64_t left = 1'000'000;
  for (const Seconds each : seconds) {
    if (!dice.percent(50)) continue;
    const std::int64_t most = dice.one_of<std::int64_t>({1, 100, 1'000, 10'000, 100'000, 400'000, left - 1});
    parts.push_back({.ppm = dice.between(1, std::min(most, left - 1)), .seconds = each});
    left -= parts.back().ppm;
    if (left < 2) break;
  }
  return parts;
}

/// One table, one stream or two; `more` adds words to a stream.
template <class More>
ScenarioWords plain_words(Dice& dice, std::uint64_t table_seed, const More& more) {
  ScenarioWords words;
  words.hours = step_h * dice.between(6, 15);
  words.format = dice.one_of({"nb", "oa", "da"});
  if (dice.percent(50)) words.throughput_bytes_per_s = dice.one_of<std::int64_t>({1000, 5000, 50'000});
  words.tables.push_back(table("t0", table_seed, dice));
  for (int i = 0; i < (dice.percent(40) ? 2 : 1); ++i) {
    StreamWords s;
    s.name = std::string(1, static_cast<char>('a' + i));
    s.table = "t0";
    s.entities = dice.one_of<std::int64_t>({1, 2, 3, 5, 8, 12});
    draw_rate(dice, s, words.hours, 700);
    draw_changes(dice, s, words.hours);
    s.ttl_s.resize(1);
    s.bucket.resize(1);
    s.late_s = 0;
    more(s);
    words.streams.push_back(std::move(s));
  }
  return words;
}

}  // namespace

RingWords random_ring_words(std::uint64_t seed) {
  Dice dice(seed * 19 + 11);
  RingWords ring;
  ring.nodes = static_cast<int>(dice.between(3, 9));
  ring.copies = static_cast<int>(dice.between(1, 3));
  const std::int64_t each = dice.one_of<std::int64_t>({1, 2, 4, 8});
  for (int node = 0; node < ring.nodes; ++node) {
    for (std::int64_t i = 0; i < each; ++i) ring.tokens.emplace_back(static_cast<std::int64_t>(dice.next()), node);
  }
  std::ranges::sort(ring.tokens);
  ScenarioWords& words = ring.words;
  words.ring =
      fmt::format("[dc.main]\nnodes = {}\nreplication_factor = {}\ntokens = ring.csv\n", ring.nodes, ring.copies);
  words.hours = step_h * dice.between(6, 15);
  words.format = dice.one_of({"nb", "oa", "da"});
  const bool sharded = dice.percent(40);
  if (dice.percent(50)) words.throughput_bytes_per_s = dice.one_of<std::int64_t>({1000, 5000, 50'000});
  words.tables.push_back(table("t0", seed * 23, dice));
  for (int i = 0; i < dice.between(1, 3); ++i) {
    StreamWords s;
    s.name = std::string(1, static_cast<char>('a' + i));
    s.table = "t0";
    s.entities = dice.one_of<std::int64_t>({1, 2, 3, 5, 8, 12, 30});
    if (sharded) s.shards = dice.between(2, 10);
    draw_rate(dice, s, words.hours, 900);
    draw_changes(dice, s, words.hours);
    s.rows_per_day.resize(1);
    s.ttl_s.resize(1);
    s.bucket.resize(1);
    s.at_once = true;
    words.streams.push_back(std::move(s));
  }
  if (dice.percent(35)) {
    words.alter_h = dice.between(1, words.hours - 1);
    words.alter = fmt::format(
        "compaction = {{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': '{}', 'base_shard_count': '{}', "
        "'target_sstable_size': '1MiB', 'min_sstable_size': '0B'}}",
        dice.one_of({"T4", "L4", "N", "T2"}), dice.between(1, 4));
  }
  return ring;
}

std::string ring_csv(const RingWords& ring) {
  std::string csv = "dc,node,rack,token\n";
  for (const auto& [token, node] : ring.tokens) csv += fmt::format("main,{},rack1,{}\n", node + 1, token);
  return csv;
}

std::vector<int> holders(const RingWords& ring, const std::string& key) {
  const std::int64_t token = murmur3_token(key);
  std::vector<int> nodes;
  auto place = std::ranges::lower_bound(ring.tokens, std::pair(token, 0));
  while (std::ssize(nodes) < ring.copies) {
    if (place == ring.tokens.end()) place = ring.tokens.begin();
    if (std::ranges::find(nodes, place->second) == nodes.end()) nodes.push_back(place->second);
    ++place;
  }
  return nodes;
}

namespace {

void draw_shares(Dice& dice, StreamWords& s) {
  s.late_parts = some_parts(dice, {30, 3600, 20'000});
  s.ttl_parts = some_parts(dice, {0, 3600, 40'000, 86'400});
}

}  // namespace

ScenarioWords random_words_of_shares(std::uint64_t seed) {
  Dice dice(seed * 13 + 5);
  return plain_words(dice, seed * 17, [&](StreamWords& s) { draw_shares(dice, s); });
}

ScenarioWords random_words_of_shards(std::uint64_t seed) {
  Dice dice(seed * 29 + 7);
  return plain_words(dice, seed * 31, [&](StreamWords& s) {
    s.shards = dice.one_of<std::int64_t>({1, 2, 3, 4});
    if (dice.percent(50)) s.fast_shards = dice.one_of<std::int64_t>({1, 2, 5});
    const std::int64_t rows = s.rows_per_day.front().value;
    if (s.fast_shards > 0) s.fast_per_day = dice.one_of<std::int64_t>({1, rows - 1, rows, rows + 1, 10 * rows});
    if (dice.percent(50)) draw_shares(dice, s);
  });
}

ScenarioWords random_words_of_short_lives(std::uint64_t seed) {
  Dice dice(seed * 43 + 13);
  return plain_words(dice, seed * 47, [&](StreamWords& s) {
    s.living_s = dice.one_of<Seconds>({600, 1800, 3600, 7200});
    s.rows_per_day.front().value = dice.one_of<std::int64_t>({24, 96});
    s.entities = dice.between(1, 4);
    s.own_clock = false;
    s.bucket.resize(1);
    if (dice.percent(50)) draw_shares(dice, s);
  });
}

ScenarioWords random_words_of_overwrites(std::uint64_t seed) {
  Dice dice(seed * 37 + 11);
  return plain_words(dice, seed * 41, [&](StreamWords& s) {
    s.shards = dice.one_of<std::int64_t>({1, 1, 2, 3});
    s.keys_in_partition = dice.one_of<std::int64_t>({1, 2, 5, 20});
    s.update = false;
    if (dice.percent(70)) draw_shares(dice, s);
    // Keys that neither expire nor come late are counted only.
    const bool fates = !s.late_parts.empty() ||
                       std::ranges::any_of(s.ttl_parts, [](const StreamWords::Part& part) { return part.seconds > 0; });
    if (!fates || dice.percent(30)) s.ttl_s = {{dice.one_of<Seconds>({3600, 20'000, 86'400}), 0}};
  });
}

ScenarioWords random_words_of_statics(std::uint64_t seed) {
  using Statics = StreamWords::Statics;
  Dice dice(seed * 53 + 17);
  ScenarioWords words = plain_words(dice, seed * 59, [&](StreamWords& s) {
    s.statics = dice.one_of({Statics::each, Statics::each, Statics::once, Statics::once, Statics::none});
    s.shards = dice.one_of<std::int64_t>({1, 1, 2});
    s.s0_bytes = dice.one_of<std::int64_t>({1, 8, 60, 300, 3'000});
    if (dice.percent(50)) draw_shares(dice, s);
  });
  for (TableWords& each : words.tables) each.statics = true;
  return words;
}

namespace {

/// Without stream `gone`, what is derived from it, and tables nobody writes.
ScenarioWords without(const ScenarioWords& words, int gone) {
  ScenarioWords fewer = words;
  fewer.streams.clear();
  std::vector<int> places(words.streams.size(), -1);
  for (std::size_t i = 0; i < words.streams.size(); ++i) {
    StreamWords stream = words.streams[i];
    if (static_cast<int>(i) == gone) continue;
    if (stream.like >= 0) stream.like = places[static_cast<std::size_t>(stream.like)];
    if (stream.of >= 0 && places[static_cast<std::size_t>(stream.of)] < 0) continue;
    if (stream.of >= 0) stream.of = places[static_cast<std::size_t>(stream.of)];
    places[i] = static_cast<int>(fewer.streams.size());
    fewer.streams.push_back(std::move(stream));
  }
  std::erase_if(fewer.tables, [&](const TableWords& table) {
    return std::ranges::find(fewer.streams, table.name, &StreamWords::table) == fewer.streams.end();
  });
  return fewer;
}

}  // namespace

ScenarioWords shrink_words(ScenarioWords words, const std::function<bool(const ScenarioWords&)>& fails) {
  using Change = std::function<void(StreamWords&)>;
  static const std::vector<Change> changes = {
      [](StreamWords& s) { s.like = -1; },
      [](StreamWords& s) { s.copies = 1; },
      [](StreamWords& s) {
        s.ttl_s = {{-1, 0}};
      },
      [](StreamWords& s) {
        s.bucket = {{Bucket::day, 0}};
      },
      [](StreamWords& s) { s.own_clock = false; },
      [](StreamWords& s) { s.statics = StreamWords::Statics::none; },
      [](StreamWords& s) { s.fast_shards = 0; },
      [](StreamWords& s) { s.keys_in_partition = std::min<std::int64_t>(s.keys_in_partition, 1); },
      [](StreamWords& s) { s.shards = 1; },
      [](StreamWords& s) { s.late_s = 0; },
      [](StreamWords& s) { s.late_parts.clear(); },
      [](StreamWords& s) { s.ttl_parts.clear(); },
      [](StreamWords& s) { s.delay_s = 0; },
      [](StreamWords& s) { s.timestamp_from_event = false; },
      [](StreamWords& s) { s.update = s.only_v0 = false; },
      [](StreamWords& s) { s.v0_bytes = s.v1_bytes = 20; },
      [](StreamWords& s) { s.from_h = {}; },
      [](StreamWords& s) { s.until_h = {}; },
  };
  for (bool smaller = true; smaller;) {
    smaller = false;
    const auto take_if_fails = [&](ScenarioWords candidate) {
      if (candidate.streams.empty()) return;
      if (ini_text(candidate) + cql_text(candidate) == ini_text(words) + cql_text(words) || !fails(candidate)) return;
      words = std::move(candidate);
      smaller = true;
    };
    for (int i = static_cast<int>(words.streams.size()) - 1; i >= 0 && words.streams.size() > 1; --i)
      if (i < static_cast<int>(words.streams.size())) take_if_fails(without(words, i));
    for (std::size_t i = 0; i < words.streams.size(); ++i) {
      for (const Change& change : changes) {
        ScenarioWords candidate = words;
        change(candidate.streams[i]);
        take_if_fails(std::move(candidate));
      }
      if (words.streams[i].of >= 0) continue;
      for (const bool rate : {true, false}) {  // and that of what is derived from it
        ScenarioWords candidate = words;
        for (std::size_t k = i; k < words.streams.size(); ++k) {
          const bool follows = k == i || candidate.streams[k].of == static_cast<int>(i);
          if (follows && rate) candidate.streams[k].rows_per_day.resize(1);
          if (follows && !rate) candidate.streams[k].entities = 1;
        }
        take_if_fails(std::move(candidate));
      }
    }
    for (std::size_t i = 0; i < words.tables.size(); ++i) {
      ScenarioWords candidate = words;
      candidate.tables[i].options = "compression = {'enabled': 'false'}";
      take_if_fails(std::move(candidate));
    }
    ScenarioWords unlimited = words;
    unlimited.throughput_bytes_per_s = 0;
    take_if_fails(std::move(unlimited));
  }
  return words;
}

}  // namespace windrow::witness
