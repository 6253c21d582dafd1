#include "sim/load/writer_load.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "sim/base/check.h"
#include "sim/load/rank_table.h"
#include "sim/placement/placement.h"
#include "sim/placement/slot_hasher.h"

namespace windrow {

namespace {

std::vector<std::vector<int>> nodes_of_sets(const ReplicaMap& replicas) {
  std::vector<std::vector<int>> nodes;
  for (std::size_t set = 0; set < replicas.sets(); ++set) {
    const std::span<const int> members = replicas.set(static_cast<int>(set));
    nodes.emplace_back(members.begin(), members.end());
  }
  return nodes;
}

std::vector<std::vector<int>> sets_themselves(const ReplicaMap& replicas) {
  std::vector<std::vector<int>> sets;
  for (std::size_t set = 0; set < replicas.sets(); ++set) sets.push_back({static_cast<int>(set)});
  return sets;
}

/// Divides `count` by weights, so that each part is near its share and all are there: a comb of `count` teeth over the
/// weights laid end to end, which begins at phase / 2^32 of a tooth.
void comb(std::int64_t count, std::span<const std::int64_t> weights, std::uint32_t phase,
          std::span<std::int64_t> parts) {
  const Int128 all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  SIM_CHECK(all > 0, "something to divide by");
  Int128 passed = 0;
  std::int64_t given = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    passed += weights[i];
    const Int128 teeth = ((passed * count << 32) / all + phase) >> 32;
    parts[i] = static_cast<std::int64_t>(teeth) - given;
    given = static_cast<std::int64_t>(teeth);
  }
}

/// Phases that lie evenly: multiples of the golden ratio.
std::uint32_t phase_of(std::int64_t hour, std::int64_t bucket) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(hour * 7 + bucket) * 0x9E3779B97F4A7C15 >> 32);
}

void give_to_nodes(std::span<const std::int64_t> by_set, std::int64_t times, const ReplicaMap& replicas,
                   std::span<std::int64_t> nodes) {
  for (std::size_t set = 0; set < by_set.size(); ++set) {
    if (by_set[set] == 0) continue;
    for (const int node : replicas.set(static_cast<int>(set)))
      nodes[static_cast<std::size_t>(node)] += times * by_set[set];
  }
}

std::span<std::int64_t> row_of(NodeHours& hours, int hour) {
  return {hours.data() + hour * hours.cols(), static_cast<std::size_t>(hours.cols())};
}

}  // namespace

WriterLoad::WriterLoad(const TableWorkload& workload, const Writer& writer, const Hours& hours) : writer_(&writer) {
  const std::int64_t total = writer.rhythm.total();
  if (!writer.writes || total == 0) return;
  for (const SubStream& stream : workload.sub_streams()) {
    if (&stream.writer() != &writer || stream.brings() != Brings::rows) continue;
    Part part{.stream = &stream};
    const std::int64_t members = stream.rank(total);
    for (int hour = 0; hour <= hours.count(); ++hour)
      part.arrived.push_back(std::min(members, stream.count_arrived_before(hours.begin_us(hour) / writer.unit_us)));
    parts_.push_back(std::move(part));
  }
  first_bucket_ = writer.bucket_of(0);
  buckets_ = writer.bucket_of(total - 1) - first_bucket_ + 1;
}

PlacementDemand WriterLoad::demand(bool named) const {
  const auto seconds = static_cast<double>(parts_.empty() ? 1 : parts_.front().arrived.size() - 1) * 3600;
  return {.slots = writer_->most_slots(),
          .buckets = buckets_,
          .named = named,
          .rows_per_s = static_cast<double>(rows()) / seconds,
          .on_lattice = writer_->drawn_keys > 0};
}

template <typename Visit>
void WriterLoad::visit_sent(const SubStream& stream, std::int64_t from, std::int64_t to, Visit visit) {
  for (const auto& [first, last] : stream.unsent()) {
    if (last <= from || first >= to) continue;
    if (first > from) visit(from, first);
    from = std::min(to, last);
  }
  if (from < to) visit(from, to);
}

