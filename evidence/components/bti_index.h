#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "evidence/components/partition_writer.h"
#include "evidence/components/trie_writer.h"
#include "sim/base/units.h"

namespace windrow {

/// Size of Partitions.db: PartitionIndexBuilder, Cassandra 5.0. Partitions in order of token.
class PartitionIndex {
 public:
  /// `position`: of the partition in Data.db, or of its entry in Rows.db.
  void add(Token token, std::string_view key, Bytes position);
  Bytes finish();

 private:
  void write_last(std::size_t prefix_bytes);

  TrieWriter trie_{};
  std::int64_t count_ = 0;
  std::string last_;  // byte-comparable
  Bytes last_position_ = 0;
  std::size_t last_difference_ = 0;
  Bytes first_key_bytes_ = 0;
  Bytes last_key_bytes_ = 0;
};

/// Size of Rows.db: RowIndexWriter and TrieIndexEntry, Cassandra 5.0.
class RowIndex {
 public:
  struct Block {
    std::string first{};  // byte-comparable clusterings of the block's first and last unfiltered
    std::string last{};
  };
  /// Position of the partition's entry. `blocks` go with `partition.blocks`, of which there are at least two.
  Bytes add(std::int64_t key_bytes, const WrittenPartition& partition, std::span<const Block> blocks);
  Bytes bytes() const { return trie_.position(); }

 private:
  TrieWriter trie_{};
};

}  // namespace windrow
