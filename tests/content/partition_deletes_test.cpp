#include "sim/content/partition_deletes.h"

#include <doctest/doctest.h>

#include <memory>
#include <random>

#include "sim/content/measure.h"
#include "tests/content/interval_case.h"

namespace windrow {
namespace {

using test::Case;

constexpr Seconds new_year_s = 1'767'225'600;

KeyedPartition deleted(const ContentSpace& space, std::int64_t bucket, std::int64_t slot, Micros deleted_us) {
  const Writer& writer = space.workload().writers().front();
  return {.token = space.tokens().of(writer, bucket).by_slot()[static_cast<std::size_t>(slot)],
          .writer = 0,
          .bucket = bucket,
          .slot = slot,
          .key_bytes = space.tokens().key_bytes(writer, bucket, slot),
          .deletion = Deletion{deleted_us, deleted_us / us_per_s}};
}

/// Deletes of some partitions, some of them before their last row, each once, by token.
KeyedContent some_deletes(const ContentSpace& space, std::mt19937& dice, int count) {
  KeyedContent deletes;
  const Writer& writer = space.workload().writers().front();
  for (int i = 0; i < count; ++i) {
    const Seconds at_s = new_year_s + static_cast<Seconds>(dice() % 90'000);
    const std::int64_t bucket = writer.bucket.number(at_s);
    const auto slot = static_cast<std::int64_t>(dice() % static_cast<unsigned>(writer.most_slots()));
    const Seconds more_s = dice() % 3 == 0 ? 0 : 4'000;
    deletes.push_back(deleted(space, bucket, slot, (at_s + more_s) * us_per_s));
  }
  std::ranges::stable_sort(deletes, {}, &KeyedPartition::token);
  const auto same = [](const KeyedPartition& a, const KeyedPartition& b) { return a.token == b.token; };
  deletes.erase(std::unique(deletes.begin(), deletes.end(), same), deletes.end());
  return deletes;
}

TEST_CASE("what is not newer than the deletion of its partition goes, row by row") {
  std::mt19937 dice(7);
  for (int round = 0; round < 300; ++round) {
    const Case what{.entities = 1 + static_cast<std::int64_t>(dice() % 9),
                    .bucket_s = dice() % 4 == 0 ? 0 : 7'200,
                    .late_every = dice() % 3 == 0 ? 5 : 0,
                    .row_number_in_timestamp = dice() % 2 == 0,
                    .partitions_deleted = true};
    CAPTURE(round);
    const TableWorkload workload = test::workload_of(what);
    const ContentSpace space(workload, 9, SSTableFormat::oa);
    const Content content = test::content_of(workload, what, 0, 600, RowState::live);
    const KeyedContent deletes = some_deletes(space, dice, 1 + static_cast<int>(dice() % 20));
    const KeyedContent* one = &deletes;
    std::vector<Cohort> kept = content.cohorts;
    PartitionDeletes(space, {&one, 1}).shadow(kept);
    for (const Cohort& all : content.cohorts) {
      const SubStream& sub = space.sub_stream(all.sub_stream);
      for (std::int64_t j = all.from; j < all.to; ++j) {
        const std::int64_t bucket = sub.writer().bucket_of(sub.row(j));
        const std::int64_t slot = sub.slot(j);
        const bool goes = std::ranges::any_of(deletes, [&](const KeyedPartition& each) {
          return each.bucket == bucket && each.slot == slot && sub.timestamp(j) <= each.deletion->timestamp_us;
        });
        const auto there = std::ranges::count_if(kept, [&](const Cohort& cohort) {
          return cohort.sub_stream == all.sub_stream && cohort.from <= j && j < cohort.to &&
                 space.admits(cohort, bucket, slot);
        });
        REQUIRE(there == (goes ? 0 : 1));
      }
    }
  }
}

// Four devices write a row each 97 s, in turn: one every 24.25 s. Device 2 is deleted at 180 s, when its rows 2 and 6
// are there, and row 7 (169.75 s) but not row 8 (194 s) of the others.
TEST_CASE("a cohort is cut where other partitions are left of it") {
  const Case what{.entities = 4, .bucket_s = 0, .partitions_deleted = true};
  const TableWorkload workload = test::workload_of(what);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  std::vector<Cohort> cohorts = test::content_of(workload, what, 0, 12, RowState::live).cohorts;
  const KeyedContent deletes{deleted(space, 0, 2, (new_year_s + 180) * us_per_s)};
  const KeyedContent* one = &deletes;
  PartitionDeletes(space, {&one, 1}).shadow(cohorts);
  REQUIRE(cohorts.size() == 2);
  CHECK(cohorts[0].from == 0);
  CHECK(cohorts[0].to == 8);
  REQUIRE(cohorts[0].slots);
  CHECK(*cohorts[0].slots == SlotSet(std::string("1011")));
  CHECK(cohorts[1].from == 8);
  CHECK(cohorts[1].to == 12);
  CHECK(cohorts[1].whole());
}

TEST_CASE("a file of which partitions were deleted is measured by intervals as row by row") {
  std::mt19937 dice(11);
  for (const std::int64_t entities : {1, 7, 40}) {
    for (const std::int32_t ttl_s : {0, 90'000}) {
      for (const std::vector<std::int32_t>& sizes : {std::vector<std::int32_t>{20}, {11, 12, 13, 14, 15, 16, 17}}) {
        for (const int deletes : {0, 3, 60}) {
          const Case what{.entities = entities, .ttl_s = ttl_s, .sizes = sizes, .partitions_deleted = true};
          const TableWorkload workload = test::workload_of(what);
          const ContentSpace space(workload, 9, SSTableFormat::oa);
          CAPTURE(entities);
          CAPTURE(ttl_s);
          CAPTURE(sizes.size());
          CAPTURE(deletes);
          Content content = test::content_of(workload, what, 100, 2'000, RowState::live);
          content.keyed = std::make_shared<const KeyedContent>(some_deletes(space, dice, deletes));
          const KeyedContent* one = content.keyed.get();
          PartitionDeletes(space, {&one, 1}).shadow(content.cohorts);
          for (const KeyedPartition& each : *content.keyed)
            content.bases.see_deletion(each.deletion->local_deletion_time_s);
          REQUIRE(known_by_intervals(space, content));
          const auto [rows, histograms] = measure_by_rows(space, content);
          const ClosedMeasure closed = measure_by_intervals(space, content);
          CHECK(closed.exact_bytes());
          CHECK(closed.extremes.uncompressed_bytes == rows.uncompressed_bytes);
          CHECK(closed.extremes.partitions == rows.partitions);
          CHECK(closed.extremes.key_bytes == rows.key_bytes);
          CHECK(closed.extremes.rows == rows.rows);
          CHECK(closed.extremes.cells == rows.cells);
          CHECK(closed.extremes.min_timestamp_us == rows.min_timestamp_us);
          CHECK(closed.extremes.max_timestamp_us == rows.max_timestamp_us);
          CHECK(closed.extremes.min_local_deletion_time_s == rows.min_local_deletion_time_s);
          CHECK(closed.extremes.max_local_deletion_time_s == rows.max_local_deletion_time_s);
          CHECK(closed.extremes.min_ttl_s == rows.min_ttl_s);
          CHECK(closed.extremes.max_ttl_s == rows.max_ttl_s);
          const FileHistograms by_intervals = histograms_by_intervals(space, content);
          CHECK(by_intervals.cells.count() == histograms.cells.count());
          CHECK(by_intervals.cells.mean() == histograms.cells.mean());
          CHECK(by_intervals.partition_sizes.count() == histograms.partition_sizes.count());
          const auto points = [](const FileHistograms& of) {
            std::int64_t sum = 0;
            for (const DropTimes::Bin& bin : of.drop_times.bins()) sum += bin.count;
            return sum;
          };
          CHECK(points(by_intervals) == points(histograms));
        }
      }
    }
  }
}

}  // namespace
}  // namespace windrow
