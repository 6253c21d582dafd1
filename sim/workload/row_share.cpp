#include "sim/workload/row_share.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"

namespace windrow {

RowShare::Cut::Cut(std::int64_t part, std::int64_t of, std::uint64_t seed, bool rest)
    : part_(part),
      of_(of),
      seed_(seed),
      rest_(rest),
      counted_(part, of, seed),
      members_(of, part),
      rest_pieces_(part, of - part) {}

RowShare::Cut RowShare::Cut::dealt(std::int64_t part, const Deal& deal, std::uint64_t seed) {
  Cut cut;
  cut.part_ = part;
  cut.of_ = deal.parts();
  cut.seed_ = seed;
  cut.is_dealt_ = true;
  cut.deal_ = deal;
  return cut;
}

std::int64_t RowShare::Cut::chosen(std::int64_t piece) const {
  // A piece begins at ceil(piece * of / part).
  const auto [whole, over] = members_.of(piece);
  const std::int64_t over_after = over + counted_.longer();
  const std::int64_t more_at_end = over_after > part_ ? 2 : over_after > 0 ? 1 : 0;
  const std::int64_t length = counted_.shorter() + more_at_end - (over > 0 ? 1 : 0);
  return whole + (over > 0 ? 1 : 0) + Chosen::place_in(counted_.draw_of(piece), length);
}

std::int64_t RowShare::Cut::row(std::int64_t j) const {
  if (is_dealt_) return deal_.member(part_, j);
  if (!rest_) return chosen(j);
  // Before a piece lie ceil(piece * (of - part) / part) of the rest.
  const std::int64_t piece = rest_pieces_.of(j).quotient;
  return j + piece + (j + piece >= chosen(piece) ? 1 : 0);
}

RowShare RowShare::remainders(std::int64_t modulus, std::vector<std::int64_t> residues) {
  SIM_CHECK(!residues.empty() && std::ranges::is_sorted(residues), "a share without rows");
  RowShare share;
  if (std::ssize(residues) == modulus) return share;
  share.modulus_ = modulus;
  share.residues_ = std::move(residues);
  return share;
}

RowShare RowShare::with(const Cut& cut) const {
  RowShare share = *this;
  share.cuts_.push_back(cut);
  return share;
}

std::pair<RowShare, RowShare> RowShare::split(std::int64_t part, std::int64_t of, std::uint64_t seed) const {
  SIM_CHECK(0 < part && part < of, "a part that is nothing or all");
  const std::int64_t common = std::gcd(part, of);
  const bool rest = 2 * part > of;
  const Cut cut((rest ? of - part : part) / common, of / common, seed, rest);
  return {with(cut), with(cut.other())};
}

std::vector<RowShare> RowShare::divide(const std::vector<std::int64_t>& weights, std::uint64_t seed) const {
  constexpr std::ptrdiff_t fewest_dealt = 3;
  std::vector<Equals> equals;
  for (auto first = weights.begin(); first != weights.end();) {
    const auto last = std::find_if(first, weights.end(), [first](std::int64_t weight) { return weight != *first; });
    if (last - first >= fewest_dealt) {
      equals.push_back({*first * (last - first), last - first});
    } else {
      for (auto each = first; each != last; ++each) equals.push_back({*each, 1});
    }
    first = last;
  }
  std::vector<RowShare> parts;
  divide(equals.data(), equals.data() + equals.size(), seed, parts);
  return parts;
}

void RowShare::divide(const Equals* first, const Equals* last, std::uint64_t& seed,
                      std::vector<RowShare>& parts) const {
  if (last - first == 1) {
    if (first->parts == 1) {
      parts.push_back(*this);
      return;
    }
    const Deal deal(first->parts, seed);
    for (std::int64_t part = 0; part < first->parts; ++part) parts.push_back(with(Cut::dealt(part, deal, seed)));
    ++seed;
    return;
  }
  const std::int64_t all = std::accumulate(first, last, std::int64_t{0},
                                           [](std::int64_t sum, const Equals& each) { return sum + each.weight; });
  const Equals* middle = first + 1;
  std::int64_t below = first->weight;
  while (last - middle > 1 && std::abs(2 * (below + middle->weight) - all) < std::abs(2 * below - all))
    below += (middle++)->weight;
  const auto [lower, upper] = split(below, all, seed++);
  lower.divide(first, middle, seed, parts);
  upper.divide(middle, last, seed, parts);
}

RowShare RowShare::on_node(std::shared_ptr<const OwnedMembers> owned) const {
  RowShare share = *this;
  share.owned_ = std::move(owned);
  return share;
}

std::int64_t RowShare::row(std::int64_t j) const {
  if (owned_) j = owned_->member(j);
  for (auto cut = cuts_.rbegin(); cut != cuts_.rend(); ++cut) j = cut->row(j);
  if (residues_.empty()) return j;
  const auto share = std::ssize(residues_);
  return j / share * modulus_ + residues_[static_cast<std::size_t>(j % share)];
}

std::int64_t RowShare::rank_of_all(std::int64_t g) const {
  if (!residues_.empty()) {
    const auto below = std::ranges::lower_bound(residues_, g % modulus_) - residues_.begin();
    g = g / modulus_ * std::ssize(residues_) + below;
  }
  for (const Cut& cut : cuts_) g = cut.rank(g);
  return g;
}

}  // namespace windrow
