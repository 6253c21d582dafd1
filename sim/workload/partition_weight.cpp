#include "sim/workload/partition_weight.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/arithmetic.h"
#include "sim/workload/java_memory.h"

namespace windrow {

namespace {

// AtomicBTreePartition with its holder, decorated key and place among the partitions, without the key's bytes. A trie
// keeps the key itself.
constexpr double skiplist_partition = 260;
constexpr double native_skiplist_partition = 205;
constexpr double trie_partition = 92;
constexpr double native_key_length = 4;
constexpr int kept_in_cut =
    17;  // places of a node that was cut in two: 16 keys of a leaf and an empty one, 17 children
constexpr double first_root = 56;  // with two leaves, and the sizes of these
constexpr double partition_deletion = 48;
constexpr double range_list = 72;  // RangeTombstoneList without its arrays
constexpr int ranges_counted_once = 11;

// InMemoryTrie: blocks of 32 bytes, of which a chain holds 28 characters. A key is its token, the key itself, and four
// characters that part and end them.
constexpr double trie_block = 32;
constexpr double in_chain = 28;
constexpr double token_characters = 8;
constexpr double other_characters = 4;

/// Bytes of the nodes in which 2^0, 2^0.5, ... 2^20 random tokens part (sparse and split nodes, and chains that were
/// cut), for each of them: means of tries that were built one token after another. A level of 256 branches more and the
/// picture repeats.
constexpr std::array<double, 41> branch_bytes = {
    0.00,  0.00,  32.00, 21.69, 16.40, 11.02, 55.07, 48.19, 40.20, 33.81, 29.35, 24.73, 20.59, 17.48,
    15.45, 14.13, 13.31, 12.96, 12.73, 13.67, 18.97, 29.34, 40.14, 42.64, 38.33, 32.91, 28.16, 23.94,
    20.22, 17.24, 15.18, 13.91, 13.29, 13.06, 12.84, 13.66, 18.40, 29.07, 40.08, 42.55, 38.24};
constexpr double half_octaves_a_level = 16;

double branches(double partitions) {
  double half_octaves = 2.0 * std::log2(std::max(1.0, partitions));
  while (half_octaves > static_cast<double>(branch_bytes.size() - 1)) half_octaves -= half_octaves_a_level;
  const auto below = std::min(static_cast<std::size_t>(half_octaves), branch_bytes.size() - 2);
  return std::lerp(branch_bytes[below], branch_bytes[below + 1], half_octaves - static_cast<double>(below));
}

double chain(double key_bytes, double characters_before) {
  const double characters = token_characters + key_bytes + other_characters - characters_before;
  return trie_block * std::ceil(characters / in_chain);
}

MemoryBytes empty_partition_memory(const MemtableSettings& settings, double key_bytes) {
  if (settings.memtable == MemtableClass::trie) return {trie_partition, 0};
  MemoryBytes bytes = region_bytes(settings, key_bytes);
  if (native(settings)) {
    bytes += {native_skiplist_partition, native_key_length};
  } else {
    bytes.heap += skiplist_partition + (on_heap(settings) ? 0 : 1);
  }
  return bytes;
}

/// Nodes of a level that were cut in two, after so many keys that came to it.
std::int64_t cuts(std::int64_t keys) { return keys <= most_in_node ? 0 : (keys - most_in_node - 1) / kept_in_cut + 1; }

double rows_tree_bytes(std::int64_t rows) {
  if (rows <= most_in_node) return tree_memory(static_cast<int>(rows));
  const std::int64_t leaves = cuts(rows);  // beside the last one
  const auto in_last = static_cast<int>(rows - most_in_node - 1 - (leaves - 1) * kept_in_cut) + least_in_node;
  double bytes = first_root + static_cast<double>(leaves) * array_of(kept_in_cut);
  bytes += static_cast<double>(leaves - 1) * (array_of(most_in_node) - array_of(least_in_node)) + array_of(in_last | 1);
  for (std::int64_t nodes = cuts(leaves); nodes > 0; nodes = cuts(nodes))
    bytes += static_cast<double>(nodes) * array_of(2 * kept_in_cut);
  return bytes;
}

}  // namespace

MemoryBytes partition_memory(const MemtableSettings& settings, double key_bytes, int columns) {
  MemoryBytes bytes = empty_partition_memory(settings, key_bytes);
  if (columns > 0) bytes.heap += columns_object + tree_memory(columns);
  return bytes;
}

// A tree of one leaf is weighed whole, and the first one with a root. From then on (BTree.Updater) the growth of the
// last leaf counts, and of a node that overflows what it keeps, not the new one beside it, nor the root: of a leaf 16
// rows, of a branch 16 children.
MemoryBytes rows_tree_memory(double rows) { return RowsTree().memory(rows); }

MemoryBytes RowsTree::memory(double rows) {
  const auto below = static_cast<double>(static_cast<std::int64_t>(rows));
  if (below != known_) {
    const auto each = static_cast<std::int64_t>(below);
    known_ = below;
    bytes_ = rows_tree_bytes(each);
    of_one_more_ = rows_tree_bytes(each + 1);
  }
  return {below == rows ? bytes_ : std::lerp(bytes_, of_one_more_, rows - below), 0};
}

// Each 17 rows cut a leaf, each 17 leaves a branch, each 17 of these another, and each cut comes to the same bytes.
MemoryBytes row_place_memory() { return {array_of(2 * kept_in_cut) / (kept_in_cut - 1), 0}; }

MemoryBytes deleted_partition_memory(const MemtableSettings& settings, double key_bytes) {
  MemoryBytes bytes = empty_partition_memory(settings, key_bytes);
  bytes.heap += partition_deletion;
  return bytes;
}

// RangeTombstoneList, which stays on the heap as it was received: a range that is added to a copy of the list, which is
// as long as its ranges, makes its arrays half as long again. The bounds of one that is added to more than ten others
// are counted twice (RangeTombstoneList.addAll calls add).
MemoryBytes range_deleted_partition_memory(const MemtableSettings& settings, const Writer& writer, int ranges) {
  const ClusteringRule& clustering = writer.clustering;
  const double value = up_to_step(array_header + clustering.value_bytes / static_cast<double>(clustering.columns));
  const double bound =
      clustering_object + array_of(clustering.columns) + clustering.columns * (heap_buffer + value + object_step);
  const auto places = ranges == 1 ? 1 : static_cast<int>(ceil_div(3 * (ranges - std::int64_t{1}), 2));
  const double arrays = 3 * array_of(places) + up_to_step(array_header + 8.0 * places);
  MemoryBytes bytes = empty_partition_memory(settings, static_cast<double>(writer.key_bytes));
  bytes.heap += range_list + arrays + 2 * bound * (ranges + std::max(0, ranges - ranges_counted_once));
  return bytes;
}

// Of a key the first characters lie in nodes, as many as it took to tell it from those that came before; the others in
// a chain of its own. F: the mean, over all that came, of the chance that no earlier one has the same first j.
MemoryBytes trie_memory(const MemtableSettings& settings, double key_bytes, double partitions) {
  if (settings.memtable != MemtableClass::trie) return {};
  double bytes = branches(partitions);
  double told_apart = 0;
  double prefixes = 1;
  for (int j = 1; j < static_cast<int>(token_characters) && told_apart < 1; ++j) {
    prefixes *= 256;
    const double keys_a_prefix = partitions / prefixes;
    const double so_far = keys_a_prefix < 1e-6 ? 1 : (1 - std::exp(-keys_a_prefix)) / keys_a_prefix;
    bytes += (so_far - told_apart) * chain(key_bytes, 1.0 + j);
    told_apart = so_far;
  }
  return region_bytes(settings, bytes);
}

MemoryBytes trie_memory_at_most(const MemtableSettings& settings, double key_bytes) {
  if (settings.memtable != MemtableClass::trie) return {};
  return region_bytes(settings, *std::ranges::max_element(branch_bytes) + chain(key_bytes, 0));
}

}  // namespace windrow
