#include "sim/workload/share_tree.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>

namespace windrow {

ShareTree::ShareTree(std::span<const RowShare* const> shares) {
  for (const RowShare* share : shares) {
    const bool in_common = share->residues().empty() && share->owned() == nullptr;
    if (!in_common) by_themselves_.emplace_back(of_share_.size(), *share);
    of_share_.push_back(in_common ? counted_by(*share) : -1);
  }
}

int ShareTree::counted_by(const RowShare& share) {
  int place = 0;
  for (const RowShare::Cut& cut : share.cuts_) {
    auto step = std::ranges::find_if(
        steps_, [&](const Step& each) { return each.from == place && each.cut.divides_like(cut); });
    if (step == steps_.end()) step = steps_.insert(step, {.cut = cut, .from = place});
    int& part = cut.rest() ? step->rest : step->chosen;
    if (part < 0) part = counts_++;
    place = part;
  }
  return place;
}

void ShareTree::ranks(std::span<const std::int64_t> rows, std::span<std::int64_t> ranks) const {
  if (of_share_.size() == 1 && of_share_.front() == 0) {  // one that has all rows
    std::ranges::copy(rows, ranks.begin());
    return;
  }
  if (rows.size() == 1) {
    ranks_of_one(rows.front(), ranks);
    return;
  }
  const std::size_t wide = rows.size();
  boost::container::small_vector<std::int64_t, 64> counts(static_cast<std::size_t>(counts_) * wide,
                                                          boost::container::default_init);
  const auto place = [&](int count) { return counts.data() + static_cast<std::size_t>(count) * wide; };
  std::ranges::copy(rows, counts.begin());
  for (const Step& step : steps_) {
    const std::int64_t* all = place(step.from);
    std::int64_t* chosen = step.chosen >= 0 ? place(step.chosen) : nullptr;
    std::int64_t* rest = step.rest >= 0 ? place(step.rest) : nullptr;
    for (std::size_t i = 0; i < wide; ++i) {
      const std::int64_t members = step.cut.chosen_before(all[i]);
      if (chosen != nullptr) chosen[i] = members;
      if (rest != nullptr) rest[i] = all[i] - members;
    }
  }
  for (std::size_t s = 0; s < of_share_.size(); ++s) {
    if (of_share_[s] >= 0)
      std::copy_n(place(of_share_[s]), wide, ranks.begin() + static_cast<std::ptrdiff_t>(s * wide));
  }
  for (const auto& [s, share] : by_themselves_) {
    for (std::size_t i = 0; i < wide; ++i) ranks[s * wide + i] = share.rank(rows[i]);
  }
}

void ShareTree::ranks_of_one(std::int64_t g, std::span<std::int64_t> ranks) const {
  boost::container::small_vector<std::int64_t, 64> counts(static_cast<std::size_t>(counts_) + 1,
                                                          boost::container::default_init);
  // What nobody asks for goes behind the last.
  const auto place = [this](int count) { return static_cast<std::size_t>(count >= 0 ? count : counts_); };
  counts[0] = g;
  for (const Step& step : steps_) {
    const std::int64_t all = counts[static_cast<std::size_t>(step.from)];
    const std::int64_t members = step.cut.chosen_before(all);
    counts[place(step.chosen)] = members;
    counts[place(step.rest)] = all - members;
  }
  for (std::size_t s = 0; s < of_share_.size(); ++s) ranks[s] = counts[place(of_share_[s])];
  for (const auto& [s, share] : by_themselves_) ranks[s] = share.rank(g);
}

}  // namespace windrow
