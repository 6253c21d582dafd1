#include "sim/page/findings.h"

#include <algorithm>

#include "sim/base/units.h"
#include "sim/page/captions.h"
#include "sim/page/iso.h"

namespace windrow {

namespace {

constexpr double many_sstables_per_partition = 8;
constexpr double high_droppable_ratio = 0.2;  // Cassandra's default tombstone_threshold
constexpr double full_disk_share = 0.8;

std::int64_t day_number(const std::string& iso) { return iso_seconds(iso) / seconds_per_day; }

class Collector {
 public:
  explicit Collector(const Facts& summary) : summary_(summary), start_day_(day_number(summary.text("start"))) {}

  void add(const Fact& since, Sentence what, std::string_view why, std::string_view moved_by) {
    const std::int64_t days = day_number(since.text()) - start_day_;
    const Term term = days <= immediate_days ? Term::immediate : days <= near_days ? Term::near : Term::later;
    found_.push_back({.term = term, .since = since, .what = std::move(what), .why = why, .moved_by = moved_by});
  }

  /// What was tried for it, to the last finding.
  void add_advice(const std::string& limit, const std::string& table) {
    const Facts all = summary_.below("advice");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Facts one = all.below(i);
      if (one.text("limit") != limit || one.text("table") != table) continue;
      RunFinding& finding = found_.back();
      if (!one.text("cause").empty()) finding.cause.name(one.of("cause"));
      for (std::size_t n = 0; n < one.below("tried").size(); ++n) {
        const Facts fix = one.below("tried").below(n);
        Sentence words;
        words.name(fix.of("command"));
        if (fix.of("key_column").known()) words.say(" with {key_column:name}", fix);
        words.say(": ").in_unit(one.text("unit"), fix.of("value")).say(", {says:name}", fix);
        finding.tried.push_back(std::move(words));
      }
      if (one.number("not_tried") > 0)
        finding.tried.push_back(std::move(Sentence().say("{not_tried:count} more not tried", one)));
    }
  }

  void limits() {
    const Facts limits = summary_.below("limits");
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const Facts limit = limits.below(i);
      if (!limit.of("first_breach").known()) continue;
      const std::string unit = limit.text("unit");
      Sentence what;
      what.say(limit.of("table").known() ? "{name:name} of {table:name} reaches " : "{name:name} reaches ", limit);
      what.in_unit_beside(unit, limit.of("value"), limit.of("bound"));
      if (limit.of("worst").known()) what.say(" on {worst:day}", limit);
      what.say(", its limit is ").in_unit_beside(unit, limit.of("bound"), limit.of("value"));
      const bool other_end = limit.of("end_value").known() && limit.text("end_value") != limit.text("value");
      if (other_end) what.say("; at the end it is ").in_unit_beside(unit, limit.of("end_value"), limit.of("bound"));
      what.say(".");
      const Knob& knob = knob_of(summary_, limit);
      add(limit.of("first_breach"), std::move(what), knob.why, knob.knob);
      add_advice(limit.text("name"), limit.text("table"));
    }
  }

  void table(const std::string& name) {
    const Facts table = summary_.below("tables").below(name);
    resurrected(name, table);
    blocked(name, table);
    large_partitions(name, table);
    refused(table);
    dead_weight(name, table);
    spread_partitions(table);
    growing(name, table);
  }

  void node() {
    const Facts node = fullest_node(summary_);
    if (!node.of("peak_disk_share").known() || node.number("peak_disk_share") < full_disk_share ||
        has_limit("disk_used_share", {}))
      return;
    Sentence what;
    what.say("The node's disk is {peak_disk_share} full: {peak_disk_bytes} of {disk_capacity_bytes}.", node);
    add(node.of("peak_disk_date"), std::move(what), knob_of("disk_used_share").why, knob_of("disk_used_share").knob);
  }

  std::vector<RunFinding> take() {
    std::ranges::stable_sort(found_, {}, [](const RunFinding& f) { return std::pair(f.term, f.since.text()); });
    return std::move(found_);
  }

