#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace windrow {

/// What is known of some buckets of some writers. Neighbours lie in one block, the latest of each writer is at hand:
/// buckets are asked for one after the other, cohort by cohort. What is held stays where it is.
template <typename T>
class ByBucket {
 public:
  /// Null until something is put there.
  std::unique_ptr<T>& at(int writer, std::int64_t bucket) {
    if (writer >= static_cast<int>(writers_.size())) writers_.resize(static_cast<std::size_t>(writer) + 1);
    OfWriter& of = writers_[static_cast<std::size_t>(writer)];
    const std::int64_t number = bucket >> block_bits;
    if (of.latest == nullptr || of.number != number) {
      of.number = number;
      of.latest = &of.blocks[number];
    }
    return (*of.latest)[static_cast<std::size_t>(bucket & (block_buckets - 1))];
  }
  /// Null if nothing was put there.
  const T* known(int writer, std::int64_t bucket) const {
    if (writer >= static_cast<int>(writers_.size())) return nullptr;
    const auto& blocks = writers_[static_cast<std::size_t>(writer)].blocks;
    const auto block = blocks.find(bucket >> block_bits);
    return block == blocks.end() ? nullptr
                                 : block->second[static_cast<std::size_t>(bucket & (block_buckets - 1))].get();
  }
  void clear() { writers_.clear(); }

 private:
  static constexpr int block_bits = 6;
  static constexpr std::int64_t block_buckets = std::int64_t{1} << block_bits;
  using Block = std::array<std::unique_ptr<T>, block_buckets>;
  struct OfWriter {
    std::int64_t number = 0;  // of the latest
    Block* latest = nullptr;
    std::unordered_map<std::int64_t, Block> blocks{};
  };

  std::vector<OfWriter> writers_{};
};

}  // namespace windrow
