#include "sim/workload/share_forest.h"

#include <algorithm>
#include <array>
#include <memory>
#include <tuple>
#include <type_traits>
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

}  // namespace

std::uint32_t ShareForest::Growing::place_of_dealt(std::int64_t part, std::vector<DealtPart>& dealt) {
  const auto known = std::ranges::find(dealt, part, &DealtPart::part);
  if (known != dealt.end()) return known->place;
  dealt.push_back({part, places});
  return places++;
}

std::uint32_t ShareForest::Growing::divider_of(const RowShare::Cut& cut) {
  std::vector<const RowShare::Cut*>& known = cut.is_dealt() ? deals : cuts;
  const auto at = std::ranges::find_if(known, [&](const RowShare::Cut* other) { return other->divides_like(cut); });
  const auto number = static_cast<std::uint32_t>(at - known.begin());
  if (at == known.end()) known.push_back(&cut);
  return number;
}

std::uint32_t ShareForest::Growing::place_of(std::span<const RowShare::Cut> cuts_of_share, std::uint32_t place,
                                             std::size_t first) {
  for (std::size_t depth = 0; depth < cuts_of_share.size(); ++depth) {
    const RowShare::Cut& cut = cuts_of_share[depth];
    std::size_t at = first;
    while (at < divisions.size() && (divisions[at].from != place || !divisions[at].cut->divides_like(cut))) ++at;
    if (at == divisions.size())
      divisions.push_back({.cut = &cut, .divider = divider_of(cut), .depth = depth, .from = place});
    if (cut.is_dealt()) {
      place = place_of_dealt(cut.part(), divisions[at].dealt);
      continue;
    }
    std::uint32_t& part = cut.rest() ? divisions[at].rest : divisions[at].chosen;
    if (part == nowhere) part = places++;
    place = part;
  }
  return place;
}

ShareForest::ShareForest(std::span<const std::vector<const RowShare*>> groups) {
  Growing growing{.places = static_cast<std::uint32_t>(groups.size())};
  std::vector<std::uint32_t> places_of_shares;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const std::size_t first = growing.divisions.size();
    for (const RowShare* share : groups[group]) {
      const bool in_common = share->residues().empty() && share->owned() == nullptr;
      if (!in_common) by_themselves_.push_back({.group = group, .share = places_of_shares.size(), .rows = *share});
      const auto root = static_cast<std::uint32_t>(group);
      places_of_shares.push_back(in_common ? growing.place_of(share->cuts_, root, first) : nowhere);
    }
  }
  shares_ = places_of_shares.size();
  for (const RowShare::Cut* cut : growing.cuts) cuts_.push_back(cut->counted());

  // Numbered anew: a share's count is in the place of the share.
  std::vector<std::uint32_t> numbers(growing.places, nowhere);
  for (std::size_t share = 0; share < shares_; ++share) {
    if (places_of_shares[share] == nowhere) continue;
    std::uint32_t& number = numbers[places_of_shares[share]];
    if (number == nowhere) {
      number = static_cast<std::uint32_t>(share);
    } else {
      copies_.emplace_back(share, number);
    }
  }
  places_ = shares_;
  for (std::uint32_t& number : numbers) {
    if (number == nowhere) number = static_cast<std::uint32_t>(places_++);
  }
  const auto nobodys = static_cast<std::uint32_t>(places_++);
  roots_.assign(numbers.begin(), numbers.begin() + std::ssize(groups));
  const auto number_of = [&](std::uint32_t place) { return place == nowhere ? nobodys : numbers[place]; };

  for (const RowShare::Cut* cut : growing.deals) {
    constexpr std::int64_t few = 32;
    Dealt& dealt = deals_.emplace_back(Dealt{.deal = cut->deal(), .come_first = {}});
    const std::int64_t parts = dealt.deal.parts();
    if (parts > few) continue;
    for (std::int64_t over = 0; over < parts; ++over) {
      for (std::int64_t sum = 0; sum < 2 * parts; ++sum) {
        const std::int64_t turn = std::min(sum, parts - 1);
        dealt.come_first.push_back(dealt.deal.before({.deal = 0, .over = over, .turn = turn}, sum - turn));
      }
    }
  }
  std::ranges::stable_sort(growing.divisions, {}, [](const Growing::Division& each) {
    return std::tuple(each.depth, each.cut->is_dealt(), each.divider);
  });
  for (Growing::Division& division : growing.divisions) {
    Step step{.from = number_of(division.from)};
    Way way = division.cut->counted().of_pairs() ? Way::pairs : Way::pieces;
    if (division.cut->is_dealt()) {
      std::ranges::sort(division.dealt, {}, &DealtPart::part);
      for (DealtPart& dealt : division.dealt) dealt.place = number_of(dealt.place);
      const Dealt& deal = deals_[division.divider];
      const std::uint32_t front = division.dealt.front().place;
      const bool follow = std::ranges::all_of(division.dealt, [&](const DealtPart& dealt) {
        return dealt.place == front + static_cast<std::uint32_t>(dealt.part);
      });
      way = follow && !deal.come_first.empty() && std::ssize(division.dealt) == deal.deal.parts() ? Way::dealt_to_all
                                                                                                  : Way::dealt_to_some;
      step.chosen = way == Way::dealt_to_all ? front : static_cast<std::uint32_t>(dealt_.size());
      if (way == Way::dealt_to_some) dealt_.insert(dealt_.end(), division.dealt.begin(), division.dealt.end());
      step.rest = static_cast<std::uint32_t>(dealt_.size());
    } else {
      step.chosen = number_of(division.chosen);
      step.rest = number_of(division.rest);
    }
    const bool like_last =
        !strides_.empty() && strides_.back().way == way && strides_.back().divider == division.divider;
    Stride& stride =
        like_last ? strides_.back() : strides_.emplace_back(Stride{.way = way, .divider = division.divider});
    stride.steps.push_back(step);
  }
}

