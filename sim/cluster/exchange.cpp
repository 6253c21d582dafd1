#include "sim/cluster/exchange.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sim/base/check.h"

namespace windrow {

namespace {

/// What a replica's hash of some rows depends on.
struct Hashed {
  std::vector<Cohort> rows{};        // not deleted, nor expired for longer than gc_grace
  std::vector<Cohort> tombstones{};  // younger than gc_grace
};

Hashed hashed(const TableReplicas& replicas, int node, int sub_stream, int tombstones, Seconds now_s,
              std::int64_t session) {
  const ContentSpace& space = replicas.space();
  const TableStore& table = replicas.store(node);
  const auto members = [&](int s) {
    return session == 0 ? replicas.members_on(node, s) : replicas.filed_on(node, s, session);
  };
  const SubStream& sub = space.sub_stream(sub_stream);
  Hashed hash{.rows = members(sub_stream)};
  // ValidationCompactionController compacts no files, so none counts as repaired.
  const bool never_purges = table.strategy().common().only_purge_repaired_tombstones;
  const Seconds gc_before_s = never_purges ? never_purged_s : table.gc_before(now_s);
  const Seconds ttl_s = sub.ttl_s(table.settings().default_ttl_s);
  if (ttl_s > 0 && !never_purges) {
    const Cohort young = rows_from(sub_stream, sub.count_arrived_before_s(gc_before_s - ttl_s));
    hash.rows = rows_within(hash.rows, std::span(&young, 1));
  }
  if (tombstones < 0) return hash;
  const SortedRows deleted(members(tombstones));
  hash.rows = deleted.missing_of(space, hash.rows);
  const std::int64_t first = never_purges ? 0 : space.sub_stream(tombstones).count_arrived_before_s(gc_before_s);
  const Cohort young = rows_from(tombstones, first);
  hash.tombstones = rows_within(deleted.rows(), std::span(&young, 1));
  return hash;
}

/// The same, of the rows that another replica should hold too.
std::vector<Cohort> shared(const SharedSets& both, std::span<const Cohort> rows) {
  if (!both) return {rows.begin(), rows.end()};
  const Cohort common{.from = 0, .to = INT64_MAX, .sets = both};
  return rows_within(rows, std::span(&common, 1));
}

/// Adds to `found` what of `some` is neither among `others` nor in it: that is told. Replicas whose files are cut at
/// other tokens have many parts that the other lacks, without a row.
std::vector<Cohort> add_missing(const ContentSpace& space, std::span<const Cohort> some, const SortedRows& others,
                                std::vector<Cohort>& found) {
  const auto erase_empty = [&space](std::vector<Cohort>& parts) {
    std::erase_if(parts, [&](const Cohort& part) { return !space.any(part); });
  };
  std::vector<Cohort> missing = others.missing_of(space, some);
  erase_empty(missing);
  missing = rows_without(space, std::move(missing), found);
  erase_empty(missing);
  found.insert(found.end(), missing.begin(), missing.end());
  return missing;
}

/// Replica sets of both, and of those that are asked for; null: all.
SharedSets common_sets(const RingRows& ring, int one, int other, const SharedSets& of_ranges) {
  if (ring.all_alike()) return nullptr;
  SetMask both = *ring.sets_of(one) & *ring.sets_of(other);
  if (of_ranges) both = both & *of_ranges;
  return std::make_shared<const SetMask>(std::move(both));
}

/// Counts what each replica will have, so that nothing comes twice.
class Receivers {
 public:
  explicit Receivers(const TableReplicas& replicas) : replicas_(replicas) {}

  /// Of these rows what the replica has not, which from now on it has.
  std::vector<Cohort> take(int replica, int sub_stream, std::span<const Cohort> rows) {
    const auto [place, fresh] = held_.try_emplace({replica, sub_stream});
    if (fresh) place->second = {SortedRows(replicas_.members_on(replica, sub_stream)), {}};
    auto& [held, more] = place->second;
    return add_missing(replicas_.space(), rows, held, more);
  }

