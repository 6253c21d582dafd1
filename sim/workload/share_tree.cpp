#include "sim/workload/share_tree.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <utility>

namespace windrow {

namespace {

/// Room for so many counts at once: on the stack where that is little.
class Counts {
 public:
  explicit Counts(std::size_t size) {
    if (size > few_.size()) many_ = std::make_unique_for_overwrite<std::int64_t[]>(size);
  }
  std::int64_t* data() { return many_ ? many_.get() : few_.data(); }

 private:
  std::array<std::int64_t, 1024> few_;  // what is read was written before
  std::unique_ptr<std::int64_t[]> many_{};
};

/// The place of a part that is dealt; `places` are all of them so far, and one more if it is new.
std::uint32_t place_of_dealt(std::int64_t part, std::vector<DealtPart>& dealt, std::uint32_t& places) {
  const auto known = std::ranges::find(dealt, part, &DealtPart::part);
  if (known != dealt.end()) return known->place;
  dealt.push_back({part, places});
  return places++;
}

}  // namespace

ShareTree::ShareTree(std::span<const RowShare* const> shares) {
  std::vector<const RowShare::Cut*> cuts;
  for (const RowShare* share : shares) {
    const bool in_common = share->residues().empty() && share->owned() == nullptr;
    if (!in_common) by_themselves_.emplace_back(of_share_.size(), *share);
    of_share_.push_back(in_common ? place_of(*share, cuts) : 0);
  }
  for (Step& step : steps_) {  // what nobody asks for goes behind the last
    step.chosen = std::min(step.chosen, places_);
    step.rest = std::min(step.rest, places_);
  }
}

std::uint32_t ShareTree::place_of(const RowShare& share, std::vector<const RowShare::Cut*>& cuts) {
  std::uint32_t place = 0;
  for (const RowShare::Cut& cut : share.cuts_) {
    std::size_t at = 0;
    while (at < steps_.size() && (steps_[at].from != place || !cuts[at]->divides_like(cut))) ++at;
    if (at == steps_.size()) {
      steps_.push_back({.cut = cut.counted(), .deal = cut.deal(), .from = place});
      cuts.push_back(&cut);
    }
    if (cut.is_dealt()) {
      place = place_of_dealt(cut.part(), steps_[at].dealt, places_);
      continue;
    }
    std::uint32_t& part = cut.rest() ? steps_[at].rest : steps_[at].chosen;
    if (part == nowhere) part = places_++;
    place = part;
  }
  return place;
}

void ShareTree::ranks(std::span<const std::int64_t> rows, std::span<std::int64_t> ranks) const {
  if (of_share_.size() == 1 && by_themselves_.empty() && of_share_.front() == 0) {  // one that has all rows
    std::ranges::copy(rows, ranks.begin());
    return;
  }
  if (rows.size() == 1) {
    ranks_of_one(rows.front(), ranks);
    return;
  }
  const std::size_t wide = rows.size();
  Counts room((places_ + 1) * wide);
  std::int64_t* const counts = room.data();
  std::ranges::copy(rows, counts);
  for (const Step& step : steps_) {
    const std::int64_t* const all = counts + step.from * wide;
    if (!step.dealt.empty()) {
      for (std::size_t i = 0; i < wide; ++i) {
        const RowShare::Deal::Place at = step.deal.place_of(all[i]);
        for (const DealtPart& dealt : step.dealt) counts[dealt.place * wide + i] = step.deal.before(at, dealt.part);
      }
      continue;
    }
    std::int64_t* const chosen = counts + step.chosen * wide;
    std::int64_t* const rest = counts + step.rest * wide;
    for (std::size_t i = 0; i < wide; ++i) {
      const std::int64_t members = step.cut.before(all[i]);
      chosen[i] = members;
      rest[i] = all[i] - members;
    }
  }
  for (std::size_t s = 0; s < of_share_.size(); ++s)
    std::copy_n(counts + of_share_[s] * wide, wide, ranks.begin() + static_cast<std::ptrdiff_t>(s * wide));
  for (const auto& [s, share] : by_themselves_) {
    for (std::size_t i = 0; i < wide; ++i) ranks[s * wide + i] = share.rank(rows[i]);
  }
}

void ShareTree::ranks_of_one(std::int64_t g, std::span<std::int64_t> ranks) const {
  Counts room(places_ + 1);
  std::int64_t* const counts = room.data();
  counts[0] = g;
  for (const Step& step : steps_) {
    const std::int64_t all = counts[step.from];
    if (!step.dealt.empty()) {
      const RowShare::Deal::Place at = step.deal.place_of(all);
      for (const DealtPart& dealt : step.dealt) counts[dealt.place] = step.deal.before(at, dealt.part);
      continue;
    }
    const std::int64_t members = step.cut.before(all);
    counts[step.chosen] = members;
    counts[step.rest] = all - members;
  }
  for (std::size_t s = 0; s < of_share_.size(); ++s) ranks[s] = counts[of_share_[s]];
  for (const auto& [s, share] : by_themselves_) ranks[s] = share.rank(g);
}

ShareForest::ShareForest(std::span<const std::vector<const RowShare*>> groups)
    : places_(static_cast<std::uint32_t>(groups.size())) {
  constexpr std::uint32_t nowhere = UINT32_MAX;
  std::vector<const RowShare::Cut*> cuts;     // those of cuts_
  std::vector<const RowShare::Cut*> deals;    // those of deals_
  std::vector<std::size_t> depths;            // of steps_
  std::vector<std::vector<DealtPart>> dealt;  // the same
  const auto number_of = [&](const RowShare::Cut& cut) {
    std::vector<const RowShare::Cut*>& known = cut.is_dealt() ? deals : cuts;
    const auto at = std::ranges::find_if(known, [&](const RowShare::Cut* other) { return other->divides_like(cut); });
    const auto number = static_cast<std::uint32_t>(at - known.begin());
    if (at != known.end()) return number;
    known.push_back(&cut);
    if (cut.is_dealt()) {
      deals_.push_back(cut.deal());
    } else {
      cuts_.push_back(cut.counted());
    }
    return number;
  };
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const std::size_t first_step = steps_.size();
    for (const RowShare* share : groups[group]) {
      auto place = static_cast<std::uint32_t>(group);
      if (!share->residues().empty() || share->owned() != nullptr) {
        by_themselves_.push_back({.group = group, .share = of_share_.size(), .rows = *share});
        of_share_.push_back(place);
        continue;
      }
      for (std::size_t depth = 0; depth < share->cuts_.size(); ++depth) {
        const RowShare::Cut& cut = share->cuts_[depth];
        const std::uint32_t number = number_of(cut);
        std::size_t at = first_step;
        const auto same = [&](const Step& step) {
          return step.from == place && step.cut == number && step.dealt == cut.is_dealt();
        };
        while (at < steps_.size() && !same(steps_[at])) ++at;
        if (at == steps_.size()) {
          steps_.push_back({.cut = number, .from = place, .chosen = nowhere, .rest = nowhere, .dealt = cut.is_dealt()});
          depths.push_back(depth);
          dealt.emplace_back();
        }
        if (cut.is_dealt()) {
          place = place_of_dealt(cut.part(), dealt[at], places_);
          continue;
        }
        std::uint32_t& part = cut.rest() ? steps_[at].rest : steps_[at].chosen;
        if (part == nowhere) part = places_++;
        place = part;
      }
      of_share_.push_back(place);
    }
  }
  std::vector<std::size_t> order(steps_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t step) { return depths[step]; });
  std::vector<Step> by_depth;
  for (const std::size_t number : order) {
    Step& step = by_depth.emplace_back(steps_[number]);
    if (step.dealt) {
      step.chosen = static_cast<std::uint32_t>(dealt_.size());
      dealt_.insert(dealt_.end(), dealt[number].begin(), dealt[number].end());
      step.rest = static_cast<std::uint32_t>(dealt_.size());
    } else {  // what nobody asks for goes behind the last
      step.chosen = std::min(step.chosen, places_);
      step.rest = std::min(step.rest, places_);
    }
  }
  steps_ = std::move(by_depth);
}

void ShareForest::ranks(std::span<const std::int64_t> rows, std::span<std::int64_t> ranks) const {
  Counts room(places_ + 1);
  std::int64_t* const counts = room.data();
  std::ranges::copy(rows, counts);
  for (const Step& step : steps_) {
    const std::int64_t all = counts[step.from];
    if (step.dealt) {
      const RowShare::Deal& deal = deals_[step.cut];
      const RowShare::Deal::Place at = deal.place_of(all);
      for (std::uint32_t i = step.chosen; i < step.rest; ++i) counts[dealt_[i].place] = deal.before(at, dealt_[i].part);
      continue;
    }
    const std::int64_t members = cuts_[step.cut].before(all);
    counts[step.chosen] = members;
    counts[step.rest] = all - members;
  }
  for (std::size_t s = 0; s < of_share_.size(); ++s) ranks[s] = counts[of_share_[s]];
  for (const ByItself& share : by_themselves_) ranks[share.share] = share.rows.rank(rows[share.group]);
}

}  // namespace windrow
