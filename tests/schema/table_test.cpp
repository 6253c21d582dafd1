#include "sim/schema/table.h"

#include <doctest/doctest.h>

#include "sim/schema/compression_options.h"
#include "sim/schema/describe.h"
#include "sim/schema/identifier.h"
#include "sim/schema/speculative_retry.h"

namespace windrow {
namespace {

using Kind = CqlType::Kind;

TEST_CASE("fixed lengths follow storage rule 1.10") {
  CHECK(simple_type(Kind::boolean).fixed_length() == 1);
  CHECK(simple_type(Kind::int_).fixed_length() == 4);
  CHECK(simple_type(Kind::timestamp).fixed_length() == 8);
  CHECK(simple_type(Kind::timeuuid).fixed_length() == 16);
  for (const Kind kind : {Kind::date, Kind::time, Kind::tinyint, Kind::smallint, Kind::text, Kind::inet, Kind::decimal})
    CHECK(simple_type(kind).fixed_length() == -1);
  CqlType vector{.kind = Kind::vector, .frozen = true, .arguments = {simple_type(Kind::float_)}, .dimension = 3};
  CHECK(vector.fixed_length() == 12);
  vector.arguments = {simple_type(Kind::text)};
  CHECK(vector.fixed_length() == -1);
}

TEST_CASE("columns stand in the engine's order: key, static, simple before complex, by name") {
  Table table{.keyspace = "k", .name = "t"};
  const CqlType set{.kind = Kind::set, .arguments = {simple_type(Kind::int_)}};
  table.columns = {{.name = "b", .type = set},
                   {.name = "z", .type = simple_type(Kind::text)},
                   {.name = "c",
                    .type = simple_type(Kind::int_),
                    .kind = Column::Kind::clustering,
                    .position = 1,
                    .order = Column::Order::asc},
                   {.name = "d",
                    .type = simple_type(Kind::int_),
                    .kind = Column::Kind::clustering,
                    .position = 0,
                    .order = Column::Order::desc},
                   {.name = "s", .type = simple_type(Kind::text), .kind = Column::Kind::static_},
                   {.name = "p", .type = simple_type(Kind::int_), .kind = Column::Kind::partition_key, .position = 0}};
  table.sort_columns();
  std::string order;
  for (const Column& column : table.columns) order += column.name;
  CHECK(order == "pdcszb");
  CHECK(table.clustering().size() == 2);
  CHECK(table.clustering().front().name == "d");
  CHECK(table.regular_columns().size() == 2);
  CHECK(describe_table(table).starts_with(
      "CREATE TABLE k.t (\n    p int,\n    d int,\n    c int,\n    s text static,\n    z text,\n"
      "    b set<int>,\n    PRIMARY KEY (p, d, c)\n) WITH CLUSTERING ORDER BY (d DESC, c ASC)\n"));
}

TEST_CASE("names are quoted where they have to be") {
  CHECK(quoted_if_needed("ck") == "ck");
  CHECK(quoted_if_needed("Pk") == "\"Pk\"");
  CHECK(quoted_if_needed("select") == "\"select\"");
  CHECK(quoted_if_needed("a\"b") == "\"a\"\"b\"");
  CHECK(is_reserved_keyword("Order"));
  CHECK_FALSE(is_reserved_keyword("timestamp"));
  CHECK(is_unreserved_keyword("TTL"));
}

TEST_CASE("compression maps become what system_schema holds") {
  CHECK(effective_compression_map({}) == OptionMap{{"enabled", "false"}});
  CHECK(effective_compression_map(
            {{"class", "ZstdCompressor"}, {"chunk_length_in_kb", "064"}, {"min_compress_ratio", "1.10"}}) ==
        OptionMap{{"class", "org.apache.cassandra.io.compress.ZstdCompressor"},
                  {"chunk_length_in_kb", "64"},
                  {"min_compress_ratio", "1.1"}});
  CHECK(chunk_length_bytes(effective_compression_map({{"class", "LZ4Compressor"}})) == KiB(16));
  CHECK_THROWS_AS(effective_compression_map({{"class", "LZ4Compressor"}, {"chunk_length_in_kb", "48"}}), OptionError);
  CHECK_THROWS_AS(effective_compression_map({{"sstable_compression", "LZ4Compressor"}}), OptionError);
}

TEST_CASE("retry policies become what system_schema holds") {
  CHECK(effective_speculative_retry("99.99PERCENTILE") == "99.99p");
  CHECK(effective_speculative_retry("none") == "NEVER");
  CHECK(effective_speculative_retry("max(50.9ms , 90p)") == "MAX(90p,50ms)");
  for (const char* text : {"sometimes", "100p", "0p", "MIN(99p,98p)", "9.9.9p", "MIN(99p,50ms", ""})
    CHECK_THROWS_AS(effective_speculative_retry(text), OptionError);
}

}  // namespace
}  // namespace windrow