template <typename Visit>
void WriterLoad::visit_bucket(std::int64_t bucket, Visit visit) const {
  const bool single = writer_->bucket.single();
  for (const Part& part : parts_) {
    const std::int64_t first = single ? 0 : part.stream->count_before_bucket(bucket);
    const std::int64_t last = single ? part.arrived.back() : part.stream->count_before_bucket(bucket + 1);
    const std::int64_t end = std::min(last, part.arrived.back());
    std::int64_t from = std::max(first, part.arrived.front());
    auto next = std::ranges::upper_bound(part.arrived, from);
    for (; from < end && next != part.arrived.end(); ++next) {
      const std::int64_t to = std::min(*next, end);
      if (to <= from) continue;
      const auto hour = static_cast<int>(next - part.arrived.begin()) - 1;
      visit_sent(*part.stream, from, to,
                 [&](std::int64_t sent_from, std::int64_t sent_to) { visit(*part.stream, hour, sent_from, sent_to); });
      from = to;
    }
  }
}

void WriterLoad::add_rows(std::vector<std::int64_t>& by_hour) const {
  for (const Part& part : parts_) {
    for (std::size_t hour = 0; hour + 1 < part.arrived.size(); ++hour) {
      visit_sent(*part.stream, part.arrived[hour], part.arrived[hour + 1],
                 [&](std::int64_t from, std::int64_t to) { by_hour[hour] += (to - from) * writer_->rows_per_event; });
    }
  }
}

std::int64_t WriterLoad::rows() const {
  if (parts_.empty()) return 0;
  std::vector<std::int64_t> by_hour(parts_.front().arrived.size() - 1, 0);
  add_rows(by_hour);
  return std::accumulate(by_hour.begin(), by_hour.end(), std::int64_t{0});
}

void WriterLoad::add(const PlacementPlan& plan, std::uint64_t seed, const ReplicaMap& replicas, NodeHours& to,
                     NodeShares* of_nodes) const {
  if (buckets_ == 0) return;
  const std::int64_t times = writer_->rows_per_event;
  std::vector<std::int64_t> by_set(replicas.sets(), 0);
  // Where all nodes hold everything there is nothing to hash for.
  if (plan.kind == PlacementKind::even || replicas.sets() == 1) {
    if (of_nodes != nullptr) of_nodes->take_even();
    const std::vector<std::int64_t> shares = even_slots_by_set(std::int64_t{1} << 31, replicas);
    for (std::int64_t bucket = first_bucket_; bucket < first_bucket_ + buckets_; ++bucket) {
      visit_bucket(bucket, [&](const SubStream&, int hour, std::int64_t from, std::int64_t until) {
        comb(until - from, shares, phase_of(hour, bucket), by_set);
        give_to_nodes(by_set, times, replicas, row_of(to, hour));
      });
    }
    return;
  }
  const auto count = static_cast<std::size_t>(buckets_);
  const std::string name = std::to_string(writer_->spec) + " of " + writer_->name;
  const std::vector<std::size_t> sources = placement_sources(count, plan, seed, name);
  std::vector<std::vector<std::int64_t>> borrowers(count);
  for (std::size_t bucket = 0; bucket < count; ++bucket)
    borrowers[sources[bucket]].push_back(first_bucket_ + static_cast<std::int64_t>(bucket));

  const bool shares = std::ranges::any_of(parts_, [](const Part& part) { return !part.stream->in_turn(); });
  SlotHasher hasher(keys());
  RankTable by_node(nodes_of_sets(replicas), static_cast<std::size_t>(to.cols()));
  RankTable by_set_table(sets_themselves(replicas), replicas.sets());
  std::vector<std::int64_t> rows(static_cast<std::size_t>(to.cols()), 0);
  std::vector<std::int64_t> weights(replicas.sets(), 0);
  for (std::size_t source = 0; source < count; ++source) {
    if (borrowers[source].empty()) continue;
    const std::int64_t label = writer_->bucket.label(first_bucket_ + static_cast<std::int64_t>(source));
    const std::vector<int>& set_of_slot = hasher.sets(label, replicas);
    by_node.take(set_of_slot);
    if (shares) by_set_table.take(set_of_slot);
    for (const std::int64_t bucket : borrowers[source]) {
      if (of_nodes != nullptr) of_nodes->take(static_cast<std::size_t>(bucket - first_bucket_), source, by_node);
      visit_bucket(bucket, [&](const SubStream& stream, int hour, std::int64_t from, std::int64_t until) {
        const std::span<std::int64_t> nodes = row_of(to, hour);
        if (stream.in_turn()) {
          std::ranges::fill(rows, 0);
          by_node.add_rows_below(stream.written_as(until - 1) + 1, 1, rows);
          by_node.add_rows_below(stream.written_as(from), -1, rows);
          for (std::size_t node = 0; node < rows.size(); ++node) nodes[node] += times * rows[node];
          return;
        }
        // Which of a stretch's rows are members is left open: each replica set has its part of them.
        std::ranges::fill(weights, 0);
        by_set_table.add_rows_below(stream.written_as(until - 1) + 1, 1, weights);
        by_set_table.add_rows_below(stream.written_as(from), -1, weights);
        comb(until - from, weights, phase_of(hour, bucket), by_set);
        give_to_nodes(by_set, times, replicas, nodes);
      });
    }
  }
}

