#include "sim/content/members_in_order.h"

namespace windrow {

MembersInOrder::MembersInOrder(const ContentSpace& space, const Cohort& cohort)
    : space_(&space),
      cohort_(&cohort),
      ranked_(!cohort.whole() && !cohort.slots && space.on_lattice(cohort)),
      from_(cohort.from) {
  if (!ranked_) {
    all_ = space.members(cohort);
    return;
  }
  positions_ = space.positions(cohort);
  rank_ = positions_.rank(from_);
  all_ = positions_.rank(cohort.to) - rank_;
}

std::int64_t MembersInOrder::next_up_to(std::int64_t to) {
  const std::int64_t from = from_;
  from_ = to;
  if (from == cohort_->from && to == cohort_->to) return all_;
  if (!ranked_) return space_->members_between(*cohort_, from, to);
  const std::int64_t before = rank_;
  rank_ = positions_.rank(to);
  return rank_ - before;
}

}  // namespace windrow
