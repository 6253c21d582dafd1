#include "tests/witness/lib/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

namespace windrow::witness {
namespace {

struct Month {
  std::int64_t year_and_month = 0;
  Seconds begin_s = 0;
};

Month month_of(Seconds time_s) {
  std::int64_t days = time_s / seconds_per_day;
  std::int64_t year = 1970;
  const auto is_leap = [](std::int64_t y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; };
  for (; days >= (is_leap(year) ? 366 : 365); ++year) days -= is_leap(year) ? 366 : 365;
  const std::array<int, 12> lengths = {31, is_leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::int64_t month = 1;
  for (const int length : lengths) {
    if (days < length) break;
    days -= length;
    ++month;
  }
  return {.year_and_month = year * 100 + month, .begin_s = (time_s / seconds_per_day - days) * seconds_per_day};
}

class StreamSchedule {
 public:
  StreamSchedule(const OracleScenario& scenario, const OracleStream& stream, std::vector<Arrival>& out)
      : scenario_(scenario),
        stream_(stream),
        end_s_(std::min(scenario.start_s + stream.to_s, scenario.end_s)),
        out_(out) {}

  void add() {
    if (stream_.op != OracleStream::Op::none) {
      for (std::int64_t g = 0; due(g) < end_s_; ++g) {
        const std::optional<Seconds> at_s = arrival(g);
        if (at_s && *at_s < scenario_.end_s) add_row(*at_s, false, g);
      }
    }
    if (stream_.delete_kind == DeleteKind::row || stream_.delete_kind == DeleteKind::cell) {
      for (std::int64_t g = 0; due(g) < end_s_; ++g) {
        const Seconds at_s = due(g) + stream_.delete_age_s;
        if (is_deleted(g) && in_time(at_s)) add_row(at_s, true, g);
      }
    }
    if (stream_.delete_kind != DeleteKind::partition && stream_.delete_kind != DeleteKind::range) return;
    if (stream_.delete_by_event) {
      for (std::int64_t g = 0; due(g) < end_s_; ++g) add_event_delete(g);
    } else {
      add_bucket_deletes();
    }
  }

 private:
  Seconds event(std::int64_t g) const { return event_time_s(scenario_, stream_, g); }

  Seconds due(std::int64_t g) const { return due_s(scenario_, stream_, g); }

  /// delete_count of every delete_every rows, evenly spread: the k-th of them is row ceil(k * every / count).
  bool is_deleted(std::int64_t g) const {
    std::int64_t place = (g - stream_.delete_remainder) % stream_.delete_every;
    if (place < 0) place += stream_.delete_every;
    for (std::int64_t k = 0; k < stream_.delete_count; ++k)
      if ((k * stream_.delete_every + stream_.delete_count - 1) / stream_.delete_count == place) return true;
    return false;
  }

  bool in_time(Seconds at_s) const {
    if (at_s >= scenario_.end_s || at_s < scenario_.start_s + stream_.delete_from_s) return false;
    return !stream_.delete_to_s || at_s < scenario_.start_s + *stream_.delete_to_s;
  }

  void add_event_delete(std::int64_t g) {
    const Seconds written_s = due(g) - stream_.delete_age_s;
    if (written_s < scenario_.start_s + stream_.from_s) return;
    const std::int64_t bucket = bucket_of(stream_.bucket, written_s);
    if (stream_.delete_kind == DeleteKind::range && written_s <= bucket_begin_s(stream_.bucket, written_s)) return;
    out_.push_back({.at_s = due(g),
                    .stream = stream_.index,
                    .is_delete = true,
                    .number = g,
                    .entity = g % stream_.entities,
                    .bucket = bucket,
                    .shard = g / stream_.entities % stream_.shards});
  }

  std::optional<Seconds> arrival(std::int64_t g) const {
    Seconds at_s = due(g);
    if (stream_.late_every > 0 && g % stream_.late_every == stream_.late_every - 1) at_s += stream_.late_s;
    const Seconds offset_s = at_s - scenario_.start_s;
    for (const OracleStream::Pause& pause : stream_.pauses) {
      if (offset_s < pause.from_s || offset_s >= pause.to_s) continue;
      if (!stream_.pauses_delay) return std::nullopt;
      return scenario_.start_s + pause.to_s;
    }
    return at_s;
  }

  void add_row(Seconds at_s, bool is_delete, std::int64_t g) {
    out_.push_back({.at_s = at_s,
                    .stream = stream_.index,
                    .is_delete = is_delete,
                    .number = g,
                    .entity = g % stream_.entities,
                    .bucket = bucket_of(stream_.bucket, event(g)),
                    .shard = g / stream_.entities % stream_.shards});
  }

  void add_bucket_deletes() {
    const Seconds length_s = bucket_length_s(stream_.bucket);
    std::int64_t number = 0;
    for (std::int64_t b = (scenario_.start_s + stream_.from_s) / length_s; b <= (end_s_ - 1) / length_s; ++b) {
      for (std::int64_t entity = 0; entity < stream_.entities; ++entity) {
        for (std::int64_t shard = 0; shard < stream_.shards; ++shard, ++number) {
          const Seconds at_s = (b + 1) * length_s + stream_.delete_age_s + entity;
          if ((b + entity) % stream_.delete_every != stream_.delete_remainder || at_s >= scenario_.end_s) continue;
          out_.push_back({.at_s = at_s,
                          .stream = stream_.index,
                          .is_delete = true,
                          .number = number,
                          .entity = entity,
                          .bucket = b * length_s,
                          .shard = shard});
        }
      }
    }
  }

  const OracleScenario& scenario_;
  const OracleStream& stream_;
  Seconds end_s_ = 0;
  std::vector<Arrival>& out_;
};

}  // namespace

std::int64_t bucket_of(OracleStream::Bucket bucket, Seconds time_s) {
  if (bucket == OracleStream::Bucket::none) return 0;
  if (bucket == OracleStream::Bucket::month) return month_of(time_s).year_and_month;
  return time_s / bucket_length_s(bucket) * bucket_length_s(bucket);
}

Seconds bucket_begin_s(OracleStream::Bucket bucket, Seconds time_s) {
  return bucket == OracleStream::Bucket::month ? month_of(time_s).begin_s : bucket_of(bucket, time_s);
}

Seconds event_time_s(const OracleScenario& scenario, const OracleStream& stream, std::int64_t g) {
  if (stream.history_s == 0) return due_s(scenario, stream, g);
  const Seconds end_s = std::min(scenario.start_s + stream.to_s, scenario.end_s);
  std::int64_t rows = 0;
  while (due_s(scenario, stream, rows) < end_s) ++rows;
  return scenario.start_s + stream.history_from_s + g * stream.history_s / std::max<std::int64_t>(1, rows);
}

Seconds due_s(const OracleScenario& scenario, const OracleStream& stream, std::int64_t g) {
  const std::int64_t entity = g % stream.entities;
  return scenario.start_s + stream.from_s + stream.phase_s +
         (stream.spread ? entity * stream.period_s / stream.entities : 0) + g / stream.entities * stream.period_s;
}

std::int64_t clustering_of(const OracleScenario& scenario, const OracleStream& stream, std::int64_t g) {
  return stream.ck_mod > 0 ? g / stream.entities % stream.ck_mod : event_time_s(scenario, stream, g) * 1000;
}

Seconds bucket_length_s(OracleStream::Bucket bucket) {
  switch (bucket) {
    case OracleStream::Bucket::hour:
      return 3600;
    case OracleStream::Bucket::day:
      return seconds_per_day;
    case OracleStream::Bucket::week:
      return 7 * seconds_per_day;
    case OracleStream::Bucket::none:
    case OracleStream::Bucket::month:
      break;
  }
  return 0;
}

std::vector<Arrival> schedule(const OracleScenario& scenario) {
  std::vector<Arrival> arrivals;
  for (const OracleStream& stream : scenario.streams) StreamSchedule(scenario, stream, arrivals).add();
  std::ranges::sort(arrivals, {}, [](const Arrival& a) { return std::tuple(a.at_s, a.stream, a.is_delete, a.number); });
  return arrivals;
}

const Key* Keys::key(const OracleStream& stream, const Arrival& arrival) {
  std::string text = fmt::format("{}{}", stream.pk_prefix, arrival.entity);
  if (stream.bucket != OracleStream::Bucket::none) text += fmt::format(":{}", arrival.bucket);
  if (stream.shards > 1) text += fmt::format(":{}", arrival.shard);
  std::unique_ptr<const Key>& key = keys_[text];
  if (!key) key = std::make_unique<const Key>(Key{text, murmur3(text), murmur3_token(text)});
  return key.get();
}

}  // namespace windrow::witness
