#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace windrow {

/// A mistake in what is to be compared; what() is the whole message.
struct CompareError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A key of the scenario, and the values to try: `--vary KEY=a,b,c`.
struct Variation {
  std::string key{};
  std::vector<std::string> values{};
};

/// Commas within parentheses and quotes belong to a value. Throws CompareError.
Variation read_variation(const std::string& text);

struct Choice {
  std::string key{};
  std::string value{};
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Every combination, the last key's values next to each other; one empty combination if nothing varies. Throws
/// CompareError if a key comes twice or there are more than `most_combinations`.
std::vector<std::vector<Choice>> grid_of(const std::vector<Variation>& variations);
inline constexpr std::size_t most_combinations = 1000;

/// The keys' last parts, each with as many parts as tell it from the others: `bucket`, `readings.rate`.
std::vector<std::string> short_keys(const std::vector<std::string>& keys);

}  // namespace windrow
