#include "sim/size/key_matrix.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/size/closed_bucket.h"
#include "sim/size/matrix.h"
#include "sim/size/question_values.h"

namespace windrow {

namespace {

constexpr std::array<const char*, 6> bucket_names = {"10min", "hour", "day", "week", "month", "year"};
constexpr std::array<std::int64_t, 5> shard_counts = {1, 2, 4, 8, 16};
constexpr Micros day_us = seconds_per_day * us_per_s;

struct Bucket {
  std::string text{};
  Seconds length_s = 0;
  BucketRule rule = BucketRule::none();
};

bool changes_in_the_last_day(const WriterSpec& writer, Micros end_us) {
  return std::ranges::any_of(writer.rate, [&](const RateStretch& stretch) {
    return stretch.from_us > end_us - day_us && stretch.from_us < end_us;
  });
}

class KeyMatrix {
 public:
  KeyMatrix(const Scenario& scenario, int table) : scenario_(scenario), table_(table) {
    std::erase_if(scenario_.writers, [&](const WriterSpec& writer) {
      return writer.table != table_ || writer.until_us < scenario.end_us || writer.backfill ||
             writer.op == WriteOp::remove;
    });
    for (const WriterSpec& writer : scenario_.writers) {
      from_us_ = std::max(from_us_, writer.from_us);
      varies_ = varies_ || changes_in_the_last_day(writer, scenario_.end_us);
      own_.emplace(writer.bucket_text, writer.shards);
    }
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

  /// Of calendar buckets, which are not equally long: the end of the last one that is longer than the very last and
  /// that all streams filled, of the last twelve.
  std::optional<Micros> end_of_longest(const BucketRule& rule) const {
    if (rule.single()) return std::nullopt;
    constexpr std::int64_t looked_at = 12;
    const std::int64_t last = rule.number(scenario_.end_us / us_per_s) - 1;
    const auto length_s = [&](std::int64_t number) { return rule.begin(number + 1) - rule.begin(number); };
    std::int64_t longest = last;
    for (std::int64_t number = last; number > last - looked_at && rule.begin(number) * us_per_s >= from_us_; --number) {
      if (length_s(number) > length_s(longest)) longest = number;
    }
    if (longest == last) return std::nullopt;
    return rule.begin(longest + 1) * us_per_s;
  }

  /// The largest bucket of the last day: where rates follow the hour, the last one may be a quiet one.
  ClosedBucket busiest(const Bucket& bucket, std::int64_t shards) const {
    Scenario one = scenario_;
    for (WriterSpec& writer : one.writers) {
      writer.bucket = bucket.rule;
      writer.shards = shards;
    }
    ClosedBucket most = closed_bucket(one, table_);
    if (const std::optional<Micros> end_us = end_of_longest(bucket.rule)) {
      one.end_us = *end_us;
      ClosedBucket longest = closed_bucket(one, table_);
      if (longest.partition_bytes.max > most.partition_bytes.max) most = std::move(longest);
    }
    constexpr Micros hour_us = 3600 * us_per_s;
    if (!varies_ || bucket.length_s >= seconds_per_day || bucket.length_s == 0) return most;
    for (Micros end_us = scenario_.end_us - hour_us; end_us >= std::max(from_us_ + day_us, scenario_.end_us - day_us);
         end_us -= hour_us) {
      one.end_us = end_us;
      ClosedBucket other = closed_bucket(one, table_);
      if (other.partition_bytes.max > most.partition_bytes.max) most = std::move(other);
    }
    return most;
  }

  void add(const Bucket& bucket, std::int64_t shards) {
    const ClosedBucket size = busiest(bucket, shards);
    if (size.partitions == 0) return;
    KeyChoice choice{.bucket = bucket.text,
                     .bucket_length_s = bucket.length_s,
                     .shards = shards,
                     .own = *own_.begin() == std::pair(bucket.text, shards),
                     .partition_bytes_p50 = size.partition_bytes.p50,
                     .partition_bytes_p99 = size.partition_bytes.p99,
                     .partition_bytes_max = size.partition_bytes.max,
                     .partition_rows_max = size.partition_rows.max,
                     .partitions_per_year = size.partitions_per_year};
    const bool many_rows = choices_.rows_max > 0 && choice.partition_rows_max > choices_.rows_max;
    if (choice.partition_bytes_max > choices_.bytes_max || many_rows) {
      choice.verdict = KeyChoice::Verdict::too_big;
    } else if (choice.partition_bytes_max < choices_.bytes_min) {
      choice.verdict = KeyChoice::Verdict::too_small;
    }
    choices_.cells.push_back(std::move(choice));
  }

  Scenario scenario_;
  int table_ = 0;
  Micros from_us_ = 0;
  bool varies_ = false;
  std::set<std::pair<std::string, std::int64_t>> own_{};
  KeyChoices choices_{};
};

}  // namespace

KeyChoices key_choices(const Scenario& scenario, int table) {
  try {
    return KeyMatrix(scenario, table).run();
  } catch (const std::invalid_argument&) {
    return {};
  }
}

}  // namespace windrow
