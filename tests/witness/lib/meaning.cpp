#include "tests/witness/lib/meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace windrow::witness {
namespace {

constexpr Micros hour_us = 3600 * us_per_s;
constexpr Micros start_us = words_start_s * us_per_s;

/// An entity that writes, into which shard, and when it is due.
struct Turn {
  std::int64_t entity = 0;
  Micros event_us = 0;
  std::int64_t shard = 0;
};

/// Entities of a stream are all alike: the fast ones are all of them or none.
std::int64_t shards_of(const StreamWords& stream) {
  const bool fast = stream.fast_shards > 0 && stream.rows_per_day.front().value > stream.fast_per_day;
  return fast ? stream.fast_shards : stream.shards;
}

/// Entities take turns with their first shard, then with their second, and so on.
void take_turn(const StreamWords& stream, std::int64_t number, Turn& turn) {
  turn.entity = number % stream.entities;
  turn.shard = number / stream.entities % shards_of(stream);
}

template <class T>
T at(const std::vector<StreamWords::Then<T>>& parts, Micros event_us) {
  T value = parts.front().value;
  for (const auto& part : parts)
    if (event_us >= start_us + part.from_h * hour_us) value = part.value;
  return value;
}

Micros begin_us(const StreamWords& stream) { return start_us + stream.from_h.value_or(0) * hour_us; }

/// Entities take turns at even distances. An event is written `copies` times, evenly until the next event, by the
/// entities whose turn it is.
std::vector<Turn> turns_of_writer(const ScenarioWords& words, const StreamWords& stream, std::int64_t copies) {
  const Micros from_us = begin_us(stream);
  const Micros until_us = start_us + std::min(words.hours, stream.until_h.value_or(words.hours)) * hour_us;
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < stream.rows_per_day.size(); ++i) {
    const auto& part = stream.rows_per_day[i];
    const Micros part_us = std::max(from_us, i == 0 ? 0 : start_us + part.from_h * hour_us);
    const bool last = i + 1 == stream.rows_per_day.size();
    const Micros end_us = last ? until_us : std::min(until_us, start_us + stream.rows_per_day[i + 1].from_h * hour_us);
    const std::int64_t a_day = part.value * stream.entities * copies;
    if (a_day == 0) continue;
    for (std::int64_t k = 0; stream.at_once; ++k) {
      const Micros event_us = part_us + k * 24 * hour_us / part.value;
      if (event_us >= end_us) break;
      for (std::int64_t entity = 0; entity < stream.entities; ++entity) {
        Turn turn{.event_us = event_us};
        take_turn(stream, std::ssize(turns), turn);
        turns.push_back(turn);
      }
    }
    if (stream.at_once) continue;
    for (std::int64_t k = 0;; ++k) {
      const Micros event_us = part_us + k * 24 * hour_us / a_day;
      if (event_us >= end_us) break;
      Turn turn{.event_us = event_us};
      take_turn(stream, std::ssize(turns), turn);
      turns.push_back(turn);
    }
  }
  return turns;
}

const StreamWords& source_of(const ScenarioWords& words, const StreamWords& stream) {
  return words.streams[static_cast<std::size_t>(stream.of)];
}

/// What was written to begin with: rows of a derived stream begin and end with it.
const StreamWords& writer_of(const ScenarioWords& words, const StreamWords& stream) {
  return stream.of < 0 ? stream : writer_of(words, source_of(words, stream));
}

std::vector<Turn> turns_of(const ScenarioWords& words, const StreamWords& stream);

/// One row for every interval and entity that has a row of the source in it; entities take turns within the interval.
std::vector<Turn> turns_by_interval(const ScenarioWords& words, const StreamWords& stream) {
  const Micros from_us = begin_us(writer_of(words, stream));
  const Micros per_us = stream.per_min * 60 * us_per_s;
  std::set<std::pair<std::int64_t, std::int64_t>> with_data;
  for (const Turn& turn : turns_of(words, source_of(words, stream)))
    with_data.emplace((turn.event_us - from_us) / per_us, turn.entity);
  std::vector<Turn> turns;
  for (const auto& [interval, entity] : with_data)
    turns.push_back({.entity = entity, .event_us = from_us + interval * per_us + entity * per_us / stream.entities});
  return turns;
}

