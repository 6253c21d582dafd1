#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace windrow {
namespace {

using test::Ending;
using test::windrow;

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

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

TEST_CASE("a mistake on the command line is one message and exit code 2" * doctest::may_fail()) {
  struct Mistake {
    std::string arguments;
    std::string message;
  };
  const std::vector<Mistake> mistakes = {
      {"", "which command?"},
      {"verfy x", "there is no command 'verfy'; did you mean verify?"},
      {"simulate", "there is no command 'simulate'\n"},
      {"verify --formt json x", "there is no option '--formt' of windrow verify; did you mean --format?"},
      {"verify --form json x", "there is no option '--form' of windrow verify; did you mean --format?"},
      {"verify --format xml x", "--format xml: accepts text or json"},
      {"verify", "windrow verify takes PATH..., not 0 arguments"},
      {"keys a b", "windrow keys takes [SECTION], not 2 arguments"},
      {"keys --threads 0", "--threads 0: accepts 1 to 1024"},
      {"keys --threads many", "threads"},
      {"keys --color blue", "--color blue: accepts auto, always or never"},
      {"keys --quiet=1", "quiet"},
      {"--quiet verify x", "options stand behind the command: windrow verify"},
      {"keys strem", "stream"},
  };
  for (const Mistake& mistake : mistakes) {
    const Ending ending = windrow(mistake.arguments);
    CHECK_MESSAGE(ending.code == 2, mistake.arguments);
    CHECK_MESSAGE(says(ending.error, mistake.message), mistake.arguments, " says ", ending.error);
    CHECK_MESSAGE(ending.error.starts_with("windrow: "), ending.error);
    CHECK(ending.out.empty());
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
