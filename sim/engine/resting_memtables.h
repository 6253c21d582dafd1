#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "sim/base/due_times.h"
#include "sim/base/units.h"
#include "sim/workload/write_weight.h"

namespace windrow {

/// Of a node's memtables those that rest: nothing is written to them for a time, so that they need not be asked what
/// they weigh. Sums over all memtables are taken in the order of the tables, so that they are to the last bit what they
/// are if each is asked; those that rest before the first that does not are summed once.
class RestingMemtables {
 public:
  /// What one that rests comes to; by adding, what several come to.
  struct Weighed {
    MemoryBytes memory{};
    MemoryBytes memory_at_most{};
    double logged_bytes = 0;                                    // since the start of the run
    double log_from = std::numeric_limits<double>::infinity();  // where in the node's log its oldest write lies
    Weighed& operator+=(const Weighed& other);
    /// It holds nothing, and has logged nothing.
    bool nothing() const;
  };
  struct Entry {
    std::size_t table = 0;
    bool rests = false;
    Weighed weighed{};  // of one that rests
  };

  /// At first none rests.
  explicit RestingMemtables(std::size_t tables);

  /// Each that does not rest, and each that rests and comes to something, in the order of tables.
  std::span<const Entry> entries() const { return entries_; }
  /// So many of the first of them rest, and come to this.
  std::size_t leading() const { return leading_; }
  const Weighed& sum_of_leading() const { return sum_of_leading_; }
  /// That do not rest.
  std::size_t moving() const { return moving_; }

  struct Rest {
    std::size_t table = 0;
    Micros until_us = 0;  // before this time it stays as it is
    Weighed weighed{};
  };
  void let_rest(std::span<const Rest> rests);
  /// It changes now.
  void wake(std::size_t table);
  /// Those that may not stay as they are until after this time; false if there is none.
  bool wake_until(Micros at_us);
  void wake_all();

 private:
  void insert(std::size_t table);
  void sum_leading();

  DueTimes until_;           // of those that rest
  std::vector<char> rests_;  // by table
  std::vector<Entry> entries_{};
  std::size_t moving_ = 0;
  std::size_t leading_ = 0;
  Weighed sum_of_leading_{};
};

}  // namespace windrow