/// Row by row: each row of the source is an event, written `copies` times.
std::vector<Turn> turns_of(const ScenarioWords& words, const StreamWords& stream) {
  if (stream.per_min > 0) return turns_by_interval(words, stream);
  std::int64_t copies = 1;
  for (const StreamWords* each = &stream;; each = &source_of(words, *each)) {
    copies *= each->copies;
    if (each->of < 0) break;
  }
  return turns_of_writer(words, writer_of(words, stream), copies);
}

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Tells row by row which part of a mix the next one is of. The parts are halved as evenly as their order allows, until
/// one is left; each halving chooses one row in every piece (the smaller half's share of them), and counts for itself.
class Shares {
 public:
  Shares(std::vector<std::int64_t> ppm, std::uint64_t seed) { halve(std::move(ppm), 0, seed); }

  std::size_t next() {
    int node = 0;
    while (at(node).lower >= 0) {
      Node& here = at(node);
      node = here.chooses(here.seen++) == here.lower_is_chosen ? here.lower : here.upper;
    }
    return at(node).part;
  }

 private:
  struct Node {
    int lower = -1;
    int upper = -1;
    std::size_t part = 0;
    std::int64_t chosen = 0;  // so many of `of`
    std::int64_t of = 1;
    bool lower_is_chosen = true;
    std::uint64_t seed = 0;
    std::int64_t seen = 0;

    bool chooses(std::int64_t row) const {
      const std::int64_t piece = row * chosen / of;
      const std::int64_t begin = (piece * of + chosen - 1) / chosen;
      const std::int64_t end = ((piece + 1) * of + chosen - 1) / chosen;
      const auto draw = static_cast<std::int64_t>(mixed(static_cast<std::uint64_t>(piece) + (seed << 48)) >> 32);
      return row == begin + (draw * (end - begin) >> 32);
    }
  };

  Node& at(int node) { return nodes_[static_cast<std::size_t>(node)]; }

  int halve(std::vector<std::int64_t> ppm, std::size_t first_part, std::uint64_t& seed) {
    const int place = static_cast<int>(nodes_.size());
    nodes_.push_back({.part = first_part});
    if (ppm.size() == 1) return place;
    const std::int64_t all = std::accumulate(ppm.begin(), ppm.end(), std::int64_t{0});
    std::size_t best = 1;
    std::int64_t below = 0;
    std::int64_t best_below = ppm.front();
    for (std::size_t i = 1; i < ppm.size(); ++i) {
      below += ppm[i - 1];
      if (std::abs(2 * below - all) < std::abs(2 * best_below - all)) best = i, best_below = below;
    }
    const std::int64_t common = std::gcd(best_below, all);
    Node node{.part = first_part, .of = all / common, .seed = seed++};
    node.lower_is_chosen = 2 * best_below <= all;
    node.chosen = (node.lower_is_chosen ? best_below : all - best_below) / common;
    const auto middle = ppm.begin() + static_cast<std::ptrdiff_t>(best);
    node.lower = halve({ppm.begin(), middle}, first_part, seed);
    node.upper = halve({middle, ppm.end()}, first_part + best, seed);
    nodes_[static_cast<std::size_t>(place)] = node;
    return place;
  }

  std::vector<Node> nodes_{};
};

/// Which rows are late, and which of those and of the others have which TTL.
class Mix {
 public:
  explicit Mix(const StreamWords& stream) : stream_(stream), late_(all_of(stream.late_parts), 0x100) {
    for (std::size_t i = 0; i <= stream.late_parts.size(); ++i) ttl_.emplace_back(all_of(stream.ttl_parts), 0x200);
  }

  struct Fate {
    std::size_t kind = 0;
    Seconds late_s = 0;
    std::optional<Seconds> ttl_s{};
  };
  Fate next() {
    const std::size_t late = late_.next();
    const std::size_t ttl = ttl_[late].next();
    Fate fate{.kind = late * (stream_.ttl_parts.size() + 1) + ttl, .late_s = stream_.late_s};
    if (late < stream_.late_parts.size()) fate.late_s = stream_.late_parts[late].seconds;
    if (ttl < stream_.ttl_parts.size()) fate.ttl_s = stream_.ttl_parts[ttl].seconds;
    return fate;
  }

 private:
  static std::vector<std::int64_t> all_of(const std::vector<StreamWords::Part>& parts) {
    std::vector<std::int64_t> ppm;
    for (const StreamWords::Part& part : parts) ppm.push_back(part.ppm);
    ppm.push_back(1'000'000 - std::accumulate(ppm.begin(), ppm.end(), std::int64_t{0}));
    return ppm;
  }

  const StreamWords& stream_;
  Shares late_;
  std::vector<Shares> ttl_{};  // of each lateness
};

