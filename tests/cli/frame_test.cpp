#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/support/says.h"

namespace windrow {
namespace {

using test::Ending;
using test::says;
using test::windrow;

TEST_CASE("version and help are results") {
  const Ending version = windrow("--version");
  CHECK(version.code == 0);
  CHECK(version.out == "windrow " WINDROW_VERSION "\n");
  CHECK(version.error.empty());

  const Ending help = windrow("--help");
  CHECK(help.code == 0);
  for (const char* command : {"run", "verify", "keys"}) CHECK(says(help.out, std::string("  ") + command + " "));

  for (const std::string command : {"run", "verify", "keys"}) {
    const Ending own = windrow(command + " --help");
    CHECK(own.code == 0);
    CHECK(says(own.out, "usage: windrow " + command));
    CHECK(says(own.out, "Example:\n  windrow " + command));
    CHECK(windrow("help " + command).out == own.out);
  }
}

TEST_CASE("the keys are listed in three forms") {
  CHECK(says(windrow("keys").out, "rate"));
  CHECK(says(windrow("keys stream --format markdown").out, "rate"));
  CHECK(windrow("keys --format json").out.find_first_of("[{") == 0);
}

TEST_CASE("a reader that leaves is no mistake; a full disk is") {
  CHECK(test::shell("\"$WINDROW\" keys | head -c 1; exit ${PIPESTATUS[0]}").code == 0);
  const Ending full = test::shell("\"$WINDROW\" keys >/dev/full");
  CHECK(full.code == 2);
  CHECK(says(full.error, "cannot write to the standard output: No space left on device"));
}

}  // namespace
}  // namespace windrow