 private:
  /// A limit says it already.
  bool has_limit(std::string_view prefix, const std::string& table) const {
    const Facts limits = summary_.below("limits");
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const Facts limit = limits.below(i);
      if (limit.text("name").starts_with(prefix) && limit.of("first_breach").known() && limit.text("table") == table)
        return true;
    }
    return false;
  }

  void resurrected(const std::string& name, const Facts& table) {
    if (!table.has("first_resurrected") || !table.of("first_resurrected").known()) return;
    if (has_limit("resurrected_rows", {}) || has_limit("resurrected_rows", name)) return;
    Sentence what;
    what.say(name).say(": {resurrected_rows:count} deleted rows came back.", table);
    add(table.of("first_resurrected"), std::move(what), knob_of("resurrected_rows").why,
        knob_of("resurrected_rows").knob);
    add_advice("resurrected_rows", "");
  }

  void blocked(const std::string& name, const Facts& table) {
    if (!table.of("first_blocked").known()) return;
    Sentence what;
    what.say(name).say(": ");
    const bool now = table.number("blocked_sstables") > 0;
    if (now) {
      what.say(
          "{blocked_sstables| expired SSTable| expired SSTables} with {blocked_bytes} cannot be dropped at the end",
          table);
      what.say(table.number("blocked_for_ever_sstables") > 0 ? ", and never will be." : ".");
    } else {
      what.say("expired SSTables were blocked for a time, {peak_blocked_bytes} at the most.", table);
    }
    add(table.of("first_blocked"), std::move(what),
        "A whole expired SSTable goes only when no other SSTable or memtable holds older data that is not expired.",
        "one TTL for all rows, late rows");
    add_advice("held_back_share", name);
  }

  void large_partitions(const std::string& name, const Facts& table) {
    if (!table.of("first_large_partition").known() || has_limit("partition_", name)) return;
    Sentence what;
    what.say("Partitions above {large_partition_bytes}; the largest at the end, ", table);
    say_largest_partition(what, table);
    what.say(", has {partition_bytes/max}.", table);
    add(table.of("first_large_partition"), std::move(what), knob_of("partition_size_max").why,
        knob_of("partition_size_max").knob);
    add_advice("partition_size_max", name);
  }

  void refused(const Facts& table) {
    if (!table.of("first_refused_compaction").known()) return;
    add(table.of("first_refused_compaction"),
        Sentence().say("{refused_compactions| compaction| compactions} found too little disk space.", table),
        "What they would have freed stays, and reads touch more SSTables.", knob_of("disk_used_share").knob);
  }

  void dead_weight(const std::string& name, const Facts& table) {
    if (table.number("droppable_tombstone_ratio") <= high_droppable_ratio || table.number("blocked_sstables") > 0)
      return;
    Sentence what;
    what.say(name);
    what.say(
        ": droppable tombstones and expired cells are {peak_droppable_tombstone_ratio} times its cells at their peak, "
        "{droppable_tombstone_ratio} times at the end, as the engine counts.",
        table);
    add(table.of("peak_droppable_tombstone_ratio_date"), std::move(what),
        "Reads skip them one by one, and they take disk until a compaction meets them.",
        "unchecked_tombstone_compaction, tombstone_compaction_interval");
  }

  void spread_partitions(const Facts& table) {
    if (table.number("peak_sstables_per_partition") <= many_sstables_per_partition) return;
    add(table.of("peak_sstables_per_partition_date"),
        Sentence().say("A partition lies in {peak_sstables_per_partition| SSTable| SSTables} on average, at the peak.",
                       table),
        "A read of a partition has to look into each of them.", "bucket, compaction window, strategy");
  }

  void growing(const std::string& name, const Facts& table) {
    if (table.text("live_growth") != "grows" || table.number("blocked_for_ever_sstables") > 0) return;
    Sentence what;
    what.say(name);
    what.say(" grows by {live_growth_bytes_per_year} a year; it ends at {live_bytes}.", table);
    const bool removed = table.number("rows_purged") + table.number("rows_expired") + table.number("rows_shadowed") > 0;
    add(summary_.of("end"), std::move(what),
        removed ? "More is written without a TTL than is removed." : "Nothing is ever removed.",
        "default_time_to_live");
    found_.back().term = Term::later;
  }

  Facts summary_;
  std::int64_t start_day_ = 0;
  std::vector<RunFinding> found_{};
};

}  // namespace

const Knob& knob_of(const Facts& summary, const Facts& limit) {
  const std::string table = limit.text("table");
  return knob_of(limit.text("name"),
                 table.empty() ? std::string() : summary.below("tables").below(table).text("strategy"));
}

std::vector<RunFinding> findings(const Facts& summary, const std::vector<std::string>& tables) {
  Collector collector(summary);
  collector.limits();
  for (const std::string& name : tables) collector.table(name);
  collector.node();
  return collector.take();
}

}  // namespace windrow
