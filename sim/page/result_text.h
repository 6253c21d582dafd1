#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace windrow {

/// A file of a result: its text, or how to read it if it is too long to be kept. Of the latter only rows are read
/// (each_result_row).
class ResultText {
 public:
  /// Fills as much as there is, from where it stopped; returns how much. 0: the end.
  using ReadOn = std::function<std::size_t(std::span<char> room)>;

  ResultText() = default;
  ResultText(std::string text) : text_(std::move(text)) {}
  ResultText(const char* text) : text_(text) {}
  /// `open` begins at the first byte each time. The file is not empty.
  static ResultText read_by(std::function<ReadOn()> open) {
    ResultText read;
    read.open_ = std::move(open);
    return read;
  }

  bool empty() const { return text_.empty() && !open_; }
  bool kept() const { return !open_; }
  /// Empty where it is not kept.
  const std::string& text() const { return text_; }
  /// From its first byte; while this is there.
  ReadOn open() const {
    if (open_) return open_();
    return [rest = std::string_view(text_)](std::span<char> room) mutable {
      const std::size_t some = std::min(room.size(), rest.size());
      std::copy_n(rest.begin(), some, room.begin());
      rest.remove_prefix(some);
      return some;
    };
  }

 private:
  std::string text_{};
  std::function<ReadOn()> open_{};
};

/// The files of a result, by name.
using ResultTexts = std::map<std::string, ResultText>;

}  // namespace windrow
