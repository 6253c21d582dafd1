#include "sim/size/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/size/entity_rates.h"
#include "sim/size/question_values.h"
#include "sim/size/size_scenario.h"
#include "sim/size/time_window.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

std::string count(std::int64_t number) {
  std::string text = fmt::format("{}", number);
  for (auto place = static_cast<std::ptrdiff_t>(text.size()) - 3; place > 0; place -= 3)
    text.insert(static_cast<std::size_t>(place), ",");
  return text;
}

void judge(SizeCell& cell, const PartitionLimits& limits, std::optional<Seconds> window_s) {
  const ClosedBucket& size = cell.size;
  if (window_s) cell.windows = windows_of_bucket(read_bucket(cell.bucket).nominal_length_s(), *window_s);
  const auto over = [&](std::int64_t value, std::int64_t bound) { return bound > 0 && value > bound; };
  if (over(size.partition_bytes.max, limits.bytes_max)) {
    cell.reason = fmt::format("over {}", human_bytes(static_cast<double>(limits.bytes_max)));
  } else if (over(size.partition_rows.max, limits.rows_max)) {
    cell.reason = fmt::format("{} over {}", number_of(size.partition_rows.max, "row"), count(limits.rows_max));
  } else if (over(size.partition_cells.max, limits.cells_max)) {
    cell.reason = fmt::format("{} over {}", number_of(size.partition_cells.max, "cell"), count(limits.cells_max));
  } else if (cell.windows > 1) {
    cell.too_long = true;
    cell.reason = fmt::format("in {} time windows, an SSTable each", count(cell.windows));
  } else if (size.partition_bytes.max < limits.bytes_min) {
    cell.verdict = SizeVerdict::too_small;
    cell.reason = fmt::format("under {}", human_bytes(static_cast<double>(limits.bytes_min)));
    return;
  } else {
    return;
  }
  cell.verdict = SizeVerdict::too_big;
}

std::string largest(const SizeCell& cell) { return human_bytes(static_cast<double>(cell.size.partition_bytes.max)); }

std::string choice(const SizeCell& cell) {
  return cell.shards > 1 ? fmt::format("{} in {} shards", cell.bucket, cell.shards) : cell.bucket;
}

/// A row of each percentile has this many cells more.
void add_cells(std::int64_t more_per_row, ClosedBucket& size) {
  for (const auto percentile :
       {&Spread::min, &Spread::p50, &Spread::p75, &Spread::p95, &Spread::p98, &Spread::p99, &Spread::max})
    size.partition_cells.*percentile += more_per_row * size.partition_rows.*percentile;
}

/// Fewer partitions are better: each is a place to look, an index entry, a key in the filter.
bool coarser(const SizeCell* a, const SizeCell* b) {
  return std::pair(a->size.partitions_per_year, a->shards) < std::pair(b->size.partitions_per_year, b->shards);
}

SizeAdvice advise(const std::string& rate, const std::vector<const SizeCell*>& cells, const PartitionLimits& limits) {
  const auto coarsest = [&](SizeVerdict verdict) -> const SizeCell* {
    const SizeCell* best = nullptr;
    for (const SizeCell* cell : cells) {
      if (cell->verdict == verdict && (best == nullptr || coarser(cell, best))) best = cell;
    }
    return best;
  };
  const auto advice = [&](const SizeCell& cell, bool fits, std::string why) {
    return SizeAdvice{.rate = rate, .bucket = cell.bucket, .shards = cell.shards, .fits = fits, .why = std::move(why)};
  };
  const SizeCell* best = coarsest(SizeVerdict::fits);
  const SizeCell* next = nullptr;  // the next coarser one that is too big
  const SizeCell* chosen = best != nullptr ? best : coarsest(SizeVerdict::too_small);
  if (chosen == nullptr) {
    const SizeCell* smallest =
        *std::ranges::min_element(cells, {}, [](const SizeCell* c) { return c->size.partition_bytes.max; });
    const double bytes =
        static_cast<double>(smallest->size.partition_bytes.max) * static_cast<double>(smallest->shards);
    std::string why = fmt::format("largest partition {}, and none fits", largest(*smallest));
    if (smallest->windows > 1) {
      why += "; a shorter bucket, or longer windows";
    } else if (limits.bytes_max > 0 && smallest->size.partition_bytes.max > limits.bytes_max)
      why += fmt::format("; {:.0f} shards would, or a shorter bucket",
                         std::ceil(bytes / static_cast<double>(limits.bytes_max)));
    return advice(*smallest, false, std::move(why));
  }
  for (const SizeCell* cell : cells) {
    const bool coarse = cell->verdict == SizeVerdict::too_big && coarser(cell, chosen);
    if (coarse && (next == nullptr || coarser(next, cell))) next = cell;
  }
  std::string why = fmt::format("largest partition {}, ", largest(*chosen));
  why += best != nullptr ? "the fewest partitions that fit"
                         : fmt::format("the nearest to {}", human_bytes(static_cast<double>(limits.bytes_min)));
  why += next != nullptr && next->windows > 1
             ? fmt::format("; {} would lie in {} time windows", choice(*next), next->windows)
         : next != nullptr ? fmt::format("; {} would have {}", choice(*next), largest(*next))
                           : "; nothing coarser was asked for";
  return advice(*chosen, best != nullptr, std::move(why));
}

}  // namespace

SizeMatrix size_matrix(const SizeQuestion& question) {
  const SizeScenarios scenarios(question);
  SizeMatrix matrix{.table = scenarios.table().name,
                    .format = question.format,
                    .limits = question.limits,
                    .compression_ratio = question.compression_ratio,
                    .bytes_per_row = 0,
                    .notes = scenarios.notes()};
  const std::optional<Seconds> window_s = time_window_s(scenarios.table().options.compaction_options);
  Rows most_rows = 0;
  for (const std::string& rate : question.rates) {
    const std::size_t first = matrix.cells.size();
    for (const std::string& bucket : question.buckets) {
      for (const std::int64_t shards : question.shards) {
        SizeCell cell{.rate = rate, .bucket = bucket, .shards = shards};
        try {
          const LoadedScenario loaded = scenarios.make(rate, bucket, shards);
          cell.size = closed_bucket(loaded.scenario, 0, BucketOf::most_rows);
          const auto rates = entity_rates(loaded, question.read);
          if (rates) refine_percentiles(*rates, shards, cell.size);
        } catch (const std::invalid_argument& error) {
          throw SizeError(error.what());
        }
        add_cells(scenarios.more_cells_per_row(), cell.size);
        judge(cell, question.limits, window_s);
        if (cell.size.rows > most_rows) {
          most_rows = cell.size.rows;
          matrix.bytes_per_row = static_cast<double>(cell.size.bytes) / static_cast<double>(most_rows);
        }
        matrix.cells.push_back(std::move(cell));
      }
    }
    std::vector<const SizeCell*> of_rate;
    for (std::size_t i = first; i < matrix.cells.size(); ++i) of_rate.push_back(&matrix.cells[i]);
    matrix.advice.push_back(advise(rate, of_rate, question.limits));
  }
  return matrix;
}

}  // namespace windrow
