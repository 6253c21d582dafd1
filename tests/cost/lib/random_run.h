#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace windrow {

/// A scenario as a user may write it.
struct RandomRun {
  std::string ini{};
  std::map<std::string, std::string> files{};  // by name
};

/// Any words of the language together, on tables of any strategy: many are refused for what they say together. `days`:
/// about how long it is, and so what it costs.
RandomRun random_run(std::uint64_t seed, std::int64_t days);

}  // namespace windrow
