#include "sim/draft/draft.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <vector>

#include "sim/cql/script.h"
#include "sim/engine/node.h"
#include "sim/record/recorder.h"
#include "sim/resolve/load_scenario.h"
#include "sim/resolve/not_modelled.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

using Answers = std::map<std::string, std::string>;

/// The data definition of an article, as recorded.
std::string article(const std::string& name) {
  std::istringstream lines(test::read_xz("tests/data/ddl/recorded.jsonl.xz"));
  for (std::string line; std::getline(lines, line);) {
    const auto recorded = nlohmann::json::parse(line);
    if (recorded.at("name") == name) return recorded.at("cql").get<std::string>();
  }
  FAIL("no such article: ", name);
  return {};
}

std::string draft_of(const std::string& cql) {
  Schema schema;
  REQUIRE_FALSE(run_cql(cql, schema).error.has_value());
  return draft_scenario(schema, "article.cql", "article");
}

std::vector<std::string> questions(const std::string& draft) {
  std::vector<std::string> keys;
  std::istringstream lines(draft);
  bool asked = false;
  for (std::string line; std::getline(lines, line); asked = line.starts_with("#? ")) {
    if (asked) keys.push_back(line.substr(1, line.find(" =") - 1));
  }
  return keys;
}

/// Fills in what is asked, and nothing else.
std::string answered(std::string draft, const Answers& answers) {
  for (const std::string& key : questions(draft)) {
    CAPTURE(key);
    REQUIRE(answers.contains(key));
    const std::string line = "\n#" + key + " =\n";
    draft.replace(draft.find(line), line.size(), "\n" + key + " = " + answers.at(key) + "\n");
  }
  return draft;
}

Rows rows_written(const std::string& scenario, const std::string& cql) {
  const LoadedScenario loaded = load_scenario("article.ini", scenario, std::vector<std::string>{"run.length=3d"},
                                              [&](const std::string&) { return std::optional(cql); });
  refuse_what_is_not_modelled(loaded);
  Recorder recorder(loaded.scenario, {}, {});
  run_node(loaded.scenario, recorder, {});
  const RunRecord record = recorder.take();
  REQUIRE(record.complete);
  return record.tables.front().samples.back().rows_written + record.tables.front().memtable_rows;
}

TEST_CASE("where no column of the key tells writers apart, they are one") {
  const std::string draft =
      draft_of("CREATE TABLE k.t (hour_bucket text, id timeuuid, v double, PRIMARY KEY ((hour_bucket), id));");
  CHECK(draft.find("#? who writes: 1, with the rate of all together") != std::string::npos);
}

TEST_CASE("a number that names a part of the bucket before it tells rows apart") {
  const std::string hours = draft_of(
      "CREATE TABLE k.t (id int, date date, reading_hour int, v double, PRIMARY KEY ((id, date), reading_hour));");
  CHECK(hours.find("\ncolumn.reading_hour = time\n") != std::string::npos);
  CHECK(hours.find("1/hour at the most, as reading_hour tells hours apart") != std::string::npos);
  const std::string days =
      draft_of("CREATE TABLE k.t (id int, day date, hour int, v double, PRIMARY KEY (id, day, hour));");
  CHECK(days.find("\ncolumn.day = day ") != std::string::npos);
  CHECK(days.find("\ncolumn.hour = time\n") != std::string::npos);
  const std::string weeks =
      draft_of("CREATE TABLE k.t (id int, week int, day date, v double, PRIMARY KEY (id, week, day));");
  CHECK(weeks.find("\ncolumn.week = week ") != std::string::npos);
  CHECK(weeks.find("\ncolumn.day = time\n") != std::string::npos);
}

TEST_CASE("schemas of the articles run once their questions are answered") {
  struct Case {
    std::string name{};
    Answers answers{};
  };
  const std::vector<Case> cases = {
      {"seeds/000_379dc77758a1e59b_02", {{"entities", "20"}, {"rate", "1/min"}, {"column.bucket", "day"}}},
      {"seeds/000_379dc77758a1e59b_03",
       {{"entities", "named(a, b)"},
        {"rate", "1/min"},
        {"column.event_type", "text(12)"},
        {"column.payload", "text(lognormal(90, 280))"}}},
      {"seeds/001_d10531553b18451e_04",
       {{"entities", "20"}, {"rate", "1/min"}, {"column.bucket", "shard(4)"}, {"column.message", "text(140)"}}},
      {"seeds/003_e1ef6f7b361d6ec3_05", {{"entities", "4"}, {"rate", "1/s"}, {"column.data", "blob(100)"}}},
      {"seeds/003_e1ef6f7b361d6ec3_06",
       {{"entities", "4"}, {"rate", "1/min"}, {"column.metric_name", "each(5, text(20))"}}},
      {"seeds/003_e1ef6f7b361d6ec3_09",
       {{"entities", "4"}, {"rate", "1/min"}, {"column.metric_name", "each(5, text(20))"}}},
      {"seeds/004_6f28c66808442311_02",
       {{"entities", "20"}, {"rate", "1/min"}, {"column.time_bucket", "hour"}, {"column.unit", "text(3)"}}},
  };
  for (const Case& each : cases) {
    CAPTURE(each.name);
    const std::string cql = article(each.name);
    const std::string draft = draft_of(cql);
    CAPTURE(draft);
    Answers answers = each.answers;
    answers["nodes"] = "3";
    CHECK(questions(draft).size() == answers.size());
    CHECK(rows_written(answered(draft, answers), cql) > 0);
  }
}

