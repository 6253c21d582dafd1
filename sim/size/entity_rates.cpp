#include "sim/size/entity_rates.h"

#include <algorithm>
#include <cmath>

namespace windrow {

double EntityRates::at(double share) const {
  const auto rank = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(std::ceil(share * static_cast<double>(entities))), 1, entities);
  return spread.mean_of_ranks(rank - 1, rank, entities);
}

std::optional<EntityRates> entity_rates(const LoadedScenario& scenario, const ReadFile& read) {
  const StreamSection& stream = scenario.text.streams.front().section;
  InputFiles files(read);
  EntityRates rates{.entities = stream.entities->count};
  if (stream.entities->kind == Entities::Kind::file) {
    const CsvTable table = read_csv(files.open(stream.entities->file, stream.entities), {"id", "rate"}, 1);
    if (table.has[1]) {
      rates.spread.kind = Distribution::Kind::sample;
      for (const CsvTable::Row& row : table.rows)
        rates.spread.sample.push_back(read_cell(table, row, 1, "rate", read_rate_quantity));
      std::ranges::sort(rates.spread.sample);
      rates.entities = std::ssize(rates.spread.sample);
      return rates;
    }
    rates.entities = std::ssize(table.rows);
  } else if (stream.entities->kind == Entities::Kind::named) {
    rates.entities = std::ssize(stream.entities->names);
  }
  if (!stream.rate.present()) return std::nullopt;
  rates.spread = stream.rate->parts.front().value.spread;
  if (!rates.spread.varies()) return std::nullopt;
  load_sample(rates.spread, read_rate_quantity, files, stream.rate);
  return rates;
}

void refine_percentiles(const EntityRates& rates, std::int64_t shards, ClosedBucket& closed) {
  const auto [small, large] = std::ranges::minmax_element(closed.classes, {}, &ClassPartitions::rows);
  if (small == closed.classes.end() || small->rows == large->rows) return;
  const double row_bytes =
      static_cast<double>(large->bytes - small->bytes) / static_cast<double>(large->rows - small->rows);
  const double cells = static_cast<double>(large->cells) / static_cast<double>(large->rows);
  const double length_s = static_cast<double>(large->rows) / large->rows_per_s;
  const double events = static_cast<double>(large->rows_per_event);
  const auto refine = [&, large = large](double share, std::int64_t Spread::*percentile) {
    const double rows = std::max(1.0, std::round(rates.at(share) * length_s / static_cast<double>(shards))) * events;
    const double bytes = static_cast<double>(large->bytes) - (static_cast<double>(large->rows) - rows) * row_bytes;
    closed.partition_rows.*percentile = std::min<std::int64_t>(closed.partition_rows.max, std::llround(rows));
    closed.partition_cells.*percentile = std::min<std::int64_t>(closed.partition_cells.max, std::llround(rows * cells));
    closed.partition_bytes.*percentile = std::min<std::int64_t>(closed.partition_bytes.max, std::llround(bytes));
  };
  refine(0.5, &Spread::p50);
  refine(0.99, &Spread::p99);
}

}  // namespace windrow
