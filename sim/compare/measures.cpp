#include "sim/compare/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/text/text.h"

namespace windrow {

namespace {

using Better = ComparedNumber::Better;
using Value = Measure::Value;

/// A limit's unit as a comparison shows it: what is counted stands in the limit's name.
Unit shown_as(Unit unit) {
  const bool counted = unit == Unit::rows || unit == Unit::cells || unit == Unit::ratio;
  return counted ? Unit::count : unit;
}

struct LimitName {
  std::string name{};
  std::string table{};
  friend bool operator==(const LimitName&, const LimitName&) = default;
};

std::vector<LimitName> limit_names(const std::vector<ComparedRun>& runs, bool one_table) {
  std::vector<LimitName> names;
  for (const ComparedRun& run : runs) {
    for (const LimitOutcome& limit : run.limits) {
      LimitName name{.name = limit.name, .table = one_table ? std::string() : limit.table};
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names;
}

Measure limit_measure(const std::vector<ComparedRun>& runs, const LimitName& name, bool one_table) {
  Measure measure{.name = name.table.empty() ? name.name : fmt::format("{} {}", name.name, printable(name.table)),
                  .better = name.name.ends_with("_min") ? Better::more : Better::less};
  std::vector<double> bounds;
  for (const ComparedRun& run : runs) {
    const auto limit = std::ranges::find_if(run.limits, [&](const LimitOutcome& each) {
      return each.name == name.name && (one_table || each.table == name.table);
    });
    Value value;
    if (limit != run.limits.end()) {
      measure.unit = shown_as(limit->unit());
      bounds.push_back(limit->bound);
      if (limit->measured) value = {.number = limit->value, .broken = !limit->holds()};
    }
    measure.values.push_back(value);
  }
  if (std::ranges::count(bounds, bounds.front()) == std::ssize(bounds)) measure.bound = bounds.front();
  return measure;
}

MeasureGroup limit_group(const std::vector<ComparedRun>& runs, bool one_table) {
  MeasureGroup group{.title = "Limits"};
  Measure verdict{.name = "limits broken", .verdict = true};
  Measure breach{.name = "first breach after, days", .unit = Unit::days, .better = Better::neither};
  Measure growth{.name = "safe growth factor", .better = Better::more};
  bool broken = false;
  bool grows = false;
  for (const ComparedRun& run : runs) {
    const bool asked = run.limits_measured() > 0;
    verdict.values.push_back({.number = asked ? std::optional(static_cast<double>(run.limits_broken())) : std::nullopt,
                              .broken = run.limits_broken() > 0});
    const std::optional<Micros> first = run.first_breach_us();
    constexpr double us_per_day = 86'400e6;
    breach.values.push_back(
        {.number = first ? std::optional(static_cast<double>(*first - run.start_us) / us_per_day) : std::nullopt,
         .broken = first.has_value()});
    growth.values.push_back({.number = run.growth_factor_safe});
    broken = broken || first.has_value();
    grows = grows || run.growth_factor_safe.has_value();
  }
  const std::vector<LimitName> names = limit_names(runs, one_table);
  if (names.empty()) return group;
  group.measures.push_back(std::move(verdict));
  if (broken) group.measures.push_back(std::move(breach));
  for (const LimitName& name : names) group.measures.push_back(limit_measure(runs, name, one_table));
  if (grows) group.measures.push_back(std::move(growth));
  return group;
}

/// Empty where no run has nodes that differ.
MeasureGroup node_group(const std::vector<ComparedRun>& runs) {
  MeasureGroup group{.title = "Nodes"};
  const auto add = [&](const char* name, std::optional<double> ComparedRun::*number) {
    Measure measure{.name = name, .better = Better::less, .least = 1};
    for (const ComparedRun& run : runs) measure.values.push_back({.number = run.*number});
    const bool any = std::ranges::any_of(measure.values, [](const auto& value) { return value.number.has_value(); });
    if (any) group.measures.push_back(std::move(measure));
  };
  add("busiest node / mean node", &ComparedRun::node_max_over_mean);
  add("fullest disk / mean disk", &ComparedRun::disk_over_mean);
  return group;
}

/// `tables`: of each run, nullptr where it has none of that name.
MeasureGroup table_group(std::string title, const std::vector<const ComparedTable*>& tables,
                         const std::vector<ComparedRun>& runs) {
  MeasureGroup group{.title = std::move(title)};
  const bool same_data = std::ranges::count(runs, runs.front().scenario, &ComparedRun::scenario) == std::ssize(runs);
  for (const ComparedNumber& each : compared_numbers()) {
    if (each.label.empty()) continue;
    Measure measure{.name = std::string(each.label),
                    .unit = each.name.find("bytes") == std::string_view::npos ? Unit::count : Unit::bytes,
                    .better = each.better};
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const ComparedTable* table = tables[i];
      measure.values.push_back({.number = table == nullptr ? std::nullopt : table->number(each.name)});
      if (table == nullptr || each.least == nullptr || !same_data) continue;
      const std::optional<double> least = each.least(*table);
      if (least && (!measure.least || *least < *measure.least)) measure.least = least;
    }
    const bool any = std::ranges::any_of(measure.values, [](const Value& value) { return value.number.has_value(); });
    if (any || !each.name.starts_with("erasure")) group.measures.push_back(std::move(measure));
  }
  return group;
}

constexpr double half_a_percent = 0.005;

/// Nobody has to choose by it.
bool is_far_below_bound(const Measure& measure, const std::vector<bool>& contender) {
  constexpr double far = 0.5;
  if (!measure.bound || measure.better != Better::less) return false;
  for (std::size_t i = 0; i < measure.values.size(); ++i) {
    const Value& value = measure.values[i];
    if (contender[i] && value.number && *value.number > far * *measure.bound) return false;
  }
  return true;
}

bool has_one_table_each(const std::vector<ComparedRun>& runs) {
  return !runs.empty() && std::ranges::all_of(runs, [](const ComparedRun& run) { return run.tables.size() == 1; });
}

}  // namespace

bool Measure::all_alike() const {
  if (verdict || values.size() < 2 || !values.front().number) return false;
  const double first = *values.front().number;
  return std::ranges::all_of(values, [&](const Value& value) {
    return value.number && !value.broken &&
           std::abs(*value.number - first) <= half_a_percent * std::max(std::abs(first), std::abs(*value.number));
  });
}

bool Measure::is_best(std::size_t run, const std::vector<bool>& contender) const {
  if (better == Better::neither || !contender[run] || !values[run].number || values[run].broken) return false;
  if (is_far_below_bound(*this, contender)) return false;
  const double mine = *values[run].number;
  bool beats_somebody = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!contender[i] || !values[i].number) continue;
    const double other = *values[i].number;
    const double gain = better == Better::less ? other - mine : mine - other;
    const double noise = half_a_percent * std::max(std::abs(mine), std::abs(other));
    if (gain < -noise) return false;
    beats_somebody = beats_somebody || gain > noise;
  }
  return beats_somebody;
}

