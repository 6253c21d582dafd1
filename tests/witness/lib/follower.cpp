#include "tests/witness/lib/follower.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "evidence/recordings/recording_check_file.h"

namespace windrow::witness {
namespace {

using Ids = std::vector<std::int64_t>;

std::string id_text(Ids ids) {
  std::ranges::sort(ids);
  return fmt::format("{}", ids);
}

OracleScenario options_of(const ScenarioWords& words, const TableWords& table) {
  OracleScenario options;
  options.format = words.format == "da" ? "bti" : "big";
  options.compat = words.format == "nb" ? "CASSANDRA_4" : "NONE";
  options.start_s = words_start_s;
  options.columns = 2;
  options.statics = table.statics ? 1 : 0;
  options.table = table.options;
  return options;
}

}  // namespace

Follower::Follower(const ScenarioWords& words, const Scenario& scenario, const Held& held, const HeldRanges& ranges)
    : node_(scenario.node), start_us_(scenario.start_us), alter_(words.alter) {
  tables_.reserve(words.tables.size());
  for (const TableWords& table : words.tables)
    tables_.push_back({.name = table.name,
                       .table = Table(options_of(words, table), nullptr, table.name),
                       .rows = meant_rows(words, table.name)});
  for (Followed& followed : tables_) {
    followed.table.hold(ranges);
    if (held) std::erase_if(followed.rows, [&](const MeantRow& row) { return !held(row.key); });
  }
}

std::int64_t Follower::rows() const {
  std::int64_t rows = 0;
  for (const Followed& followed : tables_) rows += std::ssize(followed.rows);
  return rows;
}

template <class Expected, class Ours>
void Follower::compare(const std::string& where, const char* what, const Expected& expected, const Ours& ours) {
  ++fields_;
  if (!difference_.empty() || expected == ours) return;
  difference_ = fmt::format("{}: {}, rows {}, cohorts {}", where, what, expected, ours);
}

void Follower::compare_files(const Node& node, int t, const std::string& where,
                             const std::vector<TraceSSTable>& expected, const Change& change) {
  compare(where, "SSTables", expected.size(), change.added.size());
  for (std::size_t i = 0; i < std::min(expected.size(), change.added.size()); ++i) {
    const FileComparison comparison =
        compare_file(*change.added[i], expected[i], node.table(t).gc_before(node.now_s()));
    for (const FieldDifference& field : comparison.differences)
      compare(fmt::format("{}, SSTable {}", where, expected[i].id), field.field.c_str(), field.expected, field.ours);
    fields_ += comparison.fields;
    compare(where, "level", expected[i].level, node.table(t).live().at(expected[i].id).level);
  }
}

void Follower::write(Followed& followed, const MeantRow& meant) {
  std::unique_ptr<const Key>& key = keys_[meant.key];
  if (!key) key = std::make_unique<const Key>(Key{meant.key, murmur3(meant.key), murmur3_token(meant.key)});
  const Seconds arrival_s = meant.arrival_us / us_per_s;
  const Seconds ttl_s = meant.ttl_s < 0 ? followed.table.settings().default_ttl_s : meant.ttl_s;
  const Seconds expires_s = ttl_s > 0 ? arrival_s + ttl_s : no_deletion_time;
  Row row{.clustering = meant.clustering};
  if (meant.insert) row.liveness = Liveness{.timestamp_us = meant.timestamp_us, .ttl_s = ttl_s, .expires_s = expires_s};
  const auto cell = [&](int column, std::int64_t bytes) {
    std::unique_ptr<const OracleStream>& value = values_[bytes];
    if (!value) value = std::make_unique<const OracleStream>(OracleStream{.value_size = bytes});
    return Cell{.place = column,
                .timestamp_us = meant.timestamp_us,
                .ttl_s = ttl_s,
                .local_deletion_time_s = expires_s,
                .value = {.stream = value.get(), .row = 0, .column = column}};
  };
  for (int column = 0; column < static_cast<int>(meant.value_bytes.size()); ++column)
    row.cells.push_back(cell(column, meant.value_bytes[static_cast<std::size_t>(column)]));
  followed.table.memtable().write(key.get(), row);
  if (meant.static_bytes > 0) {
    Row statics;
    statics.cells.push_back(cell(0, meant.static_bytes));
    followed.table.memtable().write_statics(key.get(), statics);
  }
  ++followed.in_memtable;
}

void Follower::take_until(Followed& followed, Micros time_us) {
  for (; followed.next_row < followed.rows.size(); ++followed.next_row) {
    const MeantRow& row = followed.rows[followed.next_row];
    if (row.arrival_us >= time_us) return;
    write(followed, row);
  }
}

void Follower::expect_started(const Followed& followed, Micros now_us) {
  if (!followed.asked) return;
  compare(fmt::format("{} at {} s", followed.name, (now_us - start_us_) / us_per_s), "compaction",
          id_text(followed.asked->pick.inputs), std::string("none"));
}

void Follower::ask(Followed& followed, Micros now_us) {
  take_until(followed, now_us);
  followed.asked = followed.table.next_task(now_us / us_per_s);
  while (followed.asked && followed.asked->changes_level()) {
    followed.table.change_level(*followed.asked);
    followed.asked = followed.table.next_task(now_us / us_per_s);
  }
}

void Follower::checks_until(Followed& followed, Micros now_us, bool now_too) {
  while (difference_.empty()) {
    const Micros check_us = start_us_ + node_.first_check_us + followed.next_check * node_.background_check_us;
    if (check_us > now_us || (check_us == now_us && !now_too)) return;
    expect_started(followed, check_us);
    ++followed.next_check;
    ask(followed, check_us);
    if (followed.asked && check_us == now_us) return;
    expect_started(followed, check_us);
  }
}

void Follower::flushed(const Node& node, const FlushEvent& event) {
  if (!difference_.empty()) return;
  Followed& followed = tables_[static_cast<std::size_t>(event.table)];
  checks_until(followed, event.at_us, false);
  expect_started(followed, event.at_us);
  take_until(followed, event.at_us);
  const std::string where = fmt::format("{} flush at {} s", followed.name, (event.at_us - start_us_) / us_per_s);
  const std::optional<TraceFlush> expected = followed.table.flush(node.now_s(), "");
  followed.in_memtable = 0;
  compare_files(node, event.table, where, expected ? expected->added : std::vector<TraceSSTable>{}, *event.change);
  ask(followed, event.at_us);
}

void Follower::started(const Node& node, const Job& job) {
  if (!difference_.empty()) return;
  Followed& followed = tables_[static_cast<std::size_t>(job.table)];
  if (!followed.asked) checks_until(followed, job.started_us, true);
  const std::string where = fmt::format("{} pick at {} s", followed.name, (job.started_us - start_us_) / us_per_s);
  if (!followed.asked) return compare(where, "inputs", std::string("none"), id_text(job.task.pick.inputs));
  TracePick& pick = followed.asked->pick;
  pick.pick = ++picks_;
  compare(where, "inputs", id_text(pick.inputs), id_text(job.task.pick.inputs));
  compare(where, "expired", id_text(pick.expired), id_text(job.task.expired));
  compare(where, "gc_before", pick.gc_before_s, job.task.gc_before_s);
  compare(where, "memtable_min_timestamp", pick.memtable_min_timestamp_us.value_or(no_timestamp),
          node.table(job.table).memtable().min_timestamp_us());
  compare(where, "rows in the memtable", followed.in_memtable, node.table(job.table).memtable().writes());
  compare(where, "level", pick.level, job.task.pick.level);
  compare(where, "pending", pick.pending, job.task.pick.estimated_remaining);
  Ids live;
  Ids compacting;
  for (const SSTableView* file : node.table(job.table).live().in_live_order()) {
    live.push_back(file->id);
    const bool of_this_task = std::ranges::find(pick.inputs, file->id) != pick.inputs.end();
    if (file->compacting && !of_this_task) compacting.push_back(file->id);
  }
  compare(where, "live order", fmt::format("{}", pick.live), fmt::format("{}", live));
  compare(where, "compacting", id_text(pick.compacting), id_text(compacting));
  followed.running.emplace(job.number, std::move(*followed.asked));
  followed.asked.reset();
}

void Follower::committed(const Node& node, const CommitEvent& event) {
  if (!difference_.empty()) return;
  Followed& followed = tables_[static_cast<std::size_t>(event.table)];
  checks_until(followed, event.at_us, false);
  expect_started(followed, event.at_us);
  take_until(followed, event.at_us);
  const std::string where = fmt::format("{} commit at {} s", followed.name, (event.at_us - start_us_) / us_per_s);
  const auto task = followed.running.extract(event.job->number);
  const TraceCommit expected = followed.table.commit(task.mapped(), node.now_s());
  compare(where, "removed", id_text(expected.removed),
          id_text({event.change->removed.begin(), event.change->removed.end()}));
  compare_files(node, event.table, where, expected.added, *event.change);
  ask(followed, event.at_us);
}

void Follower::altered(const Node& node, const ChangeSpec& change) {
  if (!difference_.empty()) return;
  Followed& followed = tables_[static_cast<std::size_t>(change.table)];
  checks_until(followed, node.now_us(), false);
  expect_started(followed, node.now_us());
  take_until(followed, node.now_us());
  followed.table.alter(alter_, node.now_s());
}

void Follower::sampled(const Node& node) {
  for (int t = 0; t < std::ssize(tables_) && difference_.empty(); ++t) {
    Followed& followed = tables_[static_cast<std::size_t>(t)];
    checks_until(followed, node.now_us(), true);
    expect_started(followed, node.now_us());
    take_until(followed, node.now_us());
    const std::string where = fmt::format("{} at {} s", followed.name, (node.now_us() - start_us_) / us_per_s);
    compare(where, "rows in the memtable", followed.in_memtable, node.table(t).memtable().writes());
    Ids live;
    for (const SSTableView* file : node.table(t).live().in_live_order()) live.push_back(file->id);
    compare(where, "live order", fmt::format("{}", followed.table.live()), fmt::format("{}", live));
    if (look_) look_(node, t, followed.table);
  }
}

}  // namespace windrow::witness
