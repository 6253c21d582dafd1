#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/node.h"
#include "sim/replica/rules.h"
#include "sim/ring/replica_map.h"
#include "tests/cluster/row_fate.h"

namespace windrow_test {

/// What the judge holds to be right of reads; turned round to see that the comparison notices.
struct ReadRules {
  windrow::ReplicaRules replicas{};
  bool one_compares_nothing = true;  // else it asks two
  bool asks_live_alone = true;
  bool coordinator_answers_first = true;
  bool read_time_counts = true;  // else all rows are read
  bool own_center_answers_first = true;
  bool local_stays_local = true;  // else LOCAL_QUORUM asks anybody
  bool each_counts_each = true;   // else EACH_QUORUM asks as many, wherever they are
};

/// Follows every row of a cluster of one table by itself: what arrives where, what hints and repairs bring, who shows
/// the row and who stores its delete; by rules of its own, row by row, without intervals. Of compactions it takes what
/// they left, from the nodes' files, and checks that they had the right to. Knows nothing of sim/cluster but its words.
class RowJudge {
 public:
  RowJudge(const windrow::Scenario& scenario, const windrow::TableWorkload& workload, const ReadRules& rules = {});

  RowJudge(const RowJudge&) = delete;
  RowJudge& operator=(const RowJudge&) = delete;
  ~RowJudge();

  /// Observers of the nodes, to be played with; then the ledger.
  std::vector<windrow::RunObserver*> observers();
  Histories ledger();
  /// The same of a cluster whose repairs are judged elsewhere (SessionJudge): what they bring is taken from the nodes,
  /// who brought it from `repairs`.
  Histories ledger_beside(const std::vector<windrow::RepairStep>& repairs);
  /// What was wrong with what nodes held, if anything.
  const std::vector<std::string>& complaints() const { return complaints_; }
  windrow::Rows received() const { return received_; }
  windrow::Rows read() const { return read_; }  // rows, and deletes, that reads wrote

 private:
  enum Bit : std::uint8_t { value = 1, tombstone = 2, present = 4 };
  using Bits = std::vector<std::uint8_t>;  // by row

  struct Row : RowFate {
    int sub_stream = 0;
    std::int64_t member = 0;
    windrow::Micros written_us = 0;
    std::optional<windrow::Micros> deleted_us{};  // when the delete is sent; none: never
    std::vector<bool> owners{};                   // by node
    std::vector<int> holders{};                   // the same as a list
    windrow::Token token = 0;                     // of its partition
    windrow::Seconds ttl_s = 0;
    int tombstones = -1;
    int write_lost_by = -1;
    int delete_lost_by = -1;
    // of the ledger
    bool suspect = false;
    bool over = false;
    std::vector<std::pair<windrow::Micros, int>> purges{};
  };
  struct Arrival {
    windrow::Micros at_us = 0;
    std::size_t row = 0;
    bool deletes = false;
  };
  struct Away {
    std::string name{};
    int node = 0;
    windrow::Micros from_us = 0;
    windrow::Micros to_us = 0;
    bool replaced = false;
  };
  class Watch;
  /// Tokens of the partitions of each file, ascending.
  using FilesHashed = std::vector<std::shared_ptr<const std::vector<windrow::Token>>>;
  struct Found {
    std::size_t row = 0;
    std::uint8_t bits = 0;
  };
  /// A file never changes: what is in it is looked up once.
  struct FileRows {
    windrow::SSTablePtr file{};
    std::vector<Found> found{};
    std::shared_ptr<const std::vector<windrow::Token>> partitions{};
  };
  struct Snapshot {
    windrow::Micros at_us = 0;
    int node = 0;
    bool streamed = false;
    bool last = false;
    Bits bits{};
    windrow::Seconds started_s = 0;  // of the compaction
    bool late = false;               // it took no time, after what came from outside at the same instant
    bool asked_for = false;          // a flush that a repair, or another operator, wanted
    FilesHashed files{};
    std::size_t order = 0;  // among all, as they were taken
    bool taken = false;
  };
  /// A node comes up after so many snapshots.
  struct Restart {
    windrow::Micros at_us = 0;
    int node = 0;
    std::size_t order = 0;
  };

