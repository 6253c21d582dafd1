#include "sim/reads/request.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/reads/live_slots.h"
#include "sim/reads/segments.h"

namespace windrow {

namespace {

/// Of partitions between two of so many borders, each of which is read at its own cost: so many stand for all, and of
/// a bucket no more than `most_looked_at`.
std::int64_t most_alone(std::int64_t borders) {
  constexpr std::int64_t most = 256;
  return std::clamp<std::int64_t>(most_looked_at / std::max<std::int64_t>(1, borders - 1), 1, most);
}

class Request {
 public:
  Request(const ReadTable& of_all, const ReadRequest& request, ReadCosts& costs)
      : of_all_(&of_all), request_(request), costs_(costs) {}

  void read(std::span<const ReadPart> parts);

 private:
  void ask(const ReadTable& table);
  PartitionQuery query() const;
  std::int64_t shards_asked() const { return request_.shards > 0 ? request_.shards : shards_; }
  bool satisfied(const Segment& segment) const {
    return request_.latest_rows > 0 && segment.found >= request_.latest_rows;
  }
  bool all_satisfied() const {
    return std::ranges::all_of(segments_, [this](const Segment& segment) { return satisfied(segment); });
  }
  void read_part(const ReadPart& part, bool first, bool last);
  void read_turns(const ReadPart& part, Micros newest_us, Micros oldest_us);
  /// A writer may go on within a bucket, or write keys that another has written: these partitions are read once.
  bool first_time(const Writer& writer, std::int64_t bucket, std::int64_t turn = 0);
  void read_bucket(const WriterSources& writer, std::int64_t bucket, const PartitionQuery& query);
  /// `writer`: what the node has of the part's; null: nothing.
  void read_bucket_of_node(const WholePart& whole, const Writer& all, const WriterSources* writer, std::int64_t bucket,
                           const PartitionQuery& query);
  /// Partitions [from, to) of a bucket, by the node's numbers, that are read until `limit`.
  struct Owned {
    std::int64_t from = 0;
    std::int64_t to = 0;
    Rows limit = 0;
  };
  std::vector<Owned> owned_asked(const Writer& all, const Writer& mine, std::int64_t bucket) const;
  /// Live rows that were found, of all of them.
  Rows read_owned(const BucketRead& read, const Owned& owned);
  void find(const LiveSlots& live, const Writer& all);
  void count_unwritten(const WholePart& whole, const Writer& all, std::int64_t bucket, std::int64_t first_shard);
  Rows limit_of(const Segment& segment) const {
    return request_.latest_rows > 0 ? request_.latest_rows - segment.found : 0;
  }
  /// `held_share`: of the partitions, on the node that is asked.
  void read_empty(std::int64_t buckets, double held_share = 1);
  /// Entities [from, to) of a segment, of which `from` stands for all, or, where each is alone, so many at most.
  void read_alike(const BucketRead& bucket, const Writer& writer, const Segment& segment, std::int64_t most);
  void count(const PartitionCost& cost, std::int64_t weight);
  void count_empty(std::int64_t weight) { count({}, weight); }

