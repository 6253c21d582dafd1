#include <doctest/doctest.h>

#include <string_view>

#include "fuzz/any_scenario.h"
#include "tests/support/cql_corpus.h"

namespace windrow {
namespace {

TEST_CASE("everything that the fuzzer of scenarios found interesting is accepted or refused with a message") {
  const int inputs = test::each_of_corpus("scenario", [](std::string_view input, int) { AnyScenario{input}; });
  CHECK(inputs > 500);
}

}  // namespace
}  // namespace windrow
