#include "sim/cluster/exchange.h"

#include <algorithm>
#include <map>
#include <utility>

namespace windrow {

namespace {

/// What a replica's hash of some rows depends on.
struct Hashed {
  std::vector<Cohort> rows{};        // not deleted, nor expired for longer than gc_grace
  std::vector<Cohort> tombstones{};  // younger than gc_grace
};

Cohort members_from(int sub_stream, std::int64_t first) {
  return {.sub_stream = sub_stream, .from = std::max<std::int64_t>(0, first), .to = INT64_MAX};
}

Hashed hashed(const TableStore& table, int sub_stream, int tombstones, Seconds now_s) {
  const ContentSpace& space = table.space();
  const Seconds gc_before_s = table.gc_before(now_s);
  const SubStream& sub = space.sub_stream(sub_stream);
  Hashed hash{.rows = members_on(table, sub_stream)};
  const Seconds ttl_s = sub.ttl_s() == SubStream::table_default_ttl ? table.settings().default_ttl_s : sub.ttl_s();
  if (ttl_s > 0) {
    const Cohort young = members_from(sub_stream, sub.count_arrived_before_s(gc_before_s - ttl_s));
    hash.rows = rows_within(hash.rows, std::span(&young, 1));
  }
  if (tombstones < 0) return hash;
  const std::vector<Cohort> deleted = members_on(table, tombstones);
  hash.rows = rows_without(space, std::move(hash.rows), deleted);
  const Cohort young = members_from(tombstones, space.sub_stream(tombstones).count_arrived_before_s(gc_before_s));
  hash.tombstones = rows_within(deleted, std::span(&young, 1));
  return hash;
}

void add_missing(const ContentSpace& space, const std::vector<Cohort>& some, const std::vector<Cohort>& others,
                 std::vector<Cohort>& found) {
  std::vector<Cohort> missing = rows_without(space, rows_without(space, some, others), found);
  found.insert(found.end(), missing.begin(), missing.end());
}

/// Counts what each replica will have, so that nothing comes twice.
class Receivers {
 public:
  explicit Receivers(std::span<const TableStore* const> replicas) : replicas_(replicas) {}

  /// Of these rows what the replica has not, which from now on it has.
  std::vector<Cohort> take(int replica, int sub_stream, std::vector<Cohort> rows) {
    const TableStore& table = *replicas_[static_cast<std::size_t>(replica)];
    const auto [place, fresh] = held_.try_emplace({replica, sub_stream});
    if (fresh) place->second = members_on(table, sub_stream);
    std::vector<Cohort>& held = place->second;
    rows = rows_without(table.space(), std::move(rows), held);
    std::erase_if(rows, [&](const Cohort& part) { return table.space().rows(part) == 0; });
    held.insert(held.end(), rows.begin(), rows.end());
    return rows;
  }

 private:
  std::span<const TableStore* const> replicas_;
  std::map<std::pair<int, int>, std::vector<Cohort>> held_{};
};

}  // namespace

std::vector<Difference> differences(std::span<const TableStore* const> replicas, Seconds now_s) {
  std::vector<Difference> found;
  const ContentSpace& space = replicas.front()->space();
  const std::vector<RowDeletesOf> deletes = deletes_in(space.workload());
  const int sub_streams = static_cast<int>(space.workload().sub_streams().size());
  for (int s = 0; s < sub_streams; ++s) {
    if (std::ranges::find(deletes, s, &RowDeletesOf::tombstones) != deletes.end()) continue;
    const auto of = std::ranges::find(deletes, s, &RowDeletesOf::target);
    const int tombstones = of == deletes.end() ? -1 : of->tombstones;
    std::vector<Hashed> hashes;
    for (const TableStore* replica : replicas) hashes.push_back(hashed(*replica, s, tombstones, now_s));
    for (std::size_t one = 0; one < replicas.size(); ++one) {
      for (std::size_t other = one + 1; other < replicas.size(); ++other) {
        Difference difference{
            .sub_stream = s, .tombstones = tombstones, .one = static_cast<int>(one), .other = static_cast<int>(other)};
        add_missing(space, hashes[one].rows, hashes[other].rows, difference.rows);
        add_missing(space, hashes[other].rows, hashes[one].rows, difference.rows);
        add_missing(space, hashes[one].tombstones, hashes[other].tombstones, difference.rows);
        add_missing(space, hashes[other].tombstones, hashes[one].tombstones, difference.rows);
        if (!difference.rows.empty()) found.push_back(std::move(difference));
      }
    }
  }
  return found;
}

std::vector<Stream> streams_of(std::span<const TableStore* const> replicas, std::span<const Difference> differences) {
  std::vector<Stream> streams;
  Receivers receivers(replicas);
  std::map<std::pair<int, int>, std::vector<const Difference*>> by_pair;  // sender, receiver
  for (const Difference& difference : differences) {
    by_pair[{difference.one, difference.other}].push_back(&difference);
    by_pair[{difference.other, difference.one}].push_back(&difference);
  }
  for (const auto& [pair, between] : by_pair) {
    for (const auto& [id, file] : replicas[static_cast<std::size_t>(pair.first)]->sstables()) {
      Content sent{.bases = file->content().bases};
      for (const Cohort& cohort : file->content().cohorts) {
        for (const Difference* difference : between) {
          if (cohort.sub_stream != difference->sub_stream && cohort.sub_stream != difference->tombstones) continue;
          std::vector<Cohort> rows = rows_within(std::span(&cohort, 1), difference->rows);
          if (!rows.empty()) rows = receivers.take(pair.second, cohort.sub_stream, std::move(rows));
          sent.cohorts.insert(sent.cohorts.end(), rows.begin(), rows.end());
        }
      }
      if (sent.cohorts.empty()) continue;
      join_cohorts(sent.cohorts);
      streams.push_back({.to = pair.second, .content = std::move(sent)});
    }
  }
  return streams;
}

}  // namespace windrow
