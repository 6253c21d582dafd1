#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/reads/request.h"
#include "tests/witness/lib/table.h"

namespace windrow::witness {

/// What a read of one partition meets, row by row (SinglePartitionReadCommand, ReadCommand.withMetricsRecording,
/// Cassandra 5.0.9).
struct RowsRead {
  std::int64_t sstables = 0;
  std::int64_t rows = 0;
  std::int64_t live = 0;
  std::int64_t tombstones = 0;
  double bytes = 0;  // of the rows, each as large as the mean row of the file it is in; of a memtable's, of the newest
};
RowsRead read_rows(const Table& table, const std::string& key, const PartitionQuery& query);

/// A request for every entity, one after the other; `parts` only name partitions: their keys and buckets.
struct RequestRead {
  std::vector<std::int64_t> partitions{};  // by entity
  std::vector<RowsRead> reads{};           // of partitions, all requests together
};
RequestRead request_rows(const Table& table, const std::vector<ReadPart>& parts, const ReadRequest& request);

/// The same for those of its partitions that a node holds. How much there is alive of a partition, and hence how far
/// back `latest` goes, is the same on all nodes: `live` tells it by key, at most as many as the limit.
RequestRead request_rows_on(const Table& table, const std::vector<ReadPart>& parts, const ReadRequest& request,
                            const std::function<bool(const std::string& key)>& held,
                            const std::function<std::int64_t(const std::string& key, std::int64_t limit)>& live);

/// p50, p99 and max of all of them in one line, to be compared.
std::string line_of(const RequestRead& read);
std::string line_of(const ReadCosts& costs);

}  // namespace windrow::witness
