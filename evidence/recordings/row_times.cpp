#include "evidence/recordings/row_times.h"

#include <algorithm>
#include <tuple>

namespace windrow {
namespace {

struct Arrival {
  Seconds arrival_s = 0;
  int stream = 0;
  bool is_delete = false;
  std::int64_t sequence = 0;
  Micros timestamp_us = 0;
};

class Schedule {
 public:
  explicit Schedule(const OracleScenario& scenario) : scenario_(scenario) {
    for (const OracleStream& stream : scenario.streams) {
      if (stream.op != OracleStream::Op::none) add_writes(stream);
      add_deletes(stream);
    }
  }

  std::vector<RowTime> in_order() {
    std::ranges::sort(arrivals_, {},
                      [](const Arrival& a) { return std::tuple(a.arrival_s, a.stream, a.is_delete, a.sequence); });
    std::vector<RowTime> rows;
    rows.reserve(arrivals_.size());
    for (const Arrival& arrival : arrivals_) rows.push_back({arrival.arrival_s, arrival.timestamp_us});
    return rows;
  }

 private:
  Seconds from_s(const OracleStream& stream) const { return scenario_.start_s + stream.from_s; }
  Seconds until_s(const OracleStream& stream) const {
    return std::min(scenario_.start_s + stream.to_s, scenario_.end_s);
  }
  Seconds event_s(const OracleStream& stream, std::int64_t g) const {
    const Seconds stagger_s = stream.spread ? g % stream.entities * stream.period_s / stream.entities : 0;
    return from_s(stream) + stream.phase_s + stagger_s + g / stream.entities * stream.period_s;
  }

  void add(Seconds arrival_s, const OracleStream& stream, bool is_delete, std::int64_t sequence, Micros timestamp_us) {
    if (arrival_s >= scenario_.end_s) return;
    arrivals_.push_back({.arrival_s = arrival_s,
                         .stream = stream.index,
                         .is_delete = is_delete,
                         .sequence = sequence,
                         .timestamp_us = timestamp_us});
  }

  void add_writes(const OracleStream& stream) {
    for (std::int64_t g = 0; event_s(stream, g) < until_s(stream); ++g) {
      const Seconds event = event_s(stream, g);
      Seconds arrival_s = event;
      if (stream.late_every > 0 && g % stream.late_every == stream.late_every - 1) arrival_s += stream.late_s;
      const Seconds offset_s = arrival_s - scenario_.start_s;
      const auto pause = std::ranges::find_if(
          stream.pauses, [&](const OracleStream::Pause& p) { return p.from_s <= offset_s && offset_s < p.to_s; });
      if (pause != stream.pauses.end()) {
        if (!stream.pauses_delay) continue;
        arrival_s = scenario_.start_s + pause->to_s;
      }
      const Seconds written_s = stream.timestamp_from_event ? event : arrival_s;
      add(arrival_s, stream, false, g, written_s * us_per_s + g % 1000 + stream.timestamp_offset_us);
    }
  }

  void add_delete(const OracleStream& stream, Seconds arrival_s, std::int64_t sequence) {
    add(arrival_s, stream, true, sequence, arrival_s * us_per_s + sequence % 1000);
  }

  void add_deletes(const OracleStream& stream) {
    switch (stream.delete_kind) {
      case OracleStream::Delete::none:
        return;
      case OracleStream::Delete::row:
      case OracleStream::Delete::cell:
        for (std::int64_t g = 0; event_s(stream, g) < until_s(stream); ++g) {
          if (g % stream.delete_every != stream.delete_remainder) continue;
          add_delete(stream, event_s(stream, g) + stream.delete_age_s, g);
        }
        return;
      case OracleStream::Delete::partition:
      case OracleStream::Delete::range:
        add_bucket_deletes(stream);
        return;
    }
  }

  void add_bucket_deletes(const OracleStream& stream) {
    const Seconds length_s = bucket_s(stream.bucket);
    std::int64_t sequence = 0;
    for (std::int64_t bucket = from_s(stream) / length_s; bucket <= (until_s(stream) - 1) / length_s; ++bucket) {
      for (std::int64_t entity = 0; entity < stream.entities; ++entity) {
        for (std::int64_t shard = 0; shard < stream.shards; ++shard, ++sequence) {
          if ((bucket + entity) % stream.delete_every != stream.delete_remainder) continue;
          add_delete(stream, (bucket + 1) * length_s + stream.delete_age_s + entity, sequence);
        }
      }
    }
  }

  static Seconds bucket_s(OracleStream::Bucket bucket) {
    switch (bucket) {
      case OracleStream::Bucket::hour:
        return 3'600;
      case OracleStream::Bucket::week:
        return 604'800;
      case OracleStream::Bucket::none:
      case OracleStream::Bucket::day:
      case OracleStream::Bucket::month:
        break;
    }
    return 86'400;
  }

  const OracleScenario& scenario_;
  std::vector<Arrival> arrivals_{};
};

}  // namespace

std::vector<RowTime> row_times(const OracleScenario& scenario) { return Schedule(scenario).in_order(); }

}  // namespace windrow
