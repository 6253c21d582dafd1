#pragma once

#include <cstdint>
#include <vector>

#include "sim/strategy/strategy.h"

namespace windrow {

/// The periodic check of TWCS and UCS (rules 7.6, 9.10): which of the instance's files that are not compacting are
/// fully expired, by ascending maximum local deletion time.
std::vector<const SSTableView*> expired_idle_files(const TableView& view, bool ignore_overlaps);

/// Whether the periodic check is due (strict).
bool expired_check_due(Millis now_ms, Millis last_check_ms, Seconds frequency_s);

/// Earliest time of an ask at which the periodic check could find something, seen from an ask at view.now_ms that found
/// nothing; no_deletion_time if never.
Millis next_expired_check_ms(const TableView& view, Millis last_check_ms, Seconds frequency_s, bool ignore_overlaps);

}  // namespace windrow
