#include "sim/resolve/endless.h"

#include <doctest/doctest.h>

#include "sim/words/scenario_error.h"
#include "tests/resolve/support.h"

using namespace windrow;
using namespace windrow::test;

namespace {

std::string refusal(const std::string& stream, const std::string& run, const std::string& more = {}) {
  const LoadedScenario loaded = load(
      small_scenario("entities = 1000\ncolumn.day = day\ncolumn.note = text(20)\n" + stream + more, run), small_files);
  try {
    refuse_what_does_not_end(loaded);
  } catch (const ScenarioError& error) {
    return error.mistake().key + " " + error.mistake().problem;
  }
  return {};
}

}  // namespace

TEST_CASE("a run that would not end, or would do nothing, is refused with the reason") {
  CHECK(refusal("rate = 1/min\n", "length = 3y") == "");
  CHECK(refusal("rate = 0/s\n", "length = 3d") == "stream.readings.rate never writes a row");
  CHECK(refusal("rate = 0/s then 1/s from 2026-01-02\n", "length = 3d") == "");
  CHECK(refusal("rate = 1/min\ngrowth = 1000%/y\n", "length = 3y") == "");
  CHECK(refusal("rate = 1/min\ngrowth = 1000%/y\n", "length = 10y").starts_with("stream.readings.growth comes to 1"));
  CHECK(refusal("rate = 1/min\n", "length = 100y\nsample = 1min").starts_with("run.sample takes 5.3e+07 samples"));
  CHECK(refusal("rate = 1/s\n", "length = 10y", "[table.readings]\nflush_size = 1KiB\n").starts_with("run.length has"));
  CHECK(refusal("rate = 1/min\n", "length = 10y", "[node]\nother_writes = 1TiB/s\n")
            .starts_with("run.length has about 4e+"));
}
