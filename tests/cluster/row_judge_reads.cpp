#include <algorithm>
#include <numeric>

#include "sim/cluster/read_repair.h"
#include "sim/replica/read.h"
#include "sim/scenario/read_fan_out.h"
#include "sim/stats/murmur3.h"
#include "tests/cluster/row_judge.h"

namespace windrow_test {

using namespace windrow;

// What reads write. Who asks for what and when is given; who answers, with what, and what is written is found row by
// row.

namespace {

constexpr auto alike = [](const KeyedCell&, const KeyedCell&) { return 0; };
constexpr auto all_columns = [](int) { return true; };

}  // namespace

bool RowJudge::read_row(std::size_t r, const ReadSpec& read, int coordinator, Micros now_us) {
  const Row& row = rows_[r];
  const SubStream& sub = workload_.sub_streams()[static_cast<std::size_t>(row.sub_stream)];
  const Writer& writer = sub.writer();
  const Token token = murmur3_token(writer.key(sub.slot(row.member), writer.bucket_of(sub.row(row.member))));
  std::vector<int> order(static_cast<std::size_t>(nodes_));
  std::iota(order.begin(), order.end(), 0);
  if (replicas_) {
    const auto found = replicas_->replicas(replicas_->range_of(token));
    order.assign(found.begin(), found.end());
  }
  std::vector<bool> live;
  for (int node = 0; node < nodes_; ++node) live.push_back(!rules_.asks_live_alone || !away(node, now_us));
  const bool at_one = read.consistency == Consistency::one && rules_.one_compares_nothing;
  const int block_for = at_one ? 1 : std::max(2, replicas_waited_for(read.consistency, scenario_.data_centers));
  const int first = rules_.coordinator_answers_first ? coordinator : order.front();
  const std::vector<int> nodes = contacted(order, live, first, block_for);
  if (std::ssize(nodes) < block_for) return false;

  std::vector<Replica> replicas(nodes.size());
  std::vector<Replica*> contacts;
  const auto content = [&](int bits) {
    KeyedPartition partition{.token = token};
    KeyedRow& only = partition.rows.emplace_back();
    const Seconds written_s = row.written_us / us_per_s;
    if ((bits & present) != 0)
      only.liveness = KeyedLiveness{.timestamp_us = row.written_us,
                                    .ttl_s = static_cast<std::int32_t>(row.ttl_s),
                                    .expiry_s = row.ttl_s > 0 ? written_s + row.ttl_s : no_deletion_time};
    if ((bits & tombstone) != 0)
      only.deletion = Deletion{.timestamp_us = *row.deleted_us, .local_deletion_time_s = *row.deleted_us / us_per_s};
    return only.empty() ? KeyedContent{} : KeyedContent{partition};
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    replicas[i].add_file(content(held_[static_cast<std::size_t>(nodes[i])][r]), {});
    contacts.push_back(&replicas[i]);
  }
  const ReplicaTable table{.gc_grace_s = gc_grace_s_, .only_purge_repaired = spares_unrepaired_, .values = alike};
  read_partition(contacts, table, token, false, now_us / us_per_s, all_columns, rules_.replicas);
  bool any = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const auto& [at, partition] : replicas[i].memtable()) {
      for (const KeyedRow& written : partition.rows) {
        std::uint8_t& bits = held_[static_cast<std::size_t>(nodes[i])][r];
        int more = 0;
        if (written.liveness && (bits & present) == 0) more |= value | present;
        if (written.deletion && (bits & tombstone) == 0) more |= tombstone;
        bits = static_cast<std::uint8_t>(bits | more);
        std::uint8_t& in_memory = in_memory_[static_cast<std::size_t>(nodes[i])][r];
        in_memory = static_cast<std::uint8_t>(in_memory | more);
        read_ += ((more & present) != 0 ? 1 : 0) + ((more & tombstone) != 0 ? 1 : 0);
        any = any || more != 0;
      }
    }
  }
  return any;
}

void RowJudge::reads(Micros now_us) {
  pass_time(now_us);
  std::vector<int> coordinators;
  for (int node = 0; node < nodes_; ++node) {
    if (!away(node, now_us)) coordinators.push_back(node);
  }
  for (const ReadSpec& read : scenario_.reads) {
    if (coordinators.empty() || now_us <= read_us_) continue;
    const std::vector<AskedEntities> asked = asked_entities(scenario_, read, coordinators, read_us_, now_us);
    for (std::size_t r = 0; r < rows_.size() && !asked.empty(); ++r) {
      const SubStream& sub = workload_.sub_streams()[static_cast<std::size_t>(rows_[r].sub_stream)];
      const Writer& writer = sub.writer();
      const std::int64_t row = sub.row(rows_[r].member);
      const auto [first, end] = rows_asked(writer, read, now_us);
      if (rules_.read_time_counts && (row < first || row >= end)) continue;
      const std::int64_t entity = writer.place_of(sub.slot(rows_[r].member), writer.bucket_of(row)).entity;
      const std::vector<bool> before = shown(r);
      bool any = false;
      for (const AskedEntities& each : asked) {
        if (each.writer == writer.spec && each.entities[static_cast<std::size_t>(entity)])
          any = read_row(r, read, each.coordinator, now_us) || any;
      }
      if (any && rows_[r].suspect && !rows_[r].over) judge(r, before, now_us, "read " + read.name, false);
    }
  }
  read_us_ = std::max(read_us_, now_us);
}

}  // namespace windrow_test
