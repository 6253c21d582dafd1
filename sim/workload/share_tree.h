#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/workload/row_share.h"

namespace windrow {

/// One of several parts of one size that somebody asks for.
struct DealtPart {
  std::int64_t part = 0;
  std::uint32_t place = 0;  // of its count
};

/// Counts several shares of the same rows at once: what they have in common is counted once.
class ShareTree {
 public:
  ShareTree() = default;
  explicit ShareTree(std::span<const RowShare* const> shares);

  /// RowShare::rank of each share, in their order.
  void ranks(std::int64_t g, std::span<std::int64_t> ranks) const { this->ranks({&g, 1}, ranks); }
  /// The same for several row numbers: those of one share follow each other.
  void ranks(std::span<const std::int64_t> rows, std::span<std::int64_t> ranks) const;

 private:
  /// Divides what `from` holds into two; a part that nobody asks for has no place yet.
  static constexpr std::uint32_t nowhere = UINT32_MAX;
  struct Step {
    RowShare::Chosen cut{};
    RowShare::Deal deal{};
    std::uint32_t from = 0;
    std::uint32_t chosen = nowhere;
    std::uint32_t rest = nowhere;
    std::vector<DealtPart> dealt{};  // in their place
  };
  /// The place of what the share holds, with the steps that lead there; `cuts` are those of the steps so far.
  std::uint32_t place_of(const RowShare& share, std::vector<const RowShare::Cut*>& cuts);
  void ranks_of_one(std::int64_t g, std::span<std::int64_t> ranks) const;

  std::vector<Step> steps_{};
  std::uint32_t places_ = 1;               // of counts: the first is of all rows
  std::vector<std::uint32_t> of_share_{};  // the place of its count; that of all rows too where it is counted by itself
  std::vector<std::pair<std::size_t, RowShare>> by_themselves_{};
};

/// Counts the shares of several groups at once, each of rows of its own: what shares of a group have in common is
/// counted once, and what one step divides waits for no other of the same depth.
class ShareForest {
 public:
  ShareForest() = default;
  explicit ShareForest(std::span<const std::vector<const RowShare*>> groups);

  /// RowShare::rank of each share by the row number of its group, group by group.
  void ranks(std::span<const std::int64_t> rows, std::span<std::int64_t> ranks) const;

 private:
  struct Step {
    std::uint32_t cut = 0;  // of cuts_, or of deals_
    std::uint32_t from = 0;
    std::uint32_t chosen = 0;
    std::uint32_t rest = 0;
    bool dealt = false;  // then these are the first of dealt_ and what comes after the last
  };
  std::vector<RowShare::Chosen> cuts_{};
  std::vector<RowShare::Deal> deals_{};
  std::vector<DealtPart> dealt_{};
  std::vector<Step> steps_{};              // by depth
  std::uint32_t places_ = 0;               // of counts: the first are of all rows, group by group
  std::vector<std::uint32_t> of_share_{};  // the place of its count
  struct ByItself {
    std::size_t group = 0;
    std::size_t share = 0;
    RowShare rows{};
  };
  std::vector<ByItself> by_themselves_{};
};

}  // namespace windrow
