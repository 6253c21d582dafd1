#include "sim/cql/script.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/schema/describe.h"

namespace windrow {
namespace {

std::string refusal(std::string_view text, const CqlSettings& settings = {}) {
  Schema schema;
  const ScriptResult result = run_cql(text, schema, settings);
  return result.error ? result.error->what() : "accepted";
}

TEST_CASE("a refusal shows its place, the source line with carets, and what to do") {
  CHECK(refusal("CREATE TABLE t (\n  pk int,\n  v int,\n  PRIMARY KEY (pk, seq)\n);") ==
        "4:20: the primary key names a column seq that is not declared\n"
        "    PRIMARY KEY (pk, seq)\n"
        "                     ^^^\n"
        "  fix: declare it: seq text\n"
        "  server: Unknown column 'seq' referenced in PRIMARY KEY for table 't'");
  CHECK(
      refusal("CREATE TABLE t (pk int PRIMARY KEY) WITH gc_grace_secods = 1;").find("did you mean: gc_grace_seconds") !=
      std::string::npos);
}

TEST_CASE("columns are counted in characters, tabs are kept") {
  Schema schema;
  const ScriptResult result =
      run_cql("CREATE TABLE t (pk int PRIMARY KEY) WITH\n\tcomment = 'größe' AND foo = 1", schema);
  REQUIRE(result.error);
  CHECK(result.error->line == 2);
  CHECK(result.error->column == 24);
  CHECK(std::string(result.error->what()).find("\n  \t                      ^^^\n") != std::string::npos);
}

TEST_CASE("a long line is cut around the place") {
  const std::string text =
      "CREATE TABLE t (pk int PRIMARY KEY" + std::string(5'000, ' ') + ", order int" + std::string(5'000, ' ') + ")";
  CHECK(refusal(text).size() < 600);
}

TEST_CASE("the usual slips get the fix that helps") {
  const auto fix = [](std::string_view text) {
    const std::string whole = refusal(text);
    const std::size_t from = whole.find("fix: ");
    return from == std::string::npos ? "none in: " + whole : whole.substr(from + 5, whole.find('\n', from) - from - 5);
  };
  CHECK(fix("CREATE TABLE t (a int, PRIMARY KEY (a) WITH comment = 'x'") == "close the column list with ) before WITH");
  CHECK(fix("CREATE TABLE t (a int PRIMARY KEY, order int)") == "order is a reserved word: write \"order\"");
  CHECK(fix("CREATE TABLE t (a int PRIMARY KEY) WITH comment = 'x' cdc = true") == "write AND before cdc");
  CHECK(fix("CREAT TABLE t (a int PRIMARY KEY)") == "write CREATE");
  CHECK(fix("CREATE TABEL t (a int PRIMARY KEY)") == "write TABLE");
  CHECK(fix("CREATE TABLE t (a int PRIMRY KEY)") == "write PRIMARY");
  CHECK(fix("CREATE TABLE t (a varchar(20) PRIMARY KEY)") == "types have no length in CQL: remove the brackets");
  CHECK(fix("CREATE TABLE t (a int NOT NULL PRIMARY KEY)") == "CQL has no NOT for columns: remove it");
  CHECK(fix("CREATE TABLE t (a int, v int PRIMARY KEY (a))") ==
        "write a comma before PRIMARY KEY: it is the table's, not the column's");
  CHECK(fix("CREATE TABLE t (a int PRIMARY KEY) WITH nodesync = {'enabled': 'true'}") ==
        "remove it: it is an option of DataStax Enterprise");
  CHECK(fix("CREATE TABLE t (a int PRIMARY KEY) WITH tombstone_gc = {'mode': 'repair'}") ==
        "remove it: it is an option of ScyllaDB");
  CHECK(fix("create column family t with comparator = 'UTF8Type';") ==
        "this is the language of cassandra-cli, not CQL: give what DESCRIBE of cqlsh prints");
  CHECK(fix("DROP TABLE k.t") == "DROP TABLE IF EXISTS, which does nothing where there is none");
  CHECK(fix("CREATE TABLE ${keyspace}.t (a int PRIMARY KEY)") == "give what the template makes of it");
  CHECK(fix("CREATE TABLE t (a int PRIMARY KEY v int)") == "entries of the column list are separated by commas");
  CHECK(fix("CREATE TABLE t (a int)") == "add , PRIMARY KEY (a)");
  CHECK(fix("CREATE TABLE t (a int PRIMARY KEY) WITH compaction = {'class': SizeTieredCompactionStrategy}") ==
        "write 'SizeTieredCompactionStrategy'");
  CHECK(fix("CREATE TABLE t (a int PRIMARY KEY) WITH compaction = {'class': 'TimeWindowCompactionStrategy', "
            "'compaction_window_unit': 'days'}") == "write 'DAYS'");
  CHECK(fix("SOURCE 'types.cql';") ==
        "SOURCE is a command of cqlsh, not CQL: put what that file says in place of the line");
  CHECK(fix("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1} AND tablets = "
            "{'enabled': false}") == "remove it: it is an option of ScyllaDB");
}

/// "c0 int, c1 int, …", or with other words behind each name.
std::string many_columns(int count, const std::string& behind) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? ", c" : "c") + std::to_string(i) + behind;
  return text;
}

