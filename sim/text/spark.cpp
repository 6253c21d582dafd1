#include "sim/text/spark.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace windrow {

std::string spark_line(std::span<const double> values, std::size_t width) {
  constexpr std::array<std::string_view, 9> bars = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (values.empty() || width == 0) return {};
  const double most = *std::ranges::max_element(values);
  std::string line;
  for (std::size_t column = 0; column < width; ++column) {
    const std::size_t from = std::min(column * values.size() / width, values.size() - 1);
    const std::size_t to = std::max(from + 1, (column + 1) * values.size() / width);
    const double value = *std::ranges::max_element(values.subspan(from, to - from));
    const double share = most > 0 ? std::max(0.0, value) / most : 0;
    line += bars[static_cast<std::size_t>(std::ceil(share * static_cast<double>(bars.size() - 1)))];
  }
  return line;
}

}  // namespace windrow
