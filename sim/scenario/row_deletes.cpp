#include "sim/scenario/row_deletes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace windrow {

namespace {

constexpr std::int64_t cards = 1000;
constexpr std::int64_t most_cards = 200'000;
constexpr std::int64_t deleted_cards = 20;  // so many meet the shares of late rows and TTLs as they are

/// A number near `size`, without a common factor with the partitions' turns: every partition has its share.
std::int64_t coprime_near(std::int64_t size, std::int64_t slots) {
  while (std::gcd(size, slots) != 1) ++size;
  return size;
}

/// Splits 0 … size - 1 into shares by their sums, evenly interleaved: card k goes where its quantile falls.
class Deck {
 public:
  explicit Deck(std::vector<std::int64_t> shares_ppm) : shares_ppm_(std::move(shares_ppm)) {}

  /// Position of the share that card `k` belongs to; cards are dealt in steps that spread each share evenly.
  std::size_t share_of(std::int64_t k, std::int64_t size, std::int64_t step) const {
    const std::int64_t quantile = (k * step % size * ppm + ppm / 2) / size;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < shares_ppm_.size(); ++i) {
      sum += shares_ppm_[i];
      if (quantile < sum) return i;
    }
    return shares_ppm_.size() - 1;
  }

 private:
  std::vector<std::int64_t> shares_ppm_;
};

/// `deleted` of `size` rows, evenly spread.
struct DeletedCards {
  std::int64_t size = 1;
  std::int64_t deleted = 0;
  bool is_deleted(std::int64_t k) const { return k % size * deleted % size < deleted; }
};

DeletedCards deleted_cards_of(double share, std::int64_t deck, std::int64_t slots) {
  if (share <= 0) return {.size = deck, .deleted = 0};
  if (share >= 1) return {.size = deck, .deleted = deck};
  if (deck == 1) {
    const std::int64_t deleted = std::max<std::int64_t>(1, std::llround(share * static_cast<double>(cards)));
    const std::int64_t size = coprime_near(std::llround(static_cast<double>(deleted) / share), slots);
    return {.size = size, .deleted = std::min(size, deleted)};
  }
  const auto wanted = static_cast<double>(deleted_cards) / (share * static_cast<double>(deck));
  const std::int64_t decks = coprime_near(std::clamp<std::int64_t>(std::llround(wanted), 1, most_cards / deck), slots);
  const std::int64_t deleted = std::llround(share * static_cast<double>(deck * decks));
  return {.size = deck * decks, .deleted = std::max<std::int64_t>(1, deleted)};
}

/// Rows of all entities with times in [from_us, until_us).
double rows_between(const WriterSpec& spec, Micros from_us, Micros until_us) {
  double rows = 0;
  for (std::size_t i = 0; i < spec.rate.size(); ++i) {
    const RateStretch& stretch = spec.rate[i];
    const Micros begin_us = std::max({from_us, spec.from_us, stretch.from_us});
    Micros end_us = std::min(until_us, spec.until_us);
    if (i + 1 < spec.rate.size()) end_us = std::min(end_us, spec.rate[i + 1].from_us);
    if (begin_us >= end_us) continue;
    rows += static_cast<double>(end_us - begin_us) * static_cast<double>(stretch.rows) /
            static_cast<double>(stretch.period_us);
  }
  return rows;
}

/// Share of `spec`'s entities that `other` has too.
double share_of_entities(const WriterSpec& spec, const WriterSpec& other) {
  const std::int64_t first = std::max(spec.first_entity, other.first_entity);
  const std::int64_t last = std::min(spec.first_entity + spec.entities, other.first_entity + other.entities);
  return static_cast<double>(std::max<std::int64_t>(0, last - first)) / static_cast<double>(spec.entities);
}

}  // namespace

RowDeletes row_deletes_of(const WriterSpec& writer, std::span<const WriterSpec> deletes) {
  RowDeletes found;
  double deleted = 0;
  for (const WriterSpec& each : deletes) {
    const bool of_rows = each.op == WriteOp::remove && each.remove.kind == DeleteKind::row;
    if (!of_rows || each.entity_group != writer.entity_group || each.table != writer.table) continue;
    const Micros age_us = each.remove.age_us + writer.delay_us;
    const Micros from_us = std::max(each.from_us, writer.from_us + age_us);
    const Micros until_us = std::min(each.until_us, writer.until_us + age_us);
    if (from_us >= until_us) continue;
    const double here = rows_between(each, from_us, until_us) * share_of_entities(each, writer);
    if (here <= 0) continue;
    deleted += here;
    found.from_us = found.until_us == 0 ? from_us : std::min(found.from_us, from_us);
    found.until_us = std::max(found.until_us, until_us);
    found.age_us = age_us;
  }
  if (deleted <= 0) return {};
  const double rows = rows_between(writer, found.from_us - found.age_us, found.until_us - found.age_us);
  found.share = rows > 0 ? std::min(1.0, deleted / rows) : 0;
  return found;
}

FateRule fate_of(const WriterSpec& writer, std::int64_t slots, const RowDeletes& deletes) {
  std::vector<std::int64_t> late_ppm;
  std::vector<std::int64_t> delays;
  std::int64_t punctual_ppm = ppm;
  for (const LateShare& late : writer.late) {
    late_ppm.push_back(late.share_ppm);
    delays.push_back(writer.delay_us + late.delay_us);
    punctual_ppm -= late.share_ppm;
  }
  late_ppm.push_back(punctual_ppm);
  delays.push_back(writer.delay_us);
  std::vector<std::int64_t> ttl_ppm;
  for (const TtlShare& share : writer.ttl) ttl_ppm.push_back(share.share_ppm);

  FateRule fate;
  const std::size_t kinds = late_ppm.size() * ttl_ppm.size();
  const std::int64_t deck = kinds == 1 ? 1 : coprime_near(cards, slots);
  const DeletedCards deleted = deleted_cards_of(deletes.share, deck, slots);
  fate.modulus = deleted.size;
  if (deletes.share > 0) {
    fate.deletes = {.kind = DeleteKind::row,
                    .age_units = deletes.age_us,
                    .arrive_from_units = deletes.from_us,
                    .arrive_to_units = deletes.until_us};
  }
  const Deck late(late_ppm);
  const Deck ttl(ttl_ppm);
  fate.shares.assign(2 * kinds, FateShare{.residues = {}});
  for (std::int64_t k = 0; k < fate.modulus; ++k) {
    // Two steps without a common factor with the deck keep lateness and TTL independent of each other.
    const std::size_t l = late.share_of(k % deck, deck, 1);
    const std::size_t t = ttl.share_of(k % deck, deck, 619);
    const bool goes = deleted.is_deleted(k);
    FateShare& share = fate.shares[(l * ttl_ppm.size() + t) * 2 + (goes ? 1 : 0)];
    share.residues.push_back(k);
    share.late_units = delays[l];
    share.ttl_s = writer.ttl[t].ttl_s;
    share.deleted = goes;
  }
  std::erase_if(fate.shares, [](const FateShare& share) { return share.residues.empty(); });
  return fate;
}

}  // namespace windrow
