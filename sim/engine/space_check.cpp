#include "sim/engine/space_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace windrow {

Bytes available_for_compaction(Bytes usable_bytes) {
  return std::max<Bytes>(0, std::llround(static_cast<double>(usable_bytes - MiB(50)) * 0.95));
}

Bytes needed_bytes(const Task& task, double running_bytes_left) {
  if (task.sources.empty()) return 0;  // only expired inputs: always goes
  return task.bytes_to_read + static_cast<Bytes>(running_bytes_left);
}

std::optional<Pick> reduced_scope(const TableStore& table, const Task& task, Bytes too_many_bytes) {
  const bool level0_only = table.strategy().scope_reduction() == ScopeReduction::level0;
  std::vector<const SSTable*> may_go;
  bool as_before = true;  // what remains has the inputs to read that it has now
  for (const SSTablePtr& source : task.sources) {
    as_before = as_before && source->extremes().max_local_deletion_time_s >= task.gc_before_s;
    if (!level0_only || table.live().at(source->id()).level == 0) may_go.push_back(source.get());
  }
  if (may_go.empty() || (level0_only && (task.pick.level > 1 || may_go.size() < 2))) return std::nullopt;
  // The last input that is read may go only if expired ones remain: then the task drops those and reads nothing.
  if (!level0_only && task.pick.inputs.size() < 2) return std::nullopt;
  const std::size_t least = level0_only ? 2 : 1;  // of those that one may be left out of
  Pick reduced = task.pick;
  do {
    const auto largest =
        std::ranges::max_element(may_go, {}, [](const SSTable* file) { return file->identity().data_bytes; });
    std::erase(reduced.inputs, (*largest)->id());
    too_many_bytes -= (*largest)->identity().data_bytes;
    may_go.erase(largest);
  } while (as_before && too_many_bytes > 0 && reduced.inputs.size() > 1 && may_go.size() >= least);
  return reduced;
}

Millis refusal_holds_until(const TableStore& table, Seconds now_s, const Pick& pick) {
  const PickStands stands = table.strategy().pick_stands();
  const TableView view = table.view(now_s);
  // Time alone decides what is worth a tombstone compaction.
  if (pick.kind != PickKind::normal || stands == PickStands::not_at_all) return view.now_ms;
  Millis until_ms = no_deletion_time;
  view.live->each_file([&](const SSTableView& file) {  // when one expires, inputs may, or lose what blocks them
    const Seconds last_s = file.max_local_deletion_time_s;
    if (last_s == no_deletion_time || last_s < view.gc_before_s) return;
    until_ms = std::min(until_ms, (last_s + table.settings().gc_grace_s + 1) * ms_per_s);
  });
  if (stands == PickStands::until_one_expires) return until_ms;
  // The periodic check takes expired files out of windows and levels of density, and into its own pick alone: UCS has
  // such a task read them where only that check ignores overlaps (rule 9.10).
  if (std::ranges::any_of(
          pick.inputs, [&](std::int64_t id) { return view.live->at(id).max_local_deletion_time_s < view.gc_before_s; }))
    return view.now_ms;
  return std::min(until_ms, table.next_interesting(now_s));
}

}  // namespace windrow