// What takes a step for each pair of columns would take the better part of an hour here.
TEST_CASE("200 thousand columns are read in as many steps wherever they stand") {
  constexpr int count = 200'000;
  const std::string types = many_columns(count, " int");
  const std::string names = many_columns(count, "");
  Schema schema = read_schema(
      "CREATE TABLE k.plain (id int PRIMARY KEY, " + types + "); CREATE TABLE k.clustered (id int, " + types +
      ", PRIMARY KEY (id, " + names + ")) WITH CLUSTERING ORDER BY (" + many_columns(count, " DESC") +
      "); CREATE TABLE k.keyed (id int, " + types + ", PRIMARY KEY ((id, " + names + "))); CREATE TYPE k.fields (" +
      types + "); CREATE TABLE k.added (id int PRIMARY KEY); ALTER TABLE k.added ADD (" + types + ");");
  CHECK(schema.find_table("k", "plain")->columns.size() == count + 1);
  CHECK(schema.find_table("k", "clustered")->clustering().size() == count);
  CHECK(schema.find_table("k", "keyed")->partition_key().size() == count + 1);
  CHECK(schema.find_table("k", "added")->columns.size() == count + 1);
  apply_alter("ALTER TABLE k.added DROP (" + names + ")", schema);
  CHECK(schema.find_table("k", "added")->columns.size() == 1);
  CHECK(schema.find_table("k", "added")->dropped_columns.size() == count);
}

// Each took a copy of the table.
TEST_CASE("8 thousand ALTERs of a column each copy no table") {
  constexpr int count = 8'000;
  std::string text = "CREATE TABLE k.t (id int PRIMARY KEY);";
  for (int i = 0; i < count; ++i) text += "ALTER TABLE k.t ADD c" + std::to_string(i) + " int;";
  for (int i = 0; i < count / 2; ++i) text += "ALTER TABLE k.t DROP c" + std::to_string(i) + ";";
  const Schema schema = read_schema(text);
  CHECK(schema.find_table("k", "t")->columns.size() == count / 2 + 1);
  CHECK(schema.find_table("k", "t")->dropped_columns.size() == count / 2);
}

