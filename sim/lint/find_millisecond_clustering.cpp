#include <fmt/format.h>

#include <algorithm>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/key_roles.h"

namespace windrow {

namespace {

constexpr double values_per_s = 1000;

void find_millisecond_clustering(const LintTable& table, const LintSubject& subject, Report& report) {
  const Column* time = time_column(*table.schema);
  if (time == nullptr || time->type.kind != CqlType::Kind::timestamp) return;
  for (const Named<StreamSection>* stream : table.streams) {
    double peak = 0;
    for (const WriterSpec* writer : table.writers) {
      const bool told_apart = std::ranges::any_of(
          writer->clustering, [](const ClusteringSpec& spec) { return spec.source == ClusteringSpec::Source::unique; });
      if (writer->stream == stream->name && !told_apart && writer->op != WriteOp::remove)
        peak = std::max(peak, peak_events_per_s(*writer));
    }
    if (peak <= values_per_s) continue;
    report.add(
        stream->section.rate.given() ? stream->section.rate.place() : stream->place,
        fmt::format("{} rows/s of one partition share 1,000 values of {} a second: {:.0f} % of them overwrite another",
                    count_text(peak), time->name, 100 * (1 - values_per_s / peak)),
        fmt::format("{} timeuuid", time->name));
  }
  static_cast<void>(subject);
}

}  // namespace

const LintRule millisecond_clustering{
    .id = "millisecond-clustering",
    .severity = Severity::error,
    .what = "more rows a second than a timestamp has values",
    .why =
        "timestamp counts milliseconds. Two rows of a partition with the same one are the same row: the later write "
        "replaces the earlier, silently.",
    .fix = "timeuuid instead of timestamp, or one more clustering column that tells the rows apart.",
    .seen =
        "a partition gets more than 1,000 rows/s at its peak, is clustered by a timestamp, and no clustering column "
        "differs in every row.",
    .find = find_millisecond_clustering};

}  // namespace windrow
