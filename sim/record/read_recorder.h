#pragma once

#include <vector>

#include "sim/engine/node.h"
#include "sim/reads/request.h"
#include "sim/record/limit_watch.h"
#include "sim/record/run_record.h"

namespace windrow {

/// The files of a table and its memtable, as reads meet them. What it is given outlives them.
std::vector<ReadSource> read_sources(const TableStore& table, const Content& memtable);

/// The entities of a stream that a table's reads ask for, class by class: each by its writers, in order of time.
std::vector<std::vector<ReadPart>> read_classes(const Scenario& scenario, const TableWorkload& workload,
                                                const ReadSpec& read);

/// What one request of a kind asks for at a time.
ReadRequest request_at(const ReadSpec& read, Micros start_us, Micros now_us, Seconds gc_before_s);

/// How many replicas answer a request for one partition (ConsistencyLevel.blockFor, Cassandra 5.0.9).
int replicas_waited_for(Consistency consistency, const std::vector<DataCenter>& data_centers);

/// At every sample, what each [read.NAME] costs on this node.
class ReadRecorder {
 public:
  ReadRecorder(const Scenario& scenario, bool only_limits, LimitWatch& limits);

  void sampled(const Node& node);
  std::vector<ReadRecord> take() { return std::move(records_); }

 private:
  bool wanted() const;
  void see_limits(Micros now_us);
  void sample(const Node& node, ReadRecord& record, std::span<const ReadSource> sources);

  const Scenario& scenario_;
  bool only_limits_ = false;
  LimitWatch& limits_;
  std::vector<ReadRecord> records_{};
};

}  // namespace windrow
