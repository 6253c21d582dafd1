#include "tests/cli/gallery_runs.h"

#include <map>

#include "tests/cli/program.h"

namespace windrow::test {

std::string GalleryRun::printed() const {
  const std::string fence = "\n```\n";
  const std::size_t begin = section.find(fence) + fence.size();
  return section.substr(begin, section.rfind("```\n") - begin);
}

const GalleryRun& gallery_run(const std::string& name) {
  static const TestFolder results;
  static std::map<std::string, GalleryRun> runs;
  const auto [place, first] = runs.try_emplace(name);
  if (first) {
    const Ending ending = shell("RESULTS='" + results.path().string() + "' tools/gallery " + name);
    place->second = {.code = ending.code, .section = ending.out, .error = ending.error, .folder = results / name};
  }
  return place->second;
}

}  // namespace windrow::test
