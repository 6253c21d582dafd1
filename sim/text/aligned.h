#pragma once

#include <string>
#include <vector>

namespace windrow {

/// Rows of cells in columns as wide as their widest cell. Cells may hold colours: widths are told apart from bytes.
class AlignedText {
 public:
  enum class Side { left, right };
  explicit AlignedText(std::vector<Side> sides) : sides_(std::move(sides)) {}

  struct Cell {
    std::string text{};
    std::string before{};  // escape sequences around the text, not counted
    std::string after{};
  };
  void add_row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  void add_texts(const std::vector<std::string>& texts);

  /// Every row on a line of its own, `indent` spaces in, two spaces between columns, none at the end.
  std::string text(std::size_t indent) const;

 private:
  std::vector<Side> sides_;
  std::vector<std::vector<Cell>> rows_{};
};

}  // namespace windrow
