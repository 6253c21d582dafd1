#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/words/cursor.h"
#include "sim/words/quantities.h"

namespace windrow {

// read_value(cursor, value): one overload per type that a key may have. They stop after the value.

inline void read_value(Cursor& cursor, Duration& value) { value = read_duration(cursor); }
inline void read_value(Cursor& cursor, Moment& value) { value = read_moment(cursor); }
inline void read_value(Cursor& cursor, Size& value) { value = read_size(cursor); }
inline void read_value(Cursor& cursor, ByteRate& value) { value = read_byte_rate(cursor); }
inline void read_value(Cursor& cursor, Rate& value) { value = read_rate(cursor); }
inline void read_value(Cursor& cursor, Share& value) { value = read_share(cursor); }

/// Free text, the rest of the line.
struct Text {
  std::string text{};
};
inline void read_value(Cursor& cursor, Text& value) {
  value.text = std::string(cursor.text());
  cursor.move_to(cursor.text().size());
}

/// A whole number without unit.
struct Count {
  std::int64_t count = 0;
};
inline void read_value(Cursor& cursor, Count& value) { value.count = read_whole_number(cursor, 1'000'000'000'000'000); }

/// A number without unit.
struct Number {
  double number = 0;
};
inline void read_value(Cursor& cursor, Number& value) { value.number = read_plain_number(cursor); }

/// A token of Murmur3Partitioner: a whole number of 64 bits, not its least, which no key has.
struct TokenNumber {
  Token token = 0;
};
void read_value(Cursor& cursor, TokenNumber& value);

/// Names joined by ` + `.
struct NameList {
  std::vector<std::string> names{};
};
void read_value(Cursor& cursor, NameList& value);

/// A name of the scenario or the schema.
struct ReferredName {
  std::string name{};
};
void read_value(Cursor& cursor, ReferredName& value);

/// One word of a closed list; fails with the list and the nearest word.
std::size_t read_word_of(Cursor& cursor, const std::vector<std::string>& words);

template <class Value>
Value read_choice(Cursor& cursor, const std::vector<std::pair<std::string, Value>>& choices) {
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) words.push_back(word);
  return choices[read_word_of(cursor, words)].second;
}

inline void read_value(Cursor& cursor, bool& value) {
  value = read_choice<bool>(cursor, {{"true", true}, {"false", false}});
}

}  // namespace windrow
