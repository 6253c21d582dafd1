#include "sim/workload/row_share.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"

namespace windrow {

namespace {

/// The finalizer of SplitMix64 (Steele, Lea, Flood, 2014).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

struct Division {
  std::int64_t quotient = 0;
  std::int64_t remainder = 0;
};

/// a * b by c; all positive, c below 2^52. Of numbers that doubles hold the quotient is off by one at most, and costs a
/// fifth of a division of integers.
Division mul_div(std::int64_t a, std::int64_t b, std::int64_t c) {
  constexpr std::int64_t held = std::int64_t{1} << 52;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || product >= held) {
    const std::int64_t quotient = mul_div_floor(a, b, c);
    return {quotient, static_cast<std::int64_t>(static_cast<Int128>(a) * b - static_cast<Int128>(quotient) * c)};
  }
  auto quotient = static_cast<std::int64_t>(static_cast<double>(product) / static_cast<double>(c));
  std::int64_t remainder = product - quotient * c;
  if (remainder < 0) {
    --quotient;
    remainder += c;
  } else if (remainder >= c) {
    ++quotient;
    remainder -= c;
  }
  return {quotient, remainder};
}

std::int64_t ceil_of(std::int64_t a, std::int64_t b) { return b == 1 ? a : (a + b - 1) / b; }

/// Where in a piece of so many members its chosen one lies.
std::int64_t place_in(std::int64_t piece, std::int64_t length, std::uint64_t seed) {
  const std::uint64_t draw = mixed(static_cast<std::uint64_t>(piece) + (seed << 48)) >> 32;
  return static_cast<std::int64_t>(draw * static_cast<std::uint64_t>(length) >> 32);
}

}  // namespace

std::int64_t RowShare::Cut::begin(std::int64_t piece) const {
  if (part == 1) return piece * of;
  const auto [whole, over] = mul_div(piece, of, part);
  return whole + (over > 0 ? 1 : 0);
}

std::int64_t RowShare::Cut::chosen(std::int64_t piece) const {
  const std::int64_t first = begin(piece);
  return first + place_in(piece, begin(piece + 1) - first, seed);
}

std::int64_t RowShare::Cut::rank(std::int64_t g) const {
  const auto [piece, over] = mul_div(g, part, of);
  const std::int64_t before = part == 1 ? over : over / part;  // of the piece
  const std::int64_t length = before + ceil_of(of - over, part);
  const std::int64_t members = piece + (place_in(piece, length, seed) < before ? 1 : 0);
  return rest ? g - members : members;
}

std::int64_t RowShare::Cut::row(std::int64_t j) const {
  if (!rest) return chosen(j);
  // Before a piece lie ceil(piece * (of - part) / part) of the rest.
  const std::int64_t piece = mul_div(j, part, of - part).quotient;
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
  Cut cut{.part = part / common, .of = of / common, .seed = seed};
  cut.rest = cut.part > cut.of - cut.part;
  if (cut.rest) cut.part = cut.of - cut.part;
  Cut other = cut;
  other.rest = !cut.rest;
  return {with(cut), with(other)};
}

std::vector<RowShare> RowShare::divide(const std::vector<std::int64_t>& weights, std::uint64_t seed) const {
  std::vector<RowShare> parts;
  divide(weights.data(), weights.data() + weights.size(), seed, parts);
  return parts;
}

void RowShare::divide(const std::int64_t* first, const std::int64_t* last, std::uint64_t& seed,
                      std::vector<RowShare>& parts) const {
  if (last - first == 1) {
    parts.push_back(*this);
    return;
  }
  const std::int64_t all = std::accumulate(first, last, std::int64_t{0});
  const std::int64_t* middle = first + 1;
  std::int64_t below = *first;
  while (last - middle > 1 && std::abs(2 * (below + *middle) - all) < std::abs(2 * below - all)) below += *middle++;
  const auto [lower, upper] = split(below, all, seed++);
  lower.divide(first, middle, seed, parts);
  upper.divide(middle, last, seed, parts);
}

std::int64_t RowShare::row(std::int64_t j) const {
  for (auto cut = cuts_.rbegin(); cut != cuts_.rend(); ++cut) j = cut->row(j);
  if (residues_.empty()) return j;
  const auto share = std::ssize(residues_);
  return j / share * modulus_ + residues_[static_cast<std::size_t>(j % share)];
}

std::int64_t RowShare::rank(std::int64_t g) const {
  if (!residues_.empty()) {
    const auto below = std::ranges::lower_bound(residues_, g % modulus_) - residues_.begin();
    g = g / modulus_ * std::ssize(residues_) + below;
  }
  for (const Cut& cut : cuts_) g = cut.rank(g);
  return g;
}

}  // namespace windrow
