#include "sim/reads/request.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "sim/base/arithmetic.h"

namespace windrow {

namespace {

/// Entities [from, to) of a class, of which as much has been found.
struct Segment {
  std::int64_t from = 0;
  std::int64_t to = 0;
  Rows found = 0;
  std::int64_t partitions = 0;  // read so far
  std::int64_t entities() const { return to - from; }
};

class Request {
 public:
  Request(const ContentSpace& space, std::span<const ReadSource> sources, const ReadRequest& request, ReadCosts& costs)
      : space_(space), sources_(sources), request_(request), costs_(costs) {
    for (const ReadSource& source : sources)
      asked_filters_ += source.memtable ? 0 : source.ring_share * source.false_positive;
  }

  void read(std::span<const ReadPart> parts);

 private:
  PartitionQuery query() const;
  std::int64_t shards_asked() const { return request_.shards > 0 ? request_.shards : shards_; }
  bool satisfied(const Segment& segment) const {
    return request_.latest_rows > 0 && segment.found >= request_.latest_rows;
  }
  bool all_satisfied() const {
    return std::ranges::all_of(segments_, [this](const Segment& segment) { return satisfied(segment); });
  }
  void read_part(const ReadPart& part, bool first, bool last);
  /// A writer may go on within a bucket, or write keys that another has written: these partitions are read once.
  bool first_time(const Writer& writer, std::int64_t bucket);
  void read_bucket(const WriterSources& writer, std::int64_t bucket);
  void read_bucket_of_node(const WriterSources& writer, std::int64_t bucket);
  void read_empty(std::int64_t buckets);
  /// Entities [from, to) of a segment, of which `from` stands for all.
  void read_alike(const BucketRead& bucket, const Writer& writer, const Segment& segment);
  void count(const PartitionCost& cost, std::int64_t weight);
  void count_empty(std::int64_t weight) { count({}, weight); }

