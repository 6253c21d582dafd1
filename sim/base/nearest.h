#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace windrow {

/// Letters to insert, delete, replace or swap with their neighbour to make `a` of `b`, ASCII case aside
/// (Damerau-Levenshtein, each place touched once).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::array<std::vector<std::size_t>, 3> rows;  // the row before last, the last one, this one
  for (auto& row : rows) row.assign(b.size() + 1, 0);
  for (std::size_t j = 0; j <= b.size(); ++j) rows[1][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    rows[2][0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      std::size_t steps = std::min({rows[1][j] + 1, rows[2][j - 1] + 1, rows[1][j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) steps = std::min(steps, rows[0][j - 2] + 1);
      rows[2][j] = steps;
    }
    std::rotate(rows.begin(), rows.begin() + 1, rows.end());
  }
  return rows[1][b.size()];
}

/// The name of `names` that was probably meant by `written`: the first of the closest ones, if at most a third of its
/// letters (and at least one, at most four) differ, never all of them. Empty if none is near.
template <class Names>
std::string_view nearest_name(std::string_view written, const Names& names) {
  constexpr std::size_t longest_sensible = 64;
  if (written.size() > longest_sensible) return {};
  std::string_view best;
  std::size_t fewest = std::min(std::clamp<std::size_t>(written.size() / 3, 1, 4) + 1, written.size());
  for (const auto& each : names) {
    const std::string_view name(each);
    if (name.size() > longest_sensible) continue;
    const std::size_t steps = edit_distance(written, name);
    if (steps < fewest) {
      fewest = steps;
      best = name;
    }
  }
  return best;
}

}  // namespace windrow
