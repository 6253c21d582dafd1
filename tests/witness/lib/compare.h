#pragma once

#include <string>
#include <vector>

#include "evidence/recordings/trace.h"

namespace windrow::witness {

struct Disagreement {
  std::size_t event = 0;  // place in the recording
  std::string where{};    // e.g. "commit at 1767225600, SSTable 17"
  std::string field{};
  std::string recorded{};
  std::string ours{};
};

/// Every field of every event in which two traces differ, in order. When the sequence itself differs (another kind of
/// event, another time, other inputs), what follows is not compared. Not compared: `task`, `type` and `unified_levels`
/// of picks, and bytes on disk, which the engine itself does not repeat.
std::vector<Disagreement> compare(const Trace& recorded, const Trace& ours);

/// One line a disagreement, at most `most` of them.
std::string text_of(const std::vector<Disagreement>& disagreements, std::size_t most = 10);

}  // namespace windrow::witness
