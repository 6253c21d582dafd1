#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/limits/limits.h"
#include "sim/page/sentence.h"

namespace windrow {

/// When a finding is felt, counted from the start of the run.
enum class Term { immediate, near, later };
inline constexpr int immediate_days = 30;
inline constexpr int near_days = 180;

struct RunFinding {
  Term term = Term::later;
  Fact since{};  // its date in the summary; the end of the run for what only shows there
  Sentence what{};
  std::string_view why{};         // it matters
  Sentence cause{};               // in this run; empty: nobody has looked
  std::vector<Sentence> tried{};  // fixes that were run, and what came of them
  std::string_view moved_by{};    // where nothing was tried: what moves it
};

/// What moves one of the limits of summary.json.
const Knob& knob_of(const Facts& summary, const Facts& limit);

/// What this run found, by term, then date, then in the order of the tables.
std::vector<RunFinding> findings(const Facts& summary, const std::vector<std::string>& tables);

}  // namespace windrow
