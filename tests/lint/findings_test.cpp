#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "sim/lint/catalog.h"
#include "sim/lint/lint.h"

namespace windrow {
namespace {

/// A CQL text, or a scenario over it where there is one.
struct Input {
  std::string cql{};
  std::string ini{};
};

struct WithAndWithout {
  std::string id{};
  Input with{};
  Input without{};
  std::string says{};  // part of the message
};

std::vector<Finding> lint(const Input& input) {
  if (input.ini.empty()) return lint_cql("t.cql", input.cql);
  const auto read = [&](const std::string& name) -> std::optional<std::string> {
    if (name == "t.cql") return input.cql;
    return std::nullopt;
  };
  return lint_scenario(load_scenario("t.ini", input.ini, {}, read));
}

const std::string twcs_day =
    "compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', "
    "'compaction_window_size': 1}";

/// (id, day), at: healthy under these options.
std::string daily(const std::string& options, const std::string& columns = "v double") {
  return "CREATE TABLE t (id int, day date, at timestamp, " + columns + ", PRIMARY KEY ((id, day), at))" +
         (options.empty() ? std::string() : " WITH " + options) + ";";
}
const std::string healthy = daily(twcs_day + " AND default_time_to_live = 2160000 AND gc_grace_seconds = 864000");

const std::string weekly = daily(
    "default_time_to_live = 15120000 AND compaction = {'class': 'TimeWindowCompactionStrategy', "
    "'compaction_window_unit': 'DAYS', 'compaction_window_size': 7}");

std::string scenario(const std::string& stream, const std::string& more = {}) {
  return "[run]\nschema = t.cql\nlength = 30d\n[stream.s]\ntable = t\n" + stream + more;
}
const std::string day_stream = "rate = 1/s\ncolumn.day = day\n";

std::string wide_columns(int count) {
  std::string columns = "c0 int";
  for (int i = 1; i < count; ++i) columns += fmt::format(", c{} int", i);
  return columns;
}

const std::string half_an_hour =
    "CREATE TABLE t (id int, at timestamp, v double, PRIMARY KEY (id, at)) WITH default_time_to_live = 1800 AND "
    "compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'MINUTES', "
    "'compaction_window_size': 30}";

std::string key(const std::string& columns, const std::string& primary_key) {
  return "CREATE TABLE t (" + columns + ", v double, PRIMARY KEY (" + primary_key + ")) WITH " + twcs_day +
         " AND default_time_to_live = 2160000;";
}

const std::vector<WithAndWithout>& cases() {
  static const std::vector<WithAndWithout> all{
      {"server-refuses", {"CREATE TABLE t (id int);"}, {healthy}, "no primary key"},
      {"bucket-not-in-partition-key",
       {key("id int, hour text, at timestamp", "id, hour, at")},
       {key("id int, hour text, at timestamp", "(id, hour), at")},
       "hour is a clustering column"},
      {"bucket-not-in-partition-key",
       {"CREATE TABLE t (id int, year int, month int, day int, hour int, PRIMARY KEY ((id), year, month, day, hour));"},
       {"CREATE TABLE t (id int, year int, month int, day int, v double, PRIMARY KEY ((id), year, month, day));"},
       "year is a clustering column"},
      {"series-or-state",
       {key("id int, a uuid, b uuid, at timestamp", "id, a, b, at") + "ALTER TABLE t WITH default_time_to_live = 0;"},
       {key("id int, a uuid, b uuid, at timestamp", "id, a, b, at")},
       "does one b get ever more rows"},
      {"no-time-bucket",
       {key("id int, at timestamp", "id, at"), scenario("rate = 1/s\nttl = none\n")},
       {key("id int, at timestamp", "id, at"), scenario("rate = 1/s\n")},
       "2,592,000 rows in 30 d"},
      {"no-time-bucket",
       {"CREATE TABLE t (id uuid, at timestamp, v double, PRIMARY KEY (id, at));"},
       {"CREATE TABLE t (id timeuuid, at timestamp, v double, PRIMARY KEY (id, at));"},
       "as long as its entity writes"},
      {"no-time-bucket",
       {"CREATE TABLE t (user_id text, at timestamp, v double, PRIMARY KEY (user_id, at));"},
       {"CREATE TABLE t (session_id text, at timestamp, v double, PRIMARY KEY (session_id, at));"},
       "as long as its entity writes"},
      {"no-time-bucket",
       {"CREATE TABLE t (id int, at timeuuid, v double, PRIMARY KEY (id, at));"},
       {"CREATE TABLE t (id int, dpart timestamp, at timeuuid, v double, PRIMARY KEY ((id, dpart), at));"},
       "as long as its entity writes"},
      {"no-time-bucket",
       {"CREATE TABLE t (id int, at timestamp, n bigint, PRIMARY KEY (id, at));"},
       {"CREATE TABLE t (id int, at timestamp, n counter, PRIMARY KEY (id, at));"},
       "as long as its entity writes"},
      {"no-time-bucket",
       {"CREATE TABLE t (id int, created_at timestamp, n bigint, PRIMARY KEY (id, created_at));"},
       {"CREATE TABLE t (id int, updated_at timestamp, n bigint, PRIMARY KEY (id, updated_at));"},
       "as long as its entity writes"},
      {"no-time-bucket",
       {"CREATE TABLE t (id int, at timeuuid, v double, PRIMARY KEY (id, at));"},
       {key("id int, yyyymm int, at timeuuid", "(id, yyyymm), at")},
       "no column"},
      {"bucket-or-entity",
       {"CREATE TABLE t (bucket int, id timeuuid, body text, PRIMARY KEY (bucket, id));"},
       {"CREATE TABLE t (bucket_10min int, id timeuuid, body text, PRIMARY KEY (bucket_10min, id));"},
       "is bucket a time, or a number that stays?"},
      {"no-time-bucket",
       {"CREATE TABLE t (device text, id timeuuid, body text, PRIMARY KEY (device, id));"},
       {"CREATE TABLE t (bucket int, id timeuuid, body text, PRIMARY KEY (bucket, id));"},
       "as long as its entity writes"},
      {"ttl-bounds-partition",
       {key("device int, at timeuuid", "device, at")},
       {key("bucket int, at timeuuid", "bucket, at")},
       "one entity's rows"},
      {"ttl-bounds-partition",
       {key("id int, at timestamp", "id, at")},
       {key("id int, partition bigint, at timestamp", "(id, partition), at")},
       "it holds 35 d of"},
      {"time-only-partition-key",
       {"CREATE TABLE t (day date, at timestamp, v double, PRIMARY KEY (day, at));"},
       {"CREATE TABLE t (day date, shard int, at timestamp, v double, PRIMARY KEY ((day, shard), at));"},
       "written in one day is one partition"},
      {"time-only-partition-key",
       {"CREATE TABLE t (day date, at timestamp, id int, v double, PRIMARY KEY (day, at, id));",
        scenario("entities = 20\nrate = 1/s\ncolumn.day = day\ncolumn.id = entity\n")},
       {healthy, scenario(day_stream)},
       "is time alone"},
      {"two-billion-cells",
       {key("id int, year int, at timestamp", "(id, year), at"),
        "[run]\nschema = t.cql\nlength = 800d\n[stream.s]\ntable = t\nrate = 100/s\nttl = none\ncolumn.year = year\n"},
       {healthy, scenario(day_stream)},
       "of 2,147,483,647"},
      {"too-fine-buckets",
       {key("id int, hour text, at timestamp", "(id, hour), at"), scenario("rate = 1/h\ncolumn.hour = hour\n")},
       {key("id int, hour text, at timestamp", "(id, hour), at"), scenario("rate = 1/min\ncolumn.hour = hour\n")},
       "of hour has 1 row: "},
      {"min-sstable-size-in-bytes",
       {daily("compaction = {'class': 'SizeTieredCompactionStrategy', 'min_sstable_size': 50}")},
       {daily("compaction = {'class': 'SizeTieredCompactionStrategy', 'min_sstable_size': 52428800}")},
       "is 50 bytes"},
      {"min-sstable-size-in-bytes",
       {daily(
           "compaction = {'class': 'TimeWindowCompactionStrategy', 'min_sstable_size': 100} AND default_time_to_live "
           "= 2160000")},
       {healthy},
       "is 100 bytes"},
      {"timestamp-resolution",
       {daily(
           "compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS', "
           "'compaction_window_size': 24, 'timestamp_resolution': 'MILLISECONDS'} AND default_time_to_live = 604800")},
       {healthy},
       "a window of 1 d is one of 86.4 s "},
      {"null-written",
       {daily(twcs_day, "v double, note text"), scenario(day_stream + "column.note = null\n")},
       {daily(twcs_day, "v double, note text"), scenario(day_stream + "columns = v\n")},
       "a tombstone into note"},
      {"null-written",
       {daily(twcs_day, "v double, tags set<text>"), scenario(day_stream + "column.tags = set(0, text(4))\n")},
       {daily(twcs_day, "v double, tags set<text>"), scenario(day_stream + "column.tags = set(1, text(4))\n")},
       "a tombstone into tags"},
      {"table-per-period",
       {"CREATE TABLE readings_2017 (id int, at timeuuid, v double, PRIMARY KEY (id, at));"},
       {healthy},
       "readings_2017 is one of a row of tables"},
      {"needs-a-setting",
       {healthy +
        "CREATE MATERIALIZED VIEW w AS SELECT * FROM t WHERE id IS NOT NULL AND day IS NOT NULL AND at IS NOT "
        "NULL PRIMARY KEY ((day, id), at);"},
       {healthy + "CREATE INDEX ON t (v) USING 'sai';"},
       "w is a materialized view"},
      {"needs-a-setting",
       {healthy + "CREATE CUSTOM INDEX ON t (v) USING 'org.apache.cassandra.index.sasi.SASIIndex';"},
       {healthy},
       "a SASI index"},
      {"needs-a-setting",
       {healthy +
        "CREATE OR REPLACE FUNCTION f (a int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'return a;';"},
       {healthy},
       "a user-defined function"},
      {"large-partitions",
       {key("id int, at timestamp", "id, at"), scenario("rate = 50/s\n")},
       {key("id int, at timestamp", "id, at"), scenario("rate = 1/s\n")},
       "in 129,600,"},
      {"no-time-bucket",
       {"CREATE TABLE t (id int, at timeuuid, v double, PRIMARY KEY (id, at));"},
       {"CREATE TABLE readings_2017 (id int, at timeuuid, v double, PRIMARY KEY (id, at));"},
       "no column"},
      {"no-time-bucket",
       {"CREATE TABLE t (id int, at timestamp, v double, PRIMARY KEY (id, at));"},
       {"CREATE TABLE t (id int PRIMARY KEY, v double);"},
       "as long as its entity writes"},
      {"large-partitions",
       {healthy, scenario("rate = 50/s\ncolumn.day = day\n")},
       {healthy, scenario(day_stream)},
       "4,320,000 rows"},
      {"wide-rows", {daily(twcs_day, wide_columns(64))}, {daily(twcs_day, wide_columns(63))}, "64 columns"},
      {"wide-rows",
       {daily(twcs_day, "v blob"), scenario(day_stream + "column.v = blob(65536)\n")},
       {daily(twcs_day, "v blob"), scenario(day_stream + "column.v = blob(65000)\n")},
       "65,536 bytes"},
      {"several-bucket-sizes",
       {healthy, scenario("rate = 1/s\ncolumn.day = day then week from 2026-01-10\n")},
       {healthy, scenario(day_stream)},
       "from day to week"},
      {"several-bucket-sizes",
       {healthy, scenario("rate = 1/s\ncolumn.day = adaptive(week, day above 5000/day)\n")},
       {healthy, scenario(day_stream)},
       "some entities have week buckets and others day"},
      {"rolling-buckets-without-delete",
       {"CREATE TABLE t (id int, day text, at timestamp, v double, PRIMARY KEY ((id, day), at)) WITH " + twcs_day + ";",
        scenario("rate = 1/s\ncolumn.day = rolling(24, 1d)\n")},
       {key("id int, day text, at timestamp", "(id, day), at"), scenario("rate = 1/s\ncolumn.day = rolling(30, 1d)\n")},
       "after 24 d"},
      {"rolling-buckets-without-delete",
       {key("id int, day text, at timestamp", "(id, day), at"), scenario("rate = 1/s\ncolumn.day = rolling(5, 1d)\n")},
       {key("id int, day text, at timestamp", "(id, day), at"),
        scenario("rate = 1/s\ncolumn.day = rolling(5, 1d)\n[stream.d]\nlike = s\nop = delete(partition, 4d)\n")},
       "5 turns in 25 d"},
      {"rolling-buckets-without-delete",
       {"CREATE TABLE t (id int, hour_of_day int, at timestamp, v double, PRIMARY KEY ((id, hour_of_day), at));"},
       {"CREATE TABLE t (id int, part int, at timestamp, v double, PRIMARY KEY ((id, part), at));"},
       "hour_of_day comes round again"},
      {"rolling-buckets-without-delete",
       {"CREATE TABLE t (id int, weekday int, at timestamp, v double, PRIMARY KEY ((id, weekday), at));"},
       {"CREATE TABLE t (id int, day date, weekday int, at timestamp, v double, PRIMARY KEY ((id, day, weekday), "
        "at));"},
       "weekday comes round again"},
      {"bucket-may-repeat",
       {"CREATE TABLE t (id int, partition int, at timestamp, v double, PRIMARY KEY ((id, partition), at));"},
       {"CREATE TABLE t (id int, day text, bucket int, at timestamp, v double, PRIMARY KEY ((id, day, bucket), at));"},
       "does partition count on, or does it repeat?"},
      {"local-time-bucket",
       {healthy, scenario(day_stream + "zone = +02:00\n")},
       {healthy, scenario(day_stream + "zone = UTC\n")},
       "+02:00"},
      {"weeks-from-monday",
       {weekly, scenario("rate = 1/h\ncolumn.day = week\n")},
       {weekly, scenario("rate = 1/h\ncolumn.day = 7d\n")},
       "begin on Monday"},
      {"millisecond-clustering",
       {healthy, scenario("rate = 4000/s\ncolumn.day = day\n")},
       {healthy, scenario("rate = 1000/s\ncolumn.day = day\n")},
       "75 % of them"},
      {"millisecond-clustering",
       {key("id int, day date, at timestamp", "(id, day), at"), scenario("rate = 2000/s\ncolumn.day = day\n")},
       {key("id int, day date, at timeuuid", "(id, day), at"), scenario("rate = 2000/s\ncolumn.day = day\n")},
       "50 % of them"},
      {"millisecond-clustering",
       {healthy, scenario("rate = 600/s\nshape = burst(2x, 1h, every 7d)\ncolumn.day = day\n")},
       {key("id int, day date, at timestamp, n int", "(id, day), at, n"),
        scenario("rate = 2000/s\ncolumn.day = day\n")},
       "1,200 rows/s"},
      {"clustering-order-against-reads",
       {healthy, scenario(day_stream, "[read.new]\nof = s\nlatest = 10\nrate = 1/s\n")},
       {daily("CLUSTERING ORDER BY (at DESC) AND " + twcs_day),
        scenario(day_stream, "[read.new]\nof = s\nlatest = 10\nrate = 1/s\n")},
       "newest 10 rows"},
      {"twcs-without-ttl", {daily(twcs_day)}, {healthy}, "for ever"},
      {"twcs-without-ttl",
       {daily(twcs_day), scenario(day_stream)},
       {daily(twcs_day), scenario(day_stream + "ttl = 20d\n")},
       "30 after 30 d"},
      {"ttl-without-twcs", {daily("default_time_to_live = 864000")}, {healthy}, "after 10 d"},
      {"ttl-without-twcs",
       {daily(""), scenario(day_stream + "ttl = 20d\n")},
       {daily("default_time_to_live = 864000"),
        scenario("op = overwrite(7)\nrate = 1/s\ncolumn.day = day\nttl = none\n")},
       "SizeTieredCompactionStrategy mixes"},
      {"default-compaction-append-only",
       {daily("")},
       {"CREATE TABLE t (id int, name text, v double, PRIMARY KEY (id, name));"},
       "again and again"},
      {"default-compaction-append-only",
       {daily(""), scenario(day_stream)},
       {daily(""), scenario("op = overwrite(7)\n" + day_stream)},
       "again and again"},
      {"leveled-append-only",
       {daily("compaction = {'class': 'LeveledCompactionStrategy'}")},
       {daily("compaction = {'class': 'UnifiedCompactionStrategy'}")},
       "up to 10 times"},
      {"window-count",
       {daily(twcs_day + " AND default_time_to_live = 7776000")},
       {healthy},
       "90 windows of 1 d within a TTL of 90 d: about 101 SSTables"},
      {"window-count",
       {daily("compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', "
              "'compaction_window_size': 2} AND default_time_to_live = 864000")},
       {daily(twcs_day + " AND default_time_to_live = 864000")},
       "rows stay up to 2 d longer"},
      {"window-count",
       {half_an_hour + " AND gc_grace_seconds = 10800;"},
       {half_an_hour + ";"},
       "6 windows of 30 min within gc_grace of 3 h"},
      {"window-not-multiple-of-bucket",
       {daily("compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS', "
              "'compaction_window_size': 6} AND default_time_to_live = 518400")},
       {healthy},
       "about 4 windows"},
      {"window-not-multiple-of-bucket",
       {key("id int, day text, at timestamp", "(id, day), at"), scenario("rate = 1/s\ncolumn.day = 10h\n")},
       {key("id int, day text, at timestamp", "(id, day), at"), scenario("rate = 1/s\ncolumn.day = 12h\n")},
       "no multiple of the bucket day of 10 h"},
      {"several-ttls-in-twcs",
       {healthy, scenario(day_stream + "ttl = 60d 5% + table\n")},
       {healthy, scenario(day_stream + "ttl = 25d\n")},
       "2 different TTLs"},
      {"several-ttls-in-twcs",
       {healthy, scenario(day_stream,
                          "[stream.y]\nlike = s\nentities = "
                          "named(900, 901)\nttl = none\n")},
       {healthy, scenario(day_stream, "[stream.y]\nlike = s\nentities = named(900, 901)\n")},
       "blocks every later window"},
      {"backfill-into-twcs",
       {healthy, scenario(day_stream + "backfill = from 2025-10-01 to 2025-12-31 at 100/s\n")},
       {daily("compaction = {'class': 'UnifiedCompactionStrategy'}"),
        scenario(day_stream + "backfill = from 2025-10-01 to 2025-12-31 at 100/s\n")},
       "today's timestamps"},
      {"backfill-into-twcs",
       {healthy, scenario(day_stream + "timestamp = event\nbackfill = from 2025-10-01 to 2025-12-31 at 100/s\n")},
       {healthy, scenario(day_stream)},
       "closed windows"},
      {"ttl-below-gc-grace", {daily(twcs_day + " AND default_time_to_live = 86400")}, {healthy}, "disk holds 11 times"},
      {"ttl-below-gc-grace",
       {daily(twcs_day + " AND default_time_to_live = 1800")},
       {daily(twcs_day + " AND default_time_to_live = 1800 AND gc_grace_seconds = 10800")},
       "disk holds 481 times"},
      {"gc-grace-below-repair",
       {healthy, scenario(day_stream + "ttl = none\n", "[repair.weekly]\nevery = 9d\ntakes = 30h\n")},
       {healthy, scenario(day_stream + "ttl = none\n", "[repair.weekly]\nevery = 9d\ntakes = 24h\n")},
       "10.2 d apart"},
      {"gc-grace-below-repair",
       {healthy, scenario("op = overwrite(5)\n" + day_stream, "[repair.weekly]\nevery = 9d\ntakes = 30h\n")},
       {healthy, scenario(day_stream, "[repair.weekly]\nevery = 9d\ntakes = 30h\n")},
       "10.2 d apart"},
      {"gc-grace-below-repair",
       {healthy, scenario(day_stream + "ttl = none\n",
                          "[repair.weekly]\nevery = 6d\ntakes = 6h\nskip = 2026-01-10..2026-01-15\n")},
       {healthy, scenario(day_stream + "ttl = none\n",
                          "[repair.weekly]\nevery = 6d\ntakes = 6h\nskip = 2026-01-14..2026-01-18\n")},
       "12.2 d apart"},
      {"gc-grace-below-repair",
       {healthy, scenario(day_stream + "ttl = none\n", "[outage.disk]\nnode = 1\nfrom = 2026-01-10\nlength = 5h\n")},
       {healthy, scenario(day_stream + "ttl = none\n", "[outage.disk]\nnode = 1\nfrom = 2026-01-10\nlength = 2h\n")},
       "a node is away for 5 h"},
      {"gc-grace-and-hints", {daily("gc_grace_seconds = 0")}, {daily("gc_grace_seconds = 10800")}, "never applied"},
      {"gc-grace-and-hints", {daily("gc_grace_seconds = 3600")}, {healthy}, "older than 1 h"},
      {"expiry-past-2038",
       {daily("default_time_to_live = 630720000")},
       {daily("default_time_to_live = 315360000")},
       "from 2018-01-24"},
      {"expiry-past-2038",
       {daily("default_time_to_live = 378432000"),
        "[run]\nschema = t.cql\nlength = 1y\n[stream.s]\ntable = t\n" + day_stream},
       {daily("default_time_to_live = 378432000"),
        "[run]\nschema = t.cql\nlength = 1y\n[node]\nformat = oa\n[stream.s]\ntable = t\n" + day_stream},
       "from 2026-01-22"},
      {"collection-written-whole",
       {daily(twcs_day, "tags map<text, text>")},
       {daily(twcs_day, "tags frozen<map<text, text>>")},
       "each INSERT of tags"},
      {"collection-written-whole",
       {daily(twcs_day, "tags set<int>"), scenario(day_stream + "column.tags = set(3, text(4))\n")},
       {daily(twcs_day, "v int, tags set<int>"), scenario(day_stream + "columns = v\n")},
       "each INSERT of tags"},
      {"sai-on-hot-table", {healthy + "CREATE INDEX ON t (v) USING 'sai';"}, {healthy}, "indexed by v"},
      {"sai-on-hot-table",
       {healthy + "CREATE INDEX ON t (v) USING 'sai';", scenario("entities = 2000\nrate = 1/s\ncolumn.day = day\n")},
       {healthy + "CREATE INDEX ON t (v) USING 'sai';", scenario(day_stream)},
       "at 2,000 rows/s"},
  };
  return all;
}

const Finding* find(const std::vector<Finding>& findings, const std::string& id) {
  const auto found = std::ranges::find_if(findings, [&](const Finding& finding) { return finding.rule->id == id; });
  return found == findings.end() ? nullptr : &*found;
}

TEST_CASE("each finding is found where it is, and not where it is not") {
  for (const WithAndWithout& one : cases()) {
    CAPTURE(one.id);
    CAPTURE(one.says);
    const std::vector<Finding> with = lint(one.with);
    const Finding* found = find(with, one.id);
    REQUIRE(found != nullptr);
    CAPTURE(found->message);
    CHECK(found->message.find(one.says) != std::string::npos);
    CHECK(found->place.line >= 1);
    CHECK(found->place.column >= 1);
    const std::vector<Finding> without = lint(one.without);
    CHECK(find(without, one.id) == nullptr);
  }
}

TEST_CASE("every finding of the catalog has such a test, a name and its words") {
  std::set<std::string> tested;
  for (const WithAndWithout& one : cases()) tested.insert(one.id);
  std::set<std::string_view> names;
  for (const LintRule* rule : lint_rules()) {
    CAPTURE(rule->id);
    CHECK(tested.contains(std::string(rule->id)));
    CHECK(names.insert(rule->id).second);
    CHECK(find_rule(rule->id) == rule);
    for (const std::string_view words : {rule->what, rule->why, rule->fix, rule->seen}) CHECK_FALSE(words.empty());
    CHECK_FALSE(rule->what.ends_with('.'));
  }
  CHECK(find_rule("no-such-finding") == nullptr);
  CHECK(lint_rules().size() >= 23);
}

TEST_CASE("the window that a finding names has no finding of its own") {
  for (const int ttl_d : {1, 3, 10, 45, 90, 400}) {
    for (const std::string bucket :
         {"day date", "hour text", "bucket_10min text", "week text", "month text", "year int"}) {
      for (const char* window : {"'HOURS', 'compaction_window_size': 7", "'DAYS', 'compaction_window_size': 1",
                                 "'DAYS', 'compaction_window_size': 11"}) {
        const std::string name = bucket.substr(0, bucket.find(' '));
        const auto table = [&](const std::string& windows) {
          return fmt::format(
              "CREATE TABLE t (id int, {}, at timestamp, v double, PRIMARY KEY ((id, {}), at)) WITH compaction = "
              "{{'class': "
              "'TimeWindowCompactionStrategy', {}}} AND default_time_to_live = {};",
              bucket, name, windows, ttl_d * 86'400);
        };
        const std::string before = table(std::string("'compaction_window_unit': ") + window);
        CAPTURE(before);
        for (const char* id : {"window-count", "window-not-multiple-of-bucket"}) {
          const std::vector<Finding> found = lint({before});
          const Finding* finding = find(found, id);
          if (finding == nullptr) continue;
          const std::string fix = finding->fix.substr(0, finding->fix.find(';'));
          CAPTURE(fix);
          const std::vector<Finding> after = lint({table(fix)});
          CHECK(find(after, "window-count") == nullptr);
          CHECK(find(after, "window-not-multiple-of-bucket") == nullptr);
        }
      }
    }
  }
}

TEST_CASE("a fix names the whole key; an index of vectors has no second table in its place") {
  const auto fix_of = [](const std::string& cql, const std::string& rule) {
    for (const Finding& finding : lint_cql("t.cql", cql)) {
      if (finding.rule->id == rule) return finding.fix;
    }
    return std::string("none");
  };
  CHECK(fix_of("CREATE TABLE t (org text, id text, day date, at timestamp, v int, PRIMARY KEY ((org, id), day, at));",
               "bucket-not-in-partition-key") == "PRIMARY KEY ((org, id, day), …)");
  CHECK(
      fix_of("CREATE TABLE t (hour int, year int, day int, at timestamp, v int, PRIMARY KEY ((hour, day, year), at));",
             "time-only-partition-key")
          .starts_with("PRIMARY KEY ((hour, day, year, shard), …)"));
  const std::string table =
      "CREATE TABLE t (id int, day date, at timestamp, v vector<float, 3>, n int, PRIMARY KEY ((id, day), at));";
  CHECK(fix_of(table + "CREATE INDEX i ON t (v) USING 'sai';", "sai-on-hot-table").starts_with("Queries that name"));
  CHECK(fix_of(table + "CREATE INDEX i ON t (n) USING 'sai';", "sai-on-hot-table").empty());
}

TEST_CASE("a healthy schema and scenario have no finding") {
  CHECK(lint({healthy}).empty());
  CHECK(lint({healthy, scenario(day_stream)}).empty());
}

TEST_CASE("a finding stands where the schema or the scenario says what it is about") {
  const std::vector<Finding> option =
      lint({"CREATE TABLE t (id int, day date, at timestamp, v double, PRIMARY KEY ((id, day), at))\n  WITH comment = "
            "'é'\n  AND gc_grace_seconds = 0;\n"});
  const Finding* hints = find(option, "gc-grace-and-hints");
  REQUIRE(hints != nullptr);
  CHECK(hints->place.line == 3);
  CHECK(hints->place.column == 7);
  CHECK(hints->place.length == 16);
  const std::vector<Finding> over = lint({healthy, scenario(day_stream, "[table.t]\ngc_grace_seconds = 0\n")});
  const Finding* overridden = find(over, "gc-grace-and-hints");
  REQUIRE(overridden != nullptr);
  CHECK(overridden->place.file() == "t.ini");
  CHECK(overridden->place.line == 9);
  const std::vector<Finding> altered = lint({healthy + "\nALTER TABLE t WITH gc_grace_seconds = 60;"});
  REQUIRE(find(altered, "gc-grace-and-hints") != nullptr);
  CHECK(find(altered, "gc-grace-and-hints")->place.line == 2);
}

}  // namespace
}  // namespace windrow
