#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/program.h"
#include "tests/support/says.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

using test::Ending;
using test::says;
using test::shell;
using test::TestFolder;

TEST_CASE("from a schema to a verdict: the draft, the answers, the run") {
  const TestFolder folder;
  folder.write("cql/r.cql", "CREATE TABLE r (id text, day date, at timestamp, v double, PRIMARY KEY ((id, day), at));");
  const auto there = [&](const std::string& line) { return shell("cd '" + folder.path().string() + "' && " + line); };
  const Ending drafted = there("\"$WINDROW\" new cql/r.cql --out r.ini");
  CHECK_MESSAGE(drafted.code == 0, drafted.error);
  CHECK(says(test::read_file(folder / "r.ini"), "schema = cql/r.cql\n"));
  const Ending early = there("\"$WINDROW\" run r.ini");
  CHECK(early.code == 2);
  CHECK(says(early.error, "rate"));
  const Ending ran = there(
      "sed -i 's/^#entities =/entities = 20/; s/^#rate =/rate = 1\\/min/; s/^#nodes =/nodes = 3/' r.ini && "
      "\"$WINDROW\" run r.ini --quiet");
  CHECK_MESSAGE(ran.code == 0, ran.error);
  CHECK(says(ran.out, "What was understood"));

  const Ending again = there("\"$WINDROW\" new cql/r.cql --out r.ini");
  CHECK(again.code == 2);
  CHECK(says(again.error, "is there already, and stays as it is"));
  CHECK(says(test::read_file(folder / "r.ini"), "rate = 1/min"));
  CHECK(says(there("\"$WINDROW\" new cql/r.cql").out, "[stream.r]"));
  folder.write("empty.cql", "-- nothing\n");
  CHECK(says(there("\"$WINDROW\" new empty.cql").error, "has no table"));
  folder.write("marked.cql",
               "\xEF\xBB\xBF"
               "CREATE TABLE r (id text, day date, at timestamp, v double, PRIMARY KEY ((id, day), at));\r\n");
  CHECK(there("\"$WINDROW\" new marked.cql --out marked.ini").code == 0);
  CHECK(
      there("sed -i 's/^#entities =/entities = 20/; s/^#rate =/rate = 1\\/min/; s/^#nodes =/nodes = 3/' marked.ini && "
            "\"$WINDROW\" run marked.ini --quiet")
          .code == 0);
  folder.write("wide.cql", std::string("\xFF\xFE"
                                       "C\0R\0",
                                       6));
  CHECK(says(there("\"$WINDROW\" new wide.cql").error, "it is UTF-16; save it as UTF-8"));
  folder.write("bad.cql", "CREATE TABLE r (id int PRIMRY KEY);");
  CHECK(there("\"$WINDROW\" new bad.cql").code == 2);
}

}  // namespace
}  // namespace windrow
