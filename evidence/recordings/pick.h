#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/recordings/oracle_scenario.h"
#include "evidence/recordings/trace.h"
#include "evidence/recordings/trace_estimates.h"
#include "sim/schema/compaction_options.h"

namespace windrow {

/// What of a table's options decides which SSTables compact.
struct PickSettings {
  OptionMap compaction{};  // as given
  CompactionOptions options = SizeTieredOptions{};
  Seconds gc_grace_s = 864'000;
  std::int64_t min_index_interval = 128;
};

/// Brings the settings to what they are after a CREATE TABLE or ALTER TABLE; what is not named stays.
using ApplyCql = std::function<void(PickSettings&, std::string_view cql)>;

struct PickDisagreement {
  Seconds t_s = 0;
  std::int64_t pick = 0;   // of the trace; 0: the engine found nothing
  std::string what{};      // inputs, level, expired, pending, live order, ...
  std::string state{};     // what the call saw
  std::string expected{};  // the engine's answer
  std::string ours{};
  std::string rule{};  // that decided ours
};

struct PickResult {
  std::int64_t calls = 0;  // picks + nulls
  std::int64_t picks = 0;
  std::int64_t nulls = 0;       // calls that find nothing, in the engine
  std::int64_t null_loops = 0;  // loops that find nothing at first, as null_ticks counts them
  std::int64_t ties = 0;        // equal number and sizes of files, but others
  std::int64_t unknown = 0;     // calls in which rule 5.7 needed partition tokens that nobody knows
  std::vector<PickDisagreement> disagreements{};
};

/// The pick test: replays the recorded flushes and commits, and asks the strategy wherever the harness did. Every
/// answer, and the strategy's own state, is compared with the engine's; `tokens` may be null.
PickResult verify_picks(const OracleScenario& scenario, const Trace& trace, const ApplyCql& apply_cql,
                        const TokensOf* tokens = nullptr);

}  // namespace windrow
