#include "sim/size/span_names.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/cql/script.h"
#include "sim/size/key_roles.h"

// Spans of time in other languages than English.

namespace windrow {
namespace {

constexpr Seconds named_month_s = 2'629'746;

/// What each column of the partition key is, and how long: "e b:86400 s".
std::string roles(const std::string& columns, const std::string& key) {
  const Schema schema = read_schema("CREATE TABLE t (" + columns + ", v int, PRIMARY KEY (" + key + "))");
  const Table& table = schema.keyspaces.front().tables.front();
  std::string text;
  const auto roles = partition_key_roles(table);
  for (std::size_t i = 0; i < roles.size(); ++i) {
    text += text.empty() ? "" : " ";
    text += roles[i] == KeyRole::entity ? "e" : roles[i] == KeyRole::shard ? "s" : "b";
    if (roles[i] == KeyRole::time_bucket)
      text += ":" + std::to_string(bucket_length_named(table, table.partition_key()[i]));
  }
  return text;
}

TEST_CASE("words that are a span of time in one language alone are one") {
  CHECK(roles("id int, anio_mes int, ts timestamp", "(id, anio_mes), ts") == "e b:2629746");
  CHECK(roles("id int, \"año\" int, ts timestamp", "(id, \"año\"), ts") == "e b:31556952");
  CHECK(roles("id int, fecha text, ts timestamp", "(id, fecha), ts") == "e b:86400");
  CHECK(roles("id int, annee int, mois int, jour int, ts timestamp", "(id, annee, mois, jour), ts") ==
        "e b:31556952 b:2629746 b:86400");
  CHECK(roles("id int, jahr int, monat int, stunde int, ts timestamp", "(id, jahr, monat, stunde), ts") ==
        "e b:31556952 b:2629746 b:3600");
  CHECK(roles("id int, giorno text, ts timestamp", "(id, giorno), ts") == "e b:86400");
  CHECK(roles("id int, semana int, ts timestamp", "(id, semana), ts") == "e b:604800");
  CHECK(roles("id int, anomes int, ts timestamp", "(id, anomes), ts") == "e b:2629746");
}

TEST_CASE("words that are something else in English are one beside others of their language, in the name or the key") {
  CHECK(roles("id int, ano int, mes int, ts timestamp", "(id, ano, mes), ts") == "e b:31556952 b:2629746");
  CHECK(roles("id int, jahr int, tag int, ts timestamp", "(id, jahr, tag), ts") == "e b:31556952 b:86400");
  CHECK(roles("id int, data int, ora int, ts timestamp", "(id, data, ora), ts") == "e b:86400 b:3600");
  CHECK(roles("id int, mes_ano text, ts timestamp", "(id, mes_ano), ts") == "e b:2629746");
  CHECK(roles("id int, data date, ts timestamp", "(id, data), ts") == "e b:86400");
  // Not beside an English one, nor in a name with other words, nor as a text that is a tag.
  CHECK(roles("id int, year int, tag int, ts timestamp", "(id, year, tag), ts") == "e b:31556952 e");
  CHECK(roles("id int, jahr int, tag_id int, ts timestamp", "(id, jahr, tag_id), ts") == "e b:31556952 e");
  CHECK(roles("id int, jahr int, tag text, ts timestamp", "(id, jahr, tag), ts") == "e b:31556952 e");
  CHECK(roles("id int, tagdata int, ts timestamp", "(id, tagdata), ts") == "e e");
}

TEST_CASE("alone such a word is a guess") {
  const auto guess = [](const std::string& columns, const std::string& key) {
    const Schema schema = read_schema("CREATE TABLE t (" + columns + ", v int, PRIMARY KEY (" + key + "))");
    const auto guessed = guessed_bucket(schema.keyspaces.front().tables.front());
    return guessed ? guessed->column->name + " " + guessed->languages : std::string();
  };
  CHECK(guess("id int, dia int, ts timestamp", "(id, dia), ts") == "dia Spanish or Portuguese");
  CHECK(guess("id int, tag int, ts timestamp", "(id, tag), ts") == "tag German");
  CHECK(guess("id int, tag text, ts timestamp", "(id, tag), ts").empty());
  CHECK(guess("id int, day int, tag int, ts timestamp", "(id, day, tag), ts").empty());
  CHECK(guess("id int, data blob, ts timestamp", "(id, data), ts").empty());
  CHECK(guess("data text, ts timestamp", "data, ts") == "data Portuguese or Italian");
}

TEST_CASE("a date or a date and a time in a timestamp that orders rows are a moment, not a bucket") {
  const auto time_of = [](const std::string& columns, const std::string& key) {
    const Schema schema = read_schema("CREATE TABLE t (" + columns + ", v int, PRIMARY KEY (" + key + "))");
    const Column* time = time_column(schema.keyspaces.front().tables.front());
    return time == nullptr ? std::string() : time->name;
  };
  CHECK(time_of("id int, event_date timestamp, n timeuuid", "id, event_date, n") == "event_date");
  CHECK(time_of("id int, fecha_hora timestamp, n timeuuid", "id, fecha_hora, n") == "fecha_hora");
  CHECK(time_of("id int, date_time timestamp, n timeuuid", "id, date_time, n") == "date_time");
  CHECK(time_of("id int, day timestamp, n timeuuid", "id, day, n") == "n");
  CHECK(time_of("id int, zeitstempel bigint", "id, zeitstempel") == "zeitstempel");
  CHECK(roles("id int, fecha_hora timestamp, n timeuuid", "(id, fecha_hora), n") == "e b:0");
}

TEST_CASE("a doubtful word needs another span of its language") {
  const NamedSpan* mes = span_named("mes");
  REQUIRE(mes != nullptr);
  CHECK(mes->length_s == named_month_s);
  CHECK(mes->doubtful);
  CHECK(supports(*span_named("dia"), *mes));
  CHECK_FALSE(supports(*span_named("tag"), *mes));
  CHECK_FALSE(supports(*span_named("day"), *mes));
  CHECK(languages_text(mes->languages) == "Spanish or Portuguese");
}

}  // namespace
}  // namespace windrow
