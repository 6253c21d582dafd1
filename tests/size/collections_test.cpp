#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "evidence/captures/capture_table.h"
#include "sim/cql/script.h"
#include "sim/size/matrix.h"

namespace windrow {
namespace {

using Json = nlohmann::json;

struct Collection {
  std::string type{};
  std::string rule{};
  std::string literal{};
};

std::string schema_with(const std::string& type) {
  return fmt::format(
      "CREATE TYPE place (street text, zip int, city text);"
      "CREATE TABLE readings (id int, day date, at timestamp, tags {}, v double, PRIMARY KEY ((id, day), at)) WITH "
      "default_time_to_live = "
      "2592000;",
      type);
}

/// One sensor's day, a row a minute, every value written out.
Bytes written_out(const Collection& collection) {
  const Schema schema = read_schema(schema_with(collection.type));
  const Table& table = schema.keyspaces.front().tables.front();
  constexpr Seconds begin_s = 1'767'398'400;  // 2026-01-03
  CapturedTable captured(table, SSTableFormat::nb, begin_s);
  for (int minute = 0; minute < 1'440; ++minute) {
    const Seconds now_s = begin_s + minute * 60;
    captured.apply({{"op", "insert"},
                    {"now", now_s},
                    {"ts", now_s * us_per_s},
                    {"values",
                     {{"id", "0"},
                      {"day", "'2026-01-03'"},
                      {"at", fmt::format("{}", now_s * 1000)},
                      {"tags", collection.literal},
                      {"v", "1.5"}}}});
  }
  captured.flush();
  return captured.sstables().front().uncompressed_bytes;
}

TEST_CASE("a collection written whole is estimated to a byte or two a row") {
  const std::vector<Collection> all{
      {"map<text, text>", "map(2, text(5), text(10))", "{'abcde': '0123456789', 'fghij': '0123456789'}"},
      {"set<text>", "set(3, text(4))", "{'aaaa', 'bbbb', 'cccc'}"},
      {"list<text>", "list(1, text(30))", "['012345678901234567890123456789']"},
      {"place", "udt(text(5), text(10))", "{street: 'abcde', zip: 7, city: '0123456789'}"},
      {"place", "udt(text(5), null)", "{street: 'abcde', zip: 7}"},
      {"place", "udt(text(5), null, text(9))", "{street: 'abcde', city: '012345678'}"},
  };
  for (const Collection& collection : all) {
    CAPTURE(collection.type);
    SizeQuestion question;
    question.schema = read_schema(schema_with(collection.type));
    question.rates = {"1/min"};
    question.buckets = {"day"};
    question.columns = {{"tags", collection.rule}};
    const SizeMatrix matrix = size_matrix(question);
    const auto estimate = static_cast<double>(matrix.cells.front().size.bytes) / 1'440;
    const auto truth = static_cast<double>(written_out(collection)) / 1'440;
    CHECK(estimate == doctest::Approx(truth).epsilon(0.02));
  }
}

TEST_CASE("what is asked for has the form of each column") {
  SizeQuestion question;
  question.schema = read_schema(
      "CREATE TYPE place (street text, zip int, city text);"
      "CREATE TABLE readings (id int, day date, at timestamp, tags list<text>, home place, ways frozen<place>, code "
      "varint,"
      " PRIMARY KEY ((id, day), at));");
  question.rates = {"1/min"};
  question.buckets = {"day"};
  std::string asked;
  try {
    size_matrix(question);
  } catch (const SizeError& error) {
    asked = error.what();
  }
  for (const char* option : {"--column 'tags=list(5, text(10))'", "--column 'home=udt(text(20), text(20))'",
                             "--column 'ways=udt(text(20), text(20))'", "--column 'code=blob(8)'"}) {
    CAPTURE(option);
    CHECK(asked.find(option) != std::string::npos);
  }
  CHECK(asked.find("null instead leaves a column out") != std::string::npos);
  // What was asked for is taken.
  question.columns = {{"tags", "list(5, text(10))"},
                      {"home", "udt(text(20), text(20))"},
                      {"ways", "udt(text(20), text(20))"},
                      {"code", "blob(8)"}};
  CHECK(size_matrix(question).cells.size() == 1);
  question.columns["tags"] = "map(5, text(8), text(20))";
  CHECK_THROWS_WITH_AS(size_matrix(question),
                       doctest::Contains("the column is a list<text>; accepts list(5, text(10))"), SizeError);
}

TEST_CASE("a small number as the time within a bucket has its own bytes, and the matrix all buckets") {
  SizeQuestion question;
  const std::string table =
      "CREATE TABLE readings (id int, day timestamp, step {}, v double, PRIMARY KEY ((id, day), step));";
  const auto day = [&](const char* type) {
    question.schema = read_schema(fmt::format(fmt::runtime(table), type));
    question.rates = {"1/min"};
    question.buckets = {"day", "year"};
    question.columns = {{"step", "time"}};
    return size_matrix(question);
  };
  // A smallint is two bytes and their length, an int four bytes.
  CHECK(day("int").cells.front().size.bytes - day("smallint").cells.front().size.bytes == 1'440);
  const SizeMatrix small = day("smallint");
  REQUIRE(small.cells.size() == 2);
  CHECK(std::ranges::find(small.notes, "step is a smallint: it tells 32768 rows of a bucket apart") !=
        small.notes.end());
}

}  // namespace
}  // namespace windrow
