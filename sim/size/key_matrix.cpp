#include "sim/size/key_matrix.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/arithmetic.h"
#include "sim/size/closed_bucket.h"
#include "sim/size/matrix.h"
#include "sim/size/question_values.h"

namespace windrow {

namespace {

constexpr std::array<const char*, 6> bucket_names = {"10min", "hour", "day", "week", "month", "year"};
constexpr std::array<std::int64_t, 5> shard_counts = {1, 2, 4, 8, 16};

struct Bucket {
  std::string text{};
  Seconds length_s = 0;
  BucketRule rule = BucketRule::none();
};

bool same_values(const WriterSpec& a, const WriterSpec& b) {
  const auto column = [](const ColumnValue& x, const ColumnValue& y) {
    return std::tie(x.position, x.is_static, x.null, x.sizes_bytes, x.elements, x.element_key_sizes_bytes) ==
           std::tie(y.position, y.is_static, y.null, y.sizes_bytes, y.elements, y.element_key_sizes_bytes);
  };
  const auto ttl = [](const TtlShare& x, const TtlShare& y) {
    return x.share_ppm == y.share_ppm && x.ttl_s == y.ttl_s;
  };
  return std::ranges::equal(a.columns, b.columns, column) && std::ranges::equal(a.ttl, b.ttl, ttl);
}

/// Writers of the same entities, one after the other, that differ in nothing but rates, bucket and shards are one: with
/// another bucket the change may find a partition open, which has the rows of both.
void join_followers(std::vector<WriterSpec>& writers) {
  for (auto after = writers.begin(); after != writers.end();) {
    const auto before = std::find_if(writers.begin(), after, [&](const WriterSpec& writer) {
      return writer.stream == after->stream && writer.first_entity == after->first_entity &&
             writer.entities == after->entities && writer.until_us == after->from_us && same_values(writer, *after) &&
             (writer.spread || writer.rate.back().period_us == after->rate.back().period_us);
    });
    if (before == after) {
      ++after;
      continue;
    }
    // Who all write at the same instant change nothing of their rate, nor their instants.
    if (!before->spread) after->rate.clear();
    std::erase_if(before->rate, [&](const RateStretch& stretch) { return stretch.from_us >= after->from_us; });
    before->rate.insert(before->rate.end(), after->rate.begin(), after->rate.end());
    before->until_us = after->until_us;
    before->keys = after->keys;
    before->names = after->names;
    before->key_bytes = after->key_bytes;
    after = writers.erase(after);
  }
}

class KeyMatrix {
 public:
  KeyMatrix(const Scenario& scenario, int table, const PartitionCensus* run)
      : scenario_(scenario), ever_(scenario), table_(table), run_(run) {
    std::erase_if(ever_.writers, [&](const WriterSpec& writer) {
      return writer.table != table_ || writer.backfill || writer.op == WriteOp::remove;
    });
    scenario_.writers = ever_.writers;
    std::erase_if(scenario_.writers, [&](const WriterSpec& writer) { return writer.until_us < scenario.end_us; });
    for (const WriterSpec& writer : scenario_.writers) {
      from_us_ = std::max(from_us_, writer.from_us);
      own_.emplace(writer.bucket_text, writer.shards);
    }
    for (const WriterSpec& writer : ever_.writers)
      choices_.own_is_newer = choices_.own_is_newer || !own_.contains({writer.bucket_text, writer.shards});
    any_ended_ = ever_.writers.size() > scenario_.writers.size();
    join_followers(ever_.writers);
    choices_.bytes_max = PartitionLimits{}.bytes_max;
    for (const LimitSpec& limit : scenario_.limits) {
      if (limit.table >= 0 && limit.table != table_) continue;
      if (limit.name == "partition_size_max") choices_.bytes_max = static_cast<Bytes>(limit.value);
      if (limit.name == "partition_rows_max") choices_.rows_max = static_cast<Rows>(limit.value);
    }
    choices_.bytes_min = std::min(PartitionLimits{}.bytes_min, choices_.bytes_max / 10);
  }

  KeyChoices run() {
    const bool decides =
        !scenario_.writers.empty() && own_.size() == 1 &&
        std::ranges::none_of(scenario_.writers, [](const WriterSpec& writer) {
          return writer.unique_partitions || writer.rolling_buckets > 0 || writer.op == WriteOp::overwrite;
        });
    if (!decides) return {};
    for (const Bucket& bucket : buckets()) {
      if (!filled(bucket)) continue;
      for (const std::int64_t shards : shards_of_matrix()) add(bucket, shards);
    }
    return std::move(choices_);
  }

