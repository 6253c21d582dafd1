#include "sim/page/captions.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/page/made_summary.h"
#include "tests/support/says.h"

namespace windrow {
namespace {

using test::made_summary;
using test::says;
using test::with;

std::string said(Sentence (*caption)(const Facts&), const nlohmann::json& summary) {
  return caption(Facts(summary).below("tables").below("t")).text();
}

TEST_CASE("disk: the peak, what of it is temporary, what of the end is dead, and whether it grows") {
  CHECK(said(disk_caption, made_summary()) ==
        "Disk peaks at 10 GiB on 2026-08-20, 34 % of it temporary; at the end it is 6 GiB, nearly all of it readable.");
  CHECK(said(disk_caption, with({{"peak_disk_temporary_share", 0.001}, {"waiting_gc_grace_bytes", 1 << 30}})) ==
        "Disk peaks at 10 GiB on 2026-08-20; at the end it is 6 GiB, 1 GiB of it waiting for gc_grace.");
  CHECK(said(disk_caption, with({{"blocked_bytes", 2LL << 30}, {"waiting_gc_grace_bytes", 1 << 30}}))
            .ends_with("2 GiB of it expired but blocked."));
  CHECK(said(disk_caption, with({{"purgeable_bytes", 1 << 30}}))
            .ends_with("1 GiB of it in rows past gc_grace or deleted that no compaction has met."));
  CHECK(said(disk_caption, with({{"live_growth", "grows"},
                                 {"live_growth_bytes_per_year", 3LL << 30},
                                 {"live_growth_since", "2026-02-01T00:00:00Z"}}))
            .ends_with("It still grows, by 3 GiB a year, evenly since 2026-02-01."));
  CHECK(said(disk_caption, with({{"live_growth", "steady"}, {"live_growth_since", "2026-02-01T00:00:00Z"}}))
            .ends_with("It has been steady since 2026-02-01."));
  CHECK(said(disk_caption, with({{"live_growth", "not known"}, {"live_growth_why", "of a reason"}}))
            .ends_with("Whether it goes on growing is not known: of a reason."));
  CHECK(said(disk_caption, with({{"live_growth", "not known"},
                                 {"live_growth_why", "of a reason"},
                                 {"live_growth_run_s", 86'400 * 180}}))
            .ends_with("is not known: of a reason; it takes a run of 180 d at least."));
}

TEST_CASE("the node's disk: all tables together, other data, and who has the most") {
  auto made = made_summary();
  made["tables"]["u"] = made["tables"]["t"];
  made["tables"]["u"]["live_bytes"] = 7LL << 30;
  const auto caption = [&](const std::vector<std::string>& tables) {
    return node_disk_caption(Facts(made), tables).text();
  };
  CHECK(caption({"t", "u"}) == "Together they peak at 10 GiB on 2026-08-20; at the end u has the most, 7 GiB.");
  made["nodes"][0]["other_disk_bytes"] = 3LL << 30;
  made["nodes"][0]["peak_disk_share"] = 0.5;
  CHECK(caption({"t"}) == "Together they peak at 10 GiB on 2026-08-20, 50 % of the disk, 3 GiB of it other data.");
}

TEST_CASE("lifelines: who is blocked, by whom, until when") {
  CHECK(said(lifelines_caption, made_summary()) == "12 SSTables at the end; none is kept by another.");
  CHECK(said(lifelines_caption, with({{"live_sstables", 1}})) == "1 SSTable at the end; none is kept by another.");
  auto blocked =
      with({{"blocked_sstables", 4}, {"blocked_bytes", 2LL << 30}, {"blocked_until", "2027-05-06T00:00:00Z"}});
  blocked["tables"]["t"]["blockers"] = {{{"sstable", 25}}};
  CHECK(said(lifelines_caption, blocked) ==
        "12 SSTables at the end; 4 of them, 2 GiB, could be dropped but for older data in others, first of all in "
        "SSTable 25; the "
        "last goes on 2027-05-06.");
  blocked["tables"]["t"]["blocked_for_ever_sstables"] = 3;
  blocked["tables"]["t"]["blockers"][0]["sstable"] = "memtable";
  CHECK(
      said(lifelines_caption, blocked)
          .ends_with("first of all in the memtable; 3 never go by themselves, for a blocker holds rows without TTL."));
}

TEST_CASE("windows: how many, and whether they go in time") {
  CHECK(said(windows_caption, made_summary()) ==
        "10 time windows of 24 h at the end, 9 with one SSTable; the line marks TTL and gc_grace (90 d and 10 d), "
        "after which a "
        "window may go: nothing stays blocked beyond it.");
  CHECK(said(windows_caption, with({{"blocked_sstables", 4}}))
            .ends_with("beyond the line, at TTL and gc_grace, 4 expired SSTables stay, blocked."));
  CHECK(says(said(windows_caption, with({{"blocked_sstables", 1}})), "1 expired SSTable stays, blocked."));
  CHECK(said(windows_caption, with({{"default_time_to_live_s", 0}})).ends_with("without a TTL no window ever goes."));
}

TEST_CASE("partitions: sizes, their spread, their growth") {
  CHECK(said(partition_sizes_caption, made_summary()) ==
        "At the end the median partition has 1 KiB, the 99th percentile 2 KiB, the largest 108 MiB; the first above "
        "100 MiB was seen "
        "on 2026-01-02.");
  CHECK(said(partition_sizes_caption, with({{"first_large_partition", nullptr}}))
            .ends_with("; none was ever seen above 100 MiB."));
  CHECK(said(partition_spread_caption, made_summary()) ==
        "5,000 partitions at the end, half of them below 1 KiB, yet the largest, jon_haddad 2026-01-01 shard 0, has "
        "108 MiB.");
  auto even = made_summary();
  even["tables"]["t"]["partition_bytes"]["max"] = 1500;
  CHECK(said(partition_spread_caption, even) ==
        "5,000 partitions at the end, of about the same size: the largest has 1.46 KiB.");
  CHECK(said(partition_spread_caption, with({{"partitions", 1}})) == "All rows are in one partition of 108 MiB.");
  CHECK(said(growth_caption, made_summary()) ==
        "The largest partition, jon_haddad 2026-01-01 shard 0, grows to 108 MiB in 864,000 rows, then its bucket is "
        "over.");
  auto endless = made_summary();
  endless["tables"]["t"]["largest_partition"]["bucket"] = nullptr;
  endless["tables"]["t"]["largest_partition"]["shard"] = nullptr;
  CHECK(said(growth_caption, endless) ==
        "The largest partition, jon_haddad, grows to 108 MiB in 864,000 rows and has no bucket that would end it.");
}

TEST_CASE("bucket and shards: the scenario's own, and the coarsest that is small enough") {
  CHECK(said(decision_caption, made_summary()) ==
        "As it is, with a bucket of day in 4 shards, the largest partition comes to 108 MiB, over the bound of 100 "
        "MiB; the coarsest that is small enough is a bucket of day in 8 shards, with 54 MiB.");
  auto made = made_summary();
  auto& matrix = made["tables"]["t"]["key_choices"];
  matrix["own"].update({{"verdict", "too small"}, {"partition_bytes_max", 4 << 20}, {"shards", 1}});
  matrix["fewest_partitions"].update({{"bucket", "week"}, {"bucket_length_s", 604800}, {"shards", 1}});
  CHECK(said(decision_caption, made) ==
        "As it is, with a bucket of day, the largest partition comes to 4 MiB, far below the bound of 100 MiB; the "
        "coarsest that is small enough is a bucket of week, with 54 MiB (longer than a time window, so that a "
        "partition lies in several SSTables).");
  matrix["own"]["verdict"] = "fits";
  matrix["fewest_partitions"] = matrix["own"];
  CHECK(said(decision_caption, made).ends_with("within the bound of 100 MiB; nothing coarser is small enough."));
  matrix["own"].update({{"verdict", "too big"}, {"bucket", "none"}});
  matrix["partition_rows_max"] = 100000;
  matrix["own"]["partition_bytes_max"] = 1 << 30;
  CHECK(says(said(decision_caption, made), ", over the bound of 100 MiB and 100,000 rows; "));
  matrix["own"]["partition_bytes_max"] = 4 << 20;
  matrix["fewest_partitions"] = nullptr;
  CHECK(said(decision_caption, made) ==
        "As it is, with no bucket, the largest partition comes to 4 MiB in 864,000 rows, over the bound of 100,000; no "
        "choice here is small enough.");
  auto newer = made_summary();
  newer["tables"]["t"]["key_choices"]["own_is_newer"] = true;
  CHECK(said(decision_caption, newer)
            .starts_with("As it is by now, with a bucket of day in 4 shards, the largest "
                         "partition of that kind comes to 108 MiB, over the bound"));
}

TEST_CASE("tombstones: waiting or overdue, and how much of the cells") {
  CHECK(
      said(tombstone_drops_caption, made_summary()) ==
      "1,000 tombstones and expired cells at the end; all of them wait for their day; the last may go on 2027-01-11.");
  auto late = made_summary();
  late["tables"]["t"]["tombstone_drops"]["overdue"] = 700;
  CHECK(says(said(tombstone_drops_caption, late),
             "; 700 of them may go by now, once a compaction meets them (cells whose TTL is longer than gc_grace"));
  late["tables"]["t"]["default_time_to_live_s"] = 0;
  late["tables"]["t"]["blocked_sstables"] = 1;
  CHECK(said(tombstone_drops_caption, late) ==
        "1,000 tombstones and expired cells at the end; 700 of them may go by now, once a compaction meets them and no "
        "other SSTable keeps them; the last may go on 2027-01-11.");
  CHECK(said(droppable_ratio_caption, made_summary()) ==
        "The droppable ratio peaks at 0.0138 on 2026-05-17 and ends at 0.01.");
  CHECK(said(droppable_ratio_caption, with({{"droppable_tombstone_ratio", 1.07}}))
            .ends_with("ends at 1.07, above the usual tombstone_threshold: compaction does not get rid of them."));
}

TEST_CASE("SSTables and compactions") {
  CHECK(said(sstables_caption, made_summary()) ==
        "At most 20 SSTables, on 2026-04-11; 12 at the end, in 10 time windows.");
  auto tiers = made_summary();
  tiers["tables"]["t"].erase("windows");
  CHECK(said(sstables_caption, tiers) == "At most 20 SSTables, on 2026-04-11; 12 at the end.");
  CHECK(said(sstables_per_partition_caption, made_summary()) ==
        "On average a partition lies in 2 SSTables at the end, in 3.50 at the most, on 2026-01-02.");
  CHECK(said(pending_caption, made_summary()) == "At most 7 compactions are to be done, on 2026-03-04.");
  CHECK(said(pending_caption, with({{"peak_pending_compactions", 1}})) ==
        "Compaction keeps up: there is never more than 1 to do.");
  CHECK(said(compactions_caption, made_summary()) ==
        "62.6 % of what compactions read is read for \xe2\x80\x9cpast window\xe2\x80\x9d; each byte is written 3.73 "
        "times.");
  CHECK(said(compactions_caption, with({{"rewritten_whole_windows_bytes", 1 << 20}}))
            .ends_with("times, 1 MiB of it in windows that were one SSTable already."));
}

TEST_CASE("every number of a caption is a fact of the summary") {
  const auto summary = made_summary();
  const Facts table = Facts(summary).below("tables").below("t");
  for (const auto caption :
       {disk_caption, lifelines_caption, windows_caption, partition_sizes_caption, partition_spread_caption,
        growth_caption, decision_caption, tombstone_drops_caption, droppable_ratio_caption, sstables_caption,
        sstables_per_partition_caption, pending_caption, compactions_caption}) {
    // Words between the facts have no digits, but for the name of a percentile.
    std::string html = caption(table).html();
    for (std::size_t at = html.find("<data"); at != std::string::npos; at = html.find("<data"))
      html.erase(at, html.find("</data>") - at + 7);
    if (const std::size_t at = html.find("99th percentile"); at != std::string::npos) html.erase(at, 2);
    if (const std::size_t at = html.find("&#39;"); at != std::string::npos) html.erase(at, 5);
    CHECK_MESSAGE(html.find_first_of("0123456789") == std::string::npos, html);
  }
}

TEST_CASE("a summary of another version is told, not guessed") {
  auto old = made_summary();
  old["tables"]["t"].erase("peak_disk_temporary_share");
  CHECK_THROWS_WITH_AS(said(disk_caption, old),
                       "summary.json has no /tables/t/peak_disk_temporary_share: another version of windrow wrote it; "
                       "run the scenario again",
                       PageError);
}

TEST_CASE("repairs: what came back and by how much it is unsafe, then a line for each node") {
  nlohmann::json made = {{"tables",
                          {{"t", {{"resurrected_rows", 18'000}, {"near_misses", 0}, {"repair_margin_s", -108'000}}},
                           {"u", {{"resurrected_rows", 0}, {"near_misses", 1}, {"repair_margin_s", 64'800}}}}},
                         {"safe_bounds", {{{"table", "t"}, {"says", "repair.r.every is safe up to 6d"}}}},
                         {"node_repairs",
                          {{{"table", "t"}, {"says", "node 4: repairs brought what it lacked in 1 SSTable"}},
                           {{"table", "t"}, {"says", "node 1: repairs found nothing that it lacked"}}}}};
  const Sentence caption = repairs_caption(Facts(made), {"t"});
  const std::string lines =
      "18,000 deleted rows came back, 0 that no hint reached were healed in time; margin -30 h, unsafe.\n"
      "Margin: gc_grace less the time from the beginning of a repair to the end of the next. A line is a delete that a "
      "replica missed.\n"
      "Tried: repair.r.every is safe up to 6d.\n"
      "node 4: repairs brought what it lacked in 1 SSTable.\n"
      "node 1: repairs found nothing that it lacked.";
  CHECK(caption.text() == lines);
  const std::string html = caption.html();
  CHECK(std::count(html.begin(), html.end(), '\n') == 4);
  CHECK(html.find(">node 1: repairs found nothing that it lacked<") != std::string::npos);
  const std::string both = repairs_caption(Facts(made), {"t", "u"}).text();
  CHECK(both.find("\nu: 0 deleted rows came back, 1 that no hint reached was healed in time; margin 18 h.\n") !=
        std::string::npos);
  CHECK(both.find("\nt, node 1: repairs found nothing that it lacked.") != std::string::npos);
}

}  // namespace
}  // namespace windrow
