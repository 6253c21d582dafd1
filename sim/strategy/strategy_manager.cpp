#include "sim/strategy/strategy_manager.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/check.h"

namespace windrow {
namespace {

using Kind = HolderKey::Kind;

std::int64_t estimate_of(const InstanceState& instance, const LiveSet& live) {
  return live.strategy().estimated_remaining(instance.estimated_remaining, *live.find_holder(instance.holder));
}

/// The holder of one kind among those of which the manager asks one after the other.
struct Supplier {
  const InstanceState* instance = nullptr;
  std::int64_t estimate = 0;
};

/// PendingRepairManager.getNextBackgroundTask: of the sessions that have not ended only that with the most tasks is
/// asked, the first of equals.
Supplier session_to_ask(const ManagerState& state, const EndedSessions& ended, const LiveSet& live) {
  Supplier best;
  for (const InstanceState& instance : state) {
    if (instance.holder.kind != Kind::pending || ended.contains(instance.holder.session)) continue;
    const std::int64_t estimate = estimate_of(instance, live);
    if (best.instance == nullptr || estimate > best.estimate) best = {&instance, estimate};
  }
  return best;
}

/// The instances that a call asks, in this order, until one has a task.
boost::container::small_vector<Supplier, 3> suppliers(const ManagerState& state, const EndedSessions& ended,
                                                      const LiveSet& live) {
  boost::container::small_vector<Supplier, 3> all;
  if (state.size() == 1) {
    all.push_back({&state.front(), 0});
    return all;
  }
  if (const Supplier session = session_to_ask(state, ended, live); session.instance != nullptr) {
    all.push_back(session);
  }
  for (const InstanceState& instance : state) {
    if (instance.holder.kind != Kind::pending) all.push_back({&instance, estimate_of(instance, live)});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Supplier& a, const Supplier& b) { return a.estimate > b.estimate; });
  return all;
}

/// PendingRepairManager.getNextRepairFinishedTask: the first session that has ended decides, and while one of its files
/// is compacting there is no such task at all.
std::optional<Pick> repair_finished(const EndedSessions& ended, const LiveSet& live) {
  for (const auto& holder : live.holders()) {
    if (holder->key().kind != Kind::pending || !ended.contains(holder->key().session)) continue;
    Pick pick{.kind = PickKind::repair_finished, .inputs = {}, .holder = holder->key(), .rule = "10.2 repair finished"};
    for (const FilePlace& place : holder->oldest_first()) {
      if (place.file->compacting) return std::nullopt;
      pick.inputs.push_back(place.file->id);
    }
    pick.repaired_at_ms = ended.at(holder->key().session);
    return pick;
  }
  return std::nullopt;
}

}  // namespace

ManagerState new_manager_state(Millis now_ms, const LiveSet& live) {
  ManagerState state;
  for (const auto& holder : live.holders()) {
    state.push_back({.holder = holder->key(), .strategy = live.strategy().new_state(now_ms, holder.get())});
  }
  return state;
}

ManagerAnswer next_background_task(const ManagerState& state, const EndedSessions& ended, const TableView& view) {
  ManagerAnswer answer{.pick = {}, .state = state};
  answer.pick = take_background_task(answer.state, ended, view);
  return answer;
}

Pick take_background_task(ManagerState& state, const EndedSessions& ended, const TableView& view) {
  if (!ended.empty()) {
    if (std::optional<Pick> finished = repair_finished(ended, *view.live)) return std::move(*finished);
  }
  Pick pick;
  for (const Supplier& supplier : suppliers(state, ended, *view.live)) {
    const HolderKey key = supplier.instance->holder;
    TableView own = view;
    own.holder = view.live->find_holder(key);
    Answer of_instance = view.live->strategy().next_task(supplier.instance->strategy, own);
    InstanceState& after = state[static_cast<std::size_t>(supplier.instance - state.data())];
    after.strategy = std::move(of_instance.state);
    after.estimated_remaining = of_instance.pick.estimated_remaining;
    pick = std::move(of_instance.pick);
    pick.holder = key;
    if (pick.kind != PickKind::none) break;
  }
  return pick;
}

std::int64_t estimated_remaining(const ManagerState& state, const EndedSessions& ended, const LiveSet& live,
                                 HolderKey::Kind kind) {
  if (kind == Kind::pending) return session_to_ask(state, ended, live).estimate;
  return estimate_of(state_of(state, {.kind = kind}), live);
}

void follow_holders(Millis now_ms, const LiveSet& live, ManagerState& state) {
  const auto same = [](const InstanceState& instance, const std::unique_ptr<Holder>& holder) {
    return instance.holder == holder->key();
  };
  if (std::ranges::equal(state, live.holders(), same)) return;
  ManagerState followed;
  for (const auto& holder : live.holders()) {
    const auto known = std::ranges::find(state, holder->key(), &InstanceState::holder);
    followed.push_back(known != state.end() ? *known
                                            : InstanceState{.holder = holder->key(),
                                                            .strategy = live.strategy().new_state(now_ms, nullptr)});
  }
  state = std::move(followed);
}

const InstanceState& state_of(const ManagerState& state, const HolderKey& holder) {
  const auto instance = std::ranges::find(state, holder, &InstanceState::holder);
  SIM_CHECK(instance != state.end(), "every holder has a strategy instance");
  return *instance;
}

InstanceState& state_of(ManagerState& state, const HolderKey& holder) {
  return const_cast<InstanceState&>(state_of(std::as_const(state), holder));
}

Millis next_interesting(const ManagerState& state, const EndedSessions& ended, const TableView& view) {
  Millis next_ms = no_deletion_time;
  if (!ended.empty() && repair_finished(ended, *view.live)) return view.now_ms;
  for (const Supplier& supplier : suppliers(state, ended, *view.live)) {
    TableView own = view;
    own.holder = view.live->find_holder(supplier.instance->holder);
    next_ms = std::min(next_ms, view.live->strategy().next_interesting(supplier.instance->strategy, own));
  }
  return next_ms;
}

ManagerState after_fruitless_asks(ManagerState state, const EndedSessions& ended, const LiveSet& live,
                                  const FruitlessAsks& asks) {
  for (const Supplier& supplier : suppliers(state, ended, live)) {
    InstanceState& instance = state[static_cast<std::size_t>(supplier.instance - state.data())];
    instance.strategy = live.strategy().after_fruitless_asks(instance.strategy, asks);
  }
  return state;
}

}  // namespace windrow
