#pragma once

#include <compare>
#include <cstdint>

#include "sim/base/units.h"

namespace windrow {

/// What an SSTable knows of repairs (StatsMetadata: repairedAt, pendingRepair; Cassandra 5.0). Transient replicas are
/// not modelled.
struct RepairStatus {
  Millis repaired_at_ms = 0;  // when the session began that showed it to be alike on all replicas; 0 = unrepaired
  std::int64_t pending_session = 0;  // incremental repair that has not ended yet, by number from 1; 0 = none

  friend bool operator==(const RepairStatus&, const RepairStatus&) = default;
};

/// Whose strategy instance a file belongs to (CompactionStrategyManager's holders, in its order; rule 10.1).
struct HolderKey {
  enum class Kind : std::uint8_t { pending, repaired, unrepaired };
  Kind kind = Kind::unrepaired;
  std::int64_t session = 0;  // of a pending repair

  friend auto operator<=>(const HolderKey&, const HolderKey&) = default;
};

inline HolderKey holder_of(const RepairStatus& status) {
  using enum HolderKey::Kind;
  if (status.pending_session != 0) return {.kind = pending, .session = status.pending_session};
  return {.kind = status.repaired_at_ms > 0 ? repaired : unrepaired};
}

}  // namespace windrow
