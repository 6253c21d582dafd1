#include "sim/text/aligned.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/text/text.h"

namespace windrow {

void AlignedText::add_texts(const std::vector<std::string>& texts) {
  std::vector<Cell> cells;
  for (const std::string& text : texts) cells.push_back({.text = text});
  add_row(std::move(cells));
}

std::string AlignedText::text(std::size_t indent) const {
  std::vector<std::size_t> widths(sides_.size(), 0);
  for (const auto& row : rows_) {
    SIM_CHECK(row.size() <= sides_.size(), "a row has no more cells than there are columns");
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_width(row[i].text));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - text_width(row[i].text), ' ');
      const std::string cell = row[i].before + row[i].text + row[i].after;
      if (i > 0) line += "  ";
      line += sides_[i] == Side::right ? pad + cell : cell + pad;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace windrow
