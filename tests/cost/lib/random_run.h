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
/// about how long it is, and so what it costs. `draw`: another for each number, of the same words, as if so many more
/// keys had moved the dice. `times`: so many times as many entities; above 1 no key is hashed, as of large tables.
RandomRun random_run(std::uint64_t seed, std::int64_t days, int draw = 0, std::int64_t times = 1);

}  // namespace windrow
