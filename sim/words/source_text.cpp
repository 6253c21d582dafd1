#include "sim/words/source_text.h"

#include <algorithm>

namespace windrow {

namespace {

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

// Bidirectional controls (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) and line separators (U+2028, U+2029).
bool turns_direction(std::string_view rest) {
  if (rest.size() < 3 || rest[0] != '\xE2') return false;
  const auto second = static_cast<unsigned char>(rest[1]);
  const auto third = static_cast<unsigned char>(rest[2]);
  if (second == 0x80) return third == 0x8E || third == 0x8F || (third >= 0xA8 && third <= 0xAE);
  return second == 0x81 && third >= 0xA6 && third <= 0xA9;
}

}  // namespace

std::string_view SourceText::line(int number) const {
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  for (int at = 1; at < number; ++at) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  rest = rest.substr(0, rest.find('\n'));
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

Place Place::later(std::size_t bytes, std::size_t covered) const {
  if (!source || line == 0) return *this;
  const std::string_view whole = source->line(line);
  const std::size_t begin = std::min(byte_of_character(whole, column - 1) + bytes, whole.size());
  Place place = *this;
  place.column = count_characters(whole.substr(0, begin)) + 1;
  place.length = std::max(1, count_characters(whole.substr(begin, covered)));
  return place;
}

int count_characters(std::string_view text) { return static_cast<int>(std::ranges::count_if(text, begins_character)); }

std::size_t byte_of_character(std::string_view text, int number) {
  int seen = -1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins_character(text[i]) && ++seen == number) return i;
  }
  return text.size();
}

std::string shown_in_place(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (text[i] == '\t') {
      out += ' ';
    } else if (byte < 0x20 || byte == 0x7F) {
      out += '?';
    } else if (byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) {
      out += '?';
      ++i;
    } else if (turns_direction(text.substr(i))) {
      out += '?';
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace windrow
