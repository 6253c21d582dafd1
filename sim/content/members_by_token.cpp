#include "sim/content/members_by_token.h"

namespace windrow {

MembersByToken::MembersByToken(const ContentSpace& space, const Cohort& cohort)
    : space_(&space),
      cohort_(&cohort),
      positions_(space.lattice()->positions(space, cohort)),
      from_(positions_.lattice->dealt(cohort.from)),
      to_(positions_.lattice->dealt(cohort.to)),
      before_(below(positions_.first)) {}

std::int64_t MembersByToken::up_to(Token last) const {
  if (cohort_->slots) {  // few, where ranges were deleted
    Cohort part = *cohort_;
    part.last_token = last;
    return space_->members(part);
  }
  return below(positions_.lattice->border(positions_.lattice->positions_up_to(last))) - before_;
}

}  // namespace windrow
