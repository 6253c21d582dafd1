#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evidence/recordings/oracle_scenario.h"
#include "sim/strategy/live_set.h"

namespace windrow {

/// Numbers for the sessions that a recorded scenario names.
class SessionNumbers {
 public:
  explicit SessionNumbers(const OracleScenario& scenario);

  std::int64_t of(const std::string& name) const { return numbers_.at(name); }
  /// The beginning of its repair: its first `pending`.
  Millis began_ms(const std::string& name) const { return began_ms_.at(name); }
  /// As recordings write it: unrepaired, repaired, pending S.
  std::string holder_text(const HolderKey& holder) const;

 private:
  std::map<std::string, std::int64_t> numbers_{};
  std::map<std::string, Millis> began_ms_{};
};

/// The kind of holder that a recorded estimate is of; nothing where it is of transient replicas.
std::optional<HolderKey::Kind> recorded_kind(const std::string& holder);

/// The files of which a step of a repair speaks, by id.
std::vector<std::int64_t> repaired_files(const OracleRepair& repair, const LiveSet& live);

/// What becomes of them; not for a session that ends.
RepairStatus status_after(const OracleRepair& repair, const SessionNumbers& sessions);

}  // namespace windrow
