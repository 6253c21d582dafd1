#pragma once

#include <map>
#include <string>
#include <vector>

#include "evidence/captures/capture_store.h"
#include "evidence/components/partition_writer.h"

namespace windrow {

/// One partition of an SSTable with its key.
struct SSTablePartition {
  std::string key{};
  Token token = 0;
  WrittenPartition written{};
};

/// An SSTable as our rules make it.
struct CapturedSSTable {
  SerializationHeader header{};
  NamedColumns columns{};
  CapturedPartitions contents{};
  std::vector<SSTablePartition> partitions{};
  SSTableStatistics statistics{};
  std::map<std::string, Bytes> components{};  // sizes of the files by name
  Bytes uncompressed_bytes = 0;
  bool compressed = false;
};

struct CapturedSettings {
  SSTableFormat format = SSTableFormat::nb;
  bool compacted = false;  // written by a compaction, not by a flush
};

/// Writes partitions as SortedTableWriter would and sizes every component. `stats`: the bases.
CapturedSSTable write_sstable(const Table& table, const CapturedSettings& settings, const EncodingStats& stats,
                              NamedColumns columns, CapturedPartitions contents);

}  // namespace windrow
