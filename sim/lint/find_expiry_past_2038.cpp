#include <fmt/format.h>

#include <algorithm>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

constexpr Seconds last_expiry_s = 2'147'483'646;  // 2038-01-19T03:14:06Z
constexpr Seconds ten_years_s = 3'653 * seconds_per_day;
constexpr Seconds schema_from_s = 1'767'225'600;  // 2026-01-01, where scenarios begin by default

void find_expiry_past_2038(const LintTable& table, const LintSubject& subject, Report& report) {
  const Seconds ttl_s = longest_ttl(table);
  if (ttl_s == 0) return;
  Seconds last_write_s = schema_from_s + ten_years_s;
  if (subject.scenario != nullptr) {
    if (!table.written() || subject.scenario->scenario.node.format != SSTableFormat::nb) return;
    last_write_s = 0;
    for (const WriterSpec* writer : table.writers) last_write_s = std::max(last_write_s, writer->until_us / us_per_s);
  }
  const Seconds first_refused_s = last_expiry_s - ttl_s;
  // In a schema alone the node's mode is not known, and ten years ahead only what is near counts.
  if (first_refused_s >= (subject.scenario != nullptr ? last_write_s : schema_from_s)) return;
  report.add(subject.option(table, "default_time_to_live"),
             fmt::format("from {} on a write with a TTL of {} is refused: it would expire after 2038-01-19T03:14:06",
                         format_moment(first_refused_s * us_per_s), span_text(ttl_s)));
}

}  // namespace

const LintRule expiry_past_2038{
    .id = "expiry-past-2038",
    .severity = Severity::error,
    .what = "rows would expire after 19 January 2038",
    .why =
        "In the default storage_compatibility_mode CASSANDRA_4 expiry is a 32-bit number of seconds, and a write "
        "beyond it fails "
        "(expiration_date_overflow_policy REJECT).",
    .fix = "storage_compatibility_mode: NONE on every node, which reaches 2106; or a shorter TTL.",
    .seen =
        "a scenario in format nb writes beyond 2038-01-19 less its TTL; in a schema, when writes of 2026-01-01 already "
        "would.",
    .find = find_expiry_past_2038};

}  // namespace windrow
