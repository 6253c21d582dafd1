#include <doctest/doctest.h>

#include <string>

#include "tests/cli/program.h"
#include "tests/support/says.h"

namespace windrow {
namespace {

using test::Ending;
using test::says;
using test::TestFolder;
using test::windrow;

TEST_CASE("an SSTable that a few rows without TTL block is explained from the result's files alone") {
  const TestFolder folder;
  REQUIRE(windrow("run scenarios/mixed-ttl.ini --all --fail-on never --out '" + (folder / "r") + "'").code == 0);
  const Ending blocked = windrow("explain '" + (folder / "r") + "' 41");
  CHECK_MESSAGE(blocked.code == 0, blocked.error);
  CHECK(says(blocked.out, "but it is blocked:"));
  CHECK(says(blocked.out, "has rows without TTL: blocks for ever"));

  const auto complaint = [&](const std::string& arguments) {
    const Ending ending = windrow("explain " + arguments);
    CHECK_MESSAGE(ending.code == 2, arguments, ": ", ending.error);
    return ending.error;
  };
  const std::string result = "'" + (folder / "r") + "' ";
  CHECK(says(complaint(result + "99999"), "has none of that number"));
  CHECK(says(complaint(result + "first"), "accepts a number of the column sstable"));
  CHECK(says(complaint(result + "41 --table other"), "accepts sensor_data"));
  CHECK(says(complaint("'" + folder.path().string() + "' 1"), "is no result of windrow"));
}

}  // namespace
}  // namespace windrow
