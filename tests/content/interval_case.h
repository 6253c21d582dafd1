#pragma once

#include <fmt/core.h>

#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "sim/content/content.h"

namespace windrow::test {

inline std::int64_t between(std::mt19937& dice, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(dice);
}

class Keys final : public PartitionKeys {
 public:
  explicit Keys(std::size_t more_bytes = 0, bool alike = false) : more_(more_bytes, 'k'), alike_(alike) {}
  std::string key(std::int64_t entity, std::int64_t bucket, std::int64_t shard) const override {
    if (alike_) return fmt::format("e{:06}:{:012}:{:03}{}", entity, bucket, shard, more_);
    return fmt::format("e{}:{}:{}{}", entity, bucket, shard, more_);
  }
  int constant_length() const override {
    return alike_ ? static_cast<int>(key(0, 0, 0).size()) : PartitionKeys::constant_length();
  }

 private:
  std::string more_;
  bool alike_;  // all of one length
};

/// The last of every so many rows is late; 0: none is.
inline FateRule late_fate(std::int64_t every, std::int64_t late_units) {
  if (every == 0) return {};
  std::vector<std::int64_t> others(static_cast<std::size_t>(every - 1));
  std::iota(others.begin(), others.end(), 0);
  return {.shares = {{.rows = RowShare::remainders(every, others)},
                     {.rows = RowShare::remainders(every, {every - 1}), .late_units = late_units}}};
}

/// A writer whose entities write a row each 97 s, in turn.
struct Case {
  std::int64_t entities = 7;
  std::int64_t shards = 1;
  Seconds bucket_s = 3600;
  bool insert = true;
  std::int32_t ttl_s = 0;
  std::vector<std::int32_t> sizes{20};
  std::int64_t late_every = 0;
  bool row_number_in_timestamp = false;
  std::int32_t static_bytes = 0;  // of a static column; 0: there is none
  bool statics_once = false;
  bool partitions_deleted = false;
  std::size_t more_key_bytes = 0;
  bool keys_alike = false;  // in length
};

inline Writer writer_of(const Case& what) {
  Writer writer;
  writer.name = "w";
  writer.unit_us = us_per_s;
  writer.rhythm = Rhythm(1'767'225'600, 97, what.entities, true);
  writer.rhythm.stop_at(1'767'225'600 + 200'000);
  writer.entities = what.entities;
  writer.shards = what.shards;
  writer.bucket = what.bucket_s > 0 ? BucketRule::every(what.bucket_s) : BucketRule::none();
  writer.insert = what.insert;
  writer.columns = {{.column = 0, .fixed_length = false, .sizes = what.sizes, .step = 7919}};
  if (what.static_bytes > 0) writer.statics = {{.column = first_static_column, .sizes = {what.static_bytes}}};
  writer.statics_once = what.statics_once;
  writer.timestamp.add_row_number = what.row_number_in_timestamp;
  writer.clustering.bytes = 9;
  writer.keys = std::make_shared<Keys>(what.more_key_bytes, what.keys_alike);
  return writer;
}

inline TableWorkload workload_of(const Case& what) {
  TableWorkload workload;
  FateRule fate = late_fate(what.late_every, 5'000);
  if (what.partitions_deleted) fate.deletes.kind = DeleteKind::partition;
  workload.add(writer_of(what), std::move(fate), 1'767'225'600 + 300'000);
  workload.finish(1'000);
  return workload;
}

/// The rows [from, to) of the writer, in all its sub-streams.
inline Content content_of(const TableWorkload& workload, const Case& what, std::int64_t from, std::int64_t to,
                          RowState state) {
  Content content;
  for (int s = 0; s < static_cast<int>(workload.sub_streams().size()); ++s) {
    const SubStream& sub = workload.sub_streams()[static_cast<std::size_t>(s)];
    const std::int64_t first = sub.rank(from);
    const std::int64_t last = sub.rank(to);
    if (first == last) continue;
    content.cohorts.push_back({.sub_stream = s, .state = state, .ttl_s = what.ttl_s, .from = first, .to = last});
    content.bases.see(sub.timestamp_range(first, last).first);
    if (what.ttl_s > 0) {
      content.bases.see_ttl(what.ttl_s);
      content.bases.see_deletion(sub.arrival_s(first) + what.ttl_s);
    }
  }
  content.bases.columns = ColumnSet(1);
  return content;
}

}  // namespace windrow::test
