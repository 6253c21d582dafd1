#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace windrow {

/// A piece of input as the user knows it: a file's name, or what stands for it (`--set`), and its text.
struct SourceText {
  std::string name{};
  std::string text{};

  /// Line from 1, without its end; empty beyond the last.
  std::string_view line(int number) const;
};

/// Where something stands in its source. Line and column count from 1, columns in characters. Line 0: nowhere.
struct Place {
  std::shared_ptr<const SourceText> source{};
  int line = 0;
  int column = 0;
  int length = 1;

  /// The place `bytes` later within the same line, covering `covered` bytes.
  Place later(std::size_t bytes, std::size_t covered) const;
  std::string file() const { return source ? source->name : std::string(); }
};

/// Characters (UTF-8) of a text.
int count_characters(std::string_view text);
/// Byte position of the character with this number (from 0); the text's size beyond the last.
std::size_t byte_of_character(std::string_view text, int number);
/// Safe to print on a terminal: control and direction characters become `?`, a tab becomes a space.
std::string shown_in_place(std::string_view text);

}  // namespace windrow
