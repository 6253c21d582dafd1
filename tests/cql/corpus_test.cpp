#include <doctest/doctest.h>

#include <charconv>
#include <string>
#include <string_view>

#include "fuzz/any_text.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

TEST_CASE("everything that the fuzzer found interesting is applied or refused") {
  const std::string packed = test::read_xz("tests/data/cql-corpus/corpus.xz");
  std::string_view left = packed;
  int inputs = 0;
  while (!left.empty()) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), length);
    REQUIRE(error == std::errc{});
    left.remove_prefix(static_cast<std::size_t>(end - left.data()) + 1);
    check_any_text(left.substr(0, length));
    left.remove_prefix(length);
    ++inputs;
  }
  CHECK(inputs > 1'000);
}

}  // namespace
}  // namespace windrow
