#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/content/keyed_merge.h"
#include "sim/engine/node.h"
#include "tests/cluster/row_fate.h"
#include "tests/cluster/row_judge.h"

namespace windrow_test {

/// Follows a cluster of one table whose rows meet one by one, on nodes that hold every row: keeps each node's memtable
/// and files by itself, checks what flushes, compactions and repairs make of them, and follows each row that a node
/// shows after missing what hides it. By rules of its own; knows nothing of sim/cluster but its words.
class KeyedJudge {
 public:
  KeyedJudge(const windrow::Scenario& scenario, const windrow::ContentSpace& space, const ReadRules& rules = {});
  KeyedJudge(const KeyedJudge&) = delete;
  KeyedJudge& operator=(const KeyedJudge&) = delete;
  ~KeyedJudge();

  std::vector<windrow::RunObserver*> observers();
  /// `record`: which repairs ended well, and when.
  Histories ledger(const windrow::FaultRecord& record);
  const std::vector<std::string>& complaints() const { return complaints_; }
  windrow::Rows streamed() const { return streamed_; }
  /// Rows and deletes that reads have written.
  windrow::Rows read() const { return read_; }

 private:
  using Partitions = std::map<windrow::Token, windrow::KeyedPartition>;
  using Content = std::shared_ptr<const windrow::KeyedContent>;
  class Watch;
  struct Event {
    windrow::Micros at_us = 0;
    int node = 0;
    enum class Kind { flushed, streamed, committed } kind = Kind::flushed;
    bool late = false;  // after something from outside at the same instant
    std::vector<std::int64_t> removed{};
    std::vector<std::pair<std::int64_t, Content>> added{};
    windrow::Seconds now_s = 0;  // of the compaction's beginning
  };
  struct Write {
    windrow::Micros at_us = 0;
    windrow::KeyedPartition mutation{};
    windrow::Micros timestamp_us = 0;
    int lost_by = -1;
  };
  struct Away {
    std::string name{};
    int node = 0;
    windrow::Micros from_us = 0;
    windrow::Micros to_us = 0;
  };
  struct Book {
    Partitions memtable{};
    std::map<std::int64_t, Content> files{};
  };
  /// A row of a node that shows a value which the write hides.
  struct Row : RowFate {
    windrow::Token token = 0;
    std::int64_t clustering = 0;
    const Write* hider = nullptr;
    windrow::Seconds dead_s = 0;
    windrow::Seconds expiry_s = 0;
    std::vector<bool> shows{};
    std::vector<bool> knows{};
    bool over = false;
    std::optional<windrow::Micros> rewritten_us{};
  };

  void complain(const std::string& what) {
    if (complaints_.size() < 5) complaints_.push_back(what);
  }
  bool away(int node, windrow::Micros at_us) const;
  bool accepted(const Write& write) const;
  /// Writes in [from_us, to_us).
  std::span<const Write> writes_in(windrow::Micros from_us, windrow::Micros to_us) const;
  /// All that the node holds of the partition; until something of it changes.
  const windrow::KeyedPartition& merged(int node, windrow::Token token) const;
  /// What is merged of these partitions is no longer so.
  void forget(int node, const windrow::KeyedContent& partitions);
  void put(int node, const windrow::KeyedPartition& mutation);
  void arrive(windrow::Micros until_us);
  void take(const Event& event);
  void check_compaction(const Event& event);
  void look(Row& row, int node) const;
  void pass_time(windrow::Micros now_us);
  /// Of a row that nothing is written to until then.
  void pass_time(Row& row, windrow::Micros until_us) const;
  /// Nodes hold something else now: rows are looked at again, and what it means.
  void changed(const std::vector<int>& nodes, windrow::Micros now_us, const std::string& what, bool hints,
               bool compaction);
  void judge(Row& row, const std::vector<bool>& before, windrow::Micros now_us, const std::string& what, bool hints);
  void missed(const Away& one, windrow::Micros now_us);
  /// Of writes that `is_missed` is true of: rows of the node that these hide.
  void miss(int node, windrow::Micros from_us, windrow::Micros now_us, const std::string& why,
            const std::function<bool(const Write&)>& is_missed);
  /// What the node has lost since then though it was up.
  void lost(int node, windrow::Micros from_us, windrow::Micros now_us);
  void lost(windrow::Micros now_us);
  std::vector<int> asked(const windrow::ReadSpec& read, int coordinator, windrow::Micros now_us) const;
  void read_partition_of(windrow::Token token, const std::vector<int>& nodes,
                         std::pair<std::int64_t, std::int64_t> clusterings, windrow::Micros now_us);
  void reads(windrow::Micros now_us);
  void hints(int node, windrow::Micros now_us);
  Histories histories() const;

  const windrow::Scenario& scenario_;
  const windrow::TableWorkload& workload_;
  ReadRules rules_;
  windrow::CompareValues values_;
  windrow::Seconds gc_grace_s_ = 0;
  int nodes_ = 0;
  std::vector<Write> writes_{};  // in the order of time
  std::map<windrow::Token, std::vector<const Write*>> writes_of_{};
  std::map<windrow::Token, std::vector<const Write*>> hiders_of_{};  // those that may hide older values
  std::size_t next_write_ = 0;
  std::vector<Away> outages_{};
  std::vector<std::unique_ptr<Watch>> watches_{};
  std::vector<Event> events_{};
  std::vector<Book> books_{};
  mutable std::vector<std::map<windrow::Token, windrow::KeyedPartition>> merged_{};  // by node
  /// A node has forgotten what hides older values: until when it knew it.
  std::map<std::tuple<windrow::Token, const Write*, int>, windrow::Micros> forgotten_{};
  std::vector<Row> rows_{};
  std::vector<std::vector<Away>> hinted_{};  // by node; as far as hints are kept
  std::vector<std::vector<Away>> whole_{};   // by node; of these the outages
  std::vector<windrow::Micros> oldest_us_{};
  std::vector<std::string> complaints_{};
  windrow::Rows streamed_ = 0;
  windrow::Rows read_ = 0;
  windrow::Micros read_us_ = 0;
  windrow::Micros told_lost_us_ = 0;
  windrow::Micros passed_us_ = 0;
};

}  // namespace windrow_test
