#include "evidence/components/trie_writer.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "sim/base/check.h"

namespace windrow {
namespace {

constexpr Bytes page_bytes = 4096;

// Width classes of a pointer in TrieNode: the last bit of each that fits, and the sizes of the node types of that
// class.
constexpr std::array<int, 8> pointer_bits = {4, 8, 12, 16, 24, 32, 40, 63};

Bytes single_bytes(std::size_t width) {
  constexpr std::array<Bytes, 8> bytes = {2, 3, 3, 4, 6, 7, 8, 11};
  return bytes[width];
}

Bytes sparse_bytes(std::size_t width, Bytes children) {
  switch (width) {
    case 0:
    case 1:
      return 2 + 2 * children;
    case 2:
      return 2 + (5 * children + 1) / 2;
    case 3:
      return 2 + 3 * children;
    case 4:
      return 2 + 4 * children;
    default:
      return 2 + 6 * children;
  }
}

Bytes dense_bytes(std::size_t width, Bytes span) {
  switch (width) {
    case 0:
    case 1:
    case 2:
      return 3 + (3 * span + 1) / 2;
    case 7:
      return 3 + 8 * span;
    default:
      return 3 + span * static_cast<Bytes>(width - 1);
  }
}

}  // namespace

TrieWriter::TrieWriter(Bytes position) : position_(position) { stack_.push_back(make_node(0)); }

std::uint32_t TrieWriter::make_node(std::int32_t transition) {
  std::uint32_t id = 0;
  if (free_.empty()) {
    id = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
    nodes_[id] = Node{};
  }
  nodes_[id].transition = transition;
  return id;
}

void TrieWriter::add(std::string_view key, std::int32_t payload_bytes) {
  const auto common = static_cast<std::size_t>(
      std::mismatch(key.begin(), key.end(), last_key_.begin(), last_key_.end()).first - key.begin());
  while (stack_.size() > common + 1) {
    complete_node(stack_.back());
    stack_.pop_back();
  }
  for (std::size_t i = common; i < key.size(); ++i) {
    const std::uint32_t child = make_node(static_cast<unsigned char>(key[i]));
    nodes_[stack_.back()].children.push_back(child);
    stack_.push_back(child);
  }
  nodes_[stack_.back()].payload_bytes = payload_bytes;
  last_key_ = key;
}

Bytes TrieWriter::left_in_page() const { return page_bytes - position_ % page_bytes; }

void TrieWriter::pad_to_page() {
  if (position_ % page_bytes != 0) position_ += left_in_page();
}

// Node.maxPositionDelta, as a distance.
Bytes TrieWriter::farthest_child(const Node& node, Bytes position) const {
  Bytes placed = 0;
  Bytes waiting = -1;
  for (const std::uint32_t id : node.children) {
    const Node& child = nodes_[id];
    if (child.file_position != unplaced) {
      placed = std::max(placed, position - child.file_position);
    } else if (waiting < 0) {
      waiting = node.branch_bytes - child.branch_bytes;
    }
  }
  return std::max(placed, waiting);
}

// TrieNode.typeFor and sizeofNode.
Bytes TrieWriter::size_of(const Node& node, Bytes position) const {
  const Bytes payload = node.payload_bytes == no_payload ? 0 : node.payload_bytes;
  if (node.children.empty()) return 1 + payload;
  const Bytes distance = farthest_child(node, position);
  std::size_t width = 0;
  while (distance >> pointer_bits[width] != 0) ++width;
  if (node.children.size() == 1) {
    // Pointers of a fraction of a byte share theirs with the place of the payload's flags.
    if (node.payload_bytes != no_payload && (width == 0 || width == 2)) ++width;
    return single_bytes(width) + payload;
  }
  const Bytes span = nodes_[node.children.back()].transition - nodes_[node.children.front()].transition + 1;
  const Bytes dense = dense_bytes(width, span);
  const Bytes sparse = width == 7 ? dense : sparse_bytes(width, static_cast<Bytes>(node.children.size()));
  return std::min(sparse, dense) + payload;
}

void TrieWriter::complete_node(std::uint32_t id) {
  Node& node = nodes_[id];
  node.branch_bytes = 0;
  for (const std::uint32_t child : node.children)
    node.branch_bytes += nodes_[child].branch_bytes + nodes_[child].node_bytes;
  const Bytes bytes = size_of(node, position_);
  if (bytes + node.branch_bytes >= page_bytes) {
    lay_out_children(id);
    return;
  }
  node.node_bytes = bytes;
  node.has_out_of_page_children = false;
  node.has_out_of_page_in_branch = false;
  for (const std::uint32_t child_id : node.children) {
    const Node& child = nodes_[child_id];
    if (child.file_position != unplaced) {
      node.has_out_of_page_children = true;
    } else if (child.has_out_of_page_children || child.has_out_of_page_in_branch) {
      node.has_out_of_page_in_branch = true;
    }
  }
}

// The biggest child that fits the rest of the page goes next, so that few bytes are lost to padding.
void TrieWriter::lay_out_children(std::uint32_t id) {
  using Entry = std::tuple<Bytes, std::int32_t, std::uint32_t>;
  std::set<Entry> waiting;
  const auto wait = [&](std::uint32_t child_id) {
    const Node& child = nodes_[child_id];
    waiting.emplace(child.branch_bytes + child.node_bytes, child.transition, child_id);
  };
  for (const std::uint32_t child : nodes_[id].children) {
    if (nodes_[child].file_position == unplaced) wait(child);
  }
  Bytes left = left_in_page();
  while (!waiting.empty()) {
    auto next = waiting.upper_bound(Entry{left, 256, 0});
    if (next == waiting.begin()) {
      pad_to_page();
      left = page_bytes;
      next = waiting.end();
    }
    --next;
    const std::uint32_t child = std::get<2>(*next);
    waiting.erase(next);
    if (nodes_[child].has_out_of_page_in_branch) {
      const Bytes actual = recalculate(child, position_);
      if (actual > left) {
        if (left == page_bytes) {
          lay_out_children(child);
          left = left_in_page();
        } else {
          nodes_[child].branch_bytes = actual - nodes_[child].node_bytes;
        }
        wait(child);
        continue;
      }
    }
    place(child);
    left = left_in_page();
  }
  Node& node = nodes_[id];
  node.branch_bytes = 0;
  node.has_out_of_page_children = true;
  node.has_out_of_page_in_branch = false;
  node.node_bytes = size_of(node, position_);
}

Bytes TrieWriter::recalculate(std::uint32_t id, Bytes position) {
  if (nodes_[id].has_out_of_page_in_branch) {
    Bytes branch = 0;
    for (const std::uint32_t child : nodes_[id].children) branch += recalculate(child, position + branch);
    nodes_[id].branch_bytes = branch;
  }
  Node& node = nodes_[id];
  if (node.file_position == unplaced && (node.has_out_of_page_children || node.has_out_of_page_in_branch)) {
    node.node_bytes = size_of(node, position + node.branch_bytes);
  }
  return node.branch_bytes + node.node_bytes;
}

Bytes TrieWriter::write(std::uint32_t id) {
  for (const std::uint32_t child : nodes_[id].children) {
    if (nodes_[child].file_position == unplaced) nodes_[child].file_position = write(child);
  }
  for (const std::uint32_t child : nodes_[id].children) free_.push_back(child);
  const Bytes at = position_;
  position_ += size_of(nodes_[id], at);
  return at;
}

void TrieWriter::place(std::uint32_t id) {
  const Bytes at = write(id);
  Node& node = nodes_[id];
  node.file_position = at;
  node.branch_bytes = 0;
  node.node_bytes = 0;
  node.has_out_of_page_children = false;
  node.has_out_of_page_in_branch = false;
  node.children.clear();
}

void TrieWriter::complete() {
  while (!stack_.empty()) {
    complete_node(stack_.back());
    if (stack_.size() == 1) break;
    stack_.pop_back();
  }
  const std::uint32_t root = stack_.front();
  Bytes actual = recalculate(root, position_);
  if (actual > left_in_page()) {
    if (actual <= page_bytes) {
      pad_to_page();
      actual = recalculate(root, position_);
    }
    if (actual > left_in_page()) {
      lay_out_children(root);
      if (nodes_[root].node_bytes > left_in_page()) {
        pad_to_page();
        recalculate(root, position_);
      }
    }
  }
  place(root);
  root_ = nodes_[root].file_position;
  nodes_.clear();
  free_.clear();
  stack_.clear();
  last_key_.clear();
  stack_.push_back(make_node(0));
}

}  // namespace windrow
