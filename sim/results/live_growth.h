#pragma once

#include <optional>
#include <string_view>

#include "sim/record/run_record.h"

namespace windrow {

/// Whether a table's disk goes on growing after the run, as far as the run can tell.
struct LiveGrowth {
  enum class Kind {
    not_asked,  // one of a table's months, or nothing is on disk
    steady,     // after everything that expires or is deleted has been replaced once, equal phases hold as much
    grows,      // it grows evenly from phase to phase, half of it or more by what can be read or is blocked for ever
    not_known   // `why`
  };
  Kind kind = Kind::not_asked;
  std::optional<Micros> since_us{};  // where the phases begin: nothing that expires is left of what was before
  std::optional<double> per_year{};  // bytes, of one that grows
  double share = 0;                  // what the second half of the phases holds more, of what it holds
  std::string_view why{};            // it is not known
  std::optional<Seconds> run_s{};    // no shorter run can tell; the longest stay so far is in it, so that it may grow
};

LiveGrowth live_growth(const RunRecord& record, const TableRecord& table);

std::string_view live_growth_name(LiveGrowth::Kind kind);

}  // namespace windrow
