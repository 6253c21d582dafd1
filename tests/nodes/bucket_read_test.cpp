#include "sim/reads/bucket_read.h"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <vector>

#include "sim/content/partition_deletes.h"
#include "tests/content/interval_case.h"

namespace windrow {
namespace {

ReadSource source_of(const ContentSpace& space, const Content& content) {
  ReadSource source{.content = &content, .max_timestamp_us = INT64_MAX, .row_bytes = 10};
  find_clusterings(space, content, source);
  return source;
}

/// Of every partition of the first hour.
PartitionCost costs_of(const ContentSpace& space, std::span<const ReadSource> sources, std::int64_t limit) {
  const Writer& writer = space.sub_stream(0).writer();
  const WriterSources of_writer(space, sources, writer);
  const std::int64_t bucket = writer.bucket_of(0);
  const BucketRead read(of_writer, bucket, {.now_s = 1'767'225'600 + 86'400, .gc_before_s = 0});
  PartitionCost sum;
  for (std::int64_t slot = 0; slot < read.slots(); ++slot) {
    bool alone = false;
    const PartitionCost cost = read.cost(slot, limit, alone);
    sum.sstables += cost.sstables;
    sum.rows += cost.rows;
    sum.live += cost.live;
    sum.tombstones += cost.tombstones;
    sum.bytes += cost.bytes;
  }
  return sum;
}

TEST_CASE("a row that lies in two SSTables is read from both, and found once") {
  const test::Case what;
  const TableWorkload workload = test::workload_of(what);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  const std::int64_t rows = space.sub_stream(0).count_before_bucket(space.bucket_of(0, 0) + 1);
  REQUIRE(rows > 200);
  const Content whole{.cohorts = {{.from = 0, .to = rows}}};
  const Content one{.cohorts = {{.from = 0, .to = 140}}};
  const Content other{.cohorts = {{.from = 70, .to = rows}}};
  const std::array apart{source_of(space, whole)};
  const std::array twice{source_of(space, one), source_of(space, other)};
  for (const std::int64_t limit : {0, 25}) {
    CAPTURE(limit);
    const PartitionCost should = costs_of(space, apart, limit);
    const PartitionCost is = costs_of(space, twice, limit);
    CHECK(is.rows == should.rows);
    CHECK(is.live == should.live);
    CHECK(is.sstables == 2 * should.sstables);
    if (limit == 0) CHECK(is.bytes == should.bytes + 70 * 10);
  }
}

TEST_CASE("of a row that has expired in one SSTable and was rewritten in another, the rewritten one counts") {
  test::Case what;
  what.ttl_s = 3'600;
  const TableWorkload workload = test::workload_of(what);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  const Content written{.cohorts = {{.ttl_s = 3'600, .from = 0, .to = 140}}};
  const Content rewritten{.cohorts = {{.state = RowState::cells_dead, .ttl_s = 3'600, .from = 0, .to = 140}}};
  const std::array alone{source_of(space, rewritten)};
  const std::array twice{source_of(space, written), source_of(space, rewritten)};
  const PartitionCost should = costs_of(space, alone, 0);
  const PartitionCost is = costs_of(space, twice, 0);
  CHECK(is.live == 0);
  CHECK(is.rows == should.rows);
  CHECK(is.tombstones == should.tombstones);
}

TEST_CASE("of many short SSTables those are looked through that lie around a partition and meet the slice") {
  test::Case what;
  what.entities = 700;
  what.bucket_s = 86'400;
  const TableWorkload workload = test::workload_of(what);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  const Writer& writer = space.sub_stream(0).writer();
  const std::int64_t bucket = writer.bucket_of(0);
  const std::int64_t rows = space.sub_stream(0).count_before_bucket(bucket + 1);
  constexpr std::int64_t rows_each = 60;
  const std::int64_t count = rows / rows_each;
  REQUIRE(count > 4 * static_cast<std::int64_t>(HeldByCell::fewest));
  const Content whole{.cohorts = {{.from = 0, .to = count * rows_each}}};
  std::vector<Content> parts;
  for (std::int64_t i = 0; i < count; ++i)
    parts.push_back({.cohorts = {{.from = i * rows_each, .to = (i + 1) * rows_each}}});
  std::vector<ReadSource> apart;
  for (const Content& part : parts) apart.push_back(source_of(space, part));
  const std::array together{source_of(space, whole)};

  const PartitionCost should = costs_of(space, together, 0);
  const PartitionCost is = costs_of(space, apart, 0);
  CHECK(is.rows == should.rows);
  CHECK(is.live == should.live);
  CHECK(is.sstables == is.rows);  // one row of a partition each

  const WriterSources of_writer(space, apart, writer);
  const PartitionQuery all{.now_s = 1'767'225'600 + 86'400};
  CHECK(BucketRead(of_writer, bucket, all).pieces(0) * 5 < count);
  PartitionQuery slice = all;
  slice.from_ms = apart[7].min_clustering;
  slice.to_ms = apart[7].max_clustering + 1;
  const BucketRead few(of_writer, bucket, slice);
  CHECK(few.pieces(0) <= 3);
  std::int64_t found = 0;
  for (std::int64_t slot = 0; slot < few.slots(); ++slot) {
    bool alone = false;
    found += few.cost(slot, 0, alone).live;
  }
  const std::int64_t in_slice =
      members_below(space.sub_stream(0), slice.to_ms) - members_below(space.sub_stream(0), slice.from_ms);
  CHECK(found == in_slice);
}

}  // namespace
}  // namespace windrow