 private:
  std::vector<Bucket> buckets() const {
    const auto& [own, shards] = *own_.begin();
    std::vector<Bucket> all;
    for (const char* name : bucket_names) {
      const BucketName bucket = read_bucket(name);
      all.push_back({.text = name, .length_s = bucket.nominal_length_s(), .rule = bucket.rule()});
    }
    const BucketRule rule = scenario_.writers.front().bucket;
    const auto same = std::ranges::find(all, own, &Bucket::text);
    if (same != all.end()) {
      same->rule = rule;  // of its zone
    } else {
      const Seconds run_s = (scenario_.end_us - scenario_.start_us) / us_per_s;
      all.push_back({.text = own, .length_s = rule.single() ? run_s : rule.length(), .rule = rule});
    }
    std::ranges::stable_sort(all, {}, &Bucket::length_s);
    return all;
  }

  std::vector<std::int64_t> shards_of_matrix() const {
    std::set<std::int64_t> counts(shard_counts.begin(), shard_counts.end());
    counts.insert(own_.begin()->second);
    return {counts.begin(), counts.end()};
  }

  /// The last bucket that is over began when everybody wrote already.
  bool filled(const Bucket& bucket) const {
    if (bucket.rule.single() || bucket.text == own_.begin()->first) return true;
    return bucket.rule.begin(bucket.rule.number(scenario_.end_us / us_per_s) - 1) * us_per_s >= from_us_;
  }

  static ClosedBucket fullest(Scenario scenario, int table, const BucketRule& rule, std::int64_t shards) {
    for (WriterSpec& writer : scenario.writers) {
      writer.bucket = rule;
      writer.shards = shards;
    }
    return closed_bucket(scenario, table, BucketOf::most_rows);
  }

  /// Sizes of the streams that write at the end, the largest of all that ever wrote.
  KeyChoice measured(const Bucket& bucket, std::int64_t shards) const {
    const ClosedBucket size = fullest(scenario_, table_, bucket.rule, shards);
    KeyChoice choice{.bucket = bucket.text,
                     .bucket_length_s = bucket.length_s,
                     .shards = shards,
                     .own = *own_.begin() == std::pair(bucket.text, shards),
                     .partition_bytes_p50 = size.partition_bytes.p50,
                     .partition_bytes_p99 = size.partition_bytes.p99,
                     .partition_bytes_max = size.partition_bytes.max,
                     .partition_rows_max = size.partition_rows.max,
                     .partitions_per_year = size.partitions_per_year};
    for (const WriterSpec& writer : any_ended_ ? ever_.writers : std::vector<WriterSpec>{}) {
      Scenario one = ever_;
      one.writers = {writer};
      const ClosedBucket alone = fullest(std::move(one), table_, bucket.rule, shards);
      choice.partition_bytes_max = std::max(choice.partition_bytes_max, alone.partition_bytes.max);
      choice.partition_rows_max = std::max(choice.partition_rows_max, alone.partition_rows.max);
    }
    if (!choice.own || choices_.own_is_newer || run_ == nullptr || run_->partitions == 0) return choice;
    choice.partition_bytes_p50 = run_->bytes.p50;
    choice.partition_bytes_p99 = run_->bytes.p99;
    choice.partition_bytes_max = run_->bytes.max;
    choice.partition_rows_max = run_->rows.max;
    return choice;
  }

  void add(const Bucket& bucket, std::int64_t shards) {
    KeyChoice choice = measured(bucket, shards);
    if (choice.partition_rows_max == 0) return;
    const bool many_rows = choices_.rows_max > 0 && choice.partition_rows_max > choices_.rows_max;
    if (choice.partition_bytes_max > choices_.bytes_max || many_rows) {
      choice.verdict = KeyChoice::Verdict::too_big;
    } else if (choice.partition_bytes_max < choices_.bytes_min) {
      choice.verdict = KeyChoice::Verdict::too_small;
    }
    choices_.cells.push_back(std::move(choice));
  }

  Scenario scenario_;  // with the streams that write until its end
  Scenario ever_;      // with all, also those that have ended
  bool any_ended_ = false;
  int table_ = 0;
  const PartitionCensus* run_ = nullptr;
  Micros from_us_ = 0;
  std::set<std::pair<std::string, std::int64_t>> own_{};
  KeyChoices choices_{};
};

}  // namespace

KeyChoices key_choices(const Scenario& scenario, int table, const PartitionCensus* run) {
  try {
    return KeyMatrix(scenario, table, run).run();
  } catch (const std::invalid_argument&) {
    return {};
  }
}

}  // namespace windrow
