#include "sim/words/plain_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "sim/base/nearest.h"

namespace windrow {

void read_value(Cursor& cursor, TokenNumber& value) {
  cursor.skip_spaces();
  const std::size_t at = cursor.at();
  const std::string_view text = cursor.until("");
  const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* const end = text.data() + text.size();
  const auto [read_to, error] = std::from_chars(begin, end, value.token);
  constexpr const char* accepted = "-9223372036854775807 to 9223372036854775807";
  if (text.empty() || read_to != end || error == std::errc::invalid_argument) cursor.fail(at, "is no token", accepted);
  if (error == std::errc::result_out_of_range) cursor.fail(at, "is beyond 64 bits", accepted);
  if (value.token == min_token) cursor.fail(at, "is a token that no key has", accepted);
}

void read_value(Cursor& cursor, NameList& value) {
  do {
    cursor.skip_spaces();
    const std::size_t at = cursor.at();
    std::string_view name = cursor.until("+");
    if (name.empty()) cursor.fail(at, "lacks a name", "names joined by +");
    if (name.size() > 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    value.names.emplace_back(name);
  } while (cursor.take('+'));
}

void read_value(Cursor& cursor, ReferredName& value) {
  const std::string_view name = cursor.until("");
  value.name = std::string(name);
}

std::size_t read_word_of(Cursor& cursor, const std::vector<std::string>& words) {
  cursor.skip_spaces();
  const std::size_t at = cursor.at();
  const std::string_view word = cursor.word();
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) {
    if (word.empty()) cursor.until(" ");
    cursor.fail(at, fmt::format("is none of {}", fmt::join(words, ", ")), fmt::format("{}", fmt::join(words, ", ")),
                std::string(nearest_name(word, words)));
  }
  return static_cast<std::size_t>(found - words.begin());
}

}  // namespace windrow
