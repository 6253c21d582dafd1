#pragma once

#include <cstdint>

#include "evidence/recordings/oracle_scenario.h"

namespace windrow::witness {

enum class Strategies { size_tiered_and_time_window, leveled_and_unified, all };

/// A small scenario, the same one for the same seed: at most 3 streams, 40 entities and 3 days, a few hundred to a few
/// thousand arrivals. TTLs, late rows, pauses and bursts, deletes of all kinds, overwrites, foreign timestamps, streams
/// that meet in partitions, slow compactions, ALTERs; the strategy changes on the way within the strategies asked for.
OracleScenario random_scenario(std::uint64_t seed, Strategies strategies = Strategies::all);

/// The same with writes that recordings do not have: shares of rows deleted, deletes that begin and end, partitions and
/// ranges deleted by event, history whose events lie elsewhere than its arrivals.
OracleScenario random_scenario_beyond(std::uint64_t seed, Strategies strategies = Strategies::all);

/// The same with static columns, beyond recordings and within, which some streams write with each row and some once.
OracleScenario random_scenario_of_statics(std::uint64_t seed, Strategies strategies = Strategies::all);
/// The same with columns written as null, and a collection that is written whole or appended to.
OracleScenario random_scenario_of_columns(std::uint64_t seed, Strategies strategies = Strategies::all);
/// The same with a stream whose rows come in order, and another that deletes what is older in its partitions.
OracleScenario random_scenario_of_ranges(std::uint64_t seed, Strategies strategies = Strategies::all);

}  // namespace windrow::witness
