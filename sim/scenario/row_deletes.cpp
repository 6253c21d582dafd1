#include "sim/scenario/row_deletes.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/scenario/cluster_ring.h"
#include "sim/scenario/node_count.h"

namespace windrow {

namespace {

/// Seeds that keep lateness, TTL and deletes independent of each other.
enum Seed : std::uint64_t {
  lateness = 0x100,
  time_to_live = 0x200,
  deleted = 0x300,
  lost_at = 0x400,
  delete_lost_at = 0x500
};

/// A share of rows that are deleted, as a part of so many; right to a millionth of itself.
std::pair<std::int64_t, std::int64_t> part_of(double share) {
  return {ppm, std::max<std::int64_t>(ppm, std::llround(static_cast<double>(ppm) / share))};
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

/// Divided by who loses the write, or the delete, of a row.
void add_share(FateShare share, const LostMutations& lost, std::vector<FateShare>& shares) {
  if (lost.ppm == 0) {
    shares.push_back(std::move(share));
    return;
  }
  const int kinds = share.deleted ? 2 : 1;
  std::vector<std::int64_t> weights(static_cast<std::size_t>(kinds * lost.nodes), lost.ppm);
  const std::int64_t arrive_ppm = ppm - kinds * lost.nodes * lost.ppm;
  SIM_CHECK(arrive_ppm > 0, "more mutations are lost than are sent");
  weights.push_back(arrive_ppm);
  std::vector<RowShare> parts = share.rows.divide(weights, Seed::lost_at);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const int place = static_cast<int>(i);
    FateShare& part = shares.emplace_back(share);
    part.rows = std::move(parts[i]);
    if (place < lost.nodes) {
      part.lost_by = place;
    } else if (place < kinds * lost.nodes) {
      part.delete_lost_by = place - lost.nodes;
    }
  }
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

LostMutations lost_mutations(const Scenario& scenario) {
  const int nodes = scenario.ring ? static_cast<int>(scenario.ring->places.size()) : node_count(scenario.data_centers);
  return {.ppm = scenario.node.lost_mutations_ppm, .nodes = nodes};
}

void lose_some(std::vector<CoveringDelete>& deletes, const LostMutations& lost) {
  if (lost.ppm == 0) return;
  std::vector<std::int64_t> weights(static_cast<std::size_t>(lost.nodes), lost.ppm);
  weights.push_back(ppm - lost.nodes * lost.ppm);
  const std::vector<RowShare> parts = RowShare().divide(weights, Seed::delete_lost_at);
  for (int node = 0; node < lost.nodes; ++node) {
    const RowShare& its = parts[static_cast<std::size_t>(node)];
    for (std::int64_t j = 0; its.row(j) < std::ssize(deletes); ++j)
      deletes[static_cast<std::size_t>(its.row(j))].lost_by = node;
  }
}

FateRule fate_of(const WriterSpec& writer, const RowDeletes& deletes, const LostMutations& lost) {
  std::vector<std::int64_t> late_ppm;
  std::vector<std::int64_t> delays;
  std::int64_t punctual_ppm = ppm;
  for (const LateShare& late : writer.late) {
    late_ppm.push_back(late.share_ppm);
    delays.push_back(writer.delay_us + late.delay_us);
    punctual_ppm -= late.share_ppm;
  }
  if (punctual_ppm > 0) {
    late_ppm.push_back(punctual_ppm);
    delays.push_back(writer.delay_us);
  }
  std::vector<std::int64_t> ttl_ppm;
  for (const TtlShare& share : writer.ttl) ttl_ppm.push_back(share.share_ppm);

  FateRule fate;
  fate.shares.clear();
  const auto [part, of] = deletes.share > 0 ? part_of(deletes.share) : std::pair<std::int64_t, std::int64_t>{0, 1};
  if (part > 0) {
    fate.deletes = {.kind = DeleteKind::row,
                    .age_units = deletes.age_us,
                    .arrive_from_units = deletes.from_us,
                    .arrive_to_units = deletes.until_us};
  }
  const std::vector<RowShare> late = RowShare().divide(late_ppm, Seed::lateness);
  for (std::size_t l = 0; l < late.size(); ++l) {
    const std::vector<RowShare> ttl = late[l].divide(ttl_ppm, Seed::time_to_live);
    for (std::size_t t = 0; t < ttl.size(); ++t) {
      FateShare share{.rows = ttl[t], .late_units = delays[l], .ttl_s = writer.ttl[t].ttl_s, .deleted = part == of};
      if (part == 0 || part == of) {
        add_share(std::move(share), lost, fate.shares);
        continue;
      }
      const auto [goes, stays] = ttl[t].split(part, of, Seed::deleted);
      share.rows = stays;
      add_share(share, lost, fate.shares);
      share.rows = goes;
      share.deleted = true;
      add_share(std::move(share), lost, fate.shares);
    }
  }
  return fate;
}

}  // namespace windrow
