#include "sim/content/members_in_order.h"

namespace windrow {

void MembersInOrder::find_those_there() {
  ranked_ = !cohort_->slots && space_->on_lattice(*cohort_);
  if (!ranked_) {
    all_ = space_->members(*cohort_);
    return;
  }
  positions_ = space_->lattice()->positions(*space_, *cohort_);
  asked_ = positions_.lattice->dealt(from_);
  all_ = positions_.count(asked_, positions_.lattice->dealt(cohort_->to));
}

std::int64_t MembersInOrder::there_between(std::int64_t from, std::int64_t to) {
  std::int64_t there = all_ - given_;  // the last ones are what is left
  if (to < cohort_->to && ranked_) {
    const TokenLattice::Dealt before = asked_;
    asked_ = positions_.lattice->dealt(to);
    there = positions_.count(before, asked_);
  } else if (to < cohort_->to) {
    there = space_->members_between(*cohort_, from, to);
  }
  given_ += there;
  return there;
}

}  // namespace windrow