 private:
  const TableReplicas& replicas_;
  std::map<std::pair<int, int>, std::pair<SortedRows, std::vector<Cohort>>> held_{};
};

}  // namespace

std::vector<Difference> differences(const TableReplicas& replicas, Seconds now_s, const RepairScope& scope) {
  std::vector<Difference> found;
  const ContentSpace& space = replicas.space();
  const std::vector<RowDeletesOf> deletes = deletes_in(space.workload());
  const int sub_streams = static_cast<int>(space.workload().sub_streams().size());
  for (int s = 0; s < sub_streams; ++s) {
    if (std::ranges::find(deletes, s, &RowDeletesOf::tombstones) != deletes.end()) continue;
    const auto of = std::ranges::find(deletes, s, &RowDeletesOf::target);
    const int tombstones = of == deletes.end() ? -1 : of->tombstones;
    std::vector<Hashed> hashes;
    for (int node = 0; node < replicas.count(); ++node)
      hashes.push_back(hashed(replicas, node, s, tombstones, now_s, scope.session));
    for (int one = 0; one < replicas.count(); ++one) {
      for (int other = one + 1; other < replicas.count(); ++other) {
        const SharedSets both = common_sets(replicas.ring(), one, other, scope.sets);
        if (both && both->none()) continue;
        Difference difference{.sub_stream = s, .tombstones = tombstones, .one = one, .other = other};
        const Hashed& mine = hashes[static_cast<std::size_t>(one)];
        const Hashed& theirs = hashes[static_cast<std::size_t>(other)];
        const SortedRows my_rows(shared(both, mine.rows));
        const SortedRows their_rows(shared(both, theirs.rows));
        const SortedRows my_tombstones(shared(both, mine.tombstones));
        const SortedRows their_tombstones(shared(both, theirs.tombstones));
        add_missing(space, my_rows.rows(), their_rows, difference.rows);
        add_missing(space, their_rows.rows(), my_rows, difference.rows);
        add_missing(space, my_tombstones.rows(), their_tombstones, difference.rows);
        add_missing(space, their_tombstones.rows(), my_tombstones, difference.rows);
        if (!difference.rows.empty()) found.push_back(std::move(difference));
      }
    }
  }
  return found;
}

std::vector<Stream> streams_of(const TableReplicas& replicas, std::span<const Difference> differences,
                               const RepairScope& scope) {
  std::vector<Stream> streams;
  Receivers receivers(replicas);
  struct Between {
    const Difference* difference = nullptr;
    SortedRows rows;
  };
  std::map<std::pair<int, int>, std::vector<Between>> by_pair;  // sender, receiver
  for (const Difference& difference : differences) {
    std::vector<Cohort> rows = shared(scope.sets, difference.rows);
    std::ranges::stable_sort(rows, {}, &Cohort::from);
    if (rows.empty()) continue;
    const Between between{.difference = &difference, .rows = SortedRows(std::move(rows))};
    by_pair[{difference.one, difference.other}].push_back(between);
    by_pair[{difference.other, difference.one}].push_back(between);
  }
  // Of a row that has lost its values on one replica, and not on another, those that have them are sent first.
  std::map<std::tuple<int, int, std::int64_t>, std::vector<Cohort>> sent;  // by sender, receiver and file
  for (const bool with_values : {true, false}) {
    for (const auto& [pair, between] : by_pair) {
      for (const auto& [id, file] : replicas.store(pair.first).sstables()) {
        if (!replicas.is_of_session(pair.first, id, scope.session)) continue;
        for (const Cohort& cohort : file->content().cohorts) {
          const auto differs = [&](const Between& each) {
            return cohort.sub_stream == each.difference->sub_stream || cohort.sub_stream == each.difference->tombstones;
          };
          if (has_values(cohort.state) != with_values || std::ranges::none_of(between, differs)) continue;
          const std::vector<Cohort> held = replicas.to_cluster(pair.first, {cohort});
          for (const Between& each : between) {
            if (!differs(each)) continue;
            std::vector<Cohort> rows = each.rows.within(held);
            if (rows.empty()) continue;
            std::vector<Cohort>& of_file = sent[{pair.first, pair.second, id}];
            rows = receivers.take(pair.second, cohort.sub_stream, rows);
            of_file.insert(of_file.end(), rows.begin(), rows.end());
          }
        }
      }
    }
  }
  for (auto& [path, rows] : sent) {
    const auto& [from, to, id] = path;
    if (rows.empty()) continue;
    const SSTable& file = *replicas.store(from).sstables().at(id);
    streams.push_back(stream_of(replicas, {from, to}, file, std::move(rows), scope));
    streams.back().lacking = replicas.to_cluster(to, streams.back().content.cohorts);
  }
  return streams;
}

Stream stream_of(const TableReplicas& replicas, const std::pair<int, int>& from_to, const SSTable& file,
                 std::vector<Cohort> rows, const RepairScope& scope) {
  const auto& [from, to] = from_to;
  Content content{.cohorts = replicas.to_node(to, std::move(rows)), .bases = file.content().bases};
  join_cohorts(content.cohorts);
  const RepairStatus status = scope.session != 0 ? RepairStatus{.pending_session = scope.session}
                                                 : replicas.store(from).live().at(file.id()).repair;
  return {.from = from, .to = to, .content = std::move(content), .status = status};
}

void find_lacking(const TableReplicas& replicas, std::span<Stream> streams) {
  Receivers receivers(replicas);
  for (Stream& stream : streams) {
    std::map<int, std::vector<Cohort>> by_sub_stream;
    for (const Cohort& part : replicas.to_cluster(stream.to, stream.content.cohorts))
      by_sub_stream[part.sub_stream].push_back(part);
    for (const auto& [sub_stream, rows] : by_sub_stream) {
      const std::vector<Cohort> lacking = receivers.take(stream.to, sub_stream, rows);
      stream.lacking.insert(stream.lacking.end(), lacking.begin(), lacking.end());
    }
  }
}

std::vector<Owed> owed_by_repair(const TableReplicas& replicas, std::span<const Difference> differences,
                                 const RepairScope& scope) {
  std::vector<Owed> owed;
  for (const Difference& difference : differences) {
    std::vector<Cohort> differed = shared(scope.sets, difference.rows);
    std::ranges::stable_sort(differed, {}, &Cohort::from);
    const SortedRows rows(std::move(differed));
    for (const int s : {difference.sub_stream, difference.tombstones}) {
      if (s < 0) continue;
      owed.push_back({difference.other, s, rows.within(replicas.filed_on(difference.one, s, scope.session))});
      owed.push_back({difference.one, s, rows.within(replicas.filed_on(difference.other, s, scope.session))});
    }
  }
  return owed;
}

void check_repaired(const TableReplicas& replicas, std::span<const Owed> owed) {
  for (const Owed& each : owed) {
    const SortedRows there(replicas.members_on(each.to, each.sub_stream));
    for (const Cohort& part : there.missing_of(replicas.space(), each.rows))
      SIM_CHECK(!replicas.space().any(part), "a repair leaves rows absent");
  }
}

}  // namespace windrow