TEST_CASE("columns that are added come into every view of all columns") {
  Schema schema = read_schema(
      "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
      "CREATE TABLE k.t (a int, b int, v int, PRIMARY KEY (a, b));"
      "CREATE MATERIALIZED VIEW k.m AS SELECT * FROM k.t WHERE a IS NOT NULL AND b IS NOT NULL PRIMARY KEY (b, a);",
      {.materialized_views_enabled = true});
  const std::size_t before = schema.keyspaces.front().views.front().columns.size();
  apply_alter("ALTER TABLE k.t ADD (x int, y int)", schema);
  CHECK(schema.keyspaces.front().views.front().columns.size() == before + 2);
}

TEST_CASE("statements before a refused one stay applied, and it is counted") {
  Schema schema;
  const ScriptResult result = run_cql(
      "CREATE TABLE a (x int PRIMARY KEY); CREATE TABLE b (x int); CREATE TABLE c (x int PRIMARY KEY);", schema);
  CHECK(result.statements == 3);
  CHECK(result.applied == 1);
  CHECK(schema.find_table("", "a") != nullptr);
  CHECK(schema.find_table("", "c") == nullptr);
}

TEST_CASE("a DROP of what is not there is refused, or passed over where a schema is only read") {
  const std::string text = "DROP KEYSPACE k; DROP TABLE k.t; DROP TYPE k.y; CREATE TABLE k.t (a int PRIMARY KEY);";
  Schema refused;
  CHECK(run_cql(text, refused).error.has_value());
  Schema read;
  CHECK_FALSE(run_cql(text, read, {.pass_over_missing_drops = true}).error.has_value());
  CHECK(read.find_table("k", "t") != nullptr);
}

TEST_CASE("a refused ALTER leaves the table as it was") {
  Schema schema = read_schema("CREATE TABLE t (a int PRIMARY KEY, b int)");
  const std::string before = describe_table(*schema.find_table("", "t"));
  CHECK(run_cql("ALTER TABLE t ADD (c int, b int)", schema).error);
  CHECK(run_cql("ALTER TABLE t WITH comment = 'x' AND gc_grace_seconds = -1", schema).error);
  CHECK(describe_table(*schema.find_table("", "t")) == before);
}

TEST_CASE("what defines no data is passed over, and said") {
  Schema schema;
  const ScriptResult result =
      run_cql("CREATE TABLE t (a int PRIMARY KEY);\nINSERT INTO t (a) VALUES (1);\nGRANT SELECT ON t TO x;", schema);
  CHECK_FALSE(result.error);
  REQUIRE(result.passed_over.size() == 2);
  CHECK(result.passed_over[0].line == 2);
  CHECK(result.passed_over[0].first_words == "INSERT INTO");
}

TEST_CASE("commands of cqlsh end with their line, and swallow no statement") {
  const std::string table = "CREATE TABLE k.t (a int PRIMARY KEY)";
  for (const char* command : {"CONSISTENCY QUORUM", "TRACING ON", "PAGING OFF", "DESCRIBE TABLES", "desc keyspaces",
                              "SHOW VERSION", "?", "QUIT", "COPY k.o (a) FROM 'o.csv'\n  WITH HEADER = true",
                              "CONSISTENCY QUORUM;", "consistency one -- why", "CLS\n"}) {
    CAPTURE(command);
    Schema schema;
    const ScriptResult result = run_cql(std::string(command) + "\n" + table, schema);
    CHECK_FALSE(result.error);
    CHECK(result.passed_over.size() == 1);
    CHECK(schema.find_table("k", "t") != nullptr);
  }
  for (const char* command : {"SOURCE 'types.cql'", "USE k"}) {
    CAPTURE(command);
    Schema schema;
    const std::vector<CqlError> errors = run_all_cql(std::string(command) + "\n" + table + ";", schema);
    REQUIRE(errors.size() == 1);
    CHECK(errors.front().line == 1);
    CHECK(schema.find_table("k", "t") != nullptr);
  }
  CHECK(refusal("USE k\nCREATE TABLE t (a int PRIMARY KEY)")
            .find("the semicolon behind USE is missing: cqlsh takes the next line for a part of it") !=
        std::string::npos);
  // A column of such a name, and a statement of several lines.
  Schema schema;
  CHECK_FALSE(run_cql("CREATE TABLE k.t (\nhelp int PRIMARY KEY,\nsource\ntext)", schema).error);
  CHECK_FALSE(run_cql("USE\nk;", schema).error);
}

