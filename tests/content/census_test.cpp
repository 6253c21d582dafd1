#include "sim/content/census.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sim/content/census_memo.h"
#include "sim/content/census_partitions.h"
#include "sim/content/merge.h"
#include "tests/content/interval_case.h"

namespace windrow {
namespace {

constexpr Seconds day = seconds_per_day;
constexpr Seconds begin_s = 20'000 * day;

class CensusKeys final : public PartitionKeys {
 public:
  std::string key(std::int64_t entity, std::int64_t bucket, std::int64_t shard) const override {
    return std::to_string(1'000'000 + entity) + ":" + std::to_string(bucket) + ":" + std::to_string(shard);
  }
};

Writer steady(std::int64_t entities, std::int64_t period_s, Seconds days) {
  Writer writer;
  writer.name = "steady";
  writer.rhythm = Rhythm(begin_s, period_s, entities, true);
  writer.rhythm.stop_at(begin_s + days * day);
  writer.entities = entities;
  writer.bucket = BucketRule::every(day);
  writer.columns = {{.column = 0, .fixed_length = true, .sizes = {4}},
                    {.column = 1, .fixed_length = false, .sizes = {3, 90, 20}}};
  writer.keys = std::make_shared<CensusKeys>();
  return writer;
}

Content rows_of(const TableWorkload& workload, int sub_stream, std::int64_t from, std::int64_t to, std::int32_t ttl_s,
                RowState state = RowState::live) {
  const SubStream& sub = workload.sub_streams()[static_cast<std::size_t>(sub_stream)];
  Content content;
  content.cohorts.push_back({.sub_stream = sub_stream, .state = state, .ttl_s = ttl_s, .from = from, .to = to});
  content.bases.see(sub.timestamp(from));
  content.bases.columns = ColumnSet(3);
  if (ttl_s > 0) {
    content.bases.see_ttl(ttl_s);
    content.bases.see_deletion(sub.arrival_s(from) + ttl_s);
  }
  return content;
}

/// Partitions by looking at every row.
class Look final : public PartitionSink {
 public:
  explicit Look(const RowFormat& format) : format_(format) {}
  void begin_partition(Token token, int key_bytes, const DeletionTime&) override {
    token_ = token;
    if (!bytes.contains(token)) bytes[token] = format_.partition_header(key_bytes) + 1;
    previous_ = 30;
  }
  void static_row(const StoredRow&) override {}
  void row(const StoredRow& row) override {
    ++rows[token_];
    cells[token_] += std::ssize(row.cells);
    previous_ = format_.row(row, previous_);
    bytes[token_] += previous_;
  }
  void marker(const StoredMarker&) override {}
  void end_partition() override {}
  std::map<Token, Rows> rows{};
  std::map<Token, std::int64_t> cells{};
  std::map<Token, Bytes> bytes{};

