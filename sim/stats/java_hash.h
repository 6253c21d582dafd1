#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace windrow {

/// Descriptor.hashCode with a sequential generation, Cassandra 5.0.9 (rule 0.2a), of one table's SSTables.
class DescriptorHash {
 public:
  /// Version "oa", "nb" or "da", format "big" or "bti".
  DescriptorHash(std::string_view version, std::string_view format, std::string_view keyspace, std::string_view table);
  std::int32_t of(std::int64_t generation) const;

 private:
  std::uint32_t before_ = 0;  // Objects.hash of what comes before the generation
  std::uint32_t keyspace_ = 0;
  std::uint32_t table_ = 0;
};
std::int32_t descriptor_hash(std::string_view version, std::string_view format, std::int64_t generation,
                             std::string_view keyspace, std::string_view table);

/// Where a hash code lies in a HashSet of that capacity: it is iterated by places, equal ones in the order of
/// insertion.
inline std::uint32_t hash_place(std::int32_t hash_code, int capacity) {
  const auto hash = static_cast<std::uint32_t>(hash_code);
  return (hash ^ (hash >> 16)) & static_cast<std::uint32_t>(capacity - 1);
}

/// Indices of `hashes` in the iteration order of a Java HashSet filled in the given order, starting with `capacity`
/// (16 by default; 4 in TWCS's windows) and doubling while count > 3/4 capacity (rule 0.2a).
std::vector<std::size_t> hash_order(std::span<const std::int32_t> hashes, int capacity = 16);

/// The items in that order; `hash(item)` is an item's hash code.
template <typename Items, typename Hash>
auto in_hash_order(const Items& items, const Hash& hash, int capacity = 16) {
  std::vector<std::int32_t> hashes;
  hashes.reserve(items.size());
  for (const auto& item : items) hashes.push_back(hash(item));
  std::vector<typename Items::value_type> ordered;
  ordered.reserve(items.size());
  for (const std::size_t place : hash_order(hashes, capacity)) ordered.push_back(items[place]);
  return ordered;
}

/// What `new HashSet<>(collection)` of `count` elements begins with.
int hash_capacity_of_copy(std::size_t count);

/// Capacity such a set has after `count` insertions.
int hash_capacity(std::size_t count, int capacity = 16);

}  // namespace windrow
