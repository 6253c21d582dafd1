#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/key_roles.h"
#include "sim/size/span_names.h"

namespace windrow {

namespace {

void find_in_scenario(const LintTable& table, const LintSubject& subject, Report& report) {
  const bool deletes =
      std::ranges::any_of(table.writers, [](const WriterSpec* writer) { return writer->op == WriteOp::remove; });
  if (deletes) return;
  for (const Named<StreamSection>* stream : table.streams) {
    for (const auto& [name, rule] : stream->section.column) {
      const ColumnRule& first = rule->parts.front().value;
      if (first.rolling == 0) continue;
      const Seconds turn_s = first.rolling * first.bucket.nominal_length_s();
      const Seconds ttl_s = longest_ttl(table);
      if (expires_always(table) && ttl_s <= turn_s) continue;
      const Scenario& scenario = subject.scenario->scenario;
      const Seconds held_s = expires_always(table) ? ttl_s : (scenario.end_us - scenario.start_us) / us_per_s;
      report.add(rule.place(),
                 fmt::format("after {} the first bucket is written again over what it still holds: {} turns in {}",
                             span_text(turn_s), count_text(static_cast<double>(held_s) / static_cast<double>(turn_s)),
                             span_text(held_s)));
    }
  }
}

/// hour_of_day, day_of_week, weekday: a number that comes round again.
bool names_a_turn(const Column& column) {
  static constexpr std::array turns{"day", "week", "month", "quarter", "year", "hour"};
  const std::vector<std::string> words = words_of_name(column.name);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "weekday") return true;
    if (i > 0 && i + 1 < words.size() && words[i] == "of" && std::ranges::find(turns, words[i + 1]) != turns.end())
      return true;
  }
  return false;
}

void find_rolling_buckets_without_delete(const LintTable& table, const LintSubject& subject, Report& report) {
  if (table.written()) return find_in_scenario(table, subject, report);
  if (!is_time_series(table) || expires_always(table)) return;
  const auto key = table.schema->partition_key();
  const std::vector<KeyRole> roles = partition_key_roles(*table.schema);
  const Column* turns = nullptr;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (names_a_turn(key[i])) {
      turns = &key[i];
    } else if (roles[i] == KeyRole::time_bucket) {
      return;  // which turn it is stands beside it
    }
  }
  if (turns == nullptr) return;
  report.add(subject.places.column(*table.schema, turns->name),
             fmt::format("{} comes round again: every turn adds rows to the partitions of the turn before: nothing "
                         "deletes them and there is no TTL",
                         turns->name));
}

}  // namespace

const LintRule rolling_buckets_without_delete{
    .id = "rolling-buckets-without-delete",
    .severity = Severity::error,
    .what = "a fixed number of buckets is used in turn, and nothing empties them",
    .why =
        "A bucket that comes round again is the same partition: it holds the rows of every turn, grows without end, "
        "and reads find rows of "
        "yesterday among today's.",
    .fix =
        "Put the date into the partition key, or a TTL of at most one turn; deleting each bucket before its turn works "
        "and costs a tombstone a bucket.",
    .seen =
        "a scenario's bucket is rolling(n, time), without op = delete and without a TTL of at most one turn; in a "
        "schema without a TTL, when the only time in the partition key is named as one that comes round again: "
        "hour_of_day, day_of_week, weekday.",
    .find = find_rolling_buckets_without_delete};

}  // namespace windrow
