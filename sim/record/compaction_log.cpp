#include "sim/record/compaction_log.h"

#include <algorithm>
#include <tuple>

namespace windrow {

std::string_view reason_words(std::string_view rule) {
  const auto of_number = [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == ' '; };
  const auto words = std::ranges::find_if_not(rule, of_number);
  return words == rule.end() ? "asked for" : rule.substr(static_cast<std::size_t>(words - rule.begin()));
}

void CompactionLog::add(const CommitEvent& event, std::string_view strategy, Bytes node_bytes) {
  const Task& task = event.job->task;
  CompactionRow row{.start_us = event.job->started_us,
                    .end_us = event.at_us,
                    .strategy = strategy,
                    .reason = reason_words(task.pick.rule),
                    .count = 1,
                    .inputs = std::ssize(event.removed),
                    .read_bytes = task.bytes_to_read,
                    .dropped_unread = std::ssize(task.expired),
                    .output_sstables = std::ssize(event.change->added),
                    .purged_rows = event.change->ledger.purged};
  for (const SSTablePtr& input : event.removed) row.input_bytes += input->identity().data_bytes;
  for (const SSTablePtr& output : event.change->added) {
    row.output_bytes += output->identity().data_bytes;
    row.output_rows += output->extremes().rows;
  }
  if (all_ || std::max(row.input_bytes, row.output_bytes) * 100 > node_bytes) {
    rows_.push_back(row);
    return;
  }
  const std::int64_t day = event.at_us / us_per_s / seconds_per_day;
  if (day != day_) {
    rows_.insert(rows_.end(), today_.begin(), today_.end());
    today_.clear();
    day_ = day;
  }
  const auto sum = std::ranges::find_if(
      today_, [&](const CompactionRow& other) { return other.strategy == row.strategy && other.reason == row.reason; });
  if (sum == today_.end()) {
    today_.push_back(row);
    return;
  }
  sum->start_us = std::min(sum->start_us, row.start_us);
  sum->end_us = row.end_us;
  sum->count += 1;
  sum->inputs += row.inputs;
  sum->input_bytes += row.input_bytes;
  sum->read_bytes += row.read_bytes;
  sum->dropped_unread += row.dropped_unread;
  sum->output_sstables += row.output_sstables;
  sum->output_bytes += row.output_bytes;
  sum->output_rows += row.output_rows;
  sum->purged_rows += row.purged_rows;
}

std::vector<CompactionRow> CompactionLog::finish() {
  rows_.insert(rows_.end(), today_.begin(), today_.end());
  today_.clear();
  std::ranges::stable_sort(rows_, {}, [](const CompactionRow& row) { return std::tuple(row.end_us, row.start_us); });
  return std::move(rows_);
}

}  // namespace windrow
