#include "sim/engine/space_check.h"

#include <algorithm>
#include <cmath>

namespace windrow {

Bytes available_for_compaction(Bytes usable_bytes) {
  return std::max<Bytes>(0, std::llround(static_cast<double>(usable_bytes - MiB(50)) * 0.95));
}

Bytes needed_bytes(const Task& task, double running_bytes_left) {
  if (task.sources.empty()) return 0;  // only expired inputs: always goes
  return task.bytes_to_read + static_cast<Bytes>(running_bytes_left);
}

std::optional<Pick> reduced_scope(const TableStore& table, const Task& task) {
  const bool leveled = std::holds_alternative<LeveledOptions>(table.settings().compaction);
  const SSTable* largest = nullptr;
  std::int64_t droppable = 0;
  for (const SSTablePtr& source : task.sources) {
    if (leveled && table.live().at(source->id()).level != 0) continue;
    ++droppable;
    if (largest == nullptr || source->identity().data_bytes > largest->identity().data_bytes) largest = source.get();
  }
  if (largest == nullptr || (leveled && (task.pick.level > 1 || droppable < 2))) return std::nullopt;
  // The last input that is read may go only if expired ones remain: then the task drops those and reads nothing.
  if (!leveled && task.pick.inputs.size() < 2) return std::nullopt;
  Pick reduced = task.pick;
  std::erase(reduced.inputs, largest->id());
  return reduced;
}

}  // namespace windrow
