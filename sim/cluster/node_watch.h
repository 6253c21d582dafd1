#pragma once

#include <span>

#include "sim/cluster/ledger.h"
#include "sim/cluster/repair_traces.h"
#include "sim/engine/node.h"

namespace windrow {

/// Hands on what one node says, tells the ledger what compactions forget, and sees what repairs leave.
class NodeWatch final : public RunObserver {
 public:
  NodeWatch(int node, const Scenario& scenario, RunObserver* inner)
      : node_(node), inner_(inner), traces_(node, scenario) {}
  RepairTraces& traces() { return traces_; }
  void follow(Ledger& ledger) { ledger_ = &ledger; }

  void flushed(const Node& node, const FlushEvent& event) override {
    if (inner_ != nullptr) inner_->flushed(node, event);
    traces_.flushed(event);
  }
  void streamed(const Node& node, const StreamEvent& event) override {
    if (inner_ != nullptr) inner_->streamed(node, event);
  }
  void started(const Node& node, const Job& job) override {
    if (inner_ != nullptr) inner_->started(node, job);
  }
  void committed(const Node& node, const CommitEvent& event) override {
    if (inner_ != nullptr) inner_->committed(node, event);
    traces_.committed(event);
    ledger_->compacted(node_, event.table, event.removed, event.change->files(), event.at_us);
  }
  void level_changed(const Node& node, const LevelEvent& event) override {
    if (inner_ != nullptr) inner_->level_changed(node, event);
  }
  void refused(const Node& node, const RefusalEvent& event) override {
    if (inner_ != nullptr) inner_->refused(node, event);
  }
  void altered(const Node& node, const ChangeSpec& change) override {
    if (inner_ != nullptr) inner_->altered(node, change);
  }
  void gone(const Node& node, const GoneEvent& event) override {
    if (inner_ != nullptr) inner_->gone(node, event);
    traces_.gone(event);
    ledger_->gone(node_, event.table, event.at_us, event.why == "replaced" ? "replacement" : "truncate");
  }
  void acted(const Node& node, const ActionSpec& action) override {
    if (inner_ != nullptr) inner_->acted(node, action);
  }
  void restarted(const Node& node) override {
    if (inner_ != nullptr) inner_->restarted(node);
  }
  void sampled(const Node& node) override {
    if (inner_ != nullptr) inner_->sampled(node);
    traces_.sampled(node);
  }

 private:
  int node_ = 0;
  RunObserver* inner_ = nullptr;
  Ledger* ledger_ = nullptr;
  RepairTraces traces_;
};

}  // namespace windrow