std::pair<std::int64_t, std::int64_t> WriterLoad::buckets_of_hour(int hour) const {
  std::pair<std::int64_t, std::int64_t> buckets{INT64_MAX, INT64_MIN};
  for (const Part& part : parts_) {
    const std::int64_t from = part.arrived[static_cast<std::size_t>(hour)];
    const std::int64_t to = part.arrived[static_cast<std::size_t>(hour) + 1];
    if (from >= to) continue;
    buckets.first = std::min(buckets.first, writer_->bucket_of(part.stream->row(from)));
    buckets.second = std::max(buckets.second, writer_->bucket_of(part.stream->row(to - 1)));
  }
  return buckets;
}

std::optional<WriterLoad::Busiest> WriterLoad::busiest(int hour, int node, const ReplicaMap& replicas) const {
  std::optional<Busiest> most;
  const auto [first_bucket, last_bucket] = buckets_of_hour(hour);
  for (std::int64_t bucket = first_bucket; bucket <= last_bucket; ++bucket) {
    const std::vector<int> sets = hashed_sets(keys(), writer_->bucket.label(bucket), replicas);
    std::vector<std::int64_t> rows(sets.size(), 0);
    visit_bucket(bucket, [&](const SubStream& stream, int at, std::int64_t from, std::int64_t to) {
      if (at != hour) return;
      const std::int64_t begin = stream.written_as(from);
      const std::int64_t end = stream.written_as(to - 1) + 1;
      for (std::int64_t slot = 0; slot < writer_->most_slots(); ++slot) {
        const std::int64_t of_slot = rows_of_slot(end, slot) - rows_of_slot(begin, slot);
        rows[static_cast<std::size_t>(slot)] += mul_div_floor(of_slot, to - from, end - begin);
      }
    });
    for (std::size_t slot = 0; slot < sets.size(); ++slot) {
      if (rows[slot] == 0 || (most && rows[slot] * writer_->rows_per_event <= most->rows)) continue;
      if (!std::ranges::binary_search(replicas.set(sets[slot]), node)) continue;
      most = Busiest{.bucket = bucket,
                     .slot = static_cast<std::int64_t>(slot),
                     .rows = rows[slot] * writer_->rows_per_event,
                     .set = sets[slot]};
    }
  }
  return most;
}

}  // namespace windrow
