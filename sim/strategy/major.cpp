#include "sim/strategy/major.h"

#include <algorithm>

#include "sim/base/overloaded.h"

namespace windrow {

namespace {

Pick task_of(std::vector<std::int64_t> inputs, const char* rule) {
  return {.kind = PickKind::normal, .inputs = std::move(inputs), .rule = rule};
}

std::vector<std::int64_t> all_files(const TableView& view) {
  std::vector<std::int64_t> ids;
  for (const FilePlace& place : view.own().oldest_first().descending()) ids.push_back(place.file->id);
  return ids;
}

std::vector<Pick> one_task(const TableView& view, const char* rule) {
  if (view.own().size() == 0) return {};
  return {task_of(all_files(view), rule)};
}

/// Files that overlap, also through others.
std::vector<Pick> task_by_group(const TableView& view) {
  struct Place {
    Token first = 0;
    Token last = 0;
    std::int64_t id = 0;
  };
  std::vector<Place> places;
  for (const FilePlace& place : view.own().oldest_first().descending()) {
    const auto [first, last] = place.file->estimates->token_span();
    places.push_back({first, last, place.file->id});
  }
  std::ranges::stable_sort(places, {}, &Place::first);
  std::vector<Pick> tasks;
  Token reached = 0;
  for (const Place& place : places) {
    if (tasks.empty() || place.first > reached) {
      tasks.push_back(task_of({}, "9.14 major compaction"));
      reached = place.last;
    }
    tasks.back().inputs.push_back(place.id);
    reached = std::max(reached, place.last);
  }
  return tasks;
}

}  // namespace

Pick leveled_major_task(const LeveledOptions& options, std::vector<std::int64_t> inputs) {
  Pick task = task_of(std::move(inputs), "8.13 major compaction");
  task.level = 1;
  task.output_limit_bytes = MiB(options.sstable_size_in_mb);
  task.fills_levels = true;
  return task;
}

std::vector<Pick> major_tasks(const CompactionOptions& options, const TableView& view) {
  return std::visit(Overloaded{[&](const SizeTieredOptions&) { return one_task(view, "6.9 major compaction"); },
                               [&](const TimeWindowOptions&) { return one_task(view, "7.10 major compaction"); },
                               [&](const LeveledOptions& leveled) {
                                 if (view.own().size() == 0) return std::vector<Pick>{};
                                 return std::vector{leveled_major_task(leveled, all_files(view))};
                               },
                               [&](const UnifiedOptions&) { return task_by_group(view); },
                               [](const NoCompactionOptions&) { return std::vector<Pick>{}; }},
                    options);
}

}  // namespace windrow
