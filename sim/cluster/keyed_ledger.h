#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cluster/fault_record.h"
#include "sim/cluster/replica_rows.h"
#include "sim/cluster/suspect_history.h"

namespace windrow {

/// The ledger of rows that are held one by one, on nodes that each hold every row: each row whose value a delete, or a
/// newer value that expires, hides from all that know of it, and that a node shows which missed that. A newer value is
/// a delete from its expiry on. What nodes hold is read from their contents, merged and not purged.
class KeyedLedger {
 public:
  /// At most 64 replicas. The table's replicas outlive it.
  explicit KeyedLedger(const TableReplicas& replicas);

  int table() const { return replicas_->table(); }
  /// The same as of Ledger.
  void missed(int node, Micros from_us, Micros until_us, Micros now_us, const std::string& why);
  /// What came in [from, now) and the node lost though it was up.
  void lost(int node, Micros from_us, Micros now_us);
  void replaced(int node, Micros now_us);
  void received(Micros now_us, const std::string& what, bool hints);
  void compacted(int node, std::span<const SSTablePtr> removed, Micros now_us);
  void gone(int node, Micros now_us, std::string_view why);
  void settle();
  std::vector<SuspectRows> finish(Micros end_us);
  const std::vector<PurgeTime>& purges() const { return purges_; }

  /// A write that hides what is older: of a row, of one column of it, of a range or of the whole partition.
  struct Hider {
    std::int64_t from = INT64_MIN;  // clustering values [from, to)
    std::int64_t to = INT64_MAX;
    std::optional<std::int16_t> column{};
    bool by_liveness = false;  // of a row without columns; the liveness of another hides none of its older cells
    Micros timestamp_us = 0;
    Micros sent_us = 0;
    Seconds dead_s = 0;  // from when on what it hides is as good as deleted
    bool covers(std::int64_t clustering) const { return from <= clustering && clustering < to; }
  };

 private:
  using Mask = SuspectHistory::Mask;
  struct Line : SuspectHistory {
    Token token = 0;
    std::int64_t clustering = 0;
    Hider hider{};
    int writer = 0;  // of the value: place among the scenario's writers of the table
    Seconds written_s = 0;
    Seconds expiry_s = 0;  // of the value
    std::optional<Micros> written_again_us{};
  };
  /// What a node says it has forgotten, or now holds of lines.
  struct Told {
    int node = 0;
    Micros at_us = 0;
    std::vector<std::pair<std::size_t, std::pair<bool, bool>>> lines{};  // by place: value, and delete, are stored
    bool gone = false;
    std::string what{"compaction"};
  };
  struct Forgotten {
    Hider hider{};
    int node = 0;
    Micros at_us = 0;
  };

  const TableStore& store(int node) const { return replicas_->store(node); }
  /// Since when somebody is away, or was who has not been back for long, or may have lost what has not been told: what
  /// is forgotten since then may be missed, also by who gets hints. Nothing: nobody.
  std::optional<Micros> missed_since(Micros now_us) const;
  /// Takes down what time alone has changed: values that have expired, rows that were written again, gc_grace.
  void pass_time(Micros now_us);
  void see_written_again(std::vector<Line>& lines, Micros from_us, Micros now_us) const;
  void pass_time(Line& line, Micros now_us) const;
  /// Reads do not strip what hides the row (only_purge_repaired_tombstones): a node has it unrepaired.
  bool is_spared(const Line& line) const;
  /// What the node holds of the lines, as it is now.
  void look(int node, std::vector<Line>& lines) const;
  /// Of writes that `is_missed` is true of.
  template <class IsMissed>
  std::vector<Line> new_lines(int node, Micros from_us, Micros until_us, Micros now_us,
                              const IsMissed& is_missed) const;
  void add_lines(int node, std::vector<Line> missing, Micros from_us, Micros now_us, const std::string& why);
  void find_forgotten(int node, std::span<const SSTablePtr> removed, Micros now_us);
  SuspectRows described(const Line& line, Micros end_us) const;

  const TableReplicas* replicas_;
  std::vector<Line> lines_{};
  std::vector<std::vector<Told>> told_{};                             // by node
  std::vector<std::map<Token, std::vector<Forgotten>>> forgotten_{};  // by node, as far as it may be missed
  std::vector<PurgeTime> purges_{};
  std::optional<Micros> told_lost_us_{};  // what nodes have lost has been told until then; none: they lose nothing
  Micros passed_us_ = 0;
};

}  // namespace windrow
