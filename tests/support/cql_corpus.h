#pragma once

#include <doctest/doctest.h>

#include <charconv>
#include <string>
#include <string_view>

#include "tests/support/xz.h"

namespace windrow::test {

/// Calls `each(input, number)` for everything that the fuzzer of the CQL reader found interesting; tells how many there
/// were. The file holds each input after its length and a line break.
template <typename Each>
int each_of_cql_corpus(const Each& each) {
  const std::string packed = read_xz("tests/data/cql-corpus/corpus.xz");
  std::string_view left = packed;
  int inputs = 0;
  while (!left.empty()) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), length);
    REQUIRE(error == std::errc{});
    left.remove_prefix(static_cast<std::size_t>(end - left.data()) + 1);
    each(left.substr(0, length), inputs);
    left.remove_prefix(length);
    ++inputs;
  }
  return inputs;
}

}  // namespace windrow::test
