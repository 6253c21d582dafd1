#include "sim/page/findings.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/page/made_summary.h"

namespace windrow {
namespace {

using test::made_summary;
using test::with;

std::vector<RunFinding> found(const nlohmann::json& summary) { return findings(Facts(summary), {"t"}); }

nlohmann::json limit(const std::string& name, const nlohmann::json& first_breach) {
  return {{"name", name},
          {"table", "t"},
          {"node", 1},
          {"value", 113246208},
          {"bound", 104857600},
          {"unit", "bytes"},
          {"holds", first_breach.is_null()},
          {"first_breach", first_breach},
          {"margin_share", -0.08},
          {"end_value", nullptr},
          {"held_again", nullptr},
          {"worst", nullptr},
          {"broken_share", nullptr}};
}

TEST_CASE("a run in which nothing is wrong has no findings") {
  CHECK(found(with({{"first_large_partition", nullptr}})).empty());
}

TEST_CASE("a broken limit is a finding with its fix, and replaces what says the same") {
  auto summary = made_summary();
  REQUIRE(found(summary).size() == 1);
  CHECK(found(summary)[0].what.text() ==
        "Partitions above 100 MiB; the largest at the end, jon_haddad 2026-01-01 shard 0, has 108 MiB.");
  summary["limits"].push_back(limit("partition_size_max", "2026-01-01T23:00:04Z"));
  REQUIRE(found(summary).size() == 1);
  CHECK(found(summary)[0].what.text() == "partition_size_max of t reaches 108 MiB, its limit is 100 MiB.");
  CHECK(found(summary)[0].tried.empty());
  CHECK(found(summary)[0].moved_by == "bucket length, shards");
  summary["advice"].push_back({{"limit", "partition_size_max"},
                               {"table", "t"},
                               {"unit", "bytes"},
                               {"cause", "the largest is jon_haddad"},
                               {"tried",
                                {{{"command", "--set stream.busy.column.day=hour"},
                                  {"key_column", nullptr},
                                  {"says", "holds"},
                                  {"value", 52'428'800}}}},
                               {"not_tried", 2}});
  CHECK(found(summary)[0].cause.text() == "the largest is jon_haddad");
  REQUIRE(found(summary)[0].tried.size() == 2);
  CHECK(found(summary)[0].tried[0].text() == "--set stream.busy.column.day=hour: 50 MiB, holds");
  CHECK(found(summary)[0].tried[1].text() == "2 more not tried");
  summary["limits"][0]["end_value"] = 52'428'800;
  CHECK(found(summary)[0].what.text() ==
        "partition_size_max of t reaches 108 MiB, its limit is 100 MiB; at the end it is 50 MiB.");
  summary["limits"][0]["first_breach"] = nullptr;
  CHECK(found(summary)[0].what.text().starts_with("Partitions above 100 MiB"));
}

TEST_CASE("findings are sorted by when they are felt") {
  auto summary = with({{"first_large_partition", "2026-12-31T00:00:00Z"},
                       {"first_blocked", "2026-01-31T00:00:00Z"},
                       {"peak_blocked_bytes", 1 << 20},
                       {"first_refused_compaction", "2026-06-30T00:00:00Z"},
                       {"refused_compactions", 5}});
  const auto all = found(summary);
  REQUIRE(all.size() == 3);
  CHECK(all[0].term == Term::immediate);
  CHECK(all[0].what.text() == "t: expired SSTables were blocked for a time, 1 MiB at the most.");
  CHECK(all[1].term == Term::near);
  CHECK(all[1].what.text() == "5 compactions found too little disk space.");
  CHECK(all[2].term == Term::later);
  summary["tables"]["t"]["first_blocked"] = "2026-02-01T00:00:00Z";
  summary["tables"]["t"]["first_refused_compaction"] = "2026-07-01T00:00:00Z";
  CHECK(found(summary)[0].term == Term::near);
  CHECK(found(summary)[1].term == Term::later);
}

TEST_CASE("what blocks, spreads, fills and grows is said") {
  const auto only = [](nlohmann::json summary) {
    summary["tables"]["t"]["first_large_partition"] = nullptr;
    const auto all = found(summary);
    REQUIRE(all.size() == 1);
    return all[0].what.text();
  };
  CHECK(only(with({{"first_blocked", "2026-01-22T00:00:00Z"},
                   {"blocked_sstables", 40},
                   {"blocked_bytes", 4LL << 30},
                   {"blocked_for_ever_sstables", 40}})) ==
        "t: 40 expired SSTables with 4 GiB cannot be dropped at the end, and never will be.");
  CHECK(
      only(with({{"first_blocked", "2026-01-22T00:00:00Z"}, {"blocked_sstables", 4}, {"blocked_bytes", 4LL << 30}})) ==
      "t: 4 expired SSTables with 4 GiB cannot be dropped at the end.");
  CHECK(only(with({{"peak_sstables_per_partition", 9}})) == "A partition lies in 9 SSTables on average, at the peak.");
  CHECK(only(with({{"droppable_tombstone_ratio", 0.4}, {"peak_droppable_tombstone_ratio", 0.5}})) ==
        "t: droppable tombstones and expired cells are 0.5 times its cells at their peak, 0.4 times at the end, as the "
        "engine counts.");
  CHECK(only(with({{"live_growth", "grows"}, {"live_growth_bytes_per_year", 6LL << 30}})) ==
        "t grows by 6 GiB a year; it ends at 6 GiB.");
  // It has no date: the end of a short run does not make it urgent.
  auto short_run =
      with({{"first_large_partition", nullptr}, {"live_growth", "grows"}, {"live_growth_bytes_per_year", 6LL << 30}});
  CHECK(found(short_run)[0].why == "Nothing is ever removed.");
  short_run["tables"]["t"]["rows_purged"] = 5;
  CHECK(found(short_run)[0].why == "More is written without a TTL than is removed.");
  short_run["end"] = "2026-01-10T00:00:00Z";
  CHECK(found(short_run)[0].term == Term::later);
  auto full = made_summary();
  full["nodes"][0]["disk_capacity_bytes"] = 11811160064LL;
  full["nodes"][0]["peak_disk_share"] = 0.909;
  CHECK(only(full) == "The node's disk is 90.9 % full: 10 GiB of 11 GiB.");
  full["nodes"][0]["peak_disk_share"] = 0.5;
  full["tables"]["t"]["first_large_partition"] = nullptr;
  CHECK(found(full).empty());
}

}  // namespace
}  // namespace windrow
