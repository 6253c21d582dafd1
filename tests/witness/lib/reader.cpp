#include "tests/witness/lib/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "sim/stats/murmur3.h"

namespace windrow::witness {
namespace {

/// What one file or the memtable has of a partition.
struct Version {
  Partition partition{};
  bool file = false;
  double row_bytes = 0;
};

bool meets(const SSTable& file, const PartitionQuery& query) {
  if (query.whole()) return true;
  std::int64_t first = INT64_MAX;
  std::int64_t last = INT64_MIN;
  for (const Partition& partition : file.partitions()) {
    for (const Row& row : partition.rows) {
      first = std::min(first, row.clustering);
      last = std::max(last, row.clustering);
    }
    for (const Range& range : partition.ranges) {
      first = std::min(first, range.from);
      last = std::max(last, range.to - 1);
    }
  }
  return first < query.to_ms && last >= query.from_ms;
}

double mean_row(const SSTable& file) {
  const TraceSSTable& fields = file.fields;
  return fields.rows > 0 ? static_cast<double>(fields.uncompressed_bytes) / static_cast<double>(fields.rows) : 0;
}

/// From when on what is dead stays although gc_grace has passed: only_purge_repaired_tombstones, of files that are all
/// unrepaired. Files count whose keys and clusterings might have the partition, and a memtable that has it.
Seconds oldest_unrepaired_s(const Table& table, const std::string& key, const PartitionQuery& query) {
  Seconds oldest_s = no_deletion_time;
  std::optional<Deletion> deletion;
  for (const Partition& partition : table.memtable().sorted()) {
    if (partition.key->text != key) continue;
    oldest_s = table.memtable().min_local_deletion_time_s();
    deletion = stronger(deletion, partition.deletion);
  }
  const Token token = murmur3_token(key);
  for (const auto& [id, file] : table.files()) {
    for (const Partition& partition : file->partitions())
      if (partition.key->text == key) deletion = stronger(deletion, partition.deletion);
  }
  for (const auto& [id, file] : table.files()) {
    if (deletion && file->fields.max_timestamp_us < deletion->timestamp_us) continue;
    const bool in_keys = file->fields.first_token <= token && token <= file->fields.last_token;
    const bool deletes = std::ranges::any_of(file->partitions(), [&](const Partition& partition) {
      return partition.key->text == key && partition.deletion;
    });
    if (in_keys && (deletes || meets(*file, query)))
      oldest_s = std::min(oldest_s, file->fields.min_local_deletion_time_s);
  }
  return oldest_s;
}

std::vector<Version> versions_of(const Table& table, const std::string& key, const PartitionQuery& query) {
  struct Found {
    Partition partition{};
    Micros newest_us = 0;
    double row_bytes = 0;
  };
  std::vector<Version> versions;
  std::optional<Deletion> deletion;
  for (Partition& partition : table.memtable().sorted()) {
    if (partition.key->text != key) continue;
    deletion = stronger(deletion, partition.deletion);
    const auto newest = table.files().rbegin();
    const double row_bytes = newest == table.files().rend() ? 0 : mean_row(*newest->second);
    versions.push_back({std::move(partition), false, row_bytes});
  }
  std::vector<Found> files;
  for (const auto& [id, file] : table.files()) {
    for (const Partition& partition : file->partitions()) {
      if (partition.key->text != key) continue;
      if (meets(*file, query)) {
        files.push_back({partition, file->fields.max_timestamp_us, mean_row(*file)});
      } else if (partition.deletion) {
        files.push_back({{.key = partition.key, .deletion = partition.deletion}, file->fields.max_timestamp_us, 0});
      }
    }
  }
  // Newest first; what is older than a deletion of the partition that was met is not looked at.
  std::ranges::stable_sort(files, std::greater(), &Found::newest_us);
  for (Found& found : files) {
    if (deletion && found.newest_us < deletion->timestamp_us) break;
    deletion = stronger(deletion, found.partition.deletion);
    versions.push_back({std::move(found.partition), true, found.row_bytes});
  }
  return versions;
}

Partition merged(const std::vector<Version>& versions) {
  Partition all;
  std::map<std::int64_t, Row> rows;
  for (const Version& version : versions) {
    all.deletion = stronger(all.deletion, version.partition.deletion);
    all.ranges.insert(all.ranges.end(), version.partition.ranges.begin(), version.partition.ranges.end());
    for (const Row& row : version.partition.rows) {
      const auto [place, first] = rows.try_emplace(row.clustering, row);
      if (!first) merge_into(place->second, row);
    }
  }
  all.ranges = resolved(all.ranges, all.deletion);
  for (auto& [clustering, row] : rows) {
    std::optional<Deletion> over = all.deletion;
    for (const Range& range : all.ranges) {
      if (range.from <= clustering && clustering < range.to) over = range.deletion;
    }
    shadow(row, row.deletion);
    enclose(row, over);
    if (!row.empty()) all.rows.push_back(std::move(row));
  }
  return all;
}

/// A row as it is left by what is too old, and whether it counts.
struct Seen {
  bool live = false;
  std::int64_t tombstones = 0;
};

Seen look_at(const Row& row, const PartitionQuery& query) {
  Seen seen;
  const auto gone = [&](Seconds deleted_s) { return deleted_s < query.gc_before_s; };
  bool deletion = row.deletion && !gone(row.deletion->local_deletion_time_s);
  if (row.liveness) {
    if (row.liveness->expires_s > query.now_s) {
      seen.live = true;
    } else if (!gone(row.liveness->expires_s)) {
      deletion = true;
    }
  }
  const auto cell = [&](const Cell& each) {
    if (!each.tombstone && each.local_deletion_time_s > query.now_s) {
      seen.live = true;
      return;
    }
    // An expired cell counts as deleted when it was written.
    const Seconds deleted_s = each.tombstone ? each.local_deletion_time_s : each.local_deletion_time_s - each.ttl_s;
    if (!gone(deleted_s)) ++seen.tombstones;
  };
  for (const Cell& each : row.cells) cell(each);
  if (row.complex) {
    for (const Cell& each : row.complex->cells) cell(each);
    if (row.complex->deletion && !gone(row.complex->deletion->local_deletion_time_s)) deletion = true;
  }
  if (!seen.live && deletion && seen.tombstones == 0) seen.tombstones = 1;
  return seen;
}

/// Bounds of ranges within the slice; two at one place are one marker.
std::set<std::int64_t> markers_of(const Partition& partition, const PartitionQuery& query) {
  std::set<std::int64_t> markers;
  for (const Range& range : partition.ranges) {
    if (range.deletion.local_deletion_time_s < query.gc_before_s) continue;
    if (range.to <= query.from_ms || range.from >= query.to_ms) continue;
    markers.insert(std::max(range.from, query.from_ms));
    markers.insert(std::min(range.to, query.to_ms));
  }
  return markers;
}

}  // namespace

RowsRead read_rows(const Table& table, const std::string& key, const PartitionQuery& asked) {
  PartitionQuery query = asked;
  if (asked.spares_unrepaired) query.gc_before_s = std::min(query.gc_before_s, oldest_unrepaired_s(table, key, query));
  const std::vector<Version> versions = versions_of(table, key, query);
  RowsRead read;
  std::map<const Version*, std::int64_t> rows_of;
  const auto with_bytes = [&] {
    for (const auto& [version, rows] : rows_of) read.bytes += static_cast<double>(rows) * version->row_bytes;
    return read;
  };
  read.sstables = std::ranges::count_if(versions, &Version::file);
  const Partition partition = merged(versions);
  const std::set<std::int64_t> markers = markers_of(partition, query);
  auto marker = markers.rbegin();
  for (auto row = partition.rows.rbegin(); row != partition.rows.rend(); ++row) {
    if (row->clustering < query.from_ms || row->clustering >= query.to_ms) continue;
    for (; marker != markers.rend() && *marker > row->clustering; ++marker) ++read.tombstones;
    const Seen seen = look_at(*row, query);
    ++read.rows;
    for (const Version& version : versions) {
      const auto has = [&](const Row& each) { return each.clustering == row->clustering; };
      if (!std::ranges::any_of(version.partition.rows, has)) continue;
      ++rows_of[&version];
      break;
    }
    read.tombstones += seen.tombstones;
    if (seen.live && ++read.live == query.limit) return with_bytes();
  }
  for (; marker != markers.rend(); ++marker) ++read.tombstones;
  return with_bytes();
}

RequestRead request_rows(const Table& table, const std::vector<ReadPart>& parts, const ReadRequest& request) {
  return request_rows_on(
      table, parts, request, [](const std::string&) { return true; }, nullptr);
}

RequestRead request_rows_on(const Table& table, const std::vector<ReadPart>& parts, const ReadRequest& request,
                            const std::function<bool(const std::string& key)>& held,
                            const std::function<std::int64_t(const std::string& key, std::int64_t limit)>& live) {
  RequestRead all;
  const bool latest = request.latest_rows > 0;
  const auto bucket_at = [](const Writer& writer, Micros us) {
    return writer.bucket.number(us >= 0 ? us / us_per_s : -((-us + us_per_s - 1) / us_per_s));
  };
  const auto writer_of = [](const ReadPart& part) { return part.whole ? part.whole->writer : part.writer; };
  for (std::int64_t entity = 0; entity < writer_of(parts.back())->entities; ++entity) {
    std::int64_t found = 0;
    std::int64_t partitions = 0;
    std::set<std::string> asked;
    for (std::size_t i = parts.size(); i-- > 0;) {
      const Writer& writer = *writer_of(parts[i]);
      Micros newest_us = latest ? request.newest_us : request.to_us - 1;
      if (i + 1 < parts.size()) newest_us = std::min(newest_us, parts[i].until_us - 1);
      Micros oldest_us = latest ? request.oldest_us : request.from_us;
      if (i > 0 || (latest && request.start_known)) oldest_us = std::max(oldest_us, parts[i].from_us);
      if (newest_us < oldest_us) continue;
      for (std::int64_t bucket = bucket_at(writer, newest_us); bucket >= bucket_at(writer, oldest_us); --bucket) {
        if (latest && found >= request.latest_rows) break;
        if (!asked.insert(writer.key(entity, bucket)).second) continue;
        const std::int64_t limit = latest ? request.latest_rows - found : 0;
        const std::int64_t shards = request.shards > 0 ? request.shards : writer.shards;
        for (std::int64_t shard = 0; shard < shards; ++shard, ++partitions) {
          PartitionQuery query{.now_s = request.now_s,
                               .gc_before_s = request.gc_before_s,
                               .limit = limit,
                               .spares_unrepaired = request.spares_unrepaired};
          if (!latest) {
            query.from_ms = request.from_us / 1000;
            query.to_ms = request.to_us / 1000;
          }
          const std::string key = writer.key(shard * writer.entities + entity, bucket);
          if (live) found += live(key, limit);
          if (!held(key)) continue;
          // Keys of recordings name no shard: one that is not written is no other's.
          all.reads.push_back(shard < writer.shards ? read_rows(table, key, query) : RowsRead{});
          if (!live) found += all.reads.back().live;
        }
      }
    }
    all.partitions.push_back(partitions);
  }
  return all;
}

namespace {

std::string three(std::vector<std::int64_t> values) {
  if (values.empty()) return "0/0/0";
  std::ranges::sort(values);
  const auto at = [&](std::size_t percent) { return values[(values.size() * percent + 99) / 100 - 1]; };
  return fmt::format("{}/{}/{}", at(50), at(99), values.back());
}

std::string three(const WeightedCounts& counts) {
  return fmt::format("{}/{}/{}", counts.percentile(50), counts.percentile(99), counts.max());
}

}  // namespace

std::string line_of(const RequestRead& read) {
  const auto all = [&](auto member) {
    std::vector<std::int64_t> values;
    for (const RowsRead& each : read.reads) values.push_back(each.*member);
    return three(std::move(values));
  };
  return fmt::format("{} reads, partitions {}, SSTables {}, rows {}, tombstones {}", read.reads.size(),
                     three(read.partitions), all(&RowsRead::sstables), all(&RowsRead::rows),
                     all(&RowsRead::tombstones));
}

std::string line_of(const ReadCosts& costs) {
  return fmt::format("{} reads, partitions {}, SSTables {}, rows {}, tombstones {}", costs.sstables.total(),
                     three(costs.partitions), three(costs.sstables), three(costs.rows), three(costs.tombstones));
}

}  // namespace windrow::witness
