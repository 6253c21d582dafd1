#pragma once

#include <map>
#include <string>
#include <utility>

namespace windrow {

/// A file of a result: its text, or where it lies if it is too long to be kept. Of the latter only rows are read
/// (each_csv_row).
class ResultText {
 public:
  ResultText() = default;
  ResultText(std::string text) : text_(std::move(text)) {}
  ResultText(const char* text) : text_(text) {}
  /// `path`: of a file that is there and not empty for as long as this is used.
  static ResultText lies_at(std::string path) {
    ResultText lies;
    lies.path_ = std::move(path);
    return lies;
  }

  bool empty() const { return text_.empty() && path_.empty(); }
  /// Empty where the file is too long.
  const std::string& text() const { return text_; }
  /// Empty where the text is here.
  const std::string& path() const { return path_; }

 private:
  std::string text_{};
  std::string path_{};
};

/// The files of a result, by name.
using ResultTexts = std::map<std::string, ResultText>;

}  // namespace windrow