TEST_CASE("a batch may have a semicolon behind each of its statements") {
  Schema schema;
  const ScriptResult result = run_cql(
      "BEGIN BATCH\n  INSERT INTO t (a) VALUES (1);\n  INSERT INTO t (a) VALUES (2);\nAPPLY BATCH;\n"
      "BEGIN UNLOGGED BATCH INSERT INTO t (a) VALUES (1) INSERT INTO t (a) VALUES (2) APPLY BATCH;\n"
      "ADD IDENTITY 'x' TO ROLE r;\nCREATE TABLE t (a int PRIMARY KEY);",
      schema);
  CHECK_FALSE(result.error);
  CHECK(schema.find_table("", "t") != nullptr);
  CHECK(refusal("APPLY t;").find("found 'APPLY'") != std::string::npos);
  CHECK(refusal("ADD COLUMN c int;").find("found 'ADD'") != std::string::npos);
}

TEST_CASE("a table or type that is missing is named as it was written") {
  CHECK(refusal("ALTER TABLE t ADD c int").starts_with("1:13: there is no table t\n"));
  CHECK(refusal("ALTER TABLE k.t ADD c int").starts_with("1:13: there is no table k.t\n"));
  CHECK(refusal("ALTER TYPE y ADD c int").starts_with("1:12: there is no type y\n"));
  CHECK(refusal("ALTER TYPE y ADD c int").find("windrow lint --migrations") != std::string::npos);
  CHECK(refusal("CREATE INDEX ON t (c)").find("windrow lint --migrations") != std::string::npos);
}

TEST_CASE("tables without a keyspace find one") {
  const Schema schema = read_schema("CREATE TABLE t (a int PRIMARY KEY); CREATE TABLE other.t2 (a int PRIMARY KEY);");
  CHECK(schema.find_table("", "t")->keyspace == "windrow");
  CHECK(schema.find_table("", "t2")->keyspace == "other");
  CHECK(refusal("CREATE TABLE t (a int PRIMARY KEY)", shipped_settings()).find("no keyspace is chosen") !=
        std::string::npos);
}

TEST_CASE("one ALTER changes a table in the middle of a run") {
  Schema schema = read_schema("CREATE TABLE k.t (a int PRIMARY KEY)");
  const Table* table = apply_alter(
      "ALTER TABLE t WITH gc_grace_seconds = 60 AND compaction = {'class': 'LeveledCompactionStrategy'};", schema);
  REQUIRE(table != nullptr);
  CHECK(table->options.gc_grace_seconds == 60);
  CHECK(strategy_name(table->options.compaction_options) == "LeveledCompactionStrategy");
  CHECK(table->options.bloom_filter_fp_chance == 0.01);  // an ALTER keeps it
  CHECK_THROWS_AS(apply_alter("DROP TABLE t", schema), CqlError);
  CHECK_THROWS_AS(apply_alter("ALTER TABLE t ADD b int; ALTER TABLE t ADD c int", schema), CqlError);
  CHECK_THROWS_AS(apply_alter("", schema), CqlError);
}

TEST_CASE("the part behind WITH can be read alone") {
  const TableOptions base =
      read_schema("CREATE TABLE t (a int PRIMARY KEY) WITH gc_grace_seconds = 5").find_table("", "t")->options;
  const TableOptions options = parse_table_options("comment = 'x' AND default_time_to_live = 60", base);
  CHECK(options.gc_grace_seconds == 5);
  CHECK(options.default_time_to_live == 60);
  CHECK_THROWS_AS(parse_table_options("comment = 'x' AND", base), CqlError);
  CHECK_THROWS_AS(parse_table_options("gc_grace = 1", base), CqlError);
}

