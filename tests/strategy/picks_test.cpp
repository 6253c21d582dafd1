#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/strategy/pick_text.h"

namespace windrow {
namespace {

std::vector<std::filesystem::path> pick_texts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("tests/picks")) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST_CASE("picks as text: tests/picks; UPDATE_GOLDEN=1 rewrites the answers") {
  const bool update = std::getenv("UPDATE_GOLDEN") != nullptr;
  const auto paths = pick_texts();
  CHECK(paths.size() >= 30);
  for (const auto& path : paths) {
    CAPTURE(path.string());
    test::PickText text(text_of(path));
    const std::string answer = text.answer();
    CHECK(text.answer() == answer);  // asked twice
    if (update) {
      std::ofstream(path) << text.updated();
    } else {
      CHECK(text.recorded() == answer);
    }
  }
}

}  // namespace
}  // namespace windrow
