#pragma once

#include <string>
#include <vector>

namespace windrow {

/// One number or text of a recording that we compute differently.
struct Disagreement {
  std::string case_name{};
  std::string field{};
  std::string expected{};
  std::string ours{};
};

using Disagreements = std::vector<Disagreement>;

}  // namespace windrow