TEST_CASE("a draft that nobody has answered is refused, with what it lacks") {
  const std::string cql = article("seeds/000_379dc77758a1e59b_02");
  CHECK_THROWS_WITH(rows_written(draft_of(cql), cql), doctest::Contains("rate"));
}

TEST_CASE("the data centres are the keyspace's, and their nodes are asked for") {
  const std::string table = "CREATE TABLE k.t (id int, day date, at timestamp, v int, PRIMARY KEY ((id, day), at));";
  const std::string named =
      "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'DC1': 2, 'dc2': 1};" + table;
  const std::string draft = draft_of(named);
  CHECK(draft.find("\n[dc.DC1]                         # 2 copies of every row") != std::string::npos);
  CHECK(draft.find("\n[dc.dc2]                         # 1 copy of every row") != std::string::npos);
  const Answers answers = {{"nodes", "5"}, {"entities", "2"}, {"rate", "1/min"}};
  const LoadedScenario loaded =
      load_scenario("k.ini", answered(draft, answers), {}, [&](const std::string&) { return std::optional(named); });
  REQUIRE(loaded.scenario.data_centers.size() == 2);
  CHECK(loaded.scenario.data_centers.front().name == "DC1");
  CHECK(loaded.scenario.data_centers.front().nodes == 5);
  CHECK(loaded.scenario.data_centers.front().replication_factor == 2);
}

TEST_CASE("a key of time alone has its writer among the clustering columns; a constant may be of any type") {
  const std::string cql =
      "CREATE TABLE k.t (day date, on_duty boolean, place double, id text, at timestamp, v int, PRIMARY KEY ((day, "
      "on_duty, "
      "place), id, at));";
  Answers answers = {{"nodes", "1"}, {"entities", "5"}, {"rate", "1/min"}};
  const std::string draft = draft_of(cql);
  for (const std::string& key : questions(draft)) answers.try_emplace(key, "'true'");
  CHECK(rows_written(answered(draft, answers), cql) > 0);
  const std::string by_time =
      "CREATE TABLE k.t (day date, code text, at timestamp, v int, PRIMARY KEY (day, code, at));";
  CHECK(draft_of(by_time).find("\ncolumn.code = entity") != std::string::npos);
  CHECK(rows_written(answered(draft_of(by_time), {{"nodes", "1"}, {"entities", "5"}, {"rate", "1/min"}}), by_time) > 0);
  const std::string hours = draft_of(
      "CREATE TABLE k.t (year int, month int, day int, hour int, v int, PRIMARY KEY ((year, month), day, hour));");
  CHECK(hours.find("\ncolumn.day = day") != std::string::npos);
  CHECK(hours.find("= entity") == std::string::npos);
  CHECK(draft_of("CREATE TABLE k.t (day date, code text, v int, PRIMARY KEY (day, code));")
            .find("or unique, with entities = 1: each row is another") != std::string::npos);
}

TEST_CASE("a key of which a scenario has no word is said to be one, and what to do about it") {
  const std::string draft = draft_of(
      "CREATE TYPE k.who (path text, resolution int);\n"
      "CREATE TABLE k.t (id frozen<who>, time bigint, v double, PRIMARY KEY (id, time));");
  CHECK(draft.find("#? id is a frozen<who>, and a scenario has no word for such a key: declare it as text here") !=
        std::string::npos);
}