  const ContentSpace& space_;
  std::span<const ReadSource> sources_;
  const ReadRequest& request_;
  ReadCosts& costs_;
  double asked_filters_ = 0;
  std::int64_t shards_ = 1;        // that are written, of the part that is read
  std::set<std::string> asked_{};  // one key of each bucket
  std::vector<Segment> segments_{};
  std::vector<Segment> after_{};  // this bucket
};

PartitionQuery Request::query() const {
  PartitionQuery query{.now_s = request_.now_s, .gc_before_s = request_.gc_before_s};
  if (request_.latest_rows > 0) return query;
  query.from_ms = floor_div(request_.from_us, 1000);
  query.to_ms = floor_div(request_.to_us, 1000);
  return query;
}

void Request::count(const PartitionCost& cost, std::int64_t weight) {
  costs_.sstables.add(cost.sstables, weight);
  costs_.rows.add(cost.rows, weight);
  costs_.tombstones.add(cost.tombstones, weight);
  costs_.bytes.add(std::llround(cost.bytes), weight);
  double holding = 0;
  if (!sources_.empty()) holding = static_cast<double>(cost.sstables) * sources_.front().false_positive;
  costs_.false_positives += static_cast<double>(weight) * std::max(0.0, asked_filters_ - holding);
}

void Request::read_alike(const BucketRead& bucket, const Writer& writer, const Segment& segment) {
  const std::int64_t asked = shards_asked();
  const std::int64_t written = std::min(asked, shards_);
  const Rows limit = request_.latest_rows > 0 ? request_.latest_rows - segment.found : 0;
  Segment after = segment;
  after.partitions += asked;
  bool alone = false;
  std::vector<PartitionCost> costs;
  for (std::int64_t shard = 0; shard < written; ++shard) {
    bool this_alone = false;
    costs.push_back(bucket.cost(shard * writer.entities + segment.from, limit, this_alone));
    alone = alone || this_alone;
    after.found += costs.back().live;
  }
  if (alone && segment.entities() > 1) {
    constexpr std::int64_t most = 256;
    const std::int64_t step = ceil_div(segment.entities(), most);
    for (std::int64_t entity = segment.from; entity < segment.to; entity += step) {
      Segment one = segment;
      one.from = entity;
      one.to = entity + 1;
      const std::int64_t stands_for = std::min(step, segment.to - entity);
      if (stands_for == 1) {
        read_alike(bucket, writer, one);
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

void Request::read_empty(std::int64_t buckets) {
  if (buckets <= 0) return;
  for (Segment& segment : segments_) {
    if (satisfied(segment)) continue;
    const std::int64_t partitions = buckets * shards_asked();
    segment.partitions += partitions;
    count_empty(segment.entities() * partitions);
  }
}

void Request::read_bucket(const WriterSources& writer, std::int64_t bucket) {
  const Writer& of = writer.writer();
  const BucketRead read(writer, bucket, query());
  std::vector<std::int64_t> borders;
  for (const std::int64_t slot : read.borders()) borders.push_back(slot % of.entities);
  for (const Segment& segment : segments_) borders.push_back(segment.from);
  borders.push_back(of.entities);
  std::ranges::sort(borders);
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  if (std::ssize(borders) > most_looked_at + 1) {
    const auto step = static_cast<std::size_t>(ceil_div(std::ssize(borders), most_looked_at));
    std::vector<std::int64_t> some;
    for (std::size_t i = 0; i < borders.size(); i += step) some.push_back(borders[i]);
    if (some.back() != of.entities) some.push_back(of.entities);
    for (const Segment& segment : segments_) some.push_back(segment.from);
    std::ranges::sort(some);
    some.erase(std::unique(some.begin(), some.end()), some.end());
    borders = std::move(some);
  }
  after_.clear();
  std::size_t s = 0;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    while (segments_[s].to <= borders[i]) ++s;
    Segment part = segments_[s];
    part.from = borders[i];
    part.to = borders[i + 1];
    if (satisfied(part)) {
      after_.push_back(part);
    } else {
      read_alike(read, of, part);
    }
  }
  segments_.clear();
  for (const Segment& segment : after_) {
    if (!segments_.empty() && segments_.back().found == segment.found &&
        segments_.back().partitions == segment.partitions) {
      segments_.back().to = segment.to;
    } else {
      segments_.push_back(segment);
    }
  }
}

void Request::read_bucket_of_node(const WriterSources& writer, std::int64_t bucket) {
  const Writer& of = writer.writer();
  Segment& mean = segments_.front();
  const std::int64_t asked = shards_asked();
  mean.partitions += asked;
  if (of.slots(bucket) == 0) return;
  const BucketRead read(writer, bucket, query());
  const Rows limit = request_.latest_rows > 0 ? request_.latest_rows - mean.found : 0;
  const std::vector<std::int64_t>& borders = read.borders();
  const auto step = static_cast<std::size_t>(std::max<std::int64_t>(1, ceil_div(std::ssize(borders), most_looked_at)));
  double live = 0;
  for (std::size_t i = 0; i + 1 < borders.size(); i += step) {
    const std::int64_t to = borders[std::min(i + step, borders.size() - 1)];
    bool unused = false;
    const PartitionCost cost = read.cost(borders[i], limit, unused);
    count(cost, to - borders[i]);
    live += static_cast<double>(cost.live) * static_cast<double>(to - borders[i]);
  }
  const std::int64_t written = std::min(asked, shards_);
  count_empty(read.slots() * (asked - written) / shards_);
  mean.found += std::llround(live * static_cast<double>(written) / static_cast<double>(read.slots()));
}

bool Request::first_time(const Writer& writer, std::int64_t bucket) {
  if (writer.node != nullptr) return asked_.insert(std::to_string(writer.bucket.begin(bucket))).second;
  return asked_.insert(writer.key(0, bucket)).second;
}

void Request::read_part(const ReadPart& part, bool first, bool last) {
  const Writer& writer = *part.writer;
  shards_ = part.shards;
  // The newest bucket that is asked for, and the oldest: of the entities' whole time, not of this writer's alone.
  const bool latest = request_.latest_rows > 0;
  Micros newest_us = latest ? request_.newest_us : request_.to_us - 1;
  Micros oldest_us = latest ? request_.oldest_us : request_.from_us;
  if (!last) newest_us = std::min(newest_us, part.until_us - 1);
  if (!first || (latest && request_.start_known)) oldest_us = std::max(oldest_us, part.from_us);
  if (newest_us < oldest_us) return;
  const std::int64_t newest = writer.bucket.number(floor_div(newest_us, us_per_s));
  const std::int64_t oldest = writer.bucket.number(floor_div(oldest_us, us_per_s));
  const WriterSources held(space_, sources_, writer);
  const auto [first_held, last_held] = held.buckets();
  if (writer.node != nullptr) {  // its partitions are numbered by themselves: whose they are is not asked
    for (std::int64_t bucket = newest; bucket >= oldest && !all_satisfied(); --bucket) {
      if (first_time(writer, bucket)) read_bucket_of_node(held, bucket);
    }
    return;
  }
  if (!first || !last) {
    for (std::int64_t bucket = newest; bucket >= oldest && !all_satisfied(); --bucket) {
      if (!first_time(writer, bucket)) continue;
      if (bucket < first_held || bucket > last_held) {
        read_empty(1);
      } else {
        read_bucket(held, bucket);
      }
    }
    return;
  }
  if (first_held > last_held) return read_empty(newest - oldest + 1);
  std::int64_t bucket = newest;
  read_empty(bucket - std::max(last_held, oldest - 1));
  bucket = std::min(bucket, last_held);
  for (; bucket >= std::max(oldest, first_held) && !all_satisfied(); --bucket) read_bucket(held, bucket);
  if (!all_satisfied()) read_empty(std::min(bucket, newest) - oldest + 1);
}

void Request::read(std::span<const ReadPart> parts) {
  const Writer& newest = *parts.back().writer;
  segments_ = {{.from = 0,
                .to = newest.node != nullptr ? std::max<std::int64_t>(1, newest.mean_slots() / parts.back().shards)
                                             : newest.entities}};
  for (std::size_t i = parts.size(); i > 0 && !all_satisfied(); --i) read_part(parts[i - 1], i == 1, i == parts.size());
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
}

void add_read_costs(const ContentSpace& space, std::span<const ReadSource> sources, std::span<const ReadPart> parts,
                    const ReadRequest& request, ReadCosts& costs) {
  if (!parts.empty()) Request(space, sources, request, costs).read(parts);
}

}  // namespace windrow