  const ReadTable* of_all_;
  const ReadTable* table_ = nullptr;  // of the part that is read
  const ReadRequest& request_;
  ReadCosts& costs_;
  double asked_filters_ = 0;  // of that table
  std::int64_t shards_ = 1;   // that are written, of that part
  struct Asked {
    const ReadTable* table = nullptr;
    std::string key{};
    std::int64_t turn = 0;
    auto operator<=>(const Asked&) const = default;
  };
  std::set<Asked> asked_{};  // one key of each bucket
  std::vector<Segment> segments_{};
  std::vector<Segment> after_{};  // this bucket
  std::int64_t looked_up_ = 0;    // partitions that nobody wrote
  double not_looked_up_ = 0;      // expected on this node
};

void Request::ask(const ReadTable& table) {
  if (table_ == &table) return;
  table_ = &table;
  asked_filters_ = 0;
  for (const ReadSource& source : table.sources)
    asked_filters_ += source.memtable ? 0 : source.ring_share * source.false_positive;
}

PartitionQuery Request::query() const {
  PartitionQuery query{
      .now_s = request_.now_s, .gc_before_s = table_->gc_before_s, .spares_unrepaired = table_->spares_unrepaired};
  if (request_.latest_rows > 0) return query;
  query.from_ms = floor_div(request_.from_us, 1000);
  query.to_ms = floor_div(request_.to_us, 1000);
  return query;
}

void Request::count(const PartitionCost& cost, std::int64_t weight) {
  ++costs_.looked_at;
  costs_.sstables.add(cost.sstables, weight);
  costs_.rows.add(cost.rows, weight);
  costs_.tombstones.add(cost.tombstones, weight);
  costs_.bytes.add(std::llround(cost.bytes), weight);
  double holding = 0;
  if (!table_->sources.empty()) holding = static_cast<double>(cost.sstables) * table_->sources.front().false_positive;
  costs_.false_positives += static_cast<double>(weight) * std::max(0.0, asked_filters_ - holding);
}

void Request::read_alike(const BucketRead& bucket, const Writer& writer, const Segment& segment, std::int64_t most) {
  const std::int64_t asked = shards_asked();
  const std::int64_t written = std::min(asked, shards_);
  const Rows limit = limit_of(segment);
  Segment after = segment;
  after.partitions += asked;
  bool alone = false;
  const std::int64_t pieces = bucket.pieces(limit);
  std::vector<PartitionCost> costs;
  for (std::int64_t shard = 0; shard < written; ++shard) {
    bool this_alone = false;
    costs.push_back(bucket.cost(shard * writer.entities + segment.from, limit, this_alone));
    costs_.looked_pieces += pieces;
    alone = alone || this_alone;
    after.found += costs.back().live;
  }
  if (alone && segment.entities() > 1) {
    const std::int64_t step = ceil_div(segment.entities(), most);
    for (std::int64_t entity = segment.from; entity < segment.to; entity += step) {
      Segment one = segment;
      one.from = entity;
      one.to = entity + 1;
      const std::int64_t stands_for = std::min(step, segment.to - entity);
      if (stands_for == 1) {
        read_alike(bucket, writer, one, most);
        continue;
      }
      Segment group = segment;
      group.from = entity;
      group.to = entity + stands_for;
      Segment found = group;
      found.partitions += asked;
      for (std::int64_t shard = 0; shard < written; ++shard) {
        bool unused = false;
        const PartitionCost cost = bucket.cost(shard * writer.entities + entity, limit, unused);
        costs_.looked_pieces += pieces;
        count(cost, stands_for);
        found.found += cost.live;
      }
      count_empty(stands_for * (asked - written));
      after_.push_back(found);
    }
    return;
  }
  for (const PartitionCost& cost : costs) count(cost, segment.entities());
  count_empty(segment.entities() * (asked - written));
  after_.push_back(after);
}

void Request::read_empty(std::int64_t buckets, double held_share) {
  if (buckets <= 0) return;
  for (Segment& segment : segments_) {
    if (satisfied(segment)) continue;
    const std::int64_t partitions = buckets * shards_asked();
    segment.partitions += partitions;
    if (held_share < 1) {
      not_looked_up_ += static_cast<double>(segment.entities() * partitions) * held_share;
    } else {
      count_empty(segment.entities() * partitions);
    }
  }
}

void Request::read_bucket(const WriterSources& writer, std::int64_t bucket, const PartitionQuery& query) {
  const Writer& of = writer.writer();
  const BucketRead read(writer, bucket, query);
  std::vector<std::int64_t> borders = borders_of(read.borders(), segments_, of.entities);
  if (std::ssize(borders) > most_looked_at + 1) {
    const auto step = static_cast<std::size_t>(ceil_div(std::ssize(borders), most_looked_at));
    std::vector<std::int64_t> some;
    for (std::size_t i = 0; i < borders.size(); i += step) some.push_back(borders[i]);
    if (some.back() != of.entities) some.push_back(of.entities);
    for (const Segment& segment : segments_) some.push_back(segment.from);
    put_in_order(some);
    borders = std::move(some);
  }
  after_.clear();
  const std::int64_t most_of_a_part = most_alone(std::ssize(borders));
  each_part(segments_, borders, [&](const Segment& part) {
    if (satisfied(part)) {
      after_.push_back(part);
    } else {
      read_alike(read, of, part, most_of_a_part);
    }
  });
  segments_.clear();
  for (const Segment& segment : after_) append(segments_, segment);
}

std::vector<Request::Owned> Request::owned_asked(const Writer& all, const Writer& mine, std::int64_t bucket) const {
  const std::int64_t owned = mine.slots(bucket);
  const std::int64_t written = std::min(shards_asked(), shards_);
  const bool one_limit = segments_.size() == 1 && written == shards_;
  const auto below = [&](std::int64_t slot) {  // how many of the node's have a number below this one among all
    if (slot <= 0 || one_limit) return slot <= 0 ? 0 : owned;
    if (all.most_slots() > most_looked_at) return mul_div_floor(slot, owned, all.most_slots());
    std::int64_t low = 0;
    std::int64_t high = owned;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      const NodeSlots::Place place = mine.place_of(middle, bucket);
      if (place.shard * all.entities + place.entity < slot) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  if (one_limit) {
    if (satisfied(segments_.front())) return {};
    return {{.from = 0, .to = owned, .limit = limit_of(segments_.front())}};
  }
  std::vector<Owned> asked;
  for (std::int64_t shard = 0; shard < written; ++shard) {
    for (const Segment& segment : segments_) {
      if (satisfied(segment)) continue;
      const Owned here{.from = below(shard * all.entities + segment.from),
                       .to = below(shard * all.entities + segment.to),
                       .limit = limit_of(segment)};
      if (here.from >= here.to) continue;
      if (!asked.empty() && asked.back().to == here.from && asked.back().limit == here.limit) {
        asked.back().to = here.to;
      } else {
        asked.push_back(here);
      }
    }
  }
  return asked;
}

Rows Request::read_owned(const BucketRead& read, const Owned& owned) {
  std::vector<std::int64_t> borders = {owned.from, owned.to};
  for (const std::int64_t border : read.borders()) {
    if (owned.from < border && border < owned.to) borders.push_back(border);
  }
  std::ranges::sort(borders);
  const auto step = static_cast<std::size_t>(std::max<std::int64_t>(1, ceil_div(std::ssize(borders), most_looked_at)));
  const std::int64_t pieces = read.pieces(owned.limit);
  Rows live = 0;
  const auto add = [&](const PartitionCost& cost, std::int64_t weight) {
    count(cost, weight);
    costs_.looked_pieces += pieces;
    live += cost.live * weight;
  };
  for (std::size_t i = 0; i + 1 < borders.size(); i += step) {
    const std::int64_t to = borders[std::min(i + step, borders.size() - 1)];
    bool alone = false;
    const PartitionCost cost = read.cost(borders[i], owned.limit, alone);
    if (!alone) {
      add(cost, to - borders[i]);
      continue;
    }
    const std::int64_t stride = ceil_div(to - borders[i], most_alone(std::ssize(borders)));
    for (std::int64_t slot = borders[i]; slot < to; slot += stride)
      add(read.cost(slot, owned.limit, alone), std::min(stride, to - slot));
  }
  return live;
}

void Request::find(const LiveSlots& live, const Writer& all) {
  const std::int64_t written = std::min(shards_asked(), shards_);
  after_.clear();
  each_part(segments_, borders_of(live.borders(), segments_, all.entities), [&](Segment part) {
    const Rows limit = limit_of(part);
    if (!satisfied(part)) {
      for (std::int64_t shard = 0; shard < written; ++shard)
        part.found += std::min(limit, live.of(shard * all.entities + part.from));
    }
    append(after_, part);
  });
  segments_.swap(after_);
}

void Request::count_unwritten(const WholePart& whole, const Writer& all, std::int64_t bucket,
                              std::int64_t first_shard) {
  const std::int64_t shards = shards_asked() - first_shard;
  if (shards <= 0) return;
  const std::int64_t label = all.bucket.label(bucket);
  for (const Segment& segment : segments_) {
    if (satisfied(segment)) continue;
    const std::int64_t keys = segment.entities() * shards;
    if (keys > most_looked_at - looked_up_ || all.entities > most_looked_at) {
      not_looked_up_ += static_cast<double>(keys) * whole.held_share;
      continue;
    }
    looked_up_ += keys;
    std::int64_t held = 0;
    for (std::int64_t shard = first_shard; shard < shards_asked(); ++shard) {
      const std::vector<char>& by_entity = whole.held(all, label, shard);
      held += std::count(by_entity.begin() + segment.from, by_entity.begin() + segment.to, 1);
    }
    count_empty(held);
  }
}

void Request::read_bucket_of_node(const WholePart& whole, const Writer& all, const WriterSources* writer,
                                  std::int64_t bucket, const PartitionQuery& query) {
  const auto rows_before = [&](std::int64_t number) {
    return all.rhythm.count_before(ceil_div(all.bucket.begin(number) * us_per_s, all.unit_us));
  };
  const Rows rows = all.bucket.single() ? all.rhythm.total() : rows_before(bucket + 1) - rows_before(bucket);
  const bool owns = rows > 0 && writer != nullptr && writer->writer().slots(bucket) > 0;
  // A bucket that ends before its rows have gone round has partitions without rows on nodes without rows.
  const bool may_own = !owns && rows < all.most_slots();
  count_unwritten(whole, all, bucket, may_own ? 0 : shards_);
  std::int64_t mean_found = 0;
  if (owns) {
    const Writer& mine = writer->writer();
    const BucketRead read(*writer, bucket, query);
    Rows live = 0;
    for (const Owned& owned : owned_asked(all, mine, bucket)) live += read_owned(read, owned);
    const double written = static_cast<double>(std::min(shards_asked(), shards_));
    mean_found = std::llround(static_cast<double>(live) * written / static_cast<double>(mine.slots(bucket)));
  }
  for (Segment& segment : segments_) {
    if (!satisfied(segment)) segment.partitions += shards_asked();
  }
  if (request_.latest_rows == 0) return;
  if (owns && writer->found_by_reading()) {
    for (Segment& segment : segments_) segment.found += satisfied(segment) ? 0 : mean_found;
    return;
  }
  if (rows == 0) return;
  const LiveTime time{.now_us = request_.newest_us + 1,
                      .default_ttl_s = whole.default_ttl_s,
                      .from_ms = query.from_ms,
                      .to_ms = query.to_ms};
  find(LiveSlots(*whole.workload, all, bucket, time), all);
}

bool Request::first_time(const Writer& writer, std::int64_t bucket, std::int64_t turn) {
  return asked_.insert({.table = table_, .key = writer.key(0, bucket), .turn = turn}).second;
}

void Request::read_turns(const ReadPart& part, Micros newest_us, Micros oldest_us) {
  const std::vector<const Writer*>& round = part.whole ? part.whole->round : part.round;
  const auto count = std::ssize(round);
  std::map<const Writer*, WriterSources> held;
  const std::int64_t newest = part.turns.number(floor_div(newest_us, us_per_s));
  const std::int64_t oldest = part.turns.number(floor_div(oldest_us, us_per_s));
  for (std::int64_t turn = newest; turn >= oldest && !all_satisfied(); --turn) {
    const std::int64_t number = turn - floor_div(turn, count) * count;
    const Writer* writer = round[static_cast<std::size_t>(number)];
    if (writer == nullptr) {
      read_empty(1, part.whole ? part.whole->held_share : 1);
      continue;
    }
    const std::int64_t bucket = writer->bucket.number(part.turns.begin(turn));
    if (!first_time(*writer, bucket, turn)) continue;
    PartitionQuery of_turn = query();
    of_turn.from_ms = std::max(of_turn.from_ms, part.turns.begin(turn) * 1000);
    of_turn.to_ms = std::min(of_turn.to_ms, part.turns.begin(turn + 1) * 1000);
    const Writer* mine = part.round[static_cast<std::size_t>(number)];
    const auto place =
        mine != nullptr ? held.try_emplace(mine, *table_->space, table_->sources, *mine).first : held.end();
    if (part.whole) {
      read_bucket_of_node(*part.whole, *writer, mine != nullptr ? &place->second : nullptr, bucket, of_turn);
    } else {
      read_bucket(place->second, bucket, of_turn);
    }
  }
}

void Request::read_part(const ReadPart& part, bool first, bool last) {
  const Writer& writer = part.whole ? *part.whole->writer : *part.writer;
  shards_ = part.shards;
  ask(part.table != nullptr ? *part.table : *of_all_);
  // The newest bucket that is asked for, and the oldest: of the entities' whole time, not of this writer's alone.
  const bool latest = request_.latest_rows > 0;
  Micros newest_us = latest ? request_.newest_us : request_.to_us - 1;
  Micros oldest_us = latest ? request_.oldest_us : request_.from_us;
  if (!last) newest_us = std::min(newest_us, part.until_us - 1);
  if (!first || (latest && request_.start_known)) oldest_us = std::max(oldest_us, part.from_us);
  newest_us = std::min(newest_us, part.table_until_us - 1);
  oldest_us = std::max(oldest_us, part.table_from_us);
  if (newest_us < oldest_us) return;
  if (!part.round.empty()) return read_turns(part, newest_us, oldest_us);
  const std::int64_t newest = writer.bucket.number(floor_div(newest_us, us_per_s));
  const std::int64_t oldest = writer.bucket.number(floor_div(oldest_us, us_per_s));
  if (part.whole) {
    std::optional<WriterSources> mine;
    if (part.writer != nullptr) mine.emplace(*table_->space, table_->sources, *part.writer);
    for (std::int64_t bucket = newest; bucket >= oldest && !all_satisfied(); --bucket) {
      if (first_time(writer, bucket))
        read_bucket_of_node(*part.whole, writer, mine ? &*mine : nullptr, bucket, query());
    }
    return;
  }
  SIM_CHECK(writer.node == nullptr, "reads of a node of several know what all of them have");
  const WriterSources held(*table_->space, table_->sources, writer);
  const auto [first_held, last_held] = held.buckets();
  if (!first || !last) {
    for (std::int64_t bucket = newest; bucket >= oldest && !all_satisfied(); --bucket) {
      if (!first_time(writer, bucket)) continue;
      if (bucket < first_held || bucket > last_held) {
        read_empty(1);
      } else {
        read_bucket(held, bucket, query());
      }
    }
    return;
  }
  if (first_held > last_held) return read_empty(newest - oldest + 1);
  std::int64_t bucket = newest;
  read_empty(bucket - std::max(last_held, oldest - 1));
  bucket = std::min(bucket, last_held);
  for (; bucket >= std::max(oldest, first_held) && !all_satisfied(); --bucket) read_bucket(held, bucket, query());
  if (!all_satisfied()) read_empty(std::min(bucket, newest) - oldest + 1);
}

void Request::read(std::span<const ReadPart> parts) {
  const ReadPart& newest = parts.back();
  segments_ = {{.from = 0, .to = newest.whole ? newest.whole->writer->entities : newest.writer->entities}};
  for (std::size_t i = parts.size(); i > 0 && !all_satisfied(); --i) read_part(parts[i - 1], i == 1, i == parts.size());
  if (table_ != nullptr) count_empty(std::llround(not_looked_up_));
  for (const Segment& segment : segments_) costs_.partitions.add(segment.partitions, segment.entities());
}

}  // namespace

void ReadCosts::add(const ReadCosts& other) {
  partitions.add(other.partitions);
  sstables.add(other.sstables);
  rows.add(other.rows);
  tombstones.add(other.tombstones);
  bytes.add(other.bytes);
  false_positives += other.false_positives;
  looked_at += other.looked_at;
  looked_pieces += other.looked_pieces;
}

void add_read_costs(const ContentSpace& space, std::span<const ReadSource> sources, std::span<const ReadPart> parts,
                    const ReadRequest& request, ReadCosts& costs) {
  const ReadTable table{.space = &space,
                        .sources = sources,
                        .gc_before_s = request.gc_before_s,
                        .spares_unrepaired = request.spares_unrepaired};
  if (!parts.empty()) Request(table, request, costs).read(parts);
}

void add_read_costs(std::span<const ReadPart> parts, const ReadRequest& request, ReadCosts& costs) {
  const ReadTable none;
  if (!parts.empty()) Request(none, request, costs).read(parts);
}

}  // namespace windrow
