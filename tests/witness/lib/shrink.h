#pragma once

#include <functional>

#include "evidence/recordings/oracle_scenario.h"

namespace windrow::witness {

/// Makes a failing scenario smaller as long as it still fails: leaves out streams, ALTERs and features one by one,
/// halves its length and its entities, until nothing more can go or `most_tries` scenarios were tried. `fails` must
/// hold for `scenario`.
OracleScenario shrink(OracleScenario scenario, const std::function<bool(const OracleScenario&)>& fails,
                      int most_tries = 400);

}  // namespace windrow::witness
