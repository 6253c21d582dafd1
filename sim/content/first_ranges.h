#pragma once

#include <map>
#include <span>
#include <vector>

#include "sim/content/content.h"

namespace windrow {

/// Deletes of what is older in a partition, which come again and again: the last is what takes a row away, the first is
/// when it was deleted.
class FirstRanges {
 public:
  FirstRanges() = default;
  explicit FirstRanges(const ContentSpace& space);

  struct Range {
    Deletion deletion{};
    std::int64_t until_ms = 0;
  };
  /// Of a partition, in order of arrival.
  std::span<const Range> of(Token token) const;
  /// Second of the first one that lies on a row written then; `last_s` if that is not later.
  Seconds first_s(Token token, std::int64_t clustering, Micros written_us, Seconds last_s) const;

 private:
  std::map<Token, std::vector<Range>> ranges_{};
};

}  // namespace windrow
