#pragma once

#include "sim/cli/prepared_run.h"

namespace windrow {

/// How far fixes of broken limits are tried: `off`, `quick` (a few each, within a bound), `full`.
enum class AdviceSearch { off, quick, full };
void add_advice_option(boost::program_options::options_description& options);
/// Throws UserError.
AdviceSearch advice_search(const boost::program_options::variables_map& options);

/// Fills record.growth and record.advice, beside each other; nothing to do with `off`. `assignments`: those that the
/// run was prepared with. `phase`: which one this is.
void search_beside(const PreparedRun& prepared, GrowthSearch growth, const std::vector<std::string>& assignments,
                   AdviceSearch advice, const Advance& advance, const Step& phase, RunRecord& record);

}  // namespace windrow