LineUnit line_unit(const Measure& measure) {
  if (measure.unit == Unit::share) return {.name = "%", .size = 0.01};
  if (measure.unit != Unit::bytes) return {};
  double least = 0;
  double most = 0;
  for (const Measure::Value& value : measure.values) {
    if (!value.number || *value.number <= 0) continue;
    least = least > 0 ? std::min(least, *value.number) : *value.number;
    most = std::max(most, *value.number);
  }
  static constexpr std::array<const char*, 6> names = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  constexpr double widest = 1e5;  // of what is shown of the largest
  LineUnit unit{.name = names.front(), .size = 1};
  for (std::size_t i = 1; i < names.size(); ++i) {
    const double larger = unit.size * 1024;
    if (least < larger && most / unit.size < widest) break;
    unit = {.name = names[i], .size = larger};
  }
  return unit;
}

std::string measure_label(const Measure& measure, const LineUnit& unit) {
  std::string label = measure.name;
  if (measure.bound) {
    const bool bytes = measure.unit == Unit::bytes;
    const bool share = measure.unit == Unit::share;
    label += measure.better == Measure::Better::more ? " ≥ " : " ≤ ";
    label += bytes ? human_bytes(*measure.bound) : share ? human_share(*measure.bound) : human_count(*measure.bound);
  }
  if (!unit.name.empty()) label += ", " + unit.name;
  return label;
}

std::vector<ComparedTables> compared_tables(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> names;
  for (const ComparedRun& run : runs) {
    for (const ComparedTable& table : run.tables) {
      if (std::ranges::find(names, table.name) == names.end()) names.push_back(table.name);
    }
  }
  std::vector<ComparedTables> groups;
  if (has_one_table_each(runs)) {
    groups.push_back({.title = names.size() == 1 ? names.front() : "The table"});
    for (const ComparedRun& run : runs) groups.back().of_run.push_back(&run.tables.front());
    return groups;
  }
  for (const std::string& name : names) {
    groups.push_back({.title = name});
    for (const ComparedRun& run : runs) {
      const auto table = std::ranges::find(run.tables, name, &ComparedTable::name);
      groups.back().of_run.push_back(table == run.tables.end() ? nullptr : &*table);
    }
  }
  return groups;
}

std::vector<MeasureGroup> measures_of(const std::vector<ComparedRun>& runs) {
  std::vector<MeasureGroup> groups;
  if (runs.empty()) return groups;
  groups.push_back(limit_group(runs, has_one_table_each(runs)));
  if (MeasureGroup nodes = node_group(runs); !nodes.measures.empty()) groups.push_back(std::move(nodes));
  for (const ComparedTables& tables : compared_tables(runs))
    groups.push_back(table_group(tables.title, tables.of_run, runs));
  return groups;
}

}  // namespace windrow
