#pragma once

#include "sim/content/content.h"

namespace windrow {

/// A cohort's members in the order in which they arrive. Where it is cut by tokens, what counting needs is found once.
class MembersInOrder {
 public:
  MembersInOrder(const ContentSpace& space, const Cohort& cohort);

  std::int64_t all() const { return all_; }
  /// How many members below `to` come after those asked for before; asked for in ascending order.
  std::int64_t next_up_to(std::int64_t to);

 private:
  const ContentSpace* space_ = nullptr;
  const Cohort* cohort_ = nullptr;
  bool ranked_ = false;  // by positions on the lattice
  ContentSpace::Positions positions_{};
  std::int64_t all_ = 0;
  std::int64_t from_ = 0;  // members below were asked for
  std::int64_t rank_ = 0;  // of that
};

}  // namespace windrow
