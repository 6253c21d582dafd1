#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/strategy/repair_status.h"
#include "sim/strategy/strategy.h"

namespace windrow {

// CompactionStrategyManager, PendingRepairHolder and PendingRepairManager, Cassandra 5.0.9 (rules 10.1, 10.2): a table
// has a strategy instance for its repaired files, one for the unrepaired ones, and one for each session of a repair
// that has not ended.

/// What one instance remembers.
struct InstanceState {
  HolderKey holder{};
  StrategyState strategy{};
  std::int64_t estimated_remaining = 0;  // of its last call, where the strategy does not look afresh
  friend bool operator==(const InstanceState&, const InstanceState&) = default;
};
/// In the order of the live set's holders.
using ManagerState = boost::container::small_vector<InstanceState, 1>;

/// Sessions that have ended, and when they had begun, which is the repairedAt of their files; 0: failed.
using EndedSessions = std::map<std::int64_t, Millis>;

struct ManagerAnswer {
  Pick pick{};
  ManagerState state{};
};

/// New instances for every holder of view.live: at CREATE, after ALTER of the compaction map, after a restart.
ManagerState new_manager_state(Millis now_ms, const LiveSet& live);

/// One call of getNextBackgroundTask. A session that has ended gives a task of kind `repair_finished`; otherwise the
/// instances with the most estimated tasks are asked first, of sessions only one.
ManagerAnswer next_background_task(const ManagerState& state, const EndedSessions& ended, const TableView& view);
/// The same; the state moves where it is.
Pick take_background_task(ManagerState& state, const EndedSessions& ended, const TableView& view);

/// What the manager sorts the holders of a kind by: of sessions the most among those that have not ended.
std::int64_t estimated_remaining(const ManagerState& state, const EndedSessions& ended, const LiveSet& live,
                                 HolderKey::Kind kind);

/// After files came, went or changed their status: states of sessions that got their first file, and none of those
/// that have no file left.
void follow_holders(Millis now_ms, const LiveSet& live, ManagerState& state);

const InstanceState& state_of(const ManagerState& state, const HolderKey& holder);
InstanceState& state_of(ManagerState& state, const HolderKey& holder);

/// Strategy::next_interesting of all instances.
Millis next_interesting(const ManagerState& state, const EndedSessions& ended, const TableView& view);

/// Strategy::after_fruitless_asks of those that are asked.
ManagerState after_fruitless_asks(ManagerState state, const EndedSessions& ended, const LiveSet& live,
                                  const FruitlessAsks& asks);

}  // namespace windrow
