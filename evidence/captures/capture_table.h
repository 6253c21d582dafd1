#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "evidence/captures/capture_sstable.h"
#include "evidence/captures/capture_store.h"
#include "sim/schema/table.h"

namespace windrow {

/// A table that runs the statements of a recording: a memtable, flushes, major compactions.
class CapturedTable {
 public:
  /// `clock_s`: the wall clock of compactions.
  CapturedTable(const Table& table, SSTableFormat format, Seconds clock_s);

  /// One write of a recording: op, now, ts, values or where, and so on (row_sizes/README.md).
  void apply(const nlohmann::json& statement);
  void flush();
  void compact();
  const std::vector<CapturedSSTable>& sstables() const { return sstables_; }

 private:
  struct Memtable {
    CapturedPartitions partitions{};
    NamedColumns columns{};
    EncodingStats::Collector stats{};
  };
  /// What one statement writes to one partition, before it is merged.
  struct Update {
    Micros timestamp_us = 0;
    Seconds now_s = 0;
    std::int32_t ttl_s = 0;
    CapturedRow static_row{};
    CapturedRow row{};
  };

  CapturedPartition& partition_of(const nlohmann::json& key_values);
  Clustering clustering_of(const nlohmann::json& values) const;
  void delete_rows(const nlohmann::json& statement, CapturedPartition& partition, const DeletionTime& deletion);
  bool deletes_nothing(const nlohmann::json& statement) const;
  CapturedRange range_of(const nlohmann::json& statement, const Clustering& prefix, const DeletionTime& deletion) const;
  void insert(const nlohmann::json& statement, Update& update);
  void set_columns(const nlohmann::json& values, Update& update);
  void set_parts(const nlohmann::json& statement, Update& update);
  void delete_columns(const nlohmann::json& statement, Update& update);
  void count(const nlohmann::json& statement, Update& update);

  const Column& column(const std::string& name) const;
  CapturedCell cell(const Update& update, std::string value) const;
  CapturedCell tombstone(const Update& update) const;
  void put(const Column& column, CapturedCell cell, Update& update);
  void put_part(const Column& column, const std::string& path, CapturedCell cell, Update& update);
  CapturedComplex& complex(const Column& column, Update& update);
  void delete_complex(const Column& column, Micros timestamp_us, Update& update);
  int name_column(const Column& column);
  void see(const CapturedCell& cell);
  void see(const DeletionTime& deletion);

  const Table& table_;
  SSTableFormat format_ = SSTableFormat::nb;
  Seconds clock_s_ = 0;
  ClusteringOrder order_{};
  Memtable memtable_{};
  std::vector<CapturedSSTable> sstables_;
  std::uint64_t next_list_path_ = 0;
};

}  // namespace windrow