  Bits bits_of(const windrow::Node& node, int number);
  std::vector<Found> rows_in(const windrow::ContentSpace& space, const windrow::Content& content, int number);
  const FileRows& rows_of(const windrow::ContentSpace& space, const windrow::SSTablePtr& file, int number);
  /// Nothing where no repair asks for them.
  FilesHashed partitions_of(const windrow::Node& node, int number);
  void complain(const std::string& what) {
    if (complaints_.size() < 5) complaints_.push_back(what);
  }
  bool away(int node, windrow::Micros at_us) const;
  /// It reaches one of its nodes at least.
  bool accepted(const Row& row, windrow::Micros at_us, int lost_by) const;
  void find_owners();
  bool share_a_range(int node, int other) const;
  void arrive(windrow::Micros until_us);
  void pass_time(windrow::Micros now_us);
  std::vector<bool> shown(std::size_t row) const;
  bool any_shows(std::size_t row) const;
  void judge(std::size_t row, const std::vector<bool>& before, windrow::Micros now_us, const std::string& what,
             bool hints);
  void returned(const Away& away, windrow::Micros now_us);
  /// The node knows nothing of a delete that others got.
  void missed(std::size_t row, int node, const std::string& why, windrow::Micros from_us, windrow::Micros now_us,
              bool was_away);
  /// Deletes that did not arrive since it was last asked.
  void lost(windrow::Micros now_us);
  void lose_disk(int node, windrow::Micros now_us);
  /// By row, who sends it to the node; nothing if nobody can.
  std::optional<std::vector<int>> sources(int node, windrow::Micros now_us) const;
  void fill(int node, const std::vector<int>& sources, windrow::Micros now_us);
  void hints(int node, windrow::Micros now_us);
  void hash(windrow::Micros now_us);
  /// The files that a node has when a repair hashes, the memtable flushed.
  const FilesHashed* files_hashed(int node, windrow::Micros now_us) const;
  /// By range, how deep the node's tree is; -1: it does not hold the range.
  std::vector<int> tree_depths(int node, const std::vector<windrow::TokenRange>& ranges, windrow::Micros now_us) const;
  /// Nodes have got files at this time.
  void follow_streams(windrow::Micros now_us);
  /// `repairing`: nodes whose repair neither was refused nor failed.
  void stream(windrow::Micros now_us, const std::string& name, const std::vector<bool>& repairing);
  /// What was read since the last time, by the reads that `windrow verify` proves (sim/replica), row by row.
  void reads(windrow::Micros now_us);
  bool read_row(std::size_t row, const windrow::ReadSpec& read, int coordinator, windrow::Micros now_us);
  /// Of a row's replicas, in ring order, those that are asked; none if too few are live.
  std::vector<int> asked(const std::vector<int>& order, const windrow::ReadSpec& read, int coordinator,
                         windrow::Micros now_us) const;
  int center_of(int node) const;
  void take(const Snapshot& snapshot);
  /// Compactions that took no time, at the instant of a replacement but before it.
  void take_before_replacement(int node, windrow::Micros now_us);

  const windrow::Scenario& scenario_;
  const windrow::TableWorkload& workload_;
  const ReadRules rules_;
  windrow::Seconds gc_grace_s_ = 0;
  bool spares_unrepaired_ = false;  // only_purge_repaired_tombstones, and no file is ever repaired
  int nodes_ = 0;
  std::optional<windrow::ReplicaMap> walk_{};                  // of the ring, where there is one
  std::optional<windrow::ReplicaMap> replicas_{};              // none: all hold every row
  std::vector<std::vector<std::vector<std::size_t>>> mine_{};  // places of rows, by node, sub-stream, its own number
  std::vector<std::vector<std::vector<bool>>> known_{};        // as mine_: names are as they should be
  std::vector<std::map<std::int64_t, FileRows>> files_{};      // by node, id
  std::vector<Row> rows_{};
  /// Writes and deletes of rows, in the order of time.
  std::vector<Arrival> arrivals_{};
  std::size_t next_arrival_ = 0;
  std::vector<std::size_t> losable_{};   // places of rows whose delete some node does not get
  std::vector<std::size_t> suspects_{};  // places of rows
  std::vector<std::unique_ptr<Watch>> watches_{};
  std::vector<Snapshot> snapshots_{};
  std::vector<Restart> restarts_{};
  std::vector<Away> outages_{};
  std::vector<Bits> held_{};       // by node, as it should be
  std::vector<Bits> in_memory_{};  // of that, by node: in no file yet, so that nothing streams it
  windrow::Micros told_lost_us_ = 0;
  std::vector<std::vector<std::pair<windrow::Micros, windrow::Micros>>> pending_{};  // hinted spans of time, by node
  std::vector<windrow::Micros> oldest_us_{};
  std::vector<std::vector<Away>> hinted_{};  // outages that hints are kept of, by node
  std::vector<std::vector<bool>> goes_{};    // by pair, then row: it lies in a leaf that differs
  std::optional<std::map<windrow::Micros, std::string>>
      streamed_by_{};  // which repair ended when; none: it is found out
  std::vector<std::string> complaints_{};
  windrow::Rows received_ = 0;
  windrow::Rows read_ = 0;
  windrow::Micros read_us_ = 0;
};

}  // namespace windrow_test
