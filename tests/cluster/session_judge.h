#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sim/cluster/node_watch.h"
#include "sim/cluster/repairs.h"
#include "sim/replica/repair.h"
#include "tests/cluster/rows_by_state.h"
#include "tests/cluster/session_book.h"

namespace windrow_test {

/// What the judge holds to be right. Each can be turned, to see that the comparison notices.
struct SessionRules {
  // When a step begins:
  bool away_refuses = true;           // one that takes part is away
  bool other_session_refuses = true;  // of the same files
  bool flushes_first = true;
  bool takes_ranges_alone = true;  // of a file, the rows inside them become pending
  bool takes_unrepaired_alone = true;
  // Until it ends:
  bool pending_files_wait = true;  // turned in the nodes
  bool loss_of_a_node_fails = true;
  bool failed_files_go_back = true;  // else they are repaired
  // When it ends:
  bool hashes_session_alone = true;
  bool streams_both_ways = true;
  bool streams_session_alone = true;  // else also files that are not of the session
  bool streamed_files_are_of_session = true;
  bool streamed_files_keep_state = true;  // of a full repair
  bool files_become_repaired = true;
  bool repaired_when_begun = true;  // else when it ended
  // Whole leaves are sent:
  bool leaves_by_range = true;         // a tree for each range, else one leaf for all
  bool shallower_tree_decides = true;  // else the deeper one's leaves
  bool leaves_are_sent_whole = true;   // else partitions that differ alone
};

/// Nodes of a scenario of one table, with its outages and repairs and without hints. Each step of a repair is also
/// played row by row by the code that `windrow verify` proves (sim/replica), from what the nodes hold before: then what
/// they hold within each repair state must be the same. What compactions do in between is taken from the nodes.
class SessionJudge {
 public:
  explicit SessionJudge(const windrow::Scenario& scenario, const SessionRules& rules = {});
  SessionJudge(const SessionJudge&) = delete;
  SessionJudge& operator=(const SessionJudge&) = delete;
  ~SessionJudge() = default;

  void play();
  const std::vector<std::string>& complaints() const { return complaints_; }
  const windrow::FaultRecord& record() const { return record_; }
  std::int64_t compared() const { return compared_; }  // contents of a node
  windrow::Rows moved() const { return moved_; }       // rows that another state holds after a step than before
  windrow::Rows sent() const { return sent_; }
  windrow::Rows along() const { return along_; }  // rows of whole leaves that streams have beside those that differ

 private:
  enum Kind { repair_end, outage_end, outage_begin, repair_begin };
  /// A step as the judge sees it.
  struct Step {
    bool runs = false;
    windrow::RepairRequest request{};
    std::vector<int> partners{};
    std::vector<windrow::Validation> validations{};  // of the partners
    windrow::Millis begin_ms = 0;
  };

  windrow::ReplicaTable settings(int node) const;
  std::vector<windrow::Replica> replicas();
  void prepare(windrow::Replica& replica, const windrow::ReplicaTable& table, windrow::RepairRequest request) const;
  /// Nodes that hold something of the ranges.
  std::vector<int> partners_of(const std::vector<windrow::TokenRange>& ranges) const;
  bool holds(int node, windrow::Token token) const;
  windrow::RangesWanted wanted(int number) const;
  std::optional<windrow::Repairs::Next> begin(int number);
  std::optional<windrow::Repairs::Next> end(int number);
  /// The repair's next step will be the one after.
  void pass_on(int number);
  /// What streams of whole leaves hold, by receiver and by sender.
  struct Leaves {
    std::vector<windrow::StreamedLeaves> received{};
    std::vector<windrow::StreamedLeaves> sent{};
  };
  /// Sends it all, from `before`: `after` are the same replicas with what they get.
  Leaves exchange(const Step& step, const std::vector<windrow::Replica>& before,
                  std::vector<windrow::Replica>& after) const;
  void compare_leaves(const Step& step, const Leaves& should, std::size_t lines_before);
  void compare_begun(int node, const windrow::Replica& expected, const windrow::Replica& is);
  void compare_ended(int node, const windrow::Replica& before, const windrow::Replica& expected,
                     const windrow::Replica& is);
  void complain(const std::string& what) {
    if (complaints_.size() < 5) complaints_.push_back(what);
  }

  const windrow::Scenario& scenario_;
  const SessionRules rules_;
  windrow::RingRows ring_;
  std::optional<windrow::ReplicaMap> map_{};    // none: every node holds every row
  std::vector<windrow::RunOptions> options_{};  // by node
  std::vector<std::unique_ptr<SessionBook>> books_{};
  std::vector<std::unique_ptr<windrow::NodeWatch>> watches_{};
  windrow::Replicas nodes_{};
  std::vector<windrow::TableReplicas> tables_{};
  std::optional<NodeRows> rows_{};
  std::unique_ptr<windrow::Ledger> ledger_{};
  std::vector<bool> away_{};
  windrow::FaultRecord record_{};
  std::optional<windrow::Repairs> repairs_{};
  std::vector<Step> steps_{};           // by repair
  std::vector<std::int64_t> places_{};  // of the next step in its cycle, by repair
  windrow::EndedSessions ended_{};
  std::int64_t sessions_ = 0;
  std::vector<std::string> complaints_{};
  std::int64_t compared_ = 0;
  windrow::Rows moved_ = 0;
  windrow::Rows sent_ = 0;
  windrow::Rows along_ = 0;
};

}  // namespace windrow_test
