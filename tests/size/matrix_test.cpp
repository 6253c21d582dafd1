#include "sim/size/matrix.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sim/cql/script.h"
#include "sim/size/key_roles.h"
#include "sim/size/matrix_text.h"
#include "sim/size/span_names.h"

namespace windrow {
namespace {

SizeQuestion about(const std::string& cql) {
  SizeQuestion question;
  question.schema = read_schema(cql);
  return question;
}

SizeQuestion classic(int payload_bytes) {
  SizeQuestion question =
      about("CREATE TABLE events (id text, bucket text, at timeuuid, payload blob, PRIMARY KEY ((id, bucket), at));");
  question.rates = {"1/s", "10/s", "100/s", "1000/s", "10000/s"};
  question.buckets = {"day", "hour", "10min"};
  question.columns = {{"payload", "blob(" + std::to_string(payload_bytes) + ")"}};
  return question;
}

const SizeCell& cell(const SizeMatrix& matrix, const std::string& rate, const std::string& bucket) {
  for (const SizeCell& each : matrix.cells) {
    if (each.rate == rate && each.bucket == bucket) return each;
  }
  FAIL(rate, " ", bucket);
  return matrix.cells.front();
}

std::string mistake_of(const SizeQuestion& question) {
  try {
    size_matrix(question);
  } catch (const SizeError& error) {
    return error.what();
  }
  return "none";
}

TEST_CASE("the classic matrix: rows follow from rate and bucket, verdicts from the limits") {
  const SizeMatrix matrix = size_matrix(classic(100));
  REQUIRE(matrix.cells.size() == 15);
  CHECK(cell(matrix, "1/s", "day").size.partition_rows.max == 86'400);
  CHECK(cell(matrix, "10000/s", "10min").size.partition_rows.max == 6'000'000);
  CHECK(cell(matrix, "1/s", "day").verdict == SizeVerdict::fits);
  CHECK(cell(matrix, "1/s", "10min").verdict == SizeVerdict::too_small);
  CHECK(cell(matrix, "100/s", "day").verdict == SizeVerdict::too_big);
  CHECK(cell(matrix, "100/s", "hour").verdict == SizeVerdict::fits);
  CHECK(cell(matrix, "1/s", "hour").size.partitions_per_year == doctest::Approx(8'760));
  REQUIRE(matrix.advice.size() == 5);
  CHECK(matrix.advice[0].bucket == "day");
  CHECK(matrix.advice[2].bucket == "hour");
  CHECK(matrix.advice[2].fits);
  CHECK_FALSE(matrix.advice[4].fits);
  CHECK(matrix.notes.empty());
}

TEST_CASE("shards divide a bucket's rows, and multiply its partitions") {
  SizeQuestion question = classic(100);
  question.rates = {"10000/s"};
  question.buckets = {"10min"};
  question.shards = {1, 10};
  const SizeMatrix matrix = size_matrix(question);
  REQUIRE(matrix.cells.size() == 2);
  CHECK(matrix.cells[0].size.rows == matrix.cells[1].size.rows);
  CHECK(matrix.cells[1].size.partition_rows.max == 600'000);
  CHECK(matrix.cells[1].size.partitions_per_year == doctest::Approx(10 * matrix.cells[0].size.partitions_per_year));
  CHECK(matrix.cells[1].verdict == SizeVerdict::fits);
  CHECK(matrix.advice[0].shards == 10);
  REQUIRE(matrix.notes.size() == 1);
  CHECK(matrix.notes[0].find("`shard int` was added") != std::string::npos);
}

TEST_CASE("who writes less than once a bucket has a row in each of his partitions") {
  SizeQuestion question = classic(100);
  question.rates = {"1/day"};
  question.buckets = {"10min", "hour", "month"};
  const SizeMatrix matrix = size_matrix(question);
  CHECK(cell(matrix, "1/day", "10min").size.partition_rows.max == 1);
  CHECK(cell(matrix, "1/day", "hour").size.partition_rows.max == 1);
  CHECK(cell(matrix, "1/day", "hour").size.partition_bytes.max > 100);
  CHECK(cell(matrix, "1/day", "hour").size.partitions_per_year == doctest::Approx(365).epsilon(0.02));
  CHECK(cell(matrix, "1/day", "month").size.partitions_per_year == doctest::Approx(12).epsilon(0.05));
}

TEST_CASE("a month has 31 days: the longest one counts") {
  SizeQuestion question = classic(100);
  question.rates = {"1/min"};
  question.buckets = {"month", "day"};
  const SizeMatrix matrix = size_matrix(question);
  CHECK(cell(matrix, "1/min", "month").size.partition_rows.max == 31 * 1'440);
  CHECK(cell(matrix, "1/min", "day").size.partition_rows.max == 1'440);
}

TEST_CASE("TTL, gc_grace and the window that goes as a whole bound what a bucket holds") {
  const std::string table =
      "CREATE TABLE r (id int, bucket text, at timestamp, v double, PRIMARY KEY ((id, bucket), at))";
  const auto rows = [&](const std::string& options, const std::string& bucket) {
    SizeQuestion question = about(table + options + ";");
    question.buckets = {bucket};
    return size_matrix(question).cells.front().size.partition_rows.max;
  };
  const std::string day = " WITH default_time_to_live = 86400 AND gc_grace_seconds = 864000";
  const std::string windows =
      " AND compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', "
      "'compaction_window_size': 1}";
  CHECK(rows(day, "year") == doctest::Approx(11 * 86'400).epsilon(0.0001));
  CHECK(rows(day + windows, "year") == doctest::Approx(12 * 86'400).epsilon(0.0001));
  CHECK(rows(day, "week") == 7 * 86'400);
  CHECK(rows("", "week") == 7 * 86'400);
}

TEST_CASE("time windows bound the bucket: what lies in several of them is not taken") {
  SizeQuestion question = about(
      "CREATE TABLE r (id int, day date, at timestamp, v double, PRIMARY KEY ((id, day), at)) WITH compaction = "
      "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', 'compaction_window_size': 1} AND "
      "default_time_to_live = 2160000;");
  question.rates = {"1/min"};
  const SizeMatrix matrix = size_matrix(question);
  CHECK(cell(matrix, "1/min", "day").windows == 1);
  CHECK(cell(matrix, "1/min", "hour").windows == 1);
  CHECK(cell(matrix, "1/min", "week").windows == 7);
  CHECK(cell(matrix, "1/min", "week").too_long);
  CHECK(matrix.advice.front().bucket == "day");
  CHECK(matrix.advice.front().why.find("week would lie in 7 time windows") != std::string::npos);
  CHECK(matrix_as_csv(matrix).find(",too long\n") != std::string::npos);
  question.buckets = {"week", "month"};
  CHECK_FALSE(size_matrix(question).advice.front().fits);
}

TEST_CASE("keys of any type, user types without a keyspace, and a bucket that is named") {
  const auto bytes = [](const std::string& columns, const std::string& key, const std::string& named = {}) {
    SizeQuestion question =
        about("CREATE TYPE place (lat double, lon double); CREATE TABLE r (" + columns +
              ", at timestamp, v double, where_to frozen<place>, PRIMARY KEY ((" + key + "), at));");
    question.buckets = {"day"};
    question.bucket_column = named;
    const SizeMatrix matrix = size_matrix(question);
    return matrix.cells.front().size.partition_bytes.max;
  };
  const Bytes plain = bytes("id uuid, day date", "id, day");
  CHECK(bytes("id timeuuid, day date", "id, day") == plain);
  CHECK(bytes("id timestamp, day date", "id, day") == plain - 8);
  CHECK(bytes("id double, day date", "id, day") == plain - 8);
  // A component more: its two bytes of length, its value, its end.
  CHECK(bytes("id uuid, more timeuuid, day date", "id, more, day") == plain + 19);
  CHECK(bytes("id uuid, more timestamp, day date", "id, more, day") == plain + 11);
  CHECK(bytes("id uuid, more frozen<place>, day date", "id, more, day") == plain + 27);
  CHECK(bytes("id uuid, dpart timestamp", "id, dpart", "dpart") == plain + 4);
  CHECK(bytes("id uuid, slice int", "id, slice", "slice") == plain);
  SizeQuestion question = about("CREATE TABLE r (id int, slice int, at timestamp, PRIMARY KEY ((id, slice), at));");
  question.bucket_column = "slcie";
  CHECK(mistake_of(question) ==
        "--bucket-column slcie: is no column of the partition key; accepts id, slice; did you mean slice?");
}

TEST_CASE("counters and compact tables are sized by what they write; a row a partition is not") {
  const std::string columns = "(id text, day date, at bigint, v double, PRIMARY KEY ((id, day), at))";
  const auto mean_row = [](SizeQuestion question) {
    question.rates = {"1/s"};
    question.buckets = {"day"};
    question.columns["at"] = "time";
    return size_matrix(question).cells.front().size.partition_bytes.max;
  };
  const Bytes plain = mean_row(about("CREATE TABLE t " + columns + ";"));
  const Bytes compact = mean_row(about("CREATE TABLE t " + columns + " WITH COMPACT STORAGE;"));
  // UpdateStatement: a row of a compact table has no liveness; here both take the cell's or the row's timestamp, once.
  CHECK(plain == compact);
  CHECK(mean_row(about("CREATE TABLE t (id text, day date, at bigint, n counter, PRIMARY KEY ((id, day), at));")) > 0);
  CHECK(mistake_of(about("CREATE TABLE t (id text PRIMARY KEY, v int);")) ==
        "t has no clustering column: each of its partitions is one row, whatever its bucket");
}

TEST_CASE("what is asked of a key of years, months and days is what windrow new drafts") {
  const auto asks = [](const std::string& columns, const std::string& key) {
    return mistake_of(about("CREATE TABLE r (" + columns + ", v double, PRIMARY KEY (" + key + "));"));
  };
  CHECK(asks("id text, year int, month int, day int, hour int", "id, year, month, day, hour") ==
        "nothing says what a column holds; add --column 'hour=time'");
  CHECK(asks("id uuid, minute int, kind tinyint", "id, minute, kind") ==
        "nothing says what some columns hold; add --column 'minute=time' --column 'kind=each(50)'");
}

TEST_CASE("a key of year, month and day has the bucket that is asked for") {
  SizeQuestion question = about(
      "CREATE TABLE r (id int, year int, month int, day int, at timestamp, v double, PRIMARY KEY ((id, year, month, "
      "day), at));");
  question.rates = {"1/min"};
  const SizeMatrix matrix = size_matrix(question);
  CHECK(cell(matrix, "1/min", "day").size.partition_rows.max == 1'440);
  CHECK(cell(matrix, "1/min", "week").size.partition_rows.max == 7 * 1'440);
  CHECK(cell(matrix, "1/min", "month").size.partition_rows.max >= 28 * 1'440);
  CHECK(cell(matrix, "1/min", "year").size.partition_rows.max >= 365 * 1'440);
}

TEST_CASE("limits of rows and cells count as well; no bound is none") {
  SizeQuestion question = classic(100);
  question.rates = {"1/s"};
  question.buckets = {"day"};
  CHECK(size_matrix(question).cells[0].verdict == SizeVerdict::fits);
  question.limits.rows_max = 50'000;
  CHECK(size_matrix(question).cells[0].reason == "86,400 rows over 50,000");
  question.limits = {.bytes_min = 0, .bytes_max = 0, .rows_max = 0, .cells_max = 80'000};
  CHECK(size_matrix(question).cells[0].reason == "86,400 cells over 80,000");
  question.limits.cells_max = 0;
  CHECK(size_matrix(question).cells[0].verdict == SizeVerdict::fits);
}

TEST_CASE("a distribution of rates gives median, p99 and largest of a thousand entities") {
  SizeQuestion question =
      about("CREATE TABLE r (device text, day date, at timestamp, v double, PRIMARY KEY ((device, day), at));");
  question.rates = {"lognormal(1/min, 1/s)"};
  question.buckets = {"day"};
  const SizeMatrix matrix = size_matrix(question);
  const ClosedBucket& size = matrix.cells[0].size;
  CHECK(size.partitions == 1'000);
  CHECK(static_cast<double>(size.partition_rows.p50) == doctest::Approx(1'440).epsilon(0.1));
  CHECK(static_cast<double>(size.partition_rows.p99) == doctest::Approx(86'400).epsilon(0.3));
  CHECK(size.partition_rows.max > size.partition_rows.p99);
}

TEST_CASE("a table without a bucket gets one for the question, and collections are estimated") {
  SizeQuestion question = about(
      "CREATE TABLE r (id int, at timestamp, tags map<text, text>, v double, s text static, PRIMARY KEY (id, at));");
  question.buckets = {"day"};
  question.columns = {{"tags", "map(2, text(5), text(10))"}};
  const SizeMatrix matrix = size_matrix(question);
  CHECK(matrix.notes.size() == 3);
  CHECK(matrix.cells[0].size.partition_cells.max == 3 * matrix.cells[0].size.partition_rows.max);
  // Liveness and v: a timestamp of 6 bytes, flags, sizes; the map: 9 + 1 + 2 * (1 + 6 + 11).
  CHECK(matrix.bytes_per_row == doctest::Approx(9 + 1 + 2 + 6 + 9 + 46).epsilon(0.03));
  question.columns = {{"tags", "null"}};
  CHECK(size_matrix(question).bytes_per_row < matrix.bytes_per_row - 40);
}

TEST_CASE("storage-attached indexes are estimated in the notes") {
  const SizeMatrix matrix =
      size_matrix(about("CREATE TABLE r (id int, day date, at timestamp, v double, w int, PRIMARY KEY ((id, day), at));"
                        "CREATE INDEX ON r (v) USING 'sai'; CREATE INDEX ON r (w) USING 'sai';"));
  int indexes = 0;
  for (const std::string& note : matrix.notes) indexes += note.starts_with("the index on ") ? 1 : 0;
  CHECK(indexes == 2);
}

TEST_CASE("mistakes name the option and what it accepts") {
  const auto with = [](auto change) {
    SizeQuestion question = classic(100);
    change(question);
    return mistake_of(question);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, text);
  };
  has(with([](SizeQuestion& q) { q.rates = {"fast"}; }), "--rate fast: ");
  has(with([](SizeQuestion& q) { q.buckets = {"fortnight"}; }), "--bucket fortnight: ");
  has(with([](SizeQuestion& q) { q.buckets = {"rolling(24, 1h)"}; }), "--bucket rolling(24, 1h): is no time bucket");
  has(with([](SizeQuestion& q) { q.shards = {0}; }), "--shards 0: accepts 1 or more");
  has(with([](SizeQuestion& q) { q.table = "event"; }), "did you mean events?");
  has(with([](SizeQuestion& q) { q.columns = {}; }), "add --column 'payload=blob(100)'");
  has(with([](SizeQuestion& q) { q.columns["paylod"] = "null"; }), "did you mean payload?");
  has(with([](SizeQuestion& q) { q.columns["payload"] = "blob(ten)"; }), "--column payload=");
  has(with([](SizeQuestion& q) { q.entities = "pattern(x, 5)"; }), "--entities pattern(x, 5): ");
  has(with([](SizeQuestion& q) { q.format = "mc"; }), "--sstable-format mc: ");
  has(with([](SizeQuestion& q) { q.rates = {"fleet.csv"}; }), "fleet.csv");
  has(mistake_of(about("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};")),
      "has no table");
  has(mistake_of(about("CREATE TABLE a (k int PRIMARY KEY); CREATE TABLE b (k int PRIMARY KEY);")),
      "--table: which one? accepts a, b");
  std::string wide = "CREATE TABLE wide (k int, at timestamp";
  for (int i = 0; i < 300; ++i) wide += ", c" + std::to_string(i) + " int";
  SizeQuestion question = about(wide + ", PRIMARY KEY (k, at));");
  question.rates = {"1/s"};
  question.buckets = {"day"};
  has(mistake_of(question), "--table wide: has 300 regular columns");
}

/// What a refusal proposes, as the question's columns.
std::map<std::string, std::string> proposed(const std::string& text) {
  std::map<std::string, std::string> columns;
  const std::string option = "--column '";
  for (std::size_t at = text.find(option); at != std::string::npos; at = text.find(option, at + 1)) {
    const std::size_t name = at + option.size();
    const std::size_t equals = text.find('=', name);
    columns[text.substr(name, equals - name)] = text.substr(equals + 1, text.find('\'', equals) - equals - 1);
  }
  return columns;
}

TEST_CASE("all columns that need a word are asked for at once, and what is proposed is taken") {
  const auto takes = [](const std::string& cql, std::size_t columns) {
    CAPTURE(cql);
    SizeQuestion question = about(cql);
    question.rates = {"1/h"};
    question.buckets = {"day"};
    question.columns = proposed(mistake_of(question));
    CHECK(question.columns.size() == columns);
    CHECK(mistake_of(question) == "none");
  };
  takes(
      "CREATE TYPE k.point (at bigint, what text); CREATE TABLE k.t (trace text, at timeuuid, id text, kind text, "
      "points list<frozen<point>>, tags map<text, text>, counts set<int>, PRIMARY KEY (trace, at, id));",
      5);
  takes("CREATE TABLE t (id text, key text, day date, at timestamp, v decimal, PRIMARY KEY ((id), key, day, at));", 2);
  takes("CREATE TABLE t (id text, taken_at double, note text, PRIMARY KEY (id, taken_at));", 1);
  takes("CREATE TABLE t (id text, place double, v int, PRIMARY KEY (id, place));", 1);
  takes("CREATE TABLE t (id text, day date, hour tinyint, v int, PRIMARY KEY ((id, day), hour));", 1);
  SizeQuestion both = about("CREATE TABLE t (id text, key text, at timestamp, v text, PRIMARY KEY (id, key, at));");
  both.rates = {"1/h"};
  both.buckets = {"day"};
  CHECK(mistake_of(both) ==
        "nothing says how long the values of some columns are; add --column 'key=text(20)' --column 'v=text(20)'; null "
        "instead leaves a column out that is not of the key");
  SizeQuestion key = about("CREATE TABLE t (id text, place double, v int, PRIMARY KEY (id, place));");
  key.rates = {"1/h"};
  key.buckets = {"day"};
  CHECK(mistake_of(key) == "nothing says what a column holds; add --column 'place=unique'");
}

TEST_CASE("who writes is who `new` says writes; the other columns of the key are one value") {
  SizeQuestion question = about(
      "CREATE TABLE t (organization_id text, device_id text, at timestamp, v int, PRIMARY KEY ((organization_id, "
      "device_id), at));");
  question.rates = {"1/h"};
  question.buckets = {"day"};
  const auto constant = [&](const std::string& column) {
    const SizeMatrix matrix = size_matrix(question);
    return std::ranges::any_of(matrix.notes,
                               [&](const std::string& note) { return note.starts_with(column + " is taken to be"); });
  };
  CHECK(constant("organization_id"));
  CHECK_FALSE(constant("device_id"));
  question.columns = {{"organization_id", "entity"}};
  CHECK(constant("device_id"));
}

TEST_CASE("csv, json and markdown hold every cell") {
  SizeQuestion question = classic(1000);
  question.compression_ratio = 0.5;
  const SizeMatrix matrix = size_matrix(question);
  const auto json = nlohmann::json::parse(matrix_as_json(matrix));
  CHECK(json.at("cells").size() == 15);
  CHECK(json.at("advice").size() == 5);
  const std::string csv = matrix_as_csv(matrix);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 16);
  const std::string markdown = matrix_as_markdown(matrix);
  CHECK(markdown.find("max on disk") != std::string::npos);
  for (const SizeCell& each : matrix.cells)
    CHECK(csv.find(std::to_string(each.size.partition_bytes.max)) != std::string::npos);
}

TEST_CASE("sizes for people are binary, as everywhere; a bound that was written decimal, too") {
  SizeQuestion question = classic(100);
  question.limits.bytes_max = 100'000'000;
  const std::string text = matrix_as_text(size_matrix(question));
  CHECK(text.find("a partition should have 10 MiB to 95.4 MiB") != std::string::npos);
  CHECK(text.find("too big, over 95.4 MiB") != std::string::npos);
  CHECK(text.find(" MB") == std::string::npos);
}

TEST_CASE("roles of key columns follow from names and types") {
  const auto roles = [](const std::string& columns, const std::string& key) {
    const Schema schema = read_schema("CREATE TABLE t (" + columns + ", PRIMARY KEY (" + key + "));");
    std::string text;
    for (const KeyRole role : partition_key_roles(schema.keyspaces.front().tables.front()))
      text += role == KeyRole::entity ? 'e' : role == KeyRole::time_bucket ? 'b' : 's';
    return text;
  };
  CHECK(roles("device text, bucket text, at timestamp", "(device, bucket), at") == "eb");
  CHECK(roles("account text, day text, bucket int, ts timeuuid", "(account, day, bucket), ts") == "ebs");
  CHECK(roles("service text, bucket int, at timestamp", "(service, bucket), at") == "eb");
  CHECK(roles("stream text, bucket_10min timestamp, id timeuuid", "(stream, bucket_10min), id") == "eb");
  CHECK(roles("sensor text, ts timeuuid", "sensor, ts") == "e");
  CHECK(roles("tenant text, device uuid, d date, at timestamp", "(tenant, device, d), at") == "eeb");
  CHECK(roles("day date, at timestamp", "day, at") == "b");
  CHECK(roles("id int, shard int, at timestamp", "(id, shard), at") == "es");
  CHECK(roles("minutes int, id int, date text, at timestamp", "(minutes, id, date), at") == "eeb");
  CHECK(roles("id int, hours int, at timestamp", "(id, hours), at") == "eb");
  CHECK(words_of_name("bucket_10min") == std::vector<std::string>{"bucket", "10", "min"});
  CHECK(words_of_name("timeBucket2h") == std::vector<std::string>{"time", "bucket", "2", "h"});
  const auto length = [](const std::string& name, CqlType::Kind kind) {
    return bucket_length_named({}, {.name = name, .type = simple_type(kind)});
  };
  CHECK(length("bucket_10min", CqlType::Kind::timestamp) == 600);
  CHECK(length("hour", CqlType::Kind::text) == 3'600);
  CHECK(length("d", CqlType::Kind::date) == 86'400);
  CHECK(length("bucket", CqlType::Kind::int_) == 0);
}

}  // namespace
}  // namespace windrow
