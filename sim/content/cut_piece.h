#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/content/plain_rows.h"

namespace windrow {

/// What the files that were cut from one content hold, said once for all of them.
struct SharedRows {
  std::vector<PlainRows> rows{};        // of the whole content
  std::vector<std::uint32_t> places{};  // among them, of what each file has some of; file by file
};

/// One of these files: what the rows at its places have between its tokens, both inclusive, in the order of a content.
struct CutPiece {
  std::shared_ptr<const SharedRows> of{};  // null: the file says for itself what it holds
  std::uint32_t first = 0;                 // of its places
  std::uint32_t end = 0;
  Token first_token = min_token;
  Token last_token = max_token;

  std::size_t size() const { return end - first; }
  PlainRows operator[](std::size_t i) const {
    PlainRows rows = of->rows[of->places[first + i]];
    rows.first_token = std::max(rows.first_token, first_token);
    rows.last_token = std::min(rows.last_token, last_token);
    return rows;
  }
};

inline std::vector<Cohort> cohorts_of(const CutPiece& piece) {
  std::vector<Cohort> cohorts;
  cohorts.reserve(piece.size());
  for (std::size_t i = 0; i < piece.size(); ++i) cohorts.push_back(cohort_of(piece[i]));
  return cohorts;
}

}  // namespace windrow
