#include "sim/advice/remedy.h"

#include <doctest/doctest.h>

namespace windrow {
namespace {

std::string with_bucket(const char* cql, const char* table) {
  return with_key_column(cql, {.table = table, .name = "bucket", .type = "text"}).value_or("nothing");
}

TEST_CASE("a column is put into the partition key of one table, however the key is written") {
  CHECK(with_bucket("CREATE TABLE t (id text, at timestamp, PRIMARY KEY ((id), at));", "t") ==
        "CREATE TABLE t (id text, at timestamp, bucket text, PRIMARY KEY ((id, bucket), at));");
  CHECK(with_bucket("CREATE TABLE k.t (id text, at timestamp, PRIMARY KEY (id, at));", "t") ==
        "CREATE TABLE k.t (id text, at timestamp, bucket text, PRIMARY KEY ((id, bucket), at));");
  CHECK(with_bucket("create table if not exists t (id text, primary key (id))", "t") ==
        "create table if not exists t (id text, bucket text, primary key ((id, bucket)))");
  CHECK(with_bucket(
            "CREATE TABLE a (id int, PRIMARY KEY (id));\nCREATE TABLE t (a int, b int, PRIMARY KEY ( ( a , b ) ));",
            "t") ==
        "CREATE TABLE a (id int, PRIMARY KEY (id));\nCREATE TABLE t (a int, b int, bucket text, "
        "PRIMARY KEY ( ( a , b , bucket) ));");
  CHECK(with_bucket("CREATE TABLE t (id int PRIMARY KEY);", "t") == "nothing");
  CHECK(with_bucket("CREATE TABLE other (id int, PRIMARY KEY (id));", "t") == "nothing");
}

}  // namespace
}  // namespace windrow
