#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/gallery_runs.h"
#include "tests/cli/program.h"
#include "tests/cli/terminal_numbers.h"
#include "tests/support/scenario_names.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

TEST_CASE("docs/gallery.md shows every scenario as it is; tools/gallery > docs/gallery.md writes it again") {
  const std::string gallery = test::read_file("docs/gallery.md");
  const std::vector<std::string> names = test::all_scenarios();
  std::string folders;
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(gallery.find("\n## " + name + "\n") != std::string::npos);
    const test::GalleryRun& run = test::gallery_run(name);
    CHECK_MESSAGE(run.code == 0, run.error);
    CHECK_MESSAGE(gallery.find(run.section) != std::string::npos, run.section);
    for (const std::string& mistake :
         test::terminal_mistakes(run.section, nlohmann::json::parse(test::read_file(run.folder + "/summary.json"))))
      FAIL_CHECK(mistake);
    folders += " '" + run.folder + "'";
  }
  // The page, the files and the summary have the same numbers.
  const test::Ending pages = test::shell("'" WINDROW_NODE "' tests/page/all_numbers.mjs" + folders);
  CHECK_MESSAGE(pages.code == 0, pages.error);
  CHECK(pages.out == fmt::format("{} pages; 0 mistakes\n", names.size()));
}

}  // namespace
}  // namespace windrow
