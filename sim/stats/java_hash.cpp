#include "sim/stats/java_hash.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <numeric>

namespace windrow {
namespace {

// String.hashCode; identifiers are ASCII, so bytes are characters.
std::uint32_t string_hash(std::string_view text) {
  std::uint32_t hash = 0;
  for (const char c : text) hash = 31 * hash + static_cast<unsigned char>(c);
  return hash;
}

// java.util.Objects.hash
std::uint32_t combined_hash(std::initializer_list<std::uint32_t> parts) {
  std::uint32_t hash = 1;
  for (const std::uint32_t part : parts) hash = 31 * hash + part;
  return hash;
}

}  // namespace

DescriptorHash::DescriptorHash(std::string_view version, std::string_view format, std::string_view keyspace,
                               std::string_view table)
    : before_(combined_hash({string_hash(version), string_hash(format)})),
      keyspace_(string_hash(keyspace)),
      table_(string_hash(table)) {}

std::int32_t DescriptorHash::of(std::int64_t generation) const {
  // SequenceBasedSSTableId: Objects.hash of one int.
  const std::uint32_t id = 31 + static_cast<std::uint32_t>(generation);
  return static_cast<std::int32_t>(combined_hash({before_, id, keyspace_, table_}));
}

std::int32_t descriptor_hash(std::string_view version, std::string_view format, std::int64_t generation,
                             std::string_view keyspace, std::string_view table) {
  return DescriptorHash(version, format, keyspace, table).of(generation);
}

int hash_capacity(std::size_t count, int capacity) {
  while (count > static_cast<std::size_t>(capacity) / 4 * 3) capacity *= 2;
  return capacity;
}

int hash_capacity_of_copy(std::size_t count) {
  const auto room = static_cast<std::size_t>(static_cast<float>(count) / 0.75F) + 1;
  return static_cast<int>(std::bit_ceil(std::max<std::size_t>(room, 16)));
}

std::vector<std::size_t> hash_order(std::span<const std::int32_t> hashes, int capacity) {
  const int grown = hash_capacity(hashes.size(), capacity);
  const auto place = [&](std::size_t i) { return hash_place(hashes[i], grown); };
  std::vector<std::size_t> order(hashes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  return order;
}

}  // namespace windrow
