#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/cluster/fault_record.h"

namespace windrow {

/// What becomes of rows whose delete some replica missed: who shows them, who stores the delete, what copied them.
struct SuspectHistory {
  using Mask = std::uint64_t;  // a bit a replica

  Mask stored = 0;
  Mask deleted = 0;     // the tombstone is stored
  Mask was_stored = 0;  // before what is judged now
  Mask was_deleted = 0;
  Mask missed = 0;
  std::string why{};
  std::optional<int> purged_on{};
  Micros purged_at_us = 0;
  std::string brought_by{};
  Mask brought_to = 0;
  Micros brought_at_us = 0;
  bool visible = false;
  bool spread = false;
  bool permanent = false;
  bool hinted = false;
  std::string healed_by{};
  std::optional<Micros> healed_at_us{};
  bool expired = false;  // nothing more becomes of it
  bool spared = false;   // an unrepaired tombstone hides it, which reads do not strip

  Mask shown() const { return stored & ~deleted; }
  Mask was_shown() const { return was_stored & ~was_deleted; }
  void remember() {
    was_stored = stored;
    was_deleted = deleted;
  }
  /// What it means that who shows the row and who stores its delete has changed since remember().
  void judge(Micros now_us, const std::string& what, bool hints);
  bool same_as(const SuspectHistory& other) const;
  /// State, who missed it, what was forgotten and copied; when it was healed.
  void tell(SuspectRows& rows) const;
};

/// A replica's in a mask.
constexpr SuspectHistory::Mask bit_of(int node) { return SuspectHistory::Mask{1} << static_cast<unsigned>(node); }

}  // namespace windrow
