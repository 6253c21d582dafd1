#include <doctest/doctest.h>

#include <tuple>
#include <vector>

#include "tests/content/interval_case.h"

namespace windrow {
namespace {

using namespace test;

TEST_CASE("the buckets that are shown are those in which a content has rows, in order") {
  // A row each 97 s of one of three entities: of buckets of 10 s most are empty.
  for (const Seconds bucket_s : {10, 60, 3'600}) {
    for (const std::int64_t late_every : {0, 4}) {
      const Case what{.entities = 3, .bucket_s = bucket_s, .late_every = late_every};
      const TableWorkload workload = workload_of(what);
      const ContentSpace space(workload, 9, SSTableFormat::oa);
      std::vector<Cohort> cohorts;
      for (const auto& [from, to] : {std::pair(0, 40), std::pair(300, 420), std::pair(430, 431)}) {
        const Content content = content_of(workload, what, from, to, RowState::live);
        cohorts.insert(cohorts.end(), content.cohorts.begin(), content.cohorts.end());
      }
      std::ranges::stable_sort(cohorts, {}, &Cohort::sub_stream);
      std::vector<std::tuple<std::int64_t, std::int64_t>> shown;
      space.each_bucket(cohorts, [&](const Writer&, std::int64_t bucket, const Presence& held) {
        shown.emplace_back(bucket, held.count());
      });
      std::vector<std::tuple<std::int64_t, std::int64_t>> looked_up;
      std::int64_t first = INT64_MAX;
      std::int64_t last = 0;
      for (const Cohort& cohort : cohorts) {
        first = std::min(first, space.buckets(cohort).first);
        last = std::max(last, space.buckets(cohort).second);
      }
      for (std::int64_t bucket = first; bucket <= last; ++bucket) {
        const Presence held = space.presence(cohorts, 0, bucket);
        if (!held.none()) looked_up.emplace_back(bucket, held.count());
      }
      CHECK(shown == looked_up);
      CHECK(shown.size() >= 3);
      std::int64_t rows = 0;
      for (const Cohort& cohort : cohorts)
        space.each_part(cohort, [&](std::int64_t, std::int64_t from, std::int64_t to) { rows += to - from; });
      CHECK(rows == space.rows(cohorts));
    }
  }
}

}  // namespace
}  // namespace windrow