template <typename Wide>
void ShareForest::count(Wide wide, std::int64_t* counts) const {
  const auto cut_each = [&](const Stride& stride, const auto& before) {
    for (const Step& step : stride.steps) {
      const std::int64_t* const all = counts + step.from * wide;
      std::int64_t* const chosen = counts + step.chosen * wide;
      std::int64_t* const rest = counts + step.rest * wide;
      for (std::size_t i = 0; i < wide; ++i) {
        const std::int64_t rows = all[i];
        const std::int64_t members = before(rows);
        chosen[i] = members;
        rest[i] = rows - members;
      }
    }
  };
  for (const Stride& stride : strides_) {
    switch (stride.way) {
      case Way::pairs: {
        const RowShare::Chosen cut = cuts_[stride.divider];
        cut_each(stride, [&](std::int64_t rows) { return cut.before_of_pairs(rows); });
        break;
      }
      case Way::pieces: {
        const RowShare::Chosen cut = cuts_[stride.divider];
        cut_each(stride, [&](std::int64_t rows) { return cut.before_of_pieces(rows); });
        break;
      }
      case Way::dealt_to_some: {
        const RowShare::Deal deal = deals_[stride.divider].deal;
        for (const Step& step : stride.steps) {
          for (std::size_t i = 0; i < wide; ++i) {
            const RowShare::Deal::Place at = deal.place_of(counts[step.from * wide + i]);
            for (std::uint32_t each = step.chosen; each < step.rest; ++each)
              counts[dealt_[each].place * wide + i] = deal.before(at, dealt_[each].part);
          }
        }
        break;
      }
      case Way::dealt_to_all: {
        const RowShare::Deal deal = deals_[stride.divider].deal;
        const std::int64_t* const come_first = deals_[stride.divider].come_first.data();
        const auto parts = static_cast<std::size_t>(deal.parts());
        constexpr std::size_t at_once = std::is_integral_v<Wide> ? 64 : 1;
        std::array<std::int64_t, at_once> deals;
        std::array<const std::int64_t*, at_once> more;
        for (const Step& step : stride.steps) {
          for (std::size_t first = 0; first < wide; first += at_once) {
            const std::size_t some = std::min<std::size_t>(at_once, wide - first);
            for (std::size_t i = 0; i < some; ++i) {
              const RowShare::Deal::Place at = deal.place_of(counts[step.from * wide + first + i]);
              deals[i] = at.deal;
              more[i] = come_first + at.over * 2 * deal.parts() + at.turn;
            }
            for (std::size_t part = 0; part < parts; ++part) {
              std::int64_t* const members = counts + (step.chosen + part) * wide + first;
              for (std::size_t i = 0; i < some; ++i) members[i] = deals[i] + more[i][part];
            }
          }
        }
        break;
      }
    }
  }
}

void ShareForest::ranks(std::span<const std::int64_t> rows, std::span<std::int64_t> ranks) const {
  const bool whole = strides_.empty() && copies_.empty() && by_themselves_.empty() && shares_ == roots_.size();
  if (whole) {  // each has all rows of its group
    std::ranges::copy(rows, ranks.begin());
    return;
  }
  const std::size_t wide = rows.size() / roots_.size();
  const bool in_place = ranks.size() >= places_ * wide;
  Counts beside(in_place ? 0 : places_ * wide);
  std::int64_t* const counts = in_place ? ranks.data() : beside.data();
  for (std::size_t group = 0; group < roots_.size(); ++group) {
    for (std::size_t i = 0; i < wide; ++i) counts[roots_[group] * wide + i] = rows[group * wide + i];
  }
  if (wide == 1) {
    count(std::integral_constant<std::size_t, 1>(), counts);
  } else {
    count(wide, counts);
  }
  for (const auto& [share, before] : copies_) std::copy_n(counts + before * wide, wide, counts + share * wide);
  for (const auto& [group, share, of] : by_themselves_) {
    for (std::size_t i = 0; i < wide; ++i) counts[share * wide + i] = of.rank(rows[group * wide + i]);
  }
  if (!in_place) std::copy_n(counts, shares_ * wide, ranks.begin());
}

}  // namespace windrow
