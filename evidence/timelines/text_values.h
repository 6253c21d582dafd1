#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace windrow {

/// Texts that cells hold, by number.
class TextValues {
 public:
  std::int64_t number(const std::string& text) {
    const auto [place, added] = numbers_.try_emplace(text, static_cast<std::int64_t>(texts_.size()));
    if (added) texts_.push_back(text);
    return place->second;
  }
  const std::string& text(std::int64_t number) const { return texts_[static_cast<std::size_t>(number)]; }

 private:
  std::map<std::string, std::int64_t> numbers_{};
  std::vector<std::string> texts_{};
};

}  // namespace windrow
