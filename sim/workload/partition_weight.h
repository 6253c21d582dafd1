#pragma once

#include "sim/workload/write_weight.h"

namespace windrow {

// What the partitions of a memtable weigh beside their rows (rule 12.7).

/// A partition without its rows and their tree, which write so many columns; without trie_memory.
MemoryBytes partition_memory(const MemtableSettings& settings, double key_bytes, int columns);
/// Beside row_memory, the tree of a partition's rows, each of which came by itself, after those that were there: what
/// BTree.update says that it allocated, which is more than the tree takes. Between whole numbers of rows the mean.
MemoryBytes rows_tree_memory(double rows);
/// The same, for who asks again and again of about as many rows.
class RowsTree {
 public:
  MemoryBytes memory(double rows);

 private:
  double known_ = -1;  // of so many rows, a whole number, and of one more:
  double bytes_ = 0;
  double of_one_more_ = 0;
};
/// What a row of a partition without end adds to it: no tree of more than 31 rows has more a row.
MemoryBytes row_place_memory();
/// A partition that is deleted whole and has no rows; without trie_memory.
MemoryBytes deleted_partition_memory(const MemtableSettings& settings, double key_bytes);
/// A partition without rows that has so many range tombstones, none within another, which came one by one: bounds of
/// all clustering columns. Without trie_memory.
MemoryBytes range_deleted_partition_memory(const MemtableSettings& settings, const Writer& writer, int ranges);

/// What the trie of a TrieMemtable takes for each of so many partitions; nothing in a skip list.
MemoryBytes trie_memory(const MemtableSettings& settings, double key_bytes, double partitions);
/// No less than that, however many there are.
MemoryBytes trie_memory_at_most(const MemtableSettings& settings, double key_bytes);

}  // namespace windrow