 private:
  RowFormat format_;
  Token token_ = 0;
  Bytes previous_ = 0;
};

TEST_CASE("rows are live, wait for gc_grace, or only for a compaction") {
  TableWorkload workload;
  workload.add(steady(10, 100, 20), {}, begin_s + 30 * day);
  workload.finish(0);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  // One row every ten seconds, TTL one day, gc_grace two: a day has 8,640 rows.
  const Content content = rows_of(workload, 0, 0, 10 * 8'640, day);
  const Census census = take_census(space, content, {.now_s = begin_s + 10 * day, .gc_grace_s = 2 * day}, 1'000'000);
  CHECK(census.live.rows == 8'639);  // dead at the second of expiry
  CHECK(census.waiting.rows == 2 * 8'640 + 1);
  CHECK(census.purgeable.rows == 7 * 8'640);  // expiry before now - gc_grace
  CHECK(census.live.bytes + census.waiting.bytes + census.purgeable.bytes == 1'000'000);
  CHECK(census.live.bytes == doctest::Approx(100'000).epsilon(0.01));
  CHECK(census.of(TombstoneKind::expired_cell).droppable == 2 * 8 * 8'640);  // two days and a second after the write
  CHECK(census.of(TombstoneKind::liveness).droppable == 7 * 8'640);
  CHECK(census.of(TombstoneKind::liveness).waiting == 2 * 8'640 + 1);
}

TEST_CASE("an expired cell may go when its write is past gc_grace, liveness when its expiry is") {
  TableWorkload workload;
  workload.add(steady(10, 100, 20), {}, begin_s + 30 * day);
  workload.finish(0);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  const Content content = rows_of(workload, 0, 0, 10, 5 * day);  // TTL longer than gc_grace: droppable as it expires
  const Census census = take_census(space, content, {.now_s = begin_s + 5 * day + 90, .gc_grace_s = 2 * day}, 100);
  CHECK(census.of(TombstoneKind::expired_cell).droppable == 20);
  CHECK(census.of(TombstoneKind::liveness).waiting == 10);
  CHECK(census.of(TombstoneKind::liveness).first_drop_s == begin_s + 7 * day + 1);
  CHECK(census.waiting.rows == 10);
}

void compare_with_look(const TableWorkload& workload, const Content& content, const ContentSpace& space) {
  Look look(space.format(content.bases));
  space.walk(content, look);
  const std::vector<const Content*> contents{&content};
  const PartitionCensus census = census_of_partitions(space, contents, 5);
  CHECK(census.partitions == std::ssize(look.rows));
  WeightedValues rows;
  WeightedValues cells;
  for (const auto& [token, count] : look.rows) rows.add(count, 1);
  for (const auto& [token, count] : look.cells) cells.add(count, 1);
  CHECK(census.rows == rows.spread());
  CHECK(census.cells == cells.spread());
  REQUIRE(census.largest.size() == std::min<std::size_t>(5, look.rows.size()));
  for (const LargestPartition& large : census.largest) {
    const Writer& writer = workload.writers()[static_cast<std::size_t>(large.writer)];
    const Token token = space.tokens().of(writer, large.bucket).by_slot()[static_cast<std::size_t>(large.slot)];
    CHECK(look.rows[token] == large.rows);
    if (large.rows < 50) continue;  // values are counted with their mean size
    Content bucket = content;
    std::tie(bucket.cohorts[0].from, bucket.cohorts[0].to) = space.members_in(content.cohorts[0], large.bucket);
    bucket = rows_of(workload, 0, bucket.cohorts[0].from, bucket.cohorts[0].to, content.cohorts[0].ttl_s);
    Look alone(space.format(bucket.bases));
    space.walk(bucket, alone);
    CHECK(static_cast<double>(alone.bytes[token]) == doctest::Approx(static_cast<double>(large.bytes)).epsilon(0.001));
  }
}

/// Every value of one length: then a partition has one size.
Writer regular(std::int64_t entities, std::int64_t period_s, Seconds days, std::int32_t value_bytes) {
  Writer writer = steady(entities, period_s, days);
  writer.columns[1].sizes = {value_bytes};
  return writer;
}

TEST_CASE("the logical size of a regular writer's partition is one number, whatever files hold it") {
  for (const std::int32_t value_bytes : {20, 200}) {
    CAPTURE(value_bytes);
    TableWorkload workload;
    workload.add(regular(30, 600, 8, value_bytes), {}, begin_s + 30 * day);
    workload.finish(0);
    const ContentSpace space(workload, 9, SSTableFormat::oa);
    const std::int64_t a_day = 30 * 144;
    const Content bucket = rows_of(workload, 0, 2 * a_day, 3 * a_day, 10 * day);
    Look look(space.format(bucket.bases));
    space.walk(bucket, look);
    const Bytes size = look.bytes.begin()->second;
    const Content whole = rows_of(workload, 0, 0, 6 * a_day, 10 * day);
    const Content low = restrict_to(space, whole, min_token, 0);
    Content high = restrict_to(space, whole, 1, max_token);
    high.bases = rows_of(workload, 0, a_day / 2, a_day, 10 * day).bases;
    const Content first = rows_of(workload, 0, 0, 2 * a_day + 777, 10 * day);
    const Content second = rows_of(workload, 0, 2 * a_day + 777, 6 * a_day, 10 * day);
    const std::vector<std::vector<const Content*>> layouts = {{&whole}, {&low, &high}, {&first, &second}};
    for (const std::vector<const Content*>& files : layouts) {
      const PartitionCensus census = census_of_partitions(space, files, 200);
      CHECK(census.partitions == 6 * 30);
      for (const LargestPartition& partition : census.largest) {
        CAPTURE(partition.bucket);
        CHECK(std::abs(partition.bytes - size) <= 3);  // dates of neighbours differ by a byte now and then
      }
      CHECK(census.bytes.max - census.bytes.min <= 1);
    }
  }
}

TEST_CASE("an SSTable's own partitions are written with its own bases") {
  TableWorkload workload;
  workload.add(regular(30, 600, 8, 20), {}, begin_s + 30 * day);
  workload.finish(0);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  const Content file = rows_of(workload, 0, 0, 6 * 30 * 144, 10 * day);
  Look look(space.format(file.bases));
  space.walk(file, look);
  WeightedValues bytes;
  for (const auto& [token, size] : look.bytes) bytes.add(size, 1);
  const Spread exact = bytes.spread();
  const Spread found = census_of_file(space, file).bytes;
  CHECK(std::abs(found.max - exact.max) <= 1);
  CHECK(std::abs(found.p50 - exact.p50) <= 1);
  const std::vector<const Content*> files{&file};
  CHECK(census_of_partitions(space, files).bytes.max < exact.max);
}

TEST_CASE("entities of different rates have their shares of a class's rows, and no row is lost") {
  TableWorkload workload;
  workload.add(regular(100, 600, 8, 20), {}, begin_s + 30 * day);
  workload.finish(0);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  const Content file = rows_of(workload, 0, 0, 6 * 100 * 144, 0);
  const std::vector<const Content*> files{&file};
  // Half of them write a quarter of the mean, the others seven quarters; one in a hundred next to nothing.
  const RateSpread spread{.upto = {0.01, 0.5, 1},
                          .parts = {{.from_us = INT64_MIN, .factors = {0.001, 0.255, 1.749991}}}};
  const RateSpread* const rates[] = {&spread};
  const PartitionCensus census = census_of_partitions(space, files, 20, rates);
  CHECK(census.rows.max == 252);
  CHECK(census.rows.p98 == 252);
  CHECK(census.rows.p50 >= 252);  // fewer partitions: the slowest has a row every seventh day
  CHECK(census.rows.min == 1);
  CHECK(census.partitions <= 6 * 99 + 6);
  CHECK(census.largest.size() == 20);
  CHECK(census.largest.back().rows == 252);
  CHECK(census.largest.front().pace == doctest::Approx(1.75).epsilon(0.001));
  CHECK(census.largest.front().slot >= 50);
}

TEST_CASE("partitions by arithmetic are those that a walk over all rows finds") {
  for (const auto& [entities, period_s] :
       {std::pair<std::int64_t, std::int64_t>{7, 600}, {100, 3'600}, {300, 5 * day}, {1, 60}}) {
    TableWorkload workload;
    workload.add(steady(entities, period_s, 6), {}, begin_s + 30 * day);
    workload.finish(0);
    const ContentSpace space(workload, 9, SSTableFormat::oa);
    const std::int64_t total = workload.sub_streams()[0].count_arrived_before_s(begin_s + 7 * day);
    compare_with_look(workload, rows_of(workload, 0, 0, total, 0), space);
    compare_with_look(workload, rows_of(workload, 0, total / 3, total / 3 + total / 5 + 1, 3600), space);
  }
}

TEST_CASE("shares that meet only some partitions, and several files, are counted by partition") {
  TableWorkload workload;
  workload.add(steady(20, 600, 6), test::late_fate(10, 3'600), begin_s + 30 * day);
  workload.finish(0);
  REQUIRE(workload.sub_streams().size() == 2);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  Content all;
  for (int s = 0; s < 2; ++s) {
    const std::int64_t total =
        workload.sub_streams()[static_cast<std::size_t>(s)].count_arrived_before_s(begin_s + 5 * day + 1'000);
    const Content part = rows_of(workload, s, 0, total, 0);
    all.cohorts.push_back(part.cohorts.front());
    all.bases = part.bases;
  }
  Look look(space.format(all.bases));
  space.walk(all, look);
  const std::vector<const Content*> contents{&all};
  const PartitionCensus census = census_of_partitions(space, contents);
  CHECK(census.partitions == std::ssize(look.rows));
  WeightedValues rows;
  for (const auto& [token, count] : look.rows) rows.add(count, 1);
  const Spread exact = rows.spread();
  CHECK(census.rows.p50 == exact.p50);
  CHECK(census.rows.max == exact.max);
  CHECK(std::abs(census.rows.min - exact.min) <= 1);

  Content some = all;
  some.cohorts[0].to /= 2;
  Content rest = all;
  rest.cohorts[0].from = some.cohorts[0].to;
  rest.cohorts.pop_back();
  const std::vector<const Content*> split{&some, &rest};
  const PartitionCensus again = census_of_partitions(space, split);
  CHECK(again.rows == census.rows);
  CHECK(again.partitions == census.partitions);
}

TEST_CASE("files cut by tokens hold whole partitions again together") {
  TableWorkload workload;
  workload.add(steady(50, 600, 6), {}, begin_s + 30 * day);
  workload.finish(0);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  const Content whole = rows_of(workload, 0, 0, 20'000, 0);
  const Content left = restrict_to(space, whole, min_token, 0);
  const Content right = restrict_to(space, whole, 1, max_token);
  const std::vector<const Content*> halves{&left, &right};
  const std::vector<const Content*> one{&whole};
  const std::vector<const Content*> only_left{&left};
  CHECK(census_of_partitions(space, halves).rows == census_of_partitions(space, one).rows);
  CHECK(census_of_partitions(space, halves).steps < 20);
  Look look(space.format(left.bases));
  space.walk(left, look);
  CHECK(census_of_partitions(space, only_left).partitions == std::ssize(look.rows));
}

TEST_CASE("work follows buckets, not partitions") {
  TableWorkload workload;
  workload.add(steady(20'000, 60, 101), {}, begin_s + 200 * day);
  workload.finish(0);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  const Content content = rows_of(workload, 0, 0, 20'000LL * 1'440 * 100, 90 * day);
  const std::vector<const Content*> contents{&content};
  const PartitionCensus census = census_of_partitions(space, contents);
  CHECK(census.partitions == 2'000'000);
  CHECK(census.rows.max == 1'440);
  CHECK(census.steps <= 300);
}

void check_equal_largest(const PartitionCensus& remembered, const PartitionCensus& afresh) {
  CHECK(remembered.steps == afresh.steps);
  REQUIRE(remembered.largest.size() == afresh.largest.size());
  for (std::size_t i = 0; i < afresh.largest.size(); ++i) {
    CHECK(remembered.largest[i].writer == afresh.largest[i].writer);
    CHECK(remembered.largest[i].bucket == afresh.largest[i].bucket);
    CHECK(remembered.largest[i].slot == afresh.largest[i].slot);
    CHECK(remembered.largest[i].bytes == afresh.largest[i].bytes);
  }
}

void check_equal(const PartitionCensus& remembered, const PartitionCensus& afresh) {
  CHECK(remembered.partitions == afresh.partitions);
  CHECK(remembered.bytes == afresh.bytes);
  CHECK(remembered.rows == afresh.rows);
  CHECK(remembered.cells == afresh.cells);
  CHECK(std::ranges::equal(remembered.bytes_histogram.counts(), afresh.bytes_histogram.counts()));
  CHECK(std::ranges::equal(remembered.rows_histogram.counts(), afresh.rows_histogram.counts()));
  CHECK(std::ranges::equal(remembered.cells_histogram.counts(), afresh.cells_histogram.counts()));
  check_equal_largest(remembered, afresh);
}

void check_equal_maxima(const PartitionCensus& maxima, const PartitionCensus& all) {
  CHECK(maxima.partitions == all.partitions);
  CHECK(maxima.bytes.max == all.bytes.max);
  CHECK(maxima.rows.max == all.rows.max);
  CHECK(maxima.cells.max == all.cells.max);
  check_equal_largest(maxima, all);
}

TEST_CASE("a census that remembers the one before has the same numbers, whatever came, went or changed its state") {
  TableWorkload workload;
  workload.add(steady(7, 100, 20), {}, begin_s + 30 * day);
  Writer other = steady(3, 70, 20);
  other.key_group = 1;
  workload.add(other, {}, begin_s + 30 * day);
  workload.finish(0);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  struct Moment {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t dead_to = 0;  // expired cells before it
    std::int64_t second = 0;   // rows of the other writer
  };
  CensusMemo memo;
  for (const Moment& now : {Moment{0, 5'000, 0, 40},
                            {0, 20'000, 0, 40},
                            {0, 20'000, 0, 40},
                            {0, 20'000, 7'000, 4'000},
                            {6'500, 20'001, 9'000, 4'001},
                            {0, 300, 0, 4'001},
                            {6'500, 30'000, 9'000, 0}}) {
    CAPTURE(now.to);
    Content live = rows_of(workload, 0, std::max(now.from, now.dead_to), now.to, day);
    std::vector<Content> all = {live};
    if (now.dead_to > now.from) all.push_back(rows_of(workload, 0, now.from, now.dead_to, day, RowState::cells_dead));
    if (now.second > 0) all.push_back(rows_of(workload, 1, 0, now.second, 0));
    std::vector<const Content*> contents;
    for (const Content& each : all) contents.push_back(&each);
    const PartitionCensus afresh = census_of_partitions(space, contents);
    const PartitionCensus remembered = census_of_partitions(space, contents, 20, {}, memo);
    check_equal(remembered, afresh);
  }
}

TEST_CASE("a census that remembers many buckets has the same numbers, however rows come and go") {
  CHECK(rc::check([] {
    TableWorkload workload;
    Writer steadily = steady(*rc::gen::inRange(3, 60), *rc::gen::inRange(20, 2'000), 20);
    steadily.bucket = BucketRule::every(*rc::gen::element(3'600, 300));  // blocks of 16, and of 48
    const std::int64_t rows = steadily.rhythm.count_before((begin_s + 20 * day) * us_per_s);
    workload.add(steadily, test::late_fate(*rc::gen::element(0, 7), 5'000), begin_s + 30 * day);
    workload.finish(0);
    const ContentSpace space(workload, 9, SSTableFormat::oa);
    const auto largest = static_cast<std::size_t>(*rc::gen::inRange(1, 40));
    const RateSpread spread{.upto = {0.2, 0.7, 1}, .parts = {{.factors = {0.1, 0.6, 2.1}}}};
    const RateSpread* const differ[] = {&spread};
    const RateSpreads rates = *rc::gen::arbitrary<bool>() ? RateSpreads(differ) : RateSpreads();
    CensusMemo memo;
    CensusMemo memo_of_maxima(CensusCollector::Finds::maxima);
    std::int64_t from = 0;
    std::int64_t dead_to = 0;
    std::int64_t to = 0;
    for (int look = 0; look < 12; ++look) {
      // Most looks find some rows more; some that rows have expired or are gone, a few that rows are back.
      to = std::min(rows, to + *rc::gen::inRange<std::int64_t>(1, rows / 4));
      if (*rc::gen::inRange(0, 4) == 0) dead_to += (to - dead_to) / *rc::gen::inRange(1, 9);
      if (*rc::gen::inRange(0, 4) == 0) from += (dead_to - from) / *rc::gen::inRange(1, 9);
      if (*rc::gen::inRange(0, 12) == 0) from = 0;
      std::vector<Content> all;
      const auto add = [&](std::int64_t first, std::int64_t last, RowState state) {
        for (int s = 0; s < std::ssize(workload.sub_streams()); ++s) {
          const SubStream& sub = workload.sub_streams()[static_cast<std::size_t>(s)];
          if (sub.rank(first) < sub.rank(last))
            all.push_back(rows_of(workload, s, sub.rank(first), sub.rank(last), day, state));
        }
      };
      add(dead_to, to, RowState::live);
      add(from, dead_to, RowState::cells_dead);
      std::vector<const Content*> contents;
      for (const Content& each : all) contents.push_back(&each);
      const PartitionCensus afresh = census_of_partitions(space, contents, largest, rates);
      check_equal(census_of_partitions(space, contents, largest, rates, memo), afresh);
      check_equal_maxima(census_of_partitions(space, contents, largest, rates, memo_of_maxima), afresh);
    }
  }));
}

}  // namespace
}  // namespace windrow
