#include "sim/engine/scenario_workload.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "sim/base/check.h"

namespace windrow {

namespace {

constexpr std::int64_t most_keyed_rows = 20'000'000;

[[noreturn]] void not_modelled(const WriterSpec& spec, const char* what) {
  throw std::invalid_argument(fmt::format("stream {}: {} not modelled yet", spec.stream, what));
}

void refuse_what_is_not_modelled(const WriterSpec& spec) {
  if (spec.op == WriteOp::remove) not_modelled(spec, "op = delete is");
  if (spec.backfill) not_modelled(spec, "backfill is");
  if (spec.rolling_buckets > 0) not_modelled(spec, "rolling buckets are");
  for (const ColumnValue& column : spec.columns) {
    if (column.is_static) not_modelled(spec, "static columns are");
    if (column.collection) not_modelled(spec, "collections that are not frozen are");
  }
  if (spec.op == WriteOp::overwrite) {
    if (spec.overwrite.order == OverwriteRule::Order::zipf) not_modelled(spec, "overwrites by zipf are");
    const bool expires = std::ranges::any_of(spec.ttl, [](const TtlShare& share) { return share.ttl_s > 0; });
    if (expires || !spec.late.empty()) not_modelled(spec, "overwrites with a TTL or late rows are");
  }
}

/// A modulus for shares of rows: about a thousand, without a common factor with the partitions' turns, so that every entity has its share.
std::int64_t deck_size(std::int64_t slots) {
  std::int64_t size = 1000;
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

FateRule fate_of(const WriterSpec& spec, std::int64_t slots) {
  std::vector<std::int64_t> late_ppm;
  std::vector<std::int64_t> delays;
  std::int64_t punctual_ppm = ppm;
  for (const LateShare& late : spec.late) {
    late_ppm.push_back(late.share_ppm);
    delays.push_back(spec.delay_us + late.delay_us);
    punctual_ppm -= late.share_ppm;
  }
  late_ppm.push_back(punctual_ppm);
  delays.push_back(spec.delay_us);
  std::vector<std::int64_t> ttl_ppm;
  for (const TtlShare& share : spec.ttl) ttl_ppm.push_back(share.share_ppm);

  FateRule fate;
  fate.shares_modulus = late_ppm.size() * ttl_ppm.size() == 1 ? 1 : deck_size(slots);
  const Deck late(late_ppm);
  const Deck ttl(ttl_ppm);
  fate.shares.resize(late_ppm.size() * ttl_ppm.size());
  for (std::int64_t k = 0; k < fate.shares_modulus; ++k) {
    // Two steps without a common factor with the deck keep lateness and TTL independent of each other.
    const std::size_t l = late.share_of(k, fate.shares_modulus, 1);
    const std::size_t t = ttl.share_of(k, fate.shares_modulus, 619);
    FateShare& share = fate.shares[l * ttl_ppm.size() + t];
    share.residues.push_back(k);
    share.late_units = delays[l];
    share.ttl_s = spec.ttl[t].ttl_s;
  }
  std::erase_if(fate.shares, [](const FateShare& share) { return share.residues.empty(); });
  return fate;
}

/// The part of a writer that one of several like nodes holds: whole partitions, each as large as in the cluster.
/// A class loses entities; one of the largest entities loses shards, and stays whole if it has only one.
WriterSpec on_one_node(WriterSpec spec, double share) {
  std::int64_t& count = spec.entities > 1 ? spec.entities : spec.shards;
  const std::int64_t kept = std::max<std::int64_t>(1, std::llround(static_cast<double>(count) * share));
  for (RateStretch& stretch : spec.rate) {
    const std::int64_t common = std::gcd(kept, count);
    stretch.rows *= kept / common;
    stretch.period_us *= count / common;
  }
  count = kept;
  return spec;
}

Writer writer_of(const WriterSpec& spec, Micros run_end_us, int key_group) {
  refuse_what_is_not_modelled(spec);
  SIM_CHECK(!spec.rate.empty(), "a writer without a rate");
  Writer writer;
  writer.name = spec.stream;
  writer.unit_us = 1;
  const RateStretch& first = spec.rate.front();
  writer.rhythm = Rhythm(std::max(first.from_us, spec.from_us), first.period_us, first.rows, spec.spread);
  for (auto stretch = spec.rate.begin() + 1; stretch != spec.rate.end(); ++stretch) {
    writer.rhythm.change_at(stretch->from_us, stretch->period_us, stretch->rows);
  }
  writer.rhythm.stop_at(std::min(spec.until_us, run_end_us));
  writer.entities = spec.entities;
  writer.shards = spec.shards;
  writer.bucket = spec.bucket;
  writer.insert = spec.op != WriteOp::update;
  writer.rows_per_event = spec.rows_per_event;
  for (const ColumnValue& column : spec.columns) {
    writer.columns.push_back({.column = column.position, .fixed_length = column.fixed_length, .sizes = column.sizes_bytes, .step = 1});
  }
  writer.timestamp = spec.timestamp;
  writer.clustering.bytes = spec.clustering_bytes;
  writer.key_group = key_group;
  writer.keys = spec.keys;
  if (spec.op == WriteOp::overwrite) {
    writer.drawn_keys = spec.overwrite.keys;
    writer.drawn_in_turn = spec.overwrite.order == OverwriteRule::Order::cyclic;
    writer.key_is_partition = spec.clustering_bytes == 0;
  }
  return writer;
}

}  // namespace

double node_share(const Scenario& scenario) {
  const DataCenter& center = scenario.data_centers.front();
  return static_cast<double>(std::min(center.replication_factor, center.nodes)) / static_cast<double>(center.nodes);
}

TableWorkload scenario_workload(const Scenario& scenario, int table) {
  TableWorkload workload;
  const double share = node_share(scenario);
  int key_group = 0;
  for (const WriterSpec& whole : scenario.writers) {
    if (whole.table != table) continue;
    const WriterSpec spec = share < 1 ? on_one_node(whole, share) : whole;
    Writer writer = writer_of(spec, scenario.end_us, key_group++);
    const FateRule fate = fate_of(spec, writer.slots());
    workload.add(std::move(writer), fate, scenario.end_us);
  }
  workload.finish(most_keyed_rows);
  return workload;
}

}  // namespace windrow