TEST_CASE("DESCRIBE text reads back to the same") {
  const Schema schema = read_schema(
      "CREATE KEYSPACE \"K\" WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3} AND durable_writes = "
      "false; USE \"K\";"
      "CREATE TYPE person (name text); CREATE TYPE address (street text, \"Zip\" int); ALTER TYPE person ADD home "
      "frozen<address>;"
      "CREATE TABLE t (a int, b timestamp, s text static, p frozen<person>, m map<text, frozen<list<int>>>, v "
      "vector<float, 3>, "
      "\"a b\" tuple<int, text>, PRIMARY KEY ((a), b)) WITH CLUSTERING ORDER BY (b DESC) AND comment = 'it''s' AND "
      "compaction = "
      "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS'} AND compression = {'enabled': "
      "false};"
      "CREATE INDEX ON t (VALUES(m)); CREATE CUSTOM INDEX vi ON t (v) USING 'sai' WITH OPTIONS = "
      "{'similarity_function': 'cosine'};");
  const std::string text = describe_keyspace(*schema.find_keyspace("K"));
  const Schema again = read_schema(text);
  CHECK(describe_keyspace(*again.find_keyspace("K")) == text);
}

TEST_CASE("a materialized view keeps its base's key and follows its changes") {
  Schema schema = read_schema(
      "CREATE TABLE t (a int, b int, c text, PRIMARY KEY (a, b));"
      "CREATE MATERIALIZED VIEW v AS SELECT * FROM t WHERE c IS NOT NULL AND a IS NOT NULL AND b IS NOT NULL "
      "PRIMARY KEY (c, a, b) WITH CLUSTERING ORDER BY (a DESC, b ASC);");
  const MaterializedView* view = schema.find_keyspace("windrow")->find_view("v");
  REQUIRE(view != nullptr);
  CHECK(view->columns.front().name == "c");
  CHECK(view->columns[1].order == Column::Order::desc);
  CHECK_FALSE(run_cql("ALTER TABLE t ADD d int", schema).error);
  CHECK(schema.find_keyspace("windrow")->find_view("v")->columns.back().name == "d");
  CHECK(run_cql("DROP TABLE t", schema).error);
  CHECK(refusal("CREATE TABLE t (a int, b int, c text, PRIMARY KEY (a, b)); CREATE MATERIALIZED VIEW v AS SELECT a, b, "
                "c FROM t "
                "WHERE c IS NOT NULL AND a IS NOT NULL PRIMARY KEY (c, a, b)")
            .find("WHERE lacks b IS NOT NULL") != std::string::npos);
  CHECK(
      refusal(
          "CREATE TABLE t (a int, b int, c text, PRIMARY KEY (a, b)); CREATE MATERIALIZED VIEW v AS SELECT a, c FROM t "
          "WHERE c IS NOT NULL AND a IS NOT NULL PRIMARY KEY (c, a)")
          .find("lacks b of the base table") != std::string::npos);
}

