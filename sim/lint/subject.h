#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/lint/cql_places.h"
#include "sim/resolve/load_scenario.h"
#include "sim/schema/schema.h"

namespace windrow {

/// A table and what writes to it.
struct LintTable {
  const Table* schema = nullptr;
  const TableSpec* spec = nullptr;  // null: no stream writes it, or there is no scenario
  int index = -1;                   // in Scenario::tables
  std::vector<const WriterSpec*> writers{};
  std::vector<const Named<StreamSection>*> streams{};  // `like` filled in

  bool written() const { return !writers.empty(); }
  const TableOptions& options() const { return schema->options; }
};

/// What is looked at: a schema alone, or a scenario with its schema.
struct LintSubject {
  const LoadedScenario* scenario = nullptr;
  CqlPlaces places{};
  std::vector<LintTable> tables{};

  /// Of an option: where the scenario's [table.T] says it, else where the schema does.
  Place option(const LintTable& table, std::string_view option, std::string_view entry = {}) const;
};

LintSubject lint_subject(const Schema& schema, const std::vector<std::shared_ptr<const SourceText>>& texts);
LintSubject lint_subject(const LoadedScenario& scenario);

// Facts that several rules ask for.

/// Rows are ordered by time within a partition.
bool is_time_series(const LintTable& table);
/// Rows are told apart by their day: in a hundred years a partition has 36,500.
bool is_a_row_a_day(const Table& table);
/// Several ids stand before the time among the clustering columns: a row may as well be the state of one of them.
bool is_behind_ids(const Table& table);
/// A stream says that the column holds each row's own time, whatever its name.
bool is_said_to_be_time(const LintTable& table, const Column& column);
/// Nothing that was written is written again or deleted, as far as is known.
bool is_append_only(const LintTable& table);
/// Every row is written once and expires: nothing can be shadowed, so nothing that was deleted can come back.
bool is_written_once(const LintTable& table);
/// Lifetimes of what is written, each once, ascending; 0, which is for ever, last.
std::vector<Seconds> lifetimes(const LintTable& table);
bool expires_always(const LintTable& table);
/// The longest of them that is an end; 0: nothing ever expires.
Seconds longest_ttl(const LintTable& table);

/// The time bucket of a partition key.
struct LintBucket {
  std::string column{};
  Seconds length_s = 0;  // 0: unknown; months and years in their mean length
  Place place{};
};
std::optional<LintBucket> time_bucket(const LintTable& table, const LintSubject& subject);
/// The table itself is one of a row, a table per month or year.
bool is_table_per_period(const LintTable& table);

/// Length of the strategy's time windows; nothing if it has none.
std::optional<Seconds> window_s(const LintTable& table);
/// True if they are as long for writes whose timestamps are microseconds, as those of all clients are by default.
bool counts_microseconds(const LintTable& table);
/// What closed_bucket() knows of: collections left out, plain inserts into this table.
Scenario measurable(const Scenario& scenario, int table);
/// Most rows that one partition gets in a second; `rows_per_event` counts as one.
double peak_events_per_s(const WriterSpec& writer);

/// "90 d", "1.5 h", "2 min".
std::string span_text(Seconds span_s);
/// "31,536,000"
std::string count_text(double count);
/// "1 row", "31,536,000 rows"
std::string count_of(double count, std::string_view noun);
/// What its time windows are counted within; 0: nothing ever expires.
Seconds windowed_s(const LintTable& table);
/// The window that suits the table's TTL and bucket, in CQL's words.
std::string good_window(const LintTable& table, const LintSubject& subject);

}  // namespace windrow
