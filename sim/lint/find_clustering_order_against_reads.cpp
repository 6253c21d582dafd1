#include <fmt/format.h>

#include <algorithm>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/key_roles.h"

namespace windrow {

namespace {

void find_clustering_order_against_reads(const LintTable& table, const LintSubject& subject, Report& report) {
  const Column* time = time_column(*table.schema);
  if (time == nullptr || subject.scenario == nullptr || time->order == Column::Order::desc) return;
  for (const ReadSpec& read : subject.scenario->scenario.reads) {
    const bool here =
        std::ranges::any_of(table.streams, [&](const auto* stream) { return stream->name == read.stream; });
    const auto& sections = subject.scenario->text.reads;
    const auto section = std::ranges::find(sections, read.name, &Named<ReadSection>::name);
    if (!here || read.latest_rows == 0 || section == sections.end()) continue;
    report.add(
        section->section.setting("latest").place(),
        fmt::format("asks for the newest {}, and {} is sorted with the oldest first: each read goes "
                    "backwards from the partition's end",
                    read.latest_rows == 1 ? "row" : count_of(static_cast<double>(read.latest_rows), "row"), time->name),
        fmt::format("WITH CLUSTERING ORDER BY ({} DESC)", time->name));
  }
}

}  // namespace

const LintRule clustering_order_against_reads{
    .id = "clustering-order-against-reads",
    .severity = Severity::warning,
    .what = "reads want the newest rows, the table stores the oldest first",
    .why =
        "Reading in reverse jumps back block by block through the row index; in stored order the newest rows are the "
        "first bytes of the partition.",
    .fix = "WITH CLUSTERING ORDER BY (time DESC). It cannot be altered later.",
    .seen = "a [read.NAME] says latest = n and the time column is ascending.",
    .find = find_clustering_order_against_reads};

}  // namespace windrow
