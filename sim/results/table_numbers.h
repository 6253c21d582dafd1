#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "sim/record/run_record.h"
#include "sim/results/headlines.h"
#include "sim/results/live_growth.h"
#include "sim/results/understood.h"

namespace windrow {

using Json = nlohmann::ordered_json;

/// Whole numbers whole, others with at most nine digits; null for what is no number.
Json json_number(double value);
Json json_number(std::optional<double> value);
Json json_time(std::optional<Micros> at_us);
Json understood_json(const Understood& what);

/// A table at the end of a run, and what is read off its record.
struct TableEnd {
  const RunRecord& record;
  const TableRecord& table;
  TableSample last{};
  Headlines lines{};
  LiveGrowth growth{};
};
TableEnd table_end(const RunRecord& record, const TableRecord& table);

/// A headline number of a table (or a date, or a few numbers), described once: summary.json, comparisons and the page
/// have it under this name, which ends in its unit; docs/results.md says its meaning.
struct TableNumber {
  std::string_view name{};
  Json (*read)(const TableEnd&) = nullptr;  // discarded: such a table has none
  std::string_view meaning{};               // empty: said with the one before
};

/// In the order of summary.json.
std::span<const TableNumber> table_numbers();

/// All of them.
Json table_summary(const RunRecord& record, const TableRecord& table);

/// A number of a table at a sample: a column of timeline.csv.
struct SampleNumber {
  std::string_view name{};
  std::optional<double> (*read)(const TableSample&) = nullptr;
};

/// In the order of timeline.csv.
std::span<const SampleNumber> sample_numbers();
const SampleNumber& sample_number(std::string_view name);

}  // namespace windrow
