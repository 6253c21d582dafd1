#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/cli/terminal_numbers.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

TEST_CASE("docs/gallery.md shows every scenario as it is; tools/gallery > docs/gallery.md writes it again") {
  const std::string gallery = test::read_file("docs/gallery.md");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("scenarios")) {
    if (entry.path().extension() == ".ini") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  const test::TestFolder results;
  std::string folders;
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(gallery.find("\n## " + name + "\n") != std::string::npos);
    const test::Ending section = test::shell("RESULTS='" + results.path().string() + "' tools/gallery " + name);
    CHECK_MESSAGE(section.code == 0, section.error);
    CHECK_MESSAGE(gallery.find(section.out) != std::string::npos, section.out);
    for (const std::string& mistake : test::terminal_mistakes(
             section.out, nlohmann::json::parse(test::read_file(results / (name + "/summary.json")))))
      FAIL_CHECK(mistake);
    folders += " '" + (results / name) + "'";
  }
  // The page, the files and the summary have the same numbers.
  const test::Ending pages = test::shell("'" WINDROW_NODE "' tests/page/all_numbers.mjs" + folders);
  CHECK_MESSAGE(pages.code == 0, pages.error);
  CHECK(pages.out == fmt::format("{} pages; 0 mistakes\n", names.size()));
}

}  // namespace
}  // namespace windrow
