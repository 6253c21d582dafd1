#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/engine/node.h"

namespace windrow_test {

/// Keeps by itself which state of repairs each file of a node of one table has, from the steps of sessions on, and says
/// where a compaction takes files of different holders, or files have another state than they should.
class SessionBook final : public windrow::RunObserver {
 public:
  /// What it is given outlives it; `ended`: sessions, as the judge knows them.
  SessionBook(int node, const windrow::EndedSessions& ended, std::vector<std::string>& complaints)
      : node_(node), ended_(ended), complaints_(complaints) {}

  void flushed(const windrow::Node& node, const windrow::FlushEvent& event) override;
  void streamed(const windrow::Node& node, const windrow::StreamEvent& event) override;
  void started(const windrow::Node& node, const windrow::Job& job) override;
  void committed(const windrow::Node& node, const windrow::CommitEvent& event) override;

  /// All files have the states that they should.
  void expect(const windrow::Node& node, const char* when);
  /// A step begins: until take() files change their states, and the node's word for them counts.
  void step_begins() { begins_ = true; }
  /// The states that the node's files have are right: the step that began has been compared.
  void take(const windrow::Node& node);

 private:
  void expect_one_holder(const windrow::Node& node, const std::vector<std::int64_t>& files);
  /// Of a session that has ended: what its files become.
  windrow::RepairStatus now(const windrow::RepairStatus& status) const;
  void complain(const windrow::Node& node, const std::string& what);

  int node_ = 0;
  const windrow::EndedSessions& ended_;
  std::vector<std::string>& complaints_;
  std::map<std::int64_t, windrow::RepairStatus> states_{};  // by file
  bool begins_ = false;
};

}  // namespace windrow_test
