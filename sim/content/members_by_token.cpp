#include "sim/content/members_by_token.h"

namespace windrow {

MembersByToken::MembersByToken(const ContentSpace& space, const Cohort& cohort)
    : space_(&space),
      cohort_(&cohort),
      positions_(space.positions(cohort)),
      turns_(*positions_.lattice, *positions_.rounds, cohort.from, cohort.to),
      before_(turns_.below(positions_.first)) {}

std::int64_t MembersByToken::up_to(Token last) const {
  if (cohort_->slots) {  // few, where ranges were deleted
    Cohort part = *cohort_;
    part.last_token = last;
    return space_->members(part);
  }
  return turns_.below(positions_.lattice->positions_up_to(last)) - before_;
}

}  // namespace windrow
