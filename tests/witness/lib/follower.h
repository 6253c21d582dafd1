#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/node.h"
#include "tests/witness/lib/meaning.h"
#include "tests/witness/lib/table.h"

namespace windrow::witness {

/// A table of rows that does what a run of cohorts does, when that does it, and says where they differ: every flush,
/// pick and commit. When memtables are flushed and how long compactions take is the run's; every background check must
/// find a thread idle.
class Follower final : public RunObserver {
 public:
  /// `held`: by key, the rows that there are on the node; null: all.
  using Held = std::function<bool(const std::string& key)>;
  Follower(const ScenarioWords& words, const Scenario& scenario, const Held& held = {}, const HeldRanges& ranges = {});
  /// At each sample, with each table of both.
  using Look = std::function<void(const Node& node, int number, const Table& table)>;
  void look_at_samples(Look look) { look_ = std::move(look); }

  /// The first difference; empty: none.
  const std::string& difference() const { return difference_; }
  std::int64_t rows() const;
  std::int64_t picks() const { return picks_; }
  std::int64_t fields() const { return fields_; }

  void flushed(const Node& node, const FlushEvent& event) override;
  void started(const Node& node, const Job& job) override;
  void committed(const Node& node, const CommitEvent& event) override;
  void altered(const Node& node, const ChangeSpec& change) override;
  void sampled(const Node& node) override;

 private:
  struct Followed {
    std::string name{};
    Table table;
    std::vector<MeantRow> rows{};
    std::size_t next_row = 0;
    std::int64_t in_memtable = 0;
    std::int64_t next_check = 0;
    std::optional<Task> asked{};             // found, not started yet
    std::map<std::int64_t, Task> running{};  // by job
  };

  template <class Expected, class Ours>
  void compare(const std::string& where, const char* what, const Expected& expected, const Ours& ours);
  void compare_files(const Node& node, int t, const std::string& where, const std::vector<TraceSSTable>& expected,
                     const Change& change);
  void take_until(Followed& followed, Micros time_us);
  void write(Followed& followed, const MeantRow& row);
  void ask(Followed& followed, Micros now_us);
  /// Checks before `now_us` and those at it, until one finds something.
  void checks_until(Followed& followed, Micros now_us, bool now_too);
  /// What was found must have started at once.
  void expect_started(const Followed& followed, Micros now_us);

  NodeSettings node_{};
  Micros start_us_ = 0;
  std::string alter_{};
  std::vector<Followed> tables_{};
  std::map<std::string, std::unique_ptr<const Key>> keys_{};
  std::map<std::int64_t, std::unique_ptr<const OracleStream>> values_{};  // by length
  Look look_{};
  std::string difference_{};
  std::int64_t picks_ = 0;
  std::int64_t fields_ = 0;
};

}  // namespace windrow::witness
