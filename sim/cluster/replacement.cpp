#include "sim/cluster/replacement.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace windrow {

std::optional<std::vector<ReplacementSource>> replacement_sources(const RingRows& ring, int node,
                                                                  const std::vector<bool>& away) {
  const int nodes = static_cast<int>(away.size());
  const auto is_up = [&](int other) { return other != node && !away[static_cast<std::size_t>(other)]; };
  const auto is_near = [&](int other) {
    return ring.center_of()[static_cast<std::size_t>(other)] == ring.center_of()[static_cast<std::size_t>(node)];
  };
  if (ring.all_alike()) {
    if (nodes == 1) return std::vector<ReplacementSource>{};
    int source = -1;
    for (int other = 0; other < nodes; ++other) {
      if (is_up(other) && (source < 0 || (is_near(other) && !is_near(source)))) source = other;
    }
    if (source < 0) return std::nullopt;
    return std::vector<ReplacementSource>{{.node = source, .sets = nullptr}};
  }
  std::vector<std::size_t> given(away.size(), 0);  // sets, by node
  std::map<int, SetMask> chosen;
  for (std::size_t set = 0; set < ring.sets(); ++set) {
    if (!ring.sets_of(node)->holds(set)) continue;
    int source = -1;
    bool alone = true;
    for (int other = 0; other < nodes; ++other) {
      if (other == node || !ring.sets_of(other)->holds(set)) continue;
      alone = false;
      if (!is_up(other)) continue;
      // RangeFetchMapCalculator: those of other data centres only where its own has none.
      const auto costs = [&](int of) { return std::pair(!is_near(of), given[static_cast<std::size_t>(of)]); };
      if (source < 0 || costs(other) < costs(source)) source = other;
    }
    if (alone) continue;
    if (source < 0) return std::nullopt;
    ++given[static_cast<std::size_t>(source)];
    chosen.try_emplace(source, SetMask(ring.sets())).first->second.add(set);
  }
  std::vector<ReplacementSource> sources;
  for (auto& [source, sets] : chosen)
    sources.push_back({.node = source, .sets = std::make_shared<const SetMask>(std::move(sets))});
  return sources;
}

std::vector<SentFile> files_to_send(const TableReplicas& replicas, const ReplacementSource& source, int node,
                                    Micros now_us) {
  std::vector<SentFile> files;
  const TableStore& store = replicas.store(source.node);
  for (const auto& [id, file] : store.sstables()) {
    std::vector<Cohort> rows = replicas.to_cluster(source.node, file->content().cohorts);
    // In the cluster's numbers an interval goes on up to the source's next row: not into what is still to come.
    for (Cohort& part : rows) {
      const SubStream& sub = replicas.space().sub_stream(part.sub_stream);
      part.to = std::min(part.to, sub.count_arrived_before(now_us / sub.writer().unit_us));
    }
    if (source.sets) {
      const Cohort its{.from = 0, .to = INT64_MAX, .sets = source.sets};
      rows = rows_within(rows, std::span(&its, 1));
    }
    Content content{.cohorts = replicas.to_node(node, std::move(rows)), .bases = file->content().bases};
    if (!source.sets) content.keyed = file->content().keyed;
    if (content.empty()) continue;
    join_cohorts(content.cohorts);
    // A stream that is no repair's belongs to no session (CassandraStreamReader, Cassandra 5.0.9).
    const Millis repaired_at_ms = store.live().at(id).repair.repaired_at_ms;
    files.push_back({.content = std::move(content), .repair = {.repaired_at_ms = repaired_at_ms}});
  }
  return files;
}

}  // namespace windrow
