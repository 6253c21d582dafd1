#pragma once

#include <doctest/doctest.h>

#include <charconv>
#include <string>
#include <string_view>

#include "tests/support/xz.h"

namespace windrow::test {

/// Calls `each(input, number)` for everything that a fuzzer found interesting (fuzz/corpus.py: cql, scenario); tells
/// how many there were. The file holds each input after its length and a line break.
template <typename Each>
int each_of_corpus(const std::string& name, const Each& each) {
  const std::string packed = read_xz("tests/data/" + name + "-corpus/corpus.xz");
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

/// What the fuzzer of the CQL reader found.
template <typename Each>
int each_of_cql_corpus(const Each& each) {
  return each_of_corpus("cql", each);
}

}  // namespace windrow::test
