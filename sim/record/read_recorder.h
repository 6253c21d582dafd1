#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sim/engine/node.h"
#include "sim/reads/request.h"
#include "sim/record/limit_watch.h"
#include "sim/record/run_record.h"
#include "sim/scenario/held_keys.h"
#include "sim/scenario/read_fan_out.h"

namespace windrow {

/// The files of a table and its memtable, as reads meet them. What it is given outlives them.
std::vector<ReadSource> read_sources(const TableStore& table, const Content& memtable);

/// True if reads of the table spare what is not repaired (PartitionQuery::spares_unrepaired).
bool spares_unrepaired(const TableStore& table);

/// A table that a read asks, by number among the scenario's, and its writers.
struct AskedTable {
  int table = 0;
  const TableWorkload* workload = nullptr;
  const ReadTable* read = nullptr;  // as it is at a time
  // Of one node of several that hold different partitions: what all of them are written (whole_workload), the default
  // TTL at that time, and what the node holds; else null.
  const TableWorkload* whole = nullptr;
  Seconds default_ttl_s = 0;
  HeldKeys* held = nullptr;
};

/// What all nodes together are written of the streams that reads of a table ask for, each writer by itself.
TableWorkload whole_workload(const Scenario& scenario, int table);

/// The entities of a stream that a read asks for, class by class: each by its writers, in order of time, in one table
/// or in those of its months.
std::vector<std::vector<ReadPart>> read_classes(const Scenario& scenario, std::span<const AskedTable> tables,
                                                const ReadSpec& read);
/// The same of one table, which the request says all about.
std::vector<std::vector<ReadPart>> read_classes(const Scenario& scenario, const TableWorkload& workload,
                                                const ReadSpec& read);

/// The tables that a read asks at a time: its own; or those of its months that are there, in order of time.
std::vector<int> tables_asked(const Scenario& scenario, const ReadSpec& read, Micros now_us);

/// What one request of a kind asks for at a time.
ReadRequest request_at(const ReadSpec& read, Micros start_us, Micros now_us, Seconds gc_before_s);

/// At every sample, what each [read.NAME] costs on this node.
class ReadRecorder {
 public:
  /// `node`: whose files they are, from 1; while nothing reaches it, nothing is read there.
  ReadRecorder(const Scenario& scenario, int node, bool only_limits, LimitWatch& limits);

  void sampled(const Node& node);
  std::vector<ReadRecord> take() { return std::move(records_); }
  /// Partitions, of all samples so far.
  double looked_at() const { return looked_at_; }
  double looked_pieces() const { return looked_pieces_; }

 private:
  /// A table at a sample.
  struct Seen {
    Content memtable{};
    std::vector<ReadSource> sources{};
    ReadTable table{};
  };
  bool wanted() const;
  void see_limits(Micros now_us);
  const Seen& look_at(const Node& node, int number, std::map<int, Seen>& seen) const;
  void sample(const Node& node, ReadRecord& record, std::map<int, Seen>& seen);
  const TableWorkload* whole_of(int table, const TableWorkload& of_node);

  const Scenario& scenario_;
  int node_ = 1;
  bool only_limits_ = false;
  LimitWatch& limits_;
  std::vector<ReadRecord> records_{};
  std::vector<ReadFanOut> fan_out_{};  // of each
  double looked_at_ = 0;
  double looked_pieces_ = 0;
  std::map<int, TableWorkload> whole_{};  // by table
  std::optional<HeldKeys> held_{};
};

}  // namespace windrow
