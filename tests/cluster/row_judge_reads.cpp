#include <algorithm>
#include <numeric>

#include "sim/cluster/read_repair.h"
#include "sim/replica/read.h"
#include "tests/cluster/row_judge.h"
#include "tests/cluster/values_alike.h"

namespace windrow_test {

using namespace windrow;

// What reads write. Who asks for what and when is given; who answers, with what, and what is written is found row by
// row.

namespace {

constexpr auto all_columns = [](int) { return true; };

}  // namespace

std::vector<int> RowJudge::asked(const std::vector<int>& order, const ReadSpec& read, int coordinator,
                                 Micros now_us) const {
  const auto& centers = scenario_.data_centers;
  const int own = center_of(coordinator);
  const auto quorum = [&](int center) { return centers[static_cast<std::size_t>(center)].replication_factor / 2 + 1; };
  int all = 0;
  int of_each = 0;
  for (int center = 0; center < std::ssize(centers); ++center) {
    all += centers[static_cast<std::size_t>(center)].replication_factor;
    of_each += quorum(center);
  }
  // By nearness: itself, its data centre, others; each in ring order.
  std::vector<int> candidates;
  const auto add = [&](const auto& is_next) {
    for (const int node : order) {
      if (rules_.asks_live_alone && away(node, now_us)) continue;
      if (std::ranges::find(candidates, node) == candidates.end() && is_next(node)) candidates.push_back(node);
    }
  };
  if (rules_.coordinator_answers_first) add([&](int node) { return node == coordinator; });
  if (rules_.own_center_answers_first) add([&](int node) { return center_of(node) == own; });
  add([](int) { return true; });
  int wanted = 0;
  switch (read.consistency) {
    case Consistency::one:
      wanted = rules_.one_compares_nothing ? 1 : 2;
      break;
    case Consistency::two:
      wanted = std::min(2, all);
      break;
    case Consistency::three:
      wanted = std::min(3, all);
      break;
    case Consistency::quorum:
      wanted = all / 2 + 1;
      break;
    case Consistency::all:
      wanted = all;
      break;
    case Consistency::local_quorum:
      wanted = quorum(own);
      if (rules_.local_stays_local) std::erase_if(candidates, [&](int node) { return center_of(node) != own; });
      break;
    case Consistency::each_quorum:
      wanted = of_each;
      if (!rules_.each_counts_each) break;
      for (int center = 0; center < std::ssize(centers); ++center) {
        int count = 0;
        std::erase_if(candidates, [&](int node) { return center_of(node) == center && ++count > quorum(center); });
      }
      break;
  }
  if (std::ssize(candidates) < wanted) return {};
  candidates.resize(static_cast<std::size_t>(wanted));
  return candidates;
}

bool RowJudge::read_row(std::size_t r, const ReadSpec& read, int coordinator, Micros now_us) {
  const Row& row = rows_[r];
  const Token token = row.token;
  std::vector<int> order(static_cast<std::size_t>(nodes_));
  std::iota(order.begin(), order.end(), 0);
  if (scenario_.ring) {
    const auto found = walk_->replicas(walk_->range_of(token));
    order.assign(found.begin(), found.end());
  }
  const std::vector<int> nodes = asked(order, read, coordinator, now_us);
  if (nodes.size() < 2) return false;

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
  const ReplicaTable table{
      .gc_grace_s = gc_grace_s_, .only_purge_repaired = spares_unrepaired_, .values = values_alike};
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
    const std::vector<AskedEntities> all_asked = asked_entities(scenario_, read, coordinators, read_us_, now_us);
    const Writer* writer_before = nullptr;
    std::pair<std::int64_t, std::int64_t> rows_of_it;
    for (std::size_t r = 0; r < rows_.size() && !all_asked.empty(); ++r) {
      const SubStream& sub = workload_.sub_streams()[static_cast<std::size_t>(rows_[r].sub_stream)];
      const Writer& writer = sub.writer();
      const std::int64_t row = sub.row(rows_[r].member);
      if (&writer != writer_before) rows_of_it = rows_asked(writer, read, now_us);
      writer_before = &writer;
      const auto [first, end] = rows_of_it;
      if (rules_.read_time_counts && (row < first || row >= end)) continue;
      const std::int64_t entity = writer.place_of(sub.slot(rows_[r].member), writer.bucket_of(row)).entity;
      const bool judged = rows_[r].suspect && !rows_[r].over;
      const std::vector<bool> before = judged ? shown(r) : std::vector<bool>{};
      bool any = false;
      for (const AskedEntities& each : all_asked) {
        if (each.writer == writer.spec && each.entities[static_cast<std::size_t>(entity)])
          any = read_row(r, read, each.coordinator, now_us) || any;
      }
      if (any && judged) judge(r, before, now_us, "read " + read.name, false);
    }
  }
  read_us_ = std::max(read_us_, now_us);
}

}  // namespace windrow_test
