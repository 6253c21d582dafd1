#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/workload/row_share.h"

namespace windrow {

/// Counts the shares of several groups at once, each group of rows of its own: what shares of a group have in common is
/// counted once, and of one depth, all that divide alike follow each other, so that none waits for another.
class ShareForest {
 public:
  ShareForest() = default;
  /// Shares are asked for in this order, group by group.
  explicit ShareForest(std::span<const std::vector<const RowShare*>> groups);
  /// A single group.
  explicit ShareForest(const std::vector<const RowShare*>& group)
      : ShareForest(std::span<const std::vector<const RowShare*>>(&group, 1)) {}

  /// RowShare::rank of each share, by the row number of its group. Where there are several row numbers of each group,
  /// those of one group follow each other, and so do the ranks of one share. Of at least room() for each number none is
  /// copied; what lies behind the shares' is of no use.
  void ranks(std::span<const std::int64_t> rows, std::span<std::int64_t> ranks) const;
  /// Of a single group.
  void ranks(std::int64_t g, std::span<std::int64_t> ranks) const { this->ranks({&g, 1}, ranks); }
  std::size_t room() const { return places_; }

 private:
  /// How the counts of several places are divided: by one of cuts_, or by one of deals_. Of pairs, a cut has simpler
  /// pieces; parts of a deal that follow each other are counted at once.
  enum class Way { pairs, pieces, dealt_to_some, dealt_to_all };
  /// Places. Of dealt_to_all `chosen` is that of the first part; of dealt_to_some [chosen, rest) are those of dealt_.
  struct Step {
    std::uint32_t from = 0;
    std::uint32_t chosen = 0;
    std::uint32_t rest = 0;
  };
  /// Steps that divide alike.
  struct Stride {
    Way way = Way::pieces;
    std::uint32_t divider = 0;
    std::vector<Step> steps{};
  };
  /// A part and the place of its count.
  struct DealtPart {
    std::int64_t part = 0;
    std::uint32_t place = 0;
  };
  struct Dealt {
    RowShare::Deal deal{};
    /// Of few parts: whether a part's member comes first, by over, then by turn + part (RowShare::Deal::Place).
    std::vector<std::int64_t> come_first{};
  };
  struct ByItself {
    std::size_t group = 0;
    std::size_t share = 0;
    RowShare rows{};
  };
  static constexpr std::uint32_t nowhere = UINT32_MAX;
  /// What is known of the shares' divisions while they are looked at, one after the other.
  struct Growing {
    struct Division {
      const RowShare::Cut* cut = nullptr;
      std::uint32_t divider = 0;
      std::size_t depth = 0;
      std::uint32_t from = 0;
      std::uint32_t chosen = nowhere;  // a part that nobody asks for has no place
      std::uint32_t rest = nowhere;
      std::vector<DealtPart> dealt{};  // in their place
    };
    std::vector<const RowShare::Cut*> cuts{};   // those of cuts_
    std::vector<const RowShare::Cut*> deals{};  // those of deals_
    std::vector<Division> divisions{};
    std::uint32_t places = 0;

    std::uint32_t place_of_dealt(std::int64_t part, std::vector<DealtPart>& dealt);
    std::uint32_t divider_of(const RowShare::Cut& cut);
    /// The place of what a share holds of a root, with the divisions that lead there; those of its group begin at
    /// `first`.
    std::uint32_t place_of(std::span<const RowShare::Cut> cuts_of_share, std::uint32_t place, std::size_t first);
  };

  template <typename Wide>
  void count(Wide wide, std::int64_t* counts) const;

  std::vector<RowShare::Chosen> cuts_{};
  std::vector<Dealt> deals_{};
  std::vector<DealtPart> dealt_{};
  std::vector<Stride> strides_{};       // by depth
  std::vector<std::uint32_t> roots_{};  // by group, the place of all its rows
  std::size_t shares_ = 0;
  std::size_t places_ = 0;  // of counts: the first are the shares', the last is of what nobody asks for
  std::vector<std::pair<std::size_t, std::size_t>> copies_{};  // shares that are the same as one before
  std::vector<ByItself> by_themselves_{};
};

}  // namespace windrow
