#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"

namespace windrow {

/// Counts the bytes of a BTI trie, page padding included: IncrementalTrieWriterPageAware and TrieNode, Cassandra 5.0
/// (storage rule 1.13). Keys come in byte order. `position` is where the trie starts in its file.
class TrieWriter {
 public:
  explicit TrieWriter(Bytes position = 0);
  void add(std::string_view key, std::int32_t payload_bytes);
  /// Places all that is left. The writer is then ready for a next trie, which follows in the same file.
  void complete();
  Bytes position() const { return position_; }
  /// Where the root of the trie completed last lies.
  Bytes root() const { return root_; }
  void skip(Bytes bytes) { position_ += bytes; }

 private:
  static constexpr Bytes unplaced = -1;
  static constexpr std::int32_t no_payload = -1;

  struct Node {
    std::int32_t transition = 0;
    std::int32_t payload_bytes = no_payload;
    std::vector<std::uint32_t> children{};
    Bytes branch_bytes = 0;  // of all below it that has no place yet
    Bytes node_bytes = 0;
    Bytes file_position = unplaced;
    bool has_out_of_page_children = true;
    bool has_out_of_page_in_branch = false;
  };

  std::uint32_t make_node(std::int32_t transition);
  void complete_node(std::uint32_t id);
  void lay_out_children(std::uint32_t id);
  void place(std::uint32_t id);
  Bytes recalculate(std::uint32_t id, Bytes position);
  Bytes write(std::uint32_t id);
  Bytes size_of(const Node& node, Bytes position) const;
  Bytes farthest_child(const Node& node, Bytes position) const;
  Bytes left_in_page() const;
  void pad_to_page();

  Bytes position_ = 0;
  Bytes root_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> stack_;  // from the root along the last key
  std::string last_key_;
};

}  // namespace windrow
