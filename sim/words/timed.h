#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/words/quantities.h"

namespace windrow {

/// A value that may change in time: `A then B from DATE then C from DATE`.
template <class T>
struct Timed {
  struct Part {
    std::optional<Micros> from_us{};  // of the first part: none
    T value{};
  };
  std::vector<Part> parts{};

  /// The part that holds at a time.
  const T& at(Micros us) const {
    const T* value = &parts.front().value;
    for (const Part& part : parts) {
      if (part.from_us && *part.from_us <= us) value = &part.value;
    }
    return *value;
  }
  bool changes() const { return parts.size() > 1; }
};

inline constexpr std::size_t most_parts_in_time = 100;

/// Reads the parts with read_value(cursor, value).
template <class T>
void read_value(Cursor& cursor, Timed<T>& timed) {
  constexpr std::string_view accepted = "A then B from DATE, with dates that ascend";
  timed.parts.emplace_back();
  read_value(cursor, timed.parts.back().value);
  while (cursor.take_word("then")) {
    if (timed.parts.size() >= most_parts_in_time)
      cursor.fail(cursor.at(), "changes too often", "at most 100 values in time; a profile takes more");
    const std::optional<Micros> before = timed.parts.back().from_us;
    timed.parts.emplace_back();
    read_value(cursor, timed.parts.back().value);
    cursor.skip_spaces();
    const std::size_t at = cursor.at();
    if (!cursor.take_word("from")) cursor.fail(at, "needs `from DATE` after `then`", std::string(accepted));
    const Moment from = read_moment(cursor);
    if (before && from.us <= *before) cursor.fail(at, "has dates that do not ascend", std::string(accepted));
    timed.parts.back().from_us = from.us;
  }
}

}  // namespace windrow
