#include <algorithm>

#include "sim/cluster/read_repair.h"
#include "sim/replica/read.h"
#include "sim/stats/murmur3.h"
#include "tests/cluster/keyed_judge.h"

namespace windrow_test {

using namespace windrow;

// What reads write. Who asks for what and when is given; who answers, with what, and what is written is found partition
// by partition.

std::vector<int> KeyedJudge::asked(const ReadSpec& read, int coordinator, Micros now_us) const {
  std::vector<int> candidates;
  const auto add = [&](int node) {
    const bool known = std::ranges::find(candidates, node) != candidates.end();
    if (!known && !(rules_.asks_live_alone && away(node, now_us))) candidates.push_back(node);
  };
  if (rules_.coordinator_answers_first) add(coordinator);
  for (int node = 0; node < nodes_; ++node) add(node);
  int wanted = nodes_ / 2 + 1;  // QUORUM
  if (read.consistency == Consistency::one) wanted = rules_.one_compares_nothing ? 1 : 2;
  if (read.consistency == Consistency::two) wanted = std::min(2, nodes_);
  if (read.consistency == Consistency::all) wanted = nodes_;
  if (std::ssize(candidates) < wanted) return {};
  candidates.resize(static_cast<std::size_t>(wanted));
  return candidates;
}

void KeyedJudge::read_partition_of(Token token, const std::vector<int>& nodes,
                                   std::pair<std::int64_t, std::int64_t> clusterings, Micros now_us) {
  std::vector<Replica> replicas(nodes.size());
  std::vector<Replica*> contacts;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    KeyedPartition held = merged(nodes[i], token);
    KeyedPartition seen = held;
    seen.rows.clear();
    seen.ranges.clear();
    const auto [first, last] = clusterings;
    for (const KeyedRow& row : held.rows) {
      if (!rules_.read_time_counts || (first <= row.clustering && row.clustering <= last)) seen.rows.push_back(row);
    }
    for (const KeyedRange& range : held.ranges) {
      KeyedRange part{std::max(range.from, first), std::min(range.to, last + 1), range.deletion};
      if (!rules_.read_time_counts) part = range;
      if (part.from < part.to) seen.ranges.push_back(part);
    }
    if (!seen.empty()) replicas[i].add_file({seen}, {});
    contacts.push_back(&replicas[i]);
  }
  const ReplicaTable table{.gc_grace_s = gc_grace_s_, .values = values_};
  read_partition(
      contacts, table, token, false, now_us / us_per_s, [](int) { return true; }, rules_.replicas);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const auto& [at, written] : replicas[i].memtable()) {
      put(nodes[i], written);
      read_ += std::ssize(written.rows) + std::ssize(written.ranges) + (written.deletion ? 1 : 0);
    }
  }
}

void KeyedJudge::reads(Micros now_us) {
  pass_time(now_us);
  std::vector<int> all;
  std::vector<int> coordinators;
  for (int node = 0; node < nodes_; ++node) {
    all.push_back(node);
    if (!away(node, now_us)) coordinators.push_back(node);
  }
  for (const ReadSpec& read : scenario_.reads) {
    if (coordinators.empty() || now_us <= read_us_) continue;
    const Rows before = read_;
    const std::vector<AskedEntities> all_asked = asked_entities(scenario_, read, coordinators, read_us_, now_us);
    for (const Writer& writer : workload_.writers()) {
      const auto [first, end] = rows_asked(writer, read, now_us);
      if (!writer.writes || first >= end) continue;
      const std::pair clusterings{writer.clustering_of(first), writer.clustering_of(end - 1)};
      for (std::int64_t bucket = writer.bucket_of(first); bucket <= writer.bucket_of(end - 1); ++bucket) {
        for (std::int64_t slot = 0; slot < writer.slots(bucket); ++slot) {
          const auto entity = static_cast<std::size_t>(writer.place_of(slot, bucket).entity);
          const Token token = murmur3_token(writer.key(slot, bucket));
          for (const AskedEntities& each : all_asked) {
            if (each.writer != writer.spec || !each.entities[entity]) continue;
            const std::vector<int> nodes = asked(read, each.coordinator, now_us);
            if (nodes.size() > 1) read_partition_of(token, nodes, clusterings, now_us);
          }
        }
      }
    }
    if (read_ > before) changed(all, now_us, "read " + read.name, false, false);
  }
  read_us_ = std::max(read_us_, now_us);
}

}  // namespace windrow_test
