#include "sim/cost/size_looks.h"

#include <algorithm>
#include <limits>

#include "sim/engine/closeness.h"

namespace windrow {

namespace {

constexpr double shortest_in_two_bytes = 128;
constexpr double shortest_in_three_bytes = 16'384;

bool differ_in_length(double least, double most) {
  const auto between = [&](double border) { return least < border && most >= border; };
  return between(shortest_in_two_bytes) || between(shortest_in_three_bytes);
}

}  // namespace

SizeLooks looks_for_sizes(const std::vector<ExpectedWriter>& writers, double rows, bool something_dead,
                          double most_rows, const Passes& passes) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const ExpectedWriter& each : writers) {
    if (each.one_by_one || each.all_rows <= 0) continue;
    least = std::min(least, each.least_row_bytes);
    most = std::max(most, each.most_row_bytes);
  }
  const bool flushes_differ = differ_in_length(least, most);
  SizeLooks looks;
  if (flushes_differ && rows <= static_cast<double>(rows_worth_a_look)) looks.in_flushes = 1;
  if (!flushes_differ && !(something_dead && most >= shortest_in_two_bytes)) return looks;
  const double inputs = std::max(2.0, passes.read / std::max(passes.compactions, 1e-9));
  double passes_left = passes.of_a_row - 1;
  for (double of_output = rows * inputs; passes_left > 0 && of_output <= most_rows;
       of_output *= inputs, passes_left -= 1)
    looks.in_outputs += std::min(1.0, passes_left);
  return looks;
}

}  // namespace windrow
