#include <doctest/doctest.h>

#include <string_view>

#include "fuzz/any_text.h"
#include "tests/support/cql_corpus.h"

namespace windrow {
namespace {

TEST_CASE("everything that the fuzzer found interesting is applied or refused") {
  const int inputs = test::each_of_cql_corpus([](std::string_view input, int) { check_any_text(input); });
  CHECK(inputs > 1'000);
}

}  // namespace
}  // namespace windrow