TEST_CASE("one table of several is drafted, and every open question is named") {
  const std::string cql =
      "CREATE TABLE k.a (id int, day date, at timestamp, v int, PRIMARY KEY ((id, day), at));"
      "CREATE TABLE k.b (id int, day date, at timestamp, v int, PRIMARY KEY ((id, day), at));";
  Schema schema;
  REQUIRE_FALSE(run_cql(cql, schema).error.has_value());
  const std::string draft = draft_scenario(schema, "article.cql", "article", "b");
  CHECK(draft.find("[stream.b]") != std::string::npos);
  CHECK(draft.find("[stream.a]") == std::string::npos);
  CHECK_THROWS_WITH_AS(draft_scenario(schema, "x.cql", "x", "c"), doctest::Contains("--table accepts a, b"),
                       DraftError);
  CHECK_THROWS_WITH(rows_written(draft, cql),
                    doctest::Contains("open: dc.main.nodes, stream.b.entities, stream.b.rate"));
  const auto with = [&](std::vector<std::string> set) {
    set.emplace_back("run.length=2d");
    return load_scenario("article.ini", draft, set, [&](const std::string&) { return std::optional(cql); });
  };
  CHECK(with({"dc.main.nodes=3", "stream.b.entities=5", "stream.b.rate=1/min"}).scenario.writers.size() == 1);
  CHECK_THROWS_WITH(with({"dc.main.nodes=3", "stream.b.rate=1/min"}), doctest::Contains("open: stream.b.entities"));
}

