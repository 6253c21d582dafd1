#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace windrow_test {

/// So many seeds; others in all where WITNESS_SEEDS says how many.
inline std::uint64_t seeds(std::uint64_t usual) {
  const char* asked = std::getenv("WITNESS_SEEDS");
  return asked != nullptr ? std::stoull(asked) : usual;
}

}  // namespace windrow_test
