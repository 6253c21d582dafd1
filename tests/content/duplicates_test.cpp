#include "sim/content/duplicates.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sim/content/census.h"
#include "sim/content/census_partitions.h"
#include "sim/content/merge.h"
#include "tests/content/interval_case.h"

namespace windrow {
namespace {

using test::Case;

constexpr std::int64_t most_members = 600;  // of 7 entities, a bucket an hour: two buckets and a half

/// Calls `each(member)` for every row of the cohort.
template <typename Each>
void each_member(const ContentSpace& space, const Cohort& cohort, const Each& each) {
  const SubStream& sub = space.sub_stream(cohort.sub_stream);
  for (std::int64_t j = cohort.from; j < cohort.to; ++j) {
    if (space.admits(cohort, sub.writer().bucket_of(sub.row(j)), sub.slot(j))) each(j);
  }
}

/// Some rows of one sub-stream: cut by tokens, by slots, or by neither.
Cohort random_rows(const ContentSpace& space) {
  const SubStream& sub = space.sub_stream(0);
  const RowState states[] = {RowState::live,       RowState::nulls_left,      RowState::settled,
                             RowState::cells_dead, RowState::nulls_left_dead, RowState::settled_dead,
                             RowState::skeleton};
  Cohort cohort{.state = states[*rc::gen::inRange(0, 7)], .ttl_s = *rc::gen::inRange(0, 2) * 3'600};
  cohort.from = *rc::gen::inRange<std::int64_t>(0, most_members);
  cohort.to = *rc::gen::inRange<std::int64_t>(cohort.from + 1, most_members + 1);
  const int cut = *rc::gen::inRange(0, 3);
  const std::int64_t bucket = sub.writer().bucket_of(sub.row(cohort.from));
  if (cut == 1) {
    cohort.to = std::min(cohort.to, sub.count_before_bucket(bucket + 1));
    SlotSet slots;
    for (std::int64_t slot = 0; slot < sub.writer().slots(bucket); ++slot) slots.push_back(*rc::gen::arbitrary<bool>());
    cohort.slots = std::make_shared<const SlotSet>(std::move(slots));
  } else if (cut == 2) {
    const auto& tokens = space.tokens().of(sub.writer(), bucket).by_slot();
    const Token one = tokens[*rc::gen::inRange<std::size_t>(0, tokens.size())];
    const Token other = tokens[*rc::gen::inRange<std::size_t>(0, tokens.size())];
    cohort.first_token = std::min(one, other);
    cohort.last_token = std::max(one, other);
  }
  return cohort;
}

TEST_CASE("duplicates: what copies of rows in whatever states make together is there once, as row by row") {
  const Case what;
  const TableWorkload workload = test::workload_of(what);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  CHECK(rc::check([&] {
    std::vector<Cohort> cohorts;
    std::map<std::int64_t, std::pair<RowState, std::int32_t>> wanted;
    const int count = *rc::gen::inRange(1, 9);
    for (int i = 0; i < count; ++i) {
      const Cohort& one = cohorts.emplace_back(random_rows(space));
      each_member(space, one, [&](std::int64_t j) {
        const auto [known, fresh] = wanted.try_emplace(j, one.state, one.ttl_s);
        auto& [state, ttl_s] = known->second;
        if (!fresh) state = merged_state(state, one.state);
        ttl_s = std::max(ttl_s, one.ttl_s);
      });
    }
    absorb_duplicates(space, cohorts);
    std::map<std::int64_t, std::pair<RowState, std::int32_t>> found;
    for (const Cohort& cohort : cohorts) {
      each_member(space, cohort,
                  [&](std::int64_t j) { RC_ASSERT(found.emplace(j, std::pair(cohort.state, cohort.ttl_s)).second); });
    }
    RC_ASSERT(found == wanted);
  }));
}

TEST_CASE("duplicates: of each content the rows that one before it has") {
  const Case what;
  const TableWorkload workload = test::workload_of(what);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  CHECK(rc::check([&] {
    std::vector<Content> contents(static_cast<std::size_t>(*rc::gen::inRange(1, 6)));
    std::map<std::int64_t, int> seen;
    std::vector<std::map<std::int64_t, int>> wanted(contents.size());
    for (std::size_t i = 0; i < contents.size(); ++i) {
      std::vector<Cohort>& own = contents[i].cohorts;
      const int count = *rc::gen::inRange(1, 4);
      for (int k = 0; k < count; ++k) own.push_back(random_rows(space));
      absorb_duplicates(space, own);  // a file has each row once
      for (const Cohort& cohort : own)
        each_member(space, cohort, [&](std::int64_t j) { wanted[i][j] += seen.contains(j) ? 1 : 0; });
      for (const Cohort& cohort : own) each_member(space, cohort, [&](std::int64_t j) { seen[j] = 1; });
      std::erase_if(wanted[i], [](const auto& row) { return row.second == 0; });
    }
    std::vector<const Content*> all;
    for (const Content& content : contents) all.push_back(&content);
    std::vector<std::vector<Cohort>> duplicates = duplicates_in(space, all);
    RC_ASSERT(duplicates.empty() || duplicates.size() == contents.size());
    duplicates.resize(contents.size());
    for (std::size_t i = 0; i < contents.size(); ++i) {
      std::map<std::int64_t, int> found;
      for (const Cohort& cohort : duplicates[i]) each_member(space, cohort, [&](std::int64_t j) { ++found[j]; });
      RC_ASSERT(found == wanted[i]);
    }
  }));
}

TEST_CASE("duplicates: of fewer rows than slots, some may name slots that have none of them twice") {
  const Case what;
  const TableWorkload workload = test::workload_of(what);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  const SubStream& sub = space.sub_stream(0);
  const std::int64_t slots = sub.writer().slots(sub.writer().bucket_of(sub.row(0)));
  constexpr std::int64_t rows = 3;
  REQUIRE(slots > rows);
  const auto of_slots = [&](const SlotSet& named) {
    return Cohort{.from = 0, .to = rows, .slots = std::make_shared<const SlotSet>(named)};
  };
  SlotSet all(static_cast<std::size_t>(slots));
  all.set();
  SlotSet without = all;
  without[static_cast<std::size_t>(sub.slot(1))] = false;
  SlotSet none(all.size());  // a slot that has no row here
  none[static_cast<std::size_t>(sub.slot(rows))] = true;
  SlotSet other = none;
  other[static_cast<std::size_t>(sub.slot(1))] = true;

  std::vector<Cohort> together{of_slots(without), of_slots(other)};
  join_cohorts(together);
  REQUIRE(together.size() == 1);
  CHECK(together.front().whole());

  SlotSet third = none;
  third[static_cast<std::size_t>(sub.slot(2))] = true;
  std::vector<Cohort> one_less{of_slots((without & ~third) | none), of_slots(third)};
  absorb_duplicates(space, one_less);
  std::map<std::int64_t, int> found;
  for (const Cohort& cohort : one_less) each_member(space, cohort, [&](std::int64_t j) { ++found[j]; });
  CHECK(found == std::map<std::int64_t, int>{{0, 1}, {2, 1}});
}

/// A file has members [0, 300), another [200, 400): a hundred rows lie in both.
struct TwoFiles {
  Case what{};
  TableWorkload workload = test::workload_of(what);
  ContentSpace space{workload, 9, SSTableFormat::oa};
  Content one{.cohorts = {{.from = 0, .to = 300}}};
  Content other{.cohorts = {{.from = 200, .to = 400}}};
  std::vector<const Content*> both{&one, &other};
};

TEST_CASE("duplicates: a row of two files is read once: the second copy may go with the next compaction") {
  const TwoFiles files;
  const std::vector<std::vector<Cohort>> duplicates = duplicates_in(files.space, files.both);
  REQUIRE(duplicates.size() == 2);
  CHECK(duplicates[0].empty());
  const CensusTime time{.now_s = 1'767'225'600 + 10'000, .gc_grace_s = 864'000};
  const Census first = take_census(files.space, files.one, time, 3'000, {}, duplicates[0]);
  const Census second = take_census(files.space, files.other, time, 2'000, {}, duplicates[1]);
  CHECK(first.live.rows == 300);
  CHECK(first.live.bytes == 3'000);
  CHECK(second.live.rows == 100);
  CHECK(second.live.bytes == 1'000);
  CHECK(second.purgeable.rows == 100);
  CHECK(second.purgeable.bytes == 1'000);
}

TEST_CASE("duplicates: partitions have the rows that lie in two files once") {
  const TwoFiles files;
  const Content whole{.cohorts = {{.from = 0, .to = 400}}};
  const Content* const alone = &whole;
  const PartitionCensus expected = census_of_partitions(files.space, {&alone, 1});
  const PartitionCensus is = census_of_partitions(files.space, files.both, 20, {}, true);
  CHECK(is.partitions == expected.partitions);
  CHECK(is.rows == expected.rows);
  CHECK(is.bytes == expected.bytes);
}

TEST_CASE("duplicates: a merge absorbs them and says how many: in = out + shadowed + purged + duplicates") {
  const TwoFiles files;
  const std::vector<MergeInput> inputs = {{.content = &files.one, .counted_rows = 300},
                                          {.content = &files.other, .counted_rows = 200}};
  MergeLedger ledger;
  const Content merged = merge_contents(files.space, inputs, {.now_s = 0, .gc_before_s = 0}, {}, true, &ledger, true);
  CHECK(ledger.in == 500);
  CHECK(ledger.out == 400);
  CHECK(ledger.duplicates == 100);
  CHECK(ledger.shadowed == 0);
  REQUIRE(merged.cohorts.size() == 1);
  CHECK(merged.cohorts.front().from == 0);
  CHECK(merged.cohorts.front().to == 400);
}

}  // namespace
}  // namespace windrow