TEST_CASE("deep nesting is refused, not a crash") {
  for (const std::size_t depth : {50U, 100'000U}) {
    std::string type;
    for (std::size_t i = 0; i < depth; ++i) type += "frozen<list<";
    type += "int";
    for (std::size_t i = 0; i < depth; ++i) type += ">>";
    const std::string text = refusal("CREATE TABLE t (a int PRIMARY KEY, v " + type + ")");
    CHECK((depth == 50 ? text == "accepted" : text.find("nested more than") != std::string::npos));
  }
  CHECK(refusal("CREATE TABLE t (a int PRIMARY KEY) WITH comment = " + std::string(100'000, '{')) != "accepted");
  CHECK(refusal("CREATE TABLE t (a int PRIMARY KEY, v 'FrozenType(" + std::string(100'000, '(') + "')") != "accepted");
}

TEST_CASE("user types that multiply are refused before they fill the memory") {
  std::string text = "CREATE TYPE t0 (a int);";
  for (int i = 1; i < 60; ++i) {
    const std::string inner = "frozen<t" + std::to_string(i - 1) + ">";
    text += "CREATE TYPE t" + std::to_string(i) + " (a " + inner + ", b " + inner + ", c " + inner + ");";
  }
  const std::string_view message = "parts when its user types are written out";
  CHECK(refusal(text).find(message) != std::string::npos);
  // The same through ALTER TYPE: the type that grows lies at the bottom. Refused, it leaves everything as it was.
  text = "CREATE TYPE t0 (a int);";
  for (int i = 1; i < 10; ++i) text += fmt::format("CREATE TYPE t{0} (a frozen<t{1}>, b frozen<t{1}>);", i, i - 1);
  Schema schema = read_schema(text);
  const std::string before = describe_keyspace(schema.keyspaces.front());
  const ScriptResult result = run_cql("ALTER TYPE t0 ADD b int;", schema);
  REQUIRE(result.error);
  CHECK(std::string(result.error->what()).find(message) != std::string::npos);
  CHECK(describe_keyspace(schema.keyspaces.front()) == before);
}

TEST_CASE("all wrong options of a statement are named at once, what follows from the first first") {
  const auto messages = [](const std::string& cql) {
    Schema schema;
    std::vector<std::string> texts;
    for (const CqlError& error : run_all_cql(cql, schema)) texts.push_back(fmt::format("{}", error.complaint.message));
    return texts;
  };
  const std::string table = "CREATE TABLE t (a int PRIMARY KEY) WITH ";
  const std::vector<std::string> several =
      messages(table +
               "read_repair_chance = 0 AND dclocal_read_repair_chance = 0.1 AND gc_grace_seconds = -1 AND compaction = "
               "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'WEEKS', 'bucket_hi': 1, "
               "'compaction_window_size': 0} AND caching = {'keys': 'SOME'}");
  REQUIRE(several.size() == 7);
  CHECK(several[0].find("keys") !=
        std::string::npos);  // values that cannot be read come before names, as on the server
  CHECK(std::ranges::count_if(several, [](const std::string& each) {
          return each.find("read_repair_chance") != std::string::npos;
        }) == 2);
  for (const char* word : {"WEEKS", "bucket_hi", "compaction_window_size", "gc_grace_seconds"}) {
    CAPTURE(word);
    CHECK(std::ranges::count_if(several,
                                [&](const std::string& each) { return each.find(word) != std::string::npos; }) == 1);
  }
  // Two that are wrong only together are one complaint; a right statement has none.
  CHECK(messages(table + "min_index_interval = 4096 AND max_index_interval = 128").size() == 1);
  CHECK(messages(table + "min_index_interval = 4096 AND max_index_interval = 8192").empty());
  // Of a strategy that there is not, nothing is said about its options.
  CHECK(messages(table + "compaction = {'class': 'DateTieredCompactionStrategy', 'base_time_seconds': '60'}").size() ==
        1);
}

TEST_CASE("a changed user type changes wherever it is held, whatever the order of creation") {
  Schema schema = read_schema(
      "CREATE TYPE outer (a int); CREATE TYPE inner (b int); ALTER TYPE outer ADD i frozen<inner>;"
      "CREATE TABLE t (k int PRIMARY KEY, v list<frozen<outer>>); ALTER TYPE inner ADD c text; ALTER TYPE inner RENAME "
      "b TO d;");
  const CqlType& outer = schema.find_table("", "t")->find_column("v")->type.arguments.front();
  CHECK(outer.arguments.at(1).field_names == std::vector<std::string>{"d", "c"});
  CHECK(run_cql("ALTER TYPE inner ADD o frozen<outer>", schema).error);  // it would hold itself
}

}  // namespace
}  // namespace windrow