TEST_CASE("keys of several names: the one that identifies is the writer, and each question has answers that fit") {
  struct Case {
    std::string cql{};
    std::string entity{};
    std::vector<std::string> asks{};  // parts of questions
    Answers answers{};
  };
  const std::vector<Case> cases = {
      {"CREATE TABLE k.t (kind text, thing timeuuid, what text, part bigint, at bigint, d double, s text, PRIMARY KEY "
       "((kind, thing, what, part), at));",
       "thing",
       {"what kind holds beside the writer: each(50, text(20)), unique, 'a constant'", "how large s is: text(20)"},
       {{"column.kind", "'device'"},
        {"column.what", "each(3, text(9))"},
        {"column.part", "month"},
        {"column.s", "null"}}},
      {"CREATE TABLE k.t (series uuid, begin_ms bigint, step smallint, part smallint, v double, PRIMARY KEY ((series, "
       "begin_ms), step, part));",
       "series",
       {"what step holds: time, each(50), 'a constant'; each(n)", "what part holds: time, each(50), 'a constant'"},
       {{"column.begin_ms", "day"}, {"column.step", "time"}, {"column.part", "'0'"}}},
      {"CREATE TABLE k.t (row_key blob, place blob, v blob, PRIMARY KEY (row_key, place));",
       "row_key",
       {"what place holds: each(50, text(20)), unique, 'a constant', blob(100)"},
       {{"column.place", "blob(4)"}, {"column.v", "blob(8)"}}},
      {"CREATE TYPE k.peer (service text, ip inet, port int);"
       "CREATE TABLE k.t (id text, at timeuuid, here k.peer, there frozen<k.peer>, tags map<text, text>, PRIMARY KEY "
       "(id, at));",
       "id",
       {"how large here (service, ip) is: udt(text(20), blob(4))", "how large tags is: map(5, text(8), text(20))"},
       {{"column.here", "udt(text(9), 4)"}, {"column.there", "udt(text(9), null)"}, {"column.tags", "map(1, 4, 4)"}}},
      {"CREATE TABLE k.t (tenant_id text, kind text, metric text, dpart bigint, hour int, at timestamp, v double, "
       "PRIMARY KEY ((tenant_id, kind, metric, dpart), hour, at));",
       "metric",
       {"column.hour = hour"},
       {{"column.tenant_id", "'one'"}, {"column.kind", "'gauge'"}, {"column.dpart", "day"}}},
      {"CREATE TABLE k.t (id uuid, at timestamp, seen counter, PRIMARY KEY (id, at));", "id", {"\nop = update"}, {}},
      {"CREATE TABLE k.t (id uuid, year_month text, at timestamp, v double, PRIMARY KEY ((id, year_month), at));",
       "id",
       {"column.year_month = month"},
       {}},
      {"CREATE TABLE k.t (symbol text, date_bucket date, interval text, at timestamp, v double, PRIMARY KEY ((symbol, "
       "date_bucket, interval), at));",
       "symbol",
       {"column.date_bucket = day", "#? what interval holds beside the writer: each(50, text(20))"},
       {{"column.interval", "each(3, text(2))"}}},
      {"CREATE TABLE k.t (id uuid, epochday bigint, at timestamp, v double, PRIMARY KEY ((id, epochday), at));",
       "id",
       {"column.epochday = day"},
       {}},
      {"CREATE TABLE k.t (id uuid, year smallint, month tinyint, day tinyint, hour tinyint, at timestamp, v double, "
       "PRIMARY KEY ((id, year, month, day, hour), at));",
       "id",
       {"column.month = month", "column.day = day", "column.hour = hour"},
       {}},
      {"CREATE TABLE k.t (day_bucket text, hour tinyint, name text, v double, PRIMARY KEY (day_bucket, hour, name));",
       "name",
       {"column.hour = time", "1/hour at the most, as hour tells hours apart"},
       {{"rate", "1/hour"}}},
      {"CREATE TABLE k.t (trace_id blob, span bigint, took int, PRIMARY KEY (trace_id, span));",
       "trace_id",
       {"= entity                # or unique, with each(10) below", "#op = overwrite(1000)"},
       {{"column.span", "unique"}}},
      {"CREATE TABLE k.t (tradedt text, symbol text, at timestamp, v double, PRIMARY KEY ((tradedt, symbol), at));",
       "symbol",
       {"column.tradedt = day"},
       {}},
      {"CREATE TABLE k.t (day timestamp, host inet, day_part int, at timeuuid, v int, PRIMARY KEY ((day, host, "
       "day_part), at));",
       "host",
       {"column.day = day", "#? what day_part holds: a bucket such as minute"},
       {{"column.day_part", "hour"}}},
      {"CREATE TABLE k.t (c text, ym int, d int, t timestamp, n counter, PRIMARY KEY ((c, ym, d), t));",
       "c",
       {"column.ym = month", "#? what d holds: a bucket such as minute"},
       {{"column.d", "day"}}},
      {"CREATE TABLE k.t (id text, day date, v double, PRIMARY KEY (id, day));",
       "id",
       {"1/day at the most, as day tells days apart"},
       {{"rate", "1/day"}}},
      {"CREATE TABLE k.t (id text PRIMARY KEY, v double);",
       "id",
       {"each writer has one row, written again and again: overwrite(1000) where entities = 1000"},
       {{"op", "overwrite(4)"}}},
      {"CREATE TABLE k.t (id uuid, tranche int, at timestamp, v double, PRIMARY KEY ((id, tranche), at));",
       "id",
       {"what tranche holds beside the writer: each(50), unique, 'a constant'; or, if it is a time, a bucket such as "
        "day, week, month"},
       {{"column.tranche", "month"}}},
      {"CREATE TABLE k.t (chatbot_id uuid, user_id int, at timestamp, v double, PRIMARY KEY ((chatbot_id, user_id), "
       "at));",
       "chatbot_id",
       {"what user_id holds beside the writer: each(50), unique, 'a constant'\n"},
       {{"column.user_id", "'7'"}}},
      {"CREATE TABLE k.t (id uuid, anio_mes int, at timestamp, v double, PRIMARY KEY ((id, anio_mes), at));",
       "id",
       {"column.anio_mes = month "},
       {}},
      {"CREATE TABLE k.t (id uuid, ano int, mes int, dia int, valor double, PRIMARY KEY ((id, ano, mes), dia));",
       "id",
       {"column.ano = year", "column.mes = month", "1/day at the most, as dia tells days apart"},
       {{"rate", "1/day"}}},
      {"CREATE TABLE k.t (id uuid, dia int, at timestamp, v double, PRIMARY KEY ((id, dia), at));",
       "id",
       {"what dia holds: a bucket such as day or month, if it is a time, as in Spanish or Portuguese; else beside the "
        "writer each(50), unique, 'a constant'"},
       {{"column.dia", "day"}}},
      {"CREATE TABLE k.t (id uuid, area text, day date, at timestamp, v double, PRIMARY KEY ((id, area, day), at));",
       "id",
       {"what area holds beside the writer: each(50, text(20)), unique, 'a constant'\n"},
       {{"column.area", "'one'"}}},
      {"CREATE TABLE k.t (id uuid, minute int, kind tinyint, v double, PRIMARY KEY (id, minute, kind));",
       "id",
       {"what minute holds: time, if each row is of another minute; minute, if a column after it tells rows of a "
        "minute "
        "apart"},
       {{"column.minute", "time"}, {"column.kind", "each(5)"}}},
      {"CREATE TABLE k.t (id blob, region text static, at timestamp, v double, note text, PRIMARY KEY (id, at));",
       "id",
       {"#statics = once"},
       {{"column.note", "null"}, {"column.region", "text(8)"}}},
      {"CREATE TABLE k.t (id blob, tags set<text> static, at timestamp, v double, note text, PRIMARY KEY (id, at));",
       "id",
       {"columns = note + v"},
       {{"column.note", "null"}}},
  };
  for (const Case& each : cases) {
    CAPTURE(each.cql);
    const std::string draft = draft_of(each.cql);
    CAPTURE(draft);
    CHECK(draft.find("\ncolumn." + each.entity + " = entity") != std::string::npos);
    for (const std::string& words : each.asks) {
      CAPTURE(words);
      CHECK(draft.find(words) != std::string::npos);
    }
    Answers answers = each.answers;
    answers.insert({{"nodes", "3"}, {"entities", "4"}, {"rate", "1/min"}});
    CHECK(rows_written(answered(draft, answers), each.cql) > 0);
  }
}

