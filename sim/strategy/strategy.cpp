#include "sim/strategy/strategy.h"

#include "sim/strategy/worth_dropping_tombstones.h"

namespace windrow {

namespace {

/// The baseline of comparisons.
class NoCompaction final : public Strategy {
 public:
  NoCompaction() : Strategy(CommonCompactionOptions{}) {}
  Answer next_task(const StrategyState& state, const TableView&) const override { return {.state = state}; }
  std::vector<Pick> major_tasks(const TableView&) const override { return {}; }
};

}  // namespace

StrategyPtr new_strategy(const NoCompactionOptions&) { return std::make_shared<const NoCompaction>(); }

StrategyPtr make_strategy(const CompactionOptions& options) {
  return std::visit([](const auto& own) { return new_strategy(own); }, options);
}

Millis Strategy::next_interesting(const StrategyState&, const TableView& view) const {
  return next_worth_dropping_ms(common_, view);
}

std::vector<Pick> Strategy::major_tasks(const TableView& view) const { return task_of_all_files(view, major_task()); }

std::vector<Pick> task_of_all_files(const TableView& view, Pick task) {
  if (view.own().size() == 0) return {};
  for (const FilePlace& place : view.own().oldest_first().descending()) task.inputs.push_back(place.file->id);
  return {std::move(task)};
}

}  // namespace windrow
