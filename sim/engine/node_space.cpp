#include <algorithm>

#include "sim/engine/node.h"
#include "sim/engine/space_check.h"

// Compactions and the space on the disk: what fits, what is refused, and until when.
namespace windrow {

std::optional<Task> Node::start_within_space(int t, Pick pick, bool major) {
  TableStore& store = *tables_[static_cast<std::size_t>(t)].store;
  const Pick whole = scenario_.node.disk_bytes > 0 ? pick : Pick{};
  if (scenario_.node.disk_bytes == 0) return store.start(std::move(pick), now_s());
  FullyExpired expiry = store.expiry(now_s());
  Task task = store.draft(std::move(pick), now_s(), expiry);
  const bool none_expired = task.expired.empty();
  const Bytes available = available_for_compaction(scenario_.node.disk_bytes - disk_used_bytes());
  for (;;) {
    const Bytes needed = needed_bytes(task, executor_.bytes_left(now_us_));
    if (needed <= available) {
      store.take(task);
      return task;
    }
    std::optional<Pick> reduced = reduced_scope(store, task, needed - available);
    if (reduced) {
      task = store.draft(std::move(*reduced), now_s(), expiry);
      continue;
    }
    executor_.finished(t);
    const RefusalEvent event{.at_us = now_us_,
                             .table = t,
                             .every_us = scenario_.node.background_check_us,
                             .needed_bytes = needed,
                             .available_bytes = available};
    observer_.refused(*this, event);
    if (!major && none_expired) refuse_until_it_changes(event, whole);
    return std::nullopt;
  }
}

void Node::refuse_until_it_changes(const RefusalEvent& event, const Pick& pick) {
  OpenTable& table = tables_[static_cast<std::size_t>(event.table)];
  if (options_.ask_at_every_check || !executor_.jobs().empty()) return;
  const Millis other_ms = refusal_holds_until(*table.store, now_s(), pick);
  const std::int64_t check = other_ms >= never / 2000 ? no_check : check_from(other_ms * 1000);
  if (check <= coming_check()) return;
  ask_again_at(event.table, check);
  table.refusal = {.event = event, .disk_used_bytes = disk_used_bytes(), .next_check = coming_check()};
  any_refusal_ = true;
}

bool Node::any_space_moved() const {
  if (!any_refusal_) return false;
  for (int t = 0; t < table_count(); ++t) {
    if (space_moved(t)) return true;
  }
  return false;
}

void Node::tell_refusals(std::int64_t until) {
  if (!any_refusal_) return;
  any_refusal_ = std::ranges::any_of(tables_, [](const OpenTable& table) { return table.refusal.has_value(); });
  std::int64_t first = until;
  int refused = 0;
  for (const OpenTable& table : tables_) {
    if (!table.refusal || table.refusal->next_check >= until) continue;
    first = std::min(first, table.refusal->next_check);
    ++refused;
  }
  // Of one table together; of several, check by check.
  for (std::int64_t check = refused == 1 ? until : first + 1; check <= until; ++check) {
    for (int t = 0; t < table_count(); ++t) tell_refusals_of(t, check);
  }
}

void Node::tell_refusals_of(int t, std::int64_t until) {
  std::optional<Refusal>& refusal = tables_[static_cast<std::size_t>(t)].refusal;
  if (!refusal || until <= refusal->next_check) return;
  RefusalEvent again = refusal->event;
  again.at_us = check_time(refusal->next_check);
  again.times = until - refusal->next_check;
  refusal->next_check = until;
  observer_.refused(*this, again);
}

}  // namespace windrow