TEST_CASE("a clustering of years, months, days and what is left is guessed as far as names say it") {
  const std::string cql =
      "CREATE TABLE k.t (id text, year int, month int, day int, hour int, milli int, v double, "
      "PRIMARY KEY (id, year, month, day, hour, milli)) WITH CLUSTERING ORDER BY (year DESC, month DESC);";
  const std::string draft = draft_of(cql);
  for (const char* span : {"year", "month", "day", "hour"}) {
    CAPTURE(span);
    CHECK(draft.find(fmt::format("\ncolumn.{0} = {0} ", span)) != std::string::npos);
  }
  const Answers answers = {{"nodes", "1"}, {"entities", "2"}, {"rate", "1/min"}, {"column.milli", "time"}};
  CHECK(rows_written(answered(draft, answers), cql) > 0);
  // The day alone would be one row a day: what it holds is asked.
  const std::string days = "CREATE TABLE k.t (id text, day int, v double, PRIMARY KEY (id, day));";
  CHECK(draft_of(days).find("\ncolumn.day = ") == std::string::npos);
}

TEST_CASE("a partition a write: a trace of ten spans") {
  const std::string cql = "CREATE TABLE k.t (trace_id blob, span bigint, took int, PRIMARY KEY (trace_id, span));";
  std::string draft = draft_of(cql);
  const std::string entity = "\ncolumn.trace_id = entity ";
  draft.replace(draft.find(entity), entity.size(), "\ncolumn.trace_id = unique ");
  const std::string answers =
      answered(draft, {{"nodes", "1"}, {"entities", "1"}, {"rate", "1/min"}, {"column.span", "each(10)"}});
  CHECK(rows_written(answers, cql) > 0);
  const LoadedScenario loaded =
      load_scenario("k.ini", answers, {}, [&](const std::string&) { return std::optional(cql); });
  REQUIRE(loaded.scenario.writers.size() == 1);
  CHECK(loaded.scenario.writers.front().unique_partitions);
  CHECK(loaded.scenario.writers.front().rows_per_event == 10);
}

TEST_CASE("a key that is one bucket of nobody knows what: whether it is a time is asked, and both answers run") {
  const std::string cql = "CREATE TABLE k.t (bucket int, id timeuuid, v int, PRIMARY KEY (bucket, id));";
  const std::string draft = draft_of(cql);
  CHECK(std::ranges::count(questions(draft), "column.bucket") == 1);
  Answers answers = {{"nodes", "1"}, {"entities", "5"}, {"rate", "1/min"}, {"column.bucket", "entity"}};
  const auto of_writers = rows_written(answered(draft, answers), cql);
  answers["column.bucket"] = "day";
  answers["entities"] = "1";
  answers["rate"] = "5/min";
  CHECK(rows_written(answered(draft, answers), cql) == of_writers);
  CHECK(of_writers > 0);
}

TEST_CASE("a key that is an id of its own is a row a write") {
  const std::string cql = "CREATE TABLE k.t (id timeuuid PRIMARY KEY, code int);";
  const std::string draft = draft_of(cql);
  CHECK(draft.find("\ncolumn.id = unique ") != std::string::npos);
  CHECK(draft.find("if rows are written again: entity, and op = overwrite(1000, cyclic) below") != std::string::npos);
  CHECK(rows_written(answered(draft, {{"nodes", "1"}, {"entities", "2"}, {"rate", "1/min"}}), cql) > 0);
}

TEST_CASE("several tables have a stream each; a schema without tables has no scenario") {
  const std::string draft = draft_of(
      "CREATE KEYSPACE a WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
      "CREATE TABLE a.\"Raw\" (id int, at timestamp, v double, PRIMARY KEY (id, at));"
      "CREATE TABLE a.minutes (id int, day date, at timestamp, v double, PRIMARY KEY ((id, day), at));");
  CHECK(draft.find("[stream.raw]") != std::string::npos);
  CHECK(draft.find("[stream.minutes]") != std::string::npos);
  CHECK(draft.find("column.day = day") != std::string::npos);
  CHECK_THROWS_AS(draft_scenario({}, "x.cql", "x"), DraftError);
}

}  // namespace
}  // namespace windrow
