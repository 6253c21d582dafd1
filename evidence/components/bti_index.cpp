#include "evidence/components/bti_index.h"

#include <algorithm>
#include <bit>

#include "sim/base/check.h"
#include "sim/stats/vint.h"

namespace windrow {
namespace {

// SizedInts.nonZeroSize of a position or its complement: a signed number of whole bytes.
std::int32_t sized_int_bytes(std::int64_t value) {
  const auto magnitude = static_cast<std::uint64_t>(value < 0 ? ~value : value);
  return std::max(1, (64 - std::countl_zero(magnitude) + 1 + 7) / 8);
}

std::size_t common_bytes(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

constexpr char next_component = 0x40;
constexpr Bytes open_marker_bytes = 12;

}  // namespace

void PartitionIndex::add(Token token, std::string_view key, Bytes position) {
  std::string comparable(1, next_component);
  const std::uint64_t flipped = static_cast<std::uint64_t>(token) ^ (std::uint64_t{1} << 63);
  for (int shift = 56; shift >= 0; shift -= 8) comparable.push_back(static_cast<char>(flipped >> shift));
  comparable.push_back(next_component);
  comparable += key;
  if (count_ == 0) {
    first_key_bytes_ = static_cast<Bytes>(key.size());
  } else {
    const std::size_t difference = common_bytes(last_, comparable) + 1;
    write_last(std::max(difference, last_difference_));
    last_difference_ = difference;
  }
  ++count_;
  last_ = std::move(comparable);
  last_position_ = position;
  last_key_bytes_ = static_cast<Bytes>(key.size());
}

// A payload is one byte of the key's hash and the position.
void PartitionIndex::write_last(std::size_t prefix_bytes) {
  trie_.add(std::string_view(last_).substr(0, prefix_bytes), 1 + sized_int_bytes(last_position_));
}

Bytes PartitionIndex::finish() {
  if (count_ > 0) write_last(last_difference_);
  trie_.complete();
  return trie_.position() + 2 + first_key_bytes_ + 2 + last_key_bytes_ + 3 * 8;
}

Bytes RowIndex::add(std::int64_t key_bytes, const WrittenPartition& partition, std::span<const Block> blocks) {
  SIM_CHECK(blocks.size() == partition.blocks.size() && blocks.size() > 1, "a row index describes every block");
  std::string separator;
  std::string_view previous_last;
  DeletionTime open_at_start{};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i > 0) separator = blocks[i].first.substr(0, common_bytes(previous_last, blocks[i].first) + 1);
    trie_.add(separator, sized_int_bytes(partition.blocks[i].offset) +
                             static_cast<std::int32_t>(open_at_start.live() ? 0 : open_marker_bytes));
    previous_last = blocks[i].last;
    open_at_start = partition.blocks[i].open;
  }
  // One more entry beyond the last block, as long as the last separator, rejects greater clusterings early.
  const std::size_t same = common_bytes(previous_last, separator);
  std::string end(previous_last.substr(0, same + 1));
  if (!end.empty()) end.back() = static_cast<char>(end.back() + 1);
  trie_.add(end, sized_int_bytes(partition.bytes));
  trie_.complete();
  const Bytes root = trie_.root();
  const Bytes entry = trie_.position();
  const Bytes base = entry + 2 + key_bytes;
  trie_.skip(2 + key_bytes + unsigned_vint_size(static_cast<std::uint64_t>(partition.position)) +
             signed_vint_size(root - base) + unsigned_vint_size(partition.blocks.size()) +
             (partition.deleted ? 12 : 1));
  return entry;
}

}  // namespace windrow
