#include "sim/replica/repair.h"

#include <algorithm>
#include <utility>

namespace windrow {
namespace {

bool in_scope(const ReplicaFile& file, const RepairRequest& repair) {
  return repair.session == 0 || file.status.pending_session == repair.session;
}

}  // namespace

std::optional<std::string> refused_subrange(const TokenRange& asked, std::span<const TokenRange> local) {
  if (std::ranges::any_of(local, [&](const TokenRange& range) { return contains(range, asked); })) return std::nullopt;
  return "Requested range intersects a local range but is not fully contained in one";
}

std::int64_t prepare_repair(Replica& replica, const ReplicaTable& table, const RepairRequest& repair, Seconds now_s,
                            const ReplicaRules& rules) {
  replica.flush();
  return repair.session == 0 ? 0 : replica.anticompact(table, normalized(repair.ranges), repair.session, now_s, rules);
}

Validation validate(const Replica& replica, const ReplicaTable& table, const RepairRequest& repair, Seconds now_s,
                    const ReplicaRules& rules) {
  const std::vector<TokenInterval> wanted = normalized(repair.ranges);
  std::vector<const KeyedContent*> files;
  for (const ReplicaFile& file : replica.files()) {
    if (in_scope(file, repair) && any_meets(wanted, file.tokens())) files.push_back(file.content.get());
  }
  Validation validation;
  validation.content = merge_keyed(files, table.values);
  std::erase_if(validation.content,
                [&](const KeyedPartition& partition) { return !any_contains(wanted, partition.token); });
  for (const TokenRange& range : repair.ranges) {
    std::int64_t keys = 0;
    for (const KeyedContent* file : files) keys += estimated_keys(*file, range);
    if (!rules.leaves_by_index_samples) {
      keys = std::ranges::count_if(validation.content,
                                   [&](const auto& partition) { return contains(range, partition.token); });
    }
    validation.depths.push_back(tree_depth(keys));
  }
  // ValidationCompactionController compacts no files, so none counts as repaired.
  const Seconds gc_before_s = table.only_purge_repaired ? never_purged_s : now_s - table.gc_grace_s;
  purge_keyed(
      validation.content, {.now_s = now_s, .gc_before_s = gc_before_s},
      [](const KeyedPartition&) { return no_timestamp; }, rules.purge);
  return validation;
}

std::vector<StreamedFile> streams(const Replica& sender, const ReplicaTable& table, const RepairRequest& repair,
                                  std::span<const TokenRange> leaves, Seconds now_s, const ReplicaRules& rules) {
  const std::vector<TokenInterval> wanted = normalized(leaves);
  std::vector<StreamedFile> sent;
  for (const ReplicaFile& file : sender.files()) {
    if (!in_scope(file, repair) || !any_meets(wanted, file.tokens())) continue;
    StreamedFile one;
    for (const KeyedPartition& partition : *file.content) {
      if (any_contains(wanted, partition.token)) one.content.push_back(partition);
    }
    if (one.content.empty()) continue;
    if (rules.streamed_files_keep_state) one.status = file.status;
    if (repair.session != 0) one.status = {.repaired_at_ms = 0, .pending_session = repair.session};
    if (!rules.streams_old_tombstones) {
      purge_keyed(
          one.content, {.now_s = now_s, .gc_before_s = now_s - table.gc_grace_s},
          [](const KeyedPartition&) { return no_timestamp; }, rules.purge);
    }
    sent.push_back(std::move(one));
  }
  return sent;
}

std::int64_t exchange(std::span<Replica* const> replicas, std::span<const Validation> validations,
                      const ReplicaTable& table, const RepairRequest& repair, Seconds now_s,
                      const ReplicaRules& rules) {
  std::vector<std::pair<Replica*, std::vector<StreamedFile>>> deliveries;  // all are cut before any arrives
  for (std::size_t a = 0; a < replicas.size(); ++a) {
    for (std::size_t b = a + 1; b < replicas.size(); ++b) {
      const std::vector<TokenRange> leaves =
          differing_leaves(validations[a], validations[b], repair.ranges, table.values, rules);
      if (leaves.empty()) continue;
      deliveries.emplace_back(replicas[b], streams(*replicas[a], table, repair, leaves, now_s, rules));
      if (rules.streams_both_ways)
        deliveries.emplace_back(replicas[a], streams(*replicas[b], table, repair, leaves, now_s, rules));
    }
  }
  std::int64_t made = 0;
  for (auto& [receiver, files] : deliveries) {
    for (StreamedFile& file : files) {
      if (receiver->add_file(std::move(file.content), file.status) != 0) ++made;
    }
  }
  return made;
}

void bootstrap(Replica& fresh, const Replica& from, std::span<const TokenRange> ranges, const ReplicaTable& table,
               Seconds now_s, const ReplicaRules& rules) {
  const RepairRequest all{.ranges = {ranges.begin(), ranges.end()}, .session = 0};
  for (StreamedFile& file : streams(from, table, all, ranges, now_s, rules)) {
    fresh.add_file(std::move(file.content), file.status);
  }
}

}  // namespace windrow
