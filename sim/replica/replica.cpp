#include "sim/replica/replica.h"

#include <algorithm>
#include <iterator>

#include "sim/base/check.h"

namespace windrow {
namespace {

Rows count_rows(const KeyedContent& content) {
  Rows rows = 0;
  for (const KeyedPartition& partition : content) rows += std::ssize(partition.rows);
  return rows;
}

}  // namespace

void KeyedExtremes::see(Micros timestamp_us, Seconds local_deletion_time_s) {
  min_timestamp_us = std::min(min_timestamp_us, timestamp_us);
  max_timestamp_us = std::max(max_timestamp_us, timestamp_us);
  min_local_deletion_time_s = std::min(min_local_deletion_time_s, local_deletion_time_s);
  max_local_deletion_time_s = std::max(max_local_deletion_time_s, local_deletion_time_s);
}

void KeyedExtremes::see(const KeyedPartition& partition) {
  const auto deletion = [&](const Deletion& one) { see(one.timestamp_us, one.local_deletion_time_s); };
  if (partition.deletion) deletion(*partition.deletion);
  for (const KeyedRange& range : partition.ranges) deletion(range.deletion);
  for (const KeyedRow& row : partition.rows) {
    if (row.liveness) see(row.liveness->timestamp_us, row.liveness->expiry_s);
    if (row.deletion) deletion(*row.deletion);
    for (const KeyedCell& cell : row.cells) see(cell.timestamp_us, cell.local_deletion_time_s);
  }
}

void Replica::write(const KeyedPartition& mutation, const CompareValues& values) {
  ++changes_;
  memtable_extremes_.see(mutation);
  const auto [place, added] = memtable_.try_emplace(mutation.token, mutation);
  if (!added) merge_partition(place->second, mutation, values);
}

std::int64_t Replica::add_file(KeyedContent content, const RepairStatus& status) {
  ++changes_;
  if (content.empty()) return 0;
  ReplicaFile file{.id = next_id_++, .content = {}, .status = status, .extremes = {}, .rows = count_rows(content)};
  for (const KeyedPartition& partition : content) file.extremes.see(partition);
  file.content = std::make_shared<const KeyedContent>(std::move(content));
  files_.push_back(std::move(file));
  return files_.back().id;
}

void Replica::flush() {
  KeyedContent content;
  content.reserve(memtable_.size());
  for (auto& [token, partition] : memtable_) {
    shadow(partition);
    if (!partition.empty()) content.push_back(std::move(partition));
  }
  memtable_.clear();
  memtable_extremes_ = {};
  add_file(std::move(content), {});
}

void Replica::wipe() {
  memtable_.clear();
  memtable_extremes_ = {};
  files_.clear();
}

/// CompactionIterator with CompactionController: merges the files, purges what nobody else holds something older of
/// (rules 3.4 to 3.7), and gives the result to `place` before the inputs go.
void Replica::rewrite(std::span<const std::int64_t> ids, const ReplicaTable& table, Seconds now_s,
                      const ReplicaRules& rules, const std::function<void(KeyedContent, const RepairStatus&)>& place) {
  std::vector<const KeyedContent*> inputs;
  std::vector<const ReplicaFile*> others;
  RepairStatus status{};
  bool all_repaired = true;
  for (const ReplicaFile& file : files_) {
    if (std::ranges::find(ids, file.id) == ids.end()) {
      others.push_back(&file);
      continue;
    }
    // CompactionTask.getMinRepairedAt
    if (inputs.empty() || file.status.repaired_at_ms < status.repaired_at_ms) status = file.status;
    all_repaired = all_repaired && holder_of(file.status).kind == HolderKey::Kind::repaired;
    inputs.push_back(file.content.get());
  }
  SIM_CHECK(inputs.size() == ids.size(), "a task rewrites a file that is not there");
  KeyedContent merged = merge_keyed(inputs, table.values);
  const auto earliest = [&](const KeyedPartition& partition) {
    Micros least = no_timestamp;
    for (const ReplicaFile* file : others) {
      if (find_partition(*file->content, partition.token) != nullptr)
        least = std::min(least, file->extremes.min_timestamp_us);
    }
    if (memtable_.contains(partition.token)) least = std::min(least, memtable_extremes_.min_timestamp_us);
    return least;
  };
  const bool may_purge = !table.only_purge_repaired || all_repaired;
  purge_keyed(merged, {.now_s = now_s, .gc_before_s = may_purge ? now_s - table.gc_grace_s : never_purged_s}, earliest,
              rules.purge);
  ++changes_;
  std::erase_if(files_, [&](const ReplicaFile& file) { return std::ranges::find(ids, file.id) != ids.end(); });
  place(std::move(merged), status);
}

void Replica::compact_group(HolderKey::Kind kind, const ReplicaTable& table, Seconds now_s, const ReplicaRules& rules) {
  std::vector<std::int64_t> ids;
  for (const ReplicaFile& file : files_) {
    if (holder_of(file.status).kind == kind) ids.push_back(file.id);
  }
  if (ids.empty()) return;
  rewrite(ids, table, now_s, rules,
          [&](KeyedContent content, const RepairStatus& status) { add_file(std::move(content), status); });
}

void Replica::finish_sessions(const EndedSessions& ended) {
  for (ReplicaFile& file : files_) {
    const auto session = ended.find(file.status.pending_session);
    if (session != ended.end()) file.status = {.repaired_at_ms = session->second, .pending_session = 0};
  }
}

void Replica::compact(const ReplicaTable& table, Seconds now_s, const EndedSessions& ended, const ReplicaRules& rules) {
  if (!rules.pending_files_wait) finish_sessions(ended);
  compact_group(HolderKey::Kind::repaired, table, now_s, rules);
  compact_group(HolderKey::Kind::unrepaired, table, now_s, rules);
  finish_sessions(ended);
}

std::int64_t Replica::anticompact(const ReplicaTable& table, std::span<const TokenInterval> ranges,
                                  std::int64_t session, Seconds now_s, const ReplicaRules& rules) {
  std::vector<std::int64_t> partly;
  for (ReplicaFile& file : files_) {
    if (holder_of(file.status).kind != HolderKey::Kind::unrepaired || !any_meets(ranges, file.tokens())) continue;
    if (any_covers(ranges, file.tokens())) {
      file.status.pending_session = session;
    } else {
      partly.push_back(file.id);
    }
  }
  const auto group = static_cast<std::size_t>(table.anticompaction_group);
  for (std::size_t from = 0; from < partly.size(); from += group) {
    const std::span ids = std::span(partly).subspan(from, std::min(group, partly.size() - from));
    rewrite(ids, table, now_s, rules, [&](KeyedContent content, const RepairStatus& status) {
      const auto outside = std::stable_partition(content.begin(), content.end(), [&](const KeyedPartition& partition) {
        return any_contains(ranges, partition.token);
      });
      KeyedContent rest(std::make_move_iterator(outside), std::make_move_iterator(content.end()));
      content.erase(outside, content.end());
      add_file(std::move(content), {.repaired_at_ms = 0, .pending_session = session});
      add_file(std::move(rest), status);
    });
  }
  return std::ssize(partly);
}

KeyedPartition Replica::merged(Token token, const CompareValues& values) const {
  KeyedPartition all;
  bool any = false;
  const auto take = [&](const KeyedPartition& partition) {
    any ? merge_partition(all, partition, values) : void(all = partition);
    any = true;
  };
  for (const ReplicaFile& file : files_) {
    if (const KeyedPartition* partition = find_partition(*file.content, token)) take(*partition);
  }
  if (const auto fresh = memtable_.find(token); fresh != memtable_.end()) take(fresh->second);
  all.token = token;
  shadow(all);
  return all;
}

std::vector<Token> Replica::tokens() const {
  std::vector<Token> all;
  for (const ReplicaFile& file : files_) {
    for (const KeyedPartition& partition : *file.content) all.push_back(partition.token);
  }
  for (const auto& [token, partition] : memtable_) all.push_back(token);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace windrow
