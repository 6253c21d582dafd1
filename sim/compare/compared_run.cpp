#include "sim/compare/compared_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/results/node_limit.h"
#include "sim/results/table_numbers.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

using Number = std::optional<double>;
using Better = ComparedNumber::Better;

Number peak_of_readable(const ComparedTable& table) { return static_cast<double>(table.peak_readable_bytes); }
Number readable(const ComparedTable& table) { return table.number("readable_bytes"); }
template <int Bound>
Number at_least(const ComparedTable&) {
  return Bound;
}

constexpr std::array numbers = {
    ComparedNumber{"partitions_per_day", "partitions a day", Better::neither, nullptr, "understood/partitions_per_day"},
    ComparedNumber{"partition_bytes/p50", "partition p50", Better::neither},
    ComparedNumber{"partition_bytes/p99", "partition p99"},
    ComparedNumber{"partition_bytes/max", "partition max"},
    ComparedNumber{"peak_disk_bytes", "disk peak", Better::less, peak_of_readable},
    ComparedNumber{"live_bytes", "disk at the end", Better::less, readable},
    ComparedNumber{"readable_bytes"},
    ComparedNumber{"peak_sstables", "SSTables peak"},
    ComparedNumber{"live_sstables", "SSTables at the end"},
    ComparedNumber{"sstables_per_partition", "SSTables per partition"},
    ComparedNumber{"peak_pending_compactions", "pending peak"},
    ComparedNumber{"erasure_delay_s/p50", "erased after, s"},
    ComparedNumber{"write_amplification", "write amplification", Better::less, at_least<1>},
    ComparedNumber{"space_amplification", "space amplification", Better::less, at_least<1>},
    ComparedNumber{"peak_blocked_bytes", "blocked peak", Better::less, at_least<0>},
    ComparedNumber{"blocked_bytes", "blocked at the end", Better::less, at_least<0>},
    ComparedNumber{"off_heap_bytes", "off heap"},
};

/// Of several parts, their sum.
/// How long deletes took, where nothing was deleted.
bool is_of_nothing(const ComparedNumber& number, const Json& summary) {
  return number.name.starts_with("erasure_delay_s") && summary.at("erasure_delay_s").at("rows") == 0;
}

Number number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_object()) return std::nullopt;
  double sum = 0;
  for (const Json& part : value) sum += part.get<double>();
  return sum;
}

ComparedTable compared_table(const RunRecord& record, const TableRecord& table) {
  ComparedTable compared{.name = table.name, .strategy = std::string(table.strategy), .samples = table.samples};
  const Json summary = table_summary(record, table);
  for (const ComparedNumber& number : numbers) {
    const std::string_view from = number.from.empty() ? number.name : number.from;
    const Number value = number_of(summary.at(Json::json_pointer(fmt::format("/{}", from))));
    if (is_of_nothing(number, summary)) continue;
    if (value) compared.numbers.emplace(number.name, *value);
  }
  for (const TableSample& sample : table.samples) {
    compared.peak_readable_bytes = std::max(compared.peak_readable_bytes, sample.readable_bytes);
  }
  return compared;
}

}  // namespace

std::optional<double> ComparedTable::number(std::string_view which) const {
  const auto found = numbers.find(which);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

std::span<const ComparedNumber> compared_numbers() { return numbers; }

std::int64_t ComparedRun::limits_measured() const { return std::ranges::count(limits, true, &LimitOutcome::measured); }

std::int64_t ComparedRun::limits_broken() const {
  return std::ranges::count_if(limits, [](const LimitOutcome& limit) { return limit.measured && !limit.holds(); });
}

std::optional<Micros> ComparedRun::first_breach_us() const {
  std::optional<Micros> first;
  for (const LimitOutcome& limit : limits) {
    if (limit.measured && limit.first_breach_us && (!first || *limit.first_breach_us < *first))
      first = limit.first_breach_us;
  }
  return first;
}

ComparedRun compared_run(const RunRecord& record) {
  ComparedRun run{.scenario = record.scenario->name,
                  .version = record.identity.version,
                  .start_us = record.scenario->start_us,
                  .end_us = record.scenario->end_us,
                  .peak_disk_bytes = static_cast<Bytes>(record.disk.value),
                  .limits = record.limits,
                  .growth_factor_safe = record.growth.factor,
                  .disk_over_mean = disk_over_mean(record),
                  .node_max_over_mean = node_max_over_mean(record)};
  for (const TableRecord& table : record.tables) {
    run.tables.push_back(compared_table(record, table));
    run.disk_sizes_known = run.disk_sizes_known && table.disk_sizes_known;
    if (!table.not_counted.empty()) run.not_counted += (run.not_counted.empty() ? "" : ", ") + table.not_counted;
  }
  return run;
}

RunLabels run_labels(const std::vector<ComparedRun>& runs) {
  RunLabels labels;
  const bool several =
      std::ranges::any_of(runs, [&](const ComparedRun& run) { return run.scenario != runs.front().scenario; });
  const auto add = [&](std::vector<std::string>& to, const ComparedRun& run, std::string label) {
    if (run.baseline) label = "none";
    if (label.empty()) {
      label = printable(run.scenario);
    } else if (several) {
      label = fmt::format("{}: {}", printable(run.scenario), label);
    }
    const std::string once = label;
    for (int n = 2; std::ranges::find(to, label) != to.end(); ++n) label = fmt::format("{} ({})", once, n);
    to.push_back(std::move(label));
  };
  for (const ComparedRun& run : runs) {
    std::vector<std::string> keys;
    for (const Choice& choice : run.choices) keys.push_back(choice.key);
    const std::vector<std::string> names = short_keys(keys);
    std::string named;
    std::string plain;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string gap = i == 0 ? "" : ", ";
      named += fmt::format("{}{} {}", gap, printable(names[i]), printable(run.choices[i].value));
      plain += gap + printable(run.choices[i].value);
    }
    add(labels.named, run, std::move(named));
    add(labels.plain, run, std::move(plain));
  }
  return labels;
}

}  // namespace windrow
