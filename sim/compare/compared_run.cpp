#include "sim/compare/compared_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/results/understood.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

ComparedTable compared_table(const RunRecord& record, const TableRecord& table) {
  const TableSample last = table.samples.empty() ? TableSample{} : table.samples.back();
  ComparedTable compared{.name = table.name,
                         .strategy = std::string(table.strategy),
                         .partitions_per_day = understood(record, table).partitions_per_day,
                         .partition_bytes_p50 = table.partitions.bytes.p50,
                         .partition_bytes_p99 = table.partitions.bytes.p99,
                         .partition_bytes_max = table.partitions.bytes.max,
                         .peak_disk_bytes = static_cast<Bytes>(table.disk.value),
                         .live_bytes = last.live_bytes,
                         .readable_bytes = last.readable_bytes,
                         .live_sstables = last.sstables,
                         .peak_sstables = static_cast<std::int64_t>(table.sstables.value),
                         .write_amplification = table.write_amplification(),
                         .space_amplification = last.space_amplification,
                         .blocked_bytes = last.blocked_bytes,
                         .peak_blocked_bytes = static_cast<Bytes>(table.blocked_peak.value),
                         .off_heap_bytes = table.off_heap.total_bytes(),
                         .samples = table.samples};
  for (const TableSample& sample : table.samples) {
    compared.peak_readable_bytes = std::max(compared.peak_readable_bytes, sample.readable_bytes);
  }
  return compared;
}

}  // namespace

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
                  .growth_factor_safe = record.growth.factor};
  for (const TableRecord& table : record.tables) {
    run.tables.push_back(compared_table(record, table));
    run.disk_sizes_known = run.disk_sizes_known && table.disk_sizes_known;
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
