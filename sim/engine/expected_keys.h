#pragma once

#include <vector>

#include "sim/engine/table_store.h"

namespace windrow {

/// SSTableReader.getApproximateKeyCount, Cassandra 5.0.9: different keys of what a task reads, by their sketches.
std::int64_t approximate_keys(const Task& task);

/// What the writer of an output of a task expects (rule 3.7a).
class ExpectedKeys {
 public:
  /// The task is expected to have so many `keys`. `local`: what the node holds of the ring; null: all of it.
  ExpectedKeys(const Task& task, std::int64_t keys, const LocalRanges* local);
  /// Of an output with these tokens, both inclusive.
  std::int64_t of(Token first, Token last) const;

 private:
  const Task& task_;
  const LocalRanges* local_;
  double distinct_ = 1;        // of a key that is read
  std::int64_t keys_ = 0;      // of each output, where outputs are not cut by shards
  std::vector<Token> ends_{};  // of shards
};

}  // namespace windrow
