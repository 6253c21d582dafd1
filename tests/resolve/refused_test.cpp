#include <doctest/doctest.h>

#include <string>

#include "sim/resolve/not_modelled.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

TEST_CASE("docs/model.md has every scenario that is refused, and nothing else") {
  const std::string model = test::read_file("docs/model.md");
  const std::size_t begin = model.find("## What is refused");
  REQUIRE(begin != std::string::npos);
  const std::string section = model.substr(begin, model.find("\n## ", begin + 1) - begin);
  for (const NotModelled& row : what_is_not_modelled())
    CHECK_MESSAGE(section.find("\n| " + row.what + " | ") != std::string::npos, row.what);
  std::size_t lines = 0;
  for (std::size_t at = section.find("\n| "); at != std::string::npos; at = section.find("\n| ", at + 1)) ++lines;
  CHECK(lines == what_is_not_modelled().size() + 1);  // and the heading
}

}  // namespace
}  // namespace windrow
