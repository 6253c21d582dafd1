#include "sim/cluster/repair_traces.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace windrow {

RepairTraces::RepairTraces(int node, const Scenario& scenario) {
  for (const RepairSpec& repair : scenario.repairs) {
    for (const int t : repair.tables) {
      NodeRepairs& sum = tables_[t].sum;
      sum.table = t;
      sum.node = node;
      sum.incremental = sum.incremental || repair.kind == RepairSpec::Kind::incremental;
    }
  }
}

RepairTraces::OfTable* RepairTraces::of(int t) {
  const auto found = tables_.find(t);
  return found == tables_.end() ? nullptr : &found->second;
}

void RepairTraces::received(const TableStore& table, int t, std::span<const SSTablePtr> files, Micros at_us) {
  OfTable& to = tables_.at(t);
  for (const SSTablePtr& file : files) {
    to.waiting[file->id()] = at_us;
    ++to.sum.received_sstables;
    to.sum.received_bytes += file->bytes_on_disk();
  }
  to.sum.received_at_once = std::max<std::int64_t>(to.sum.received_at_once, std::ssize(files));
  to.windows.reset();
  if (const auto* options = std::get_if<TimeWindowOptions>(&table.settings().compaction)) to.windows.emplace(*options);
  if (!to.windows || files.empty()) return;
  std::map<Millis, std::int64_t> live;
  for (const auto& [id, file] : table.sstables()) ++live[to.windows->start_ms(file->extremes().max_timestamp_us)];
  to.sum.windows = std::max<std::int64_t>(to.sum.windows, std::ssize(live));
  std::map<Millis, std::int64_t> came;
  for (const SSTablePtr& file : files) ++came[to.windows->start_ms(file->extremes().max_timestamp_us)];
  for (const auto& [window, count] : came) {
    const std::int64_t files_now = live[window];
    const auto [place, fresh] = to.touched.try_emplace(window);
    place->second.files = files_now;
    if (!fresh) continue;
    ++to.sum.windows_touched;
    place->second.since_us = at_us;
    place->second.files_before = std::max<std::int64_t>(1, files_now - count);
    if (files_now <= place->second.files_before) leave(to, window, at_us);
  }
}

void RepairTraces::leave(OfTable& table, Millis window, Micros at_us) {
  const auto place = table.touched.find(window);
  table.touched_us += at_us - place->second.since_us;
  table.touched.erase(place);
}

void RepairTraces::flushed(const FlushEvent& event) {
  OfTable* table = of(event.table);
  if (table == nullptr || table->touched.empty()) return;
  for (const SSTablePtr& file : event.change->added) {
    const auto place = table->touched.find(table->windows->start_ms(file->extremes().max_timestamp_us));
    if (place == table->touched.end()) continue;
    ++place->second.files;
    ++place->second.files_before;
  }
}

void RepairTraces::committed(const CommitEvent& event) {
  OfTable* table = of(event.table);
  if (table == nullptr) return;
  if (event.job->task.pick.kind == PickKind::anticompaction) {
    table->sum.divided_sstables += std::ssize(event.removed);
    table->sum.made_sstables += std::ssize(event.change->added);
    for (const SSTablePtr& file : event.change->added) table->sum.anticompacted_bytes += file->identity().data_bytes;
  }
  for (const SSTablePtr& file : event.removed) {
    const auto place = table->waiting.find(file->id());
    if (place == table->waiting.end()) continue;
    ++table->sum.compacted_sstables;
    table->sum.most_compactions_waiting =
        std::max({table->sum.most_compactions_waiting, std::int64_t{1}, event.job->task.pick.estimated_remaining});
    table->waited_us += event.at_us - place->second;
    table->waiting.erase(place);
  }
  if (table->touched.empty()) return;
  std::set<Millis> changed;
  const auto count = [&](const SSTable& file, std::int64_t by) {
    const Millis window = table->windows->start_ms(file.extremes().max_timestamp_us);
    const auto place = table->touched.find(window);
    if (place == table->touched.end()) return;
    place->second.files += by;
    changed.insert(window);
  };
  for (const SSTablePtr& file : event.removed) count(*file, -1);
  for (const SSTablePtr& file : event.change->added) count(*file, 1);
  for (const Millis window : changed) {
    const TouchedWindow& now = table->touched.at(window);
    if (now.files <= now.files_before) leave(*table, window, event.at_us);
  }
}

void RepairTraces::gone(const GoneEvent& event) {
  OfTable* table = of(event.table);
  if (table == nullptr) return;
  table->waiting.clear();
  while (!table->touched.empty()) leave(*table, table->touched.begin()->first, event.at_us);
}

void RepairTraces::sampled(const Node& node) {
  for (auto& [t, table] : tables_) {
    if (!table.sum.incremental) continue;
    Bytes all = 0;
    Bytes repaired = 0;
    Bytes pending = 0;
    for (const auto& [id, file] : node.table(t).sstables()) {
      const RepairStatus& status = node.table(t).live().at(id).repair;
      const Bytes bytes = file->identity().data_bytes;
      all += bytes;
      if (status.pending_session != 0) {
        pending += bytes;
      } else if (status.repaired_at_ms > 0) {
        repaired += bytes;
      }
    }
    if (all == 0) continue;
    ++table.samples;
    table.sum.repaired_at_end = static_cast<double>(repaired) / static_cast<double>(all);
    table.repaired_sum += table.sum.repaired_at_end;
    table.pending_sum += static_cast<double>(pending) / static_cast<double>(all);
  }
}

std::vector<NodeRepairs> RepairTraces::finish(Micros end_us) {
  std::vector<NodeRepairs> all;
  for (auto& [t, table] : tables_) {
    NodeRepairs& sum = table.sum;
    sum.windows_touched_at_end = std::ssize(table.touched);
    while (!table.touched.empty()) leave(table, table.touched.begin()->first, end_us);
    if (sum.windows_touched > 0) sum.window_touched_s = table.touched_us / sum.windows_touched / us_per_s;
    if (sum.compacted_sstables > 0) sum.compacted_after_s = table.waited_us / sum.compacted_sstables / us_per_s;
    if (table.samples > 0) {
      sum.repaired_mean = table.repaired_sum / static_cast<double>(table.samples);
      sum.pending_mean = table.pending_sum / static_cast<double>(table.samples);
    }
    all.push_back(sum);
  }
  return all;
}

}  // namespace windrow
