#pragma once

#include "sim/content/content.h"
#include "sim/content/lattice_places.h"

namespace windrow {

/// A cohort's members in the order in which they arrive. Where it is cut by tokens, what counting needs is found once.
class MembersInOrder {
 public:
  MembersInOrder(const ContentSpace& space, const Cohort& cohort)
      : space_(&space), cohort_(&cohort), whole_(cohort.whole()), all_(cohort.to - cohort.from), from_(cohort.from) {
    if (!whole_) find_those_there();
  }
  /// Of one that is found, without slots.
  MembersInOrder(const ContentSpace& space, const Cohort& cohort, const LatticeCohort& found)
      : space_(&space),
        cohort_(&cohort),
        whole_(cohort.whole()),
        ranked_(true),
        positions_(found.held),
        all_(found.members),
        from_(cohort.from),
        asked_(found.from) {}

  std::int64_t all() const { return all_; }
  /// How many members below `to` come after those asked for before; asked for in ascending order.
  std::int64_t next_up_to(std::int64_t to) {
    const std::int64_t from = from_;
    from_ = to;
    return whole_ ? to - from : there_between(from, to);
  }

 private:
  void find_those_there();
  std::int64_t there_between(std::int64_t from, std::int64_t to);

  const ContentSpace* space_ = nullptr;
  const Cohort* cohort_ = nullptr;
  bool whole_ = true;    // each member is there
  bool ranked_ = false;  // by positions on the lattice
  LatticePositions positions_{};
  std::int64_t all_ = 0;
  std::int64_t from_ = 0;        // members below were asked for
  TokenLattice::Dealt asked_{};  // the same
  std::int64_t given_ = 0;       // so many of them are there
};

}  // namespace windrow
