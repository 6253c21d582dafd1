#include "sim/record/written_rows.h"

#include <algorithm>

#include "sim/content/undated.h"

namespace windrow {

namespace {

/// True of rows that stay as they were written until something else of the table removes them.
bool lasting(const ContentSpace& space, const Cohort& cohort) {
  return undated(space, cohort) && cohort.state == RowState::live && !cohort.slots && !cohort.sets;
}

}  // namespace

void WrittenRows::flushed(const ContentSpace& space, const Change& change) {
  by_sub_stream_.resize(space.workload().sub_streams().size());
  Rows rows = 0;
  for (const SSTablePtr& file : change.added) {
    if (!known_) return;
    const Content& content = file->content();
    known_ = !content.keyed &&
             std::ranges::all_of(content.cohorts, [&](const Cohort& cohort) { return lasting(space, cohort); });
    for (const Cohort& cohort : content.cohorts) {
      std::vector<Members>& members = by_sub_stream_[static_cast<std::size_t>(cohort.sub_stream)];
      const bool of_sibling = !members.empty() && cohort.cut_by_tokens() && members.back().second == cohort.to;
      if (of_sibling) continue;  // the same rows of other tokens
      rows += (cohort.to - cohort.from) * space.writer_of(cohort).rows_per_event;
      if (!members.empty() && members.back().second == cohort.from) {
        members.back().second = cohort.to;
      } else {
        members.emplace_back(cohort.from, cohort.to);
      }
    }
  }
  known_ = known_ && rows == change.ledger.out;
}

std::optional<Content> WrittenRows::all(const TableStore& store) const {
  const RowBalance& balance = store.balance();
  const Rows gone = balance.shadowed + balance.purged + balance.dropped_with_files + balance.duplicates;
  if (!known_ || gone > 0 || balance.streamed > 0) return {};
  Content content;
  for (std::size_t s = 0; s < by_sub_stream_.size(); ++s) {
    for (const auto& [first, end] : by_sub_stream_[s])
      content.cohorts.push_back({.sub_stream = static_cast<int>(s), .from = first, .to = end});
  }
  return content;
}

}  // namespace windrow