void append(std::string& key, const std::string& component) {
  key += static_cast<char>(component.size() >> 8);
  key += static_cast<char>(component.size() & 0xFF);
  key += component;
  key += '\0';
}

Micros bucket_begin_us(StreamWords::Bucket bucket, Micros event_us) {
  constexpr Micros february_us = 1'769'904'000 * us_per_s;
  constexpr Micros january_us = 1'767'225'600 * us_per_s;
  if (bucket == StreamWords::Bucket::month) return event_us < february_us ? january_us : february_us;
  const Micros length_us = bucket == StreamWords::Bucket::hour ? hour_us : 24 * hour_us;
  return event_us - event_us % length_us;
}

/// What the clock of words_clock shows.
Micros shown_us(Micros event_us) {
  const Micros in_run_us = event_us - words_start_s * us_per_s;
  return event_us + (in_run_us >= 20 * hour_us && in_run_us < 45 * hour_us ? 2 : 1) * hour_us;
}

/// A random uuid that a text stands for, as text.
std::string uuid_text(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  const std::uint64_t high = (mixed(hash) & 0xffffffffffff0fffU) | 0x4000U;
  const std::uint64_t low = (mixed(hash + 1) & 0x3fffffffffffffffU) | 0x8000000000000000U;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xffff, high & 0xffff, low >> 48,
                     low & 0xffffffffffffU);
}

/// (device, bucket, shard): text, milliseconds and a number.
std::string key_of(const StreamWords& named, const StreamWords& stream, const Turn& turn) {
  Micros shown = stream.own_clock ? shown_us(turn.event_us) : turn.event_us;
  if (stream.living_s > 0) shown -= shown % (stream.living_s * us_per_s);  // its life begins
  const auto millis = static_cast<std::uint64_t>(bucket_begin_us(at(stream.bucket, turn.event_us), shown) / 1000);
  std::string bucket;
  for (int shift = 56; shift >= 0; shift -= 8) bucket += static_cast<char>(millis >> shift & 0xFF);
  std::string key;
  append(key, stream.living_s > 0 ? uuid_text(fmt::format("{}-{}-{}-0", named.name, turn.entity, shown / us_per_s))
                                  : fmt::format("{}-{:02d}", named.name, turn.entity));
  append(key, bucket);
  append(key, {'\0', '\0', '\0', static_cast<char>(turn.shard)});
  return key;
}

}  // namespace

std::vector<MeantRow> meant_rows(const ScenarioWords& words, const std::string& table) {
  std::vector<MeantRow> rows;
  for (const StreamWords& stream : words.streams) {
    if (stream.table != table) continue;
    Mix mix(stream);
    std::map<std::size_t, std::int64_t> next_turn;  // of rows of one fate: from that of the first, all in turn
    const bool mixed = stream.keys_in_partition == 0 && stream.late_parts.size() + stream.ttl_parts.size() > 0;
    std::int64_t number = -1;
    std::set<std::string> begun;  // partitions
    for (Turn turn : turns_of(words, stream)) {
      ++number;
      const Mix::Fate fate = mix.next();
      if (mixed) {
        const std::int64_t own = turn.shard * stream.entities + turn.entity;
        take_turn(stream, next_turn.try_emplace(fate.kind, own).first->second++, turn);
      }
      MeantRow row;
      row.key = key_of(writer_of(words, stream), stream, turn);
      const bool first = begun.insert(row.key).second;
      if (stream.statics == StreamWords::Statics::each || (stream.statics == StreamWords::Statics::once && first))
        row.static_bytes = stream.s0_bytes;
      row.arrival_us = turn.event_us + (fate.late_s + stream.per_min * 60 + stream.delay_s) * us_per_s;
      if (row.arrival_us >= start_us + words.hours * hour_us) continue;
      row.timestamp_us =
          stream.timestamp_from_event ? turn.event_us + stream.timestamp_offset_s * us_per_s : row.arrival_us;
      row.ttl_s = fate.ttl_s.value_or(at(stream.ttl_s, turn.event_us));
      row.clustering = turn.event_us / 1000;
      // A partition's first row, its second, and so on, then the first again.
      if (stream.keys_in_partition > 0)
        row.clustering = number / (stream.entities * shards_of(stream)) % stream.keys_in_partition;
      row.insert = !stream.update;
      row.value_bytes = {stream.v0_bytes};
      if (!stream.only_v0) row.value_bytes.push_back(stream.v1_bytes);
      rows.push_back(std::move(row));
    }
  }
  std::ranges::stable_sort(rows, {}, &MeantRow::arrival_us);
  return rows;
}

}  // namespace windrow::witness
