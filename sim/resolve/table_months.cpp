#include "sim/resolve/table_months.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/arithmetic.h"
#include "sim/resolve/rate_classes.h"
#include "sim/workload/bucket_rule.h"

namespace windrow {

namespace {

struct Month {
  std::int64_t label = 0;  // year * 100 + month
  Micros from_us = 0;
  Micros until_us = 0;
};

std::vector<Month> months_of(Micros start_us, Micros end_us) {
  const BucketRule rule = BucketRule::month();
  std::vector<Month> months;
  for (std::int64_t number = rule.number(start_us / us_per_s); rule.begin(number) * us_per_s < end_us; ++number) {
    months.push_back({.label = rule.label(number),
                      .from_us = rule.begin(number) * us_per_s,
                      .until_us = rule.begin(number + 1) * us_per_s});
  }
  return months;
}

/// Where each table of the scenario went: its months, or itself.
struct Places {
  int first = 0;
  std::vector<Month> months{};  // none: the table is one
};

/// What is left of a writer from `from_us` to before `until_us`; false if nothing is.
bool cut(WriterSpec& writer, Micros from_us, Micros until_us) {
  from_us = std::max(from_us, writer.from_us);
  until_us = std::min(until_us, writer.until_us);
  if (from_us >= until_us || writer.rate.empty()) return false;
  if (writer.spread) {
    writer.rate = stretches_between(writer.rate, from_us, until_us);
  } else {
    RateStretch& all = writer.rate.front();
    const Micros begin_us = std::max(all.from_us, writer.from_us);
    all.from_us = begin_us + std::max<std::int64_t>(0, ceil_div(from_us - begin_us, all.period_us)) * all.period_us;
    if (all.from_us >= until_us) return false;
  }
  writer.from_us = from_us;
  writer.until_us = until_us;
  return !writer.rate.empty();
}

class Splitter {
 public:
  explicit Splitter(Scenario& scenario) : scenario_(scenario) {}

  void run() {
    split_tables();
    split_writers();
    split_changes();
    split_actions();
    split_limits();
    for (ReadSpec& read : scenario_.reads) read.table = places(read.table).first;
    for (RepairSpec& repair : scenario_.repairs) {
      std::vector<int> tables;
      for (const int table : repair.tables) {
        for (int t = 0; t < count_of(table); ++t) tables.push_back(places_[static_cast<std::size_t>(table)].first + t);
      }
      repair.tables = std::move(tables);
    }
  }

 private:
  const Places& places(int table) const { return places_[static_cast<std::size_t>(table)]; }
  int count_of(int table) const { return std::max(1, static_cast<int>(places(table).months.size())); }

  void split_tables() {
    std::vector<TableSpec> tables;
    for (std::size_t t = 0; t < scenario_.tables.size(); ++t) {
      const TableSpec& whole = scenario_.tables[t];
      Places& place = places_.emplace_back(Places{.first = static_cast<int>(tables.size()), .months = {}});
      if (whole.per == TableSpec::Per::once) {
        tables.push_back(whole);
        continue;
      }
      place.months = months_of(scenario_.start_us, scenario_.end_us);
      for (const Month& month : place.months) {
        TableSpec& one = tables.emplace_back(whole);
        one.per = TableSpec::Per::once;
        one.family = whole.name;
        // A table that is made later is made as the others are by then.
        for (const ChangeSpec& change : scenario_.changes) {
          if (change.table == static_cast<int>(t) && change.at_us <= month.from_us) one.schema = change.after;
        }
        one.name = one.schema.name = name_of(whole, month);
        drops_.push_back({.name = "drop_after",
                          .at_us = month.until_us + whole.drop.after_us,
                          .kind = ActionSpec::Kind::drop,
                          .table = static_cast<int>(tables.size()) - 1,
                          .told = false});
        if (whole.drop.after_us == 0 || drops_.back().at_us >= scenario_.end_us) drops_.pop_back();
      }
    }
    scenario_.tables = std::move(tables);
  }

  static std::string name_of(const TableSpec& whole, const Month& month) {
    return fmt::format("{}_{:04}_{:02}", whole.name, month.label / 100, month.label % 100);
  }

  void split_writers() {
    std::vector<WriterSpec> writers;
    for (const WriterSpec& whole : scenario_.writers) {
      const Places& place = places(whole.table);
      for (int i = 0; i < count_of(whole.table); ++i) {
        WriterSpec one = whole;
        one.table = place.first + i;
        const Month* month = place.months.empty() ? nullptr : &place.months[static_cast<std::size_t>(i)];
        if (month != nullptr && !cut(one, month->from_us, month->until_us)) continue;
        writers.push_back(std::move(one));
      }
    }
    scenario_.writers = std::move(writers);
  }

  void split_changes() {
    std::vector<ChangeSpec> changes;
    for (const ChangeSpec& whole : scenario_.changes) {
      const Places& place = places(whole.table);
      for (int i = 0; i < count_of(whole.table); ++i) {
        ChangeSpec one = whole;
        one.table = place.first + i;
        if (!place.months.empty()) {
          if (place.months[static_cast<std::size_t>(i)].from_us >= whole.at_us) continue;
          one.after.name = scenario_.tables[static_cast<std::size_t>(one.table)].name;
        }
        changes.push_back(std::move(one));
      }
    }
    scenario_.changes = std::move(changes);
  }

  void split_actions() {
    std::vector<ActionSpec> actions;
    for (const ActionSpec& whole : scenario_.actions) {
      if (whole.table < 0) {
        actions.push_back(whole);
        continue;
      }
      for (int i = 0; i < count_of(whole.table); ++i) {
        const Places& place = places(whole.table);
        if (!place.months.empty() && place.months[static_cast<std::size_t>(i)].from_us >= whole.at_us) continue;
        actions.push_back(whole);
        actions.back().table = place.first + i;
      }
    }
    actions.insert(actions.end(), drops_.begin(), drops_.end());
    std::ranges::stable_sort(actions, {}, &ActionSpec::at_us);
    scenario_.actions = std::move(actions);
  }

  void split_limits() {
    std::vector<LimitSpec> limits;
    for (const LimitSpec& whole : scenario_.limits) {
      for (int i = 0; i < (whole.table < 0 ? 1 : count_of(whole.table)); ++i) {
        limits.push_back(whole);
        if (whole.table >= 0) limits.back().table = places(whole.table).first + i;
      }
    }
    scenario_.limits = std::move(limits);
  }

  Scenario& scenario_;
  std::vector<Places> places_{};
  std::vector<ActionSpec> drops_{};
};

void end_writes_at_drops(Scenario& scenario) {
  for (const ActionSpec& action : scenario.actions) {
    if (action.kind != ActionSpec::Kind::drop) continue;
    std::erase_if(scenario.writers, [&](WriterSpec& writer) {
      const bool written = action.table < 0 || writer.table == action.table;
      return written && !cut(writer, writer.from_us, action.at_us);
    });
  }
}

}  // namespace

void split_months(Scenario& scenario) {
  const bool any =
      std::ranges::any_of(scenario.tables, [](const TableSpec& table) { return table.per == TableSpec::Per::month; });
  if (any) Splitter(scenario).run();
  end_writes_at_drops(scenario);
}

}  // namespace windrow
