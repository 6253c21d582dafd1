#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/record/run_record.h"

namespace windrow {

/// "holds", "breaks another", …: as summary.json has it.
std::string_view ending_name(TriedFix::Ending ending);
/// What came of a fix, in words: "holds", "holds, but breaks sstables_max of readings", "helps, but not enough", …
std::string ending_text(const TriedFix& fix);
/// "--set a=1 --set b=2", with quotes where a shell needs them.
std::string settings_text(std::span<const std::string> settings);

}  // namespace windrow
