#include "sim/explain/explain.h"

#include <doctest/doctest.h>

#include "sim/page/facts.h"
#include "tests/support/says.h"

namespace windrow {
namespace {

using test::says;

constexpr const char* header =
    "sstable,node,table,born,died,why_born,why_died,parents,level,window,bytes,rows,partitions,oldest_write,newest_"
    "write,"
    "first_expiry,last_expiry,droppable_at,blocked_by,frees_bytes,holds_bytes,goes_at,was_blocker,state_at_end,"
    "readable_rows\n";

/// One flushed with rows for ever, two that it blocks (one of them through the memtable too), one that waits, one that
/// is gone.
ResultTexts made_result() {
  const std::string dates = "2026-01-01T00:00:00Z,2026-01-02T00:00:00Z,";
  std::string sstables = header;
  sstables += "1,1,t,2026-01-02T00:00:00Z,2026-01-02T01:00:00Z,heap,compacted,,0,,1024,10,2," + dates +
              "2026-01-11T00:00:00Z,2026-01-12T00:00:00Z,2026-01-13T00:00:00Z,,0,0,,no,gone,\n";
  sstables += "2,1,t,2026-01-02T01:00:00Z,,past window,,1 7,0,2026-01-01T00:00:00Z,2048,20,2," + dates +
              "2026-01-11T00:00:00Z,2026-01-12T00:00:00Z,2026-01-13T00:00:00Z,3 memtable,0,0,never,no,blocked,0\n";
  sstables += "3,1,t,2026-01-02T02:00:00Z,,heap,,,0,,512,5,1," + dates + "never,never,never,,2048,2048,,yes,live,5\n";
  sstables += "4,1,t,2026-01-20T02:00:00Z,,heap,,,0,,512,5,1," + dates +
              "2026-01-29T00:00:00Z,2026-01-30T00:00:00Z,2026-01-31T00:00:00Z,,0,0,,no,waiting for gc_grace,0\n";
  sstables += "5,1,t,2026-01-20T02:00:00Z,,heap,,,0,,512,5,1," + dates + "never,never,never,,0,0,,no,live,0\n";
  sstables += "6,1,t,2026-01-20T02:00:00Z,,heap,,,0,,512,5,1," + dates + "never,never,never,,0,0,,no,live,2\n";
  return {{"summary.json",
           R"({"end": "2026-01-30T12:00:00Z", "tables": {"t": {"strategy": "TimeWindowCompactionStrategy",
           "gc_grace_s": 86400}}})"},
          {"sstables.csv", sstables},
          {"compactions.csv",
           "start,end,node,table,strategy,reason,count,inputs,input_bytes,output_sstables,output_bytes,output_rows,"
           "purged_rows,dropped_unread,read_bytes\n2026-01-02T00:59:00Z,2026-01-02T01:00:00Z,1,t,"
           "TimeWindowCompactionStrategy,past window,1,2,2048,1,2048,20,3,0,2048\n"}};
}

std::string explained(std::int64_t id) {
  const StoredTable table = read_stored_table(made_result(), "t", id);
  const StoredSSTable* sstable = table.find(id);
  REQUIRE(sstable != nullptr);
  return explain_sstable(table, *sstable);
}

TEST_CASE("a blocked SSTable: from what it was made, who blocks it, when it goes, what would free it") {
  const std::string text = explained(2);
  CAPTURE(text);
  CHECK(text.starts_with("SSTable 2 of t, TimeWindowCompactionStrategy\n"));
  CHECK(says(text, "2026-01-02T01:00:00Z, compacted: past window"));
  CHECK(says(text, "2 SSTables and 2 KiB read from 2026-01-02T00:59:00Z on; 20 rows written, 3 purged"));
  CHECK(says(text, "SSTable 1: 1 KiB, flushed, because of heap on 2026-01-02T00:00:00Z"));
  CHECK(says(text, "SSTable 7, which is not in sstables.csv"));
  CHECK(says(text, "gc_grace was over on 2026-01-13T00:00:00Z, but it is blocked"));
  CHECK(says(text, "has rows without TTL: blocks for ever"));
  CHECK(says(text, "the memtable, until its next flush"));
  CHECK(says(text, "never by itself"));
  CHECK(says(text, "unsafe_aggressive_sstable_expiration"));
}

TEST_CASE("one that blocks, one that waits, and one that is gone") {
  CHECK(says(explained(3), "2 KiB of it alone"));
  CHECK(says(explained(3), "at the end 1 SSTable: 2\n"));
  CHECK(says(explained(3), "never by itself: it holds rows without TTL"));
  CHECK(says(explained(4), "every row has expired by 2026-01-30T00:00:00Z; it waits for gc_grace, 24 h"));
  CHECK(says(explained(4), "after 2026-01-31T00:00:00Z"));
  CHECK(says(explained(1), "2026-01-02T01:00:00Z, compacted into SSTable 2"));
}

TEST_CASE("rows that were deleted cannot be read") {
  CHECK(says(explained(5), "none of its rows can be read"));
  CHECK_FALSE(says(explained(5), "its rows can be read\n"));
  CHECK(says(explained(5), "takes it together with those tombstones"));
  CHECK(says(explained(6), "2 of its rows; the others have expired or are deleted"));
}

TEST_CASE("files that are none of a result are refused with their name") {
  CHECK(stored_tables(made_result()) == std::vector<std::string>{"t"});
  ResultTexts texts = made_result();
  texts["sstables.csv"] = "sstable,table\n1,t\n";
  CHECK_THROWS_WITH_AS(read_stored_table(texts, "t", 1), doctest::Contains("sstables.csv has no column"), PageError);
  texts["sstables.csv"] = std::string(header) + "x,1,t" + std::string(22, ',') + "\n";
  CHECK_THROWS_WITH_AS(read_stored_table(texts, "t", 1), doctest::Contains("`x` is no whole number"), PageError);
  texts["summary.json"] = "{";
  CHECK_THROWS_AS(stored_tables(texts), PageError);
}

}  // namespace
}  // namespace windrow
