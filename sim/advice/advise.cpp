#include "sim/advice/advise.h"

#include <algorithm>
#include <cmath>

#include "sim/advice/candidates.h"
#include "sim/advice/cause.h"
#include "sim/advice/table_view.h"
#include "sim/base/partition_sizes.h"

namespace windrow {

namespace {

constexpr double no_difference = 0.01;
constexpr double of_a_run = 3;  // a remedy may cost so many times what the run did
constexpr std::int64_t little_work = 1'000'000;
constexpr double much_held_back = 0.2;

std::string family_of(const RunRecord& record, const LimitOutcome& limit) {
  const TableRecord* table = find_table(record, limit.table);
  return table == nullptr || table->family.empty() ? limit.table : table->family;
}

/// What a fix is looked for; of the months of a table the one that is worst off.
struct Trouble {
  LimitOutcome limit{};
  std::string judged_by{};  // empty: the scenario has the limit
};

class Troubles {
 public:
  explicit Troubles(const RunRecord& record) : record_(record) {
    for (const LimitOutcome& limit : record.limits) {
      if (limit.measured && !limit.holds()) add({.limit = limit});
    }
    for (const TableRecord& table : record.tables) {
      if (table.samples.empty()) continue;
      blocked(table);
      large(table);
    }
  }
  const std::vector<Trouble>& all() const { return all_; }

 private:
  void add(Trouble trouble) {
    const auto same = std::ranges::find_if(all_, [&](const Trouble& other) {
      return other.limit.name == trouble.limit.name &&
             family_of(record_, other.limit) == family_of(record_, trouble.limit);
    });
    if (same == all_.end()) {
      all_.push_back(std::move(trouble));
    } else if (trouble.limit.value > same->limit.value) {
      *same = std::move(trouble);
    }
  }
  bool has_limit(std::string_view name, const TableRecord& table) const {
    return std::ranges::any_of(record_.limits, [&](const LimitOutcome& limit) {
      return limit.name == name && (limit.table == table.name || limit.table.empty());
    });
  }
  /// Expired files that others keep, of a scenario that sets no limit for it.
  void blocked(const TableRecord& table) {
    if (table.blocked.empty() || has_limit("held_back_share", table)) return;
    double most = 0;
    for (const TableSample& sample : table.samples) {
      if (sample.live_bytes > 0)
        most = std::max(most, 1 - static_cast<double>(sample.readable_bytes) / static_cast<double>(sample.live_bytes));
    }
    if (most <= much_held_back) return;
    add({.limit = {.name = "held_back_share",
                   .table = table.name,
                   .value = most,
                   .bound = much_held_back,
                   .first_breach_us = table.samples.back().at_us},
         .judged_by = "limits.held_back_share=20%"});
  }
  void large(const TableRecord& table) {
    const auto most = static_cast<double>(table.partitions.bytes.max);
    if (most <= static_cast<double>(large_partition_bytes) || has_limit("partition_size_max", table)) return;
    add({.limit = {.name = "partition_size_max",
                   .table = table.name,
                   .value = most,
                   .bound = static_cast<double>(large_partition_bytes),
                   .first_breach_us = table.partitions_at_us},
         .judged_by = "limits.partition_size_max=100MiB"});
  }

  const RunRecord& record_;
  std::vector<Trouble> all_{};
};

/// The same limit after a remedy; of months the worst.
const LimitOutcome* outcome_of(const RunRecord& record, const LimitOutcome& limit,
                               const std::vector<LimitOutcome>& after) {
  const std::string family = family_of(record, limit);
  const LimitOutcome* worst = nullptr;
  for (const LimitOutcome& other : after) {
    if (other.name != limit.name || !other.measured || family_of(record, other) != family) continue;
    if (worst == nullptr || other.value > worst->value) worst = &other;
  }
  return worst;
}

bool held_before(const RunRecord& record, const LimitOutcome& limit) {
  return std::ranges::any_of(record.limits, [&](const LimitOutcome& before) {
    return before.name == limit.name && before.table == limit.table && before.measured && before.holds();
  });
}

std::optional<TriedFix> judged(const RunRecord& record, const LimitOutcome& limit, const Remedy& remedy,
                               const AdviceTrial& trial) {
  const LimitOutcome* after = outcome_of(record, limit, trial.limits);
  if (after == nullptr) return std::nullopt;
  TriedFix fix{.settings = remedy.settings,
               .key_column = remedy.key_column ? key_column_text(*remedy.key_column) : std::string(),
               .value = after->value,
               .rises = after->rises};
  using Ending = TriedFix::Ending;
  const double difference = limit.value > 0 ? after->value / limit.value - 1 : 0;
  fix.ending = after->holds()                          ? Ending::holds
               : std::abs(difference) <= no_difference ? Ending::nothing
               : difference < 0                        ? Ending::helps
                                                       : Ending::worse;
  fix.note = breaks_another(record, trial.limits);
  if (!fix.note.empty() && fix.ending == Ending::holds) fix.ending = Ending::breaks_another;
  fix.warned = trial.warned;
  if (!fix.warned.empty() && fix.ending == Ending::holds) fix.ending = Ending::warned;
  return fix;
}

}  // namespace

std::string breaks_another(const RunRecord& run, const std::vector<LimitOutcome>& after) {
  for (const LimitOutcome& other : after) {
    if (!other.holds() && held_before(run, other))
      return other.table.empty() ? other.name : other.name + " of " + other.table;
  }
  return {};
}

std::vector<Advice> advise(const LoadedScenario& loaded, const RunRecord& record, const AdviceBudget& budget,
                           const RunRemedies& run_remedies) {
  const Troubles troubles(record);
  std::vector<Advice> advice;
  if (troubles.all().empty()) return advice;
  std::vector<Remedy> remedies;
  std::vector<std::size_t> of_trouble;  // of each remedy
  std::vector<std::size_t> of_advice;
  const std::int64_t run_work = std::max<std::int64_t>(record.work, 1);
  const auto troubled = std::ssize(troubles.all());
  // Each its share, and one fix at least.
  const std::int64_t each = budget.work == 0 ? INT64_MAX : std::max<std::int64_t>(1, budget.work / run_work / troubled);
  for (std::size_t number = 0; number < troubles.all().size(); ++number) {
    const Trouble& trouble = troubles.all()[number];
    std::vector<Remedy> all = candidates(loaded, record, trouble.limit);
    const std::size_t most = std::min<std::size_t>(budget.remedies_per_limit, static_cast<std::size_t>(each));
    Advice one{
        .limit = trouble.limit.name, .table = trouble.limit.table, .cause = cause_of(loaded, record, trouble.limit)};
    if (all.empty() && one.cause.empty()) continue;  // of what others look for: deleted rows that come back
    if (all.size() > most) {
      one.not_tried = std::ssize(all) - static_cast<std::int64_t>(most);
      all.resize(most);
    }
    for (Remedy& remedy : all) {
      if (!trouble.judged_by.empty()) remedy.judged_by.push_back(trouble.judged_by);
      remedies.push_back(std::move(remedy));
      of_trouble.push_back(number);
      of_advice.push_back(advice.size());
    }
    advice.push_back(std::move(one));
  }
  const auto most_work =
      budget.work == 0 ? INT64_MAX
                       : std::max(little_work, static_cast<std::int64_t>(of_a_run * static_cast<double>(run_work)));
  const std::vector<AdviceTrial> trials = run_remedies(remedies, most_work);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    Advice& one = advice[of_advice[i]];
    if (trials[i].cut) ++one.not_tried;
    if (std::optional<TriedFix> fix = judged(record, troubles.all()[of_trouble[i]].limit, remedies[i], trials[i]))
      one.tried.push_back(std::move(*fix));
  }
  const auto rank = [](const TriedFix& fix) { return std::pair(fix.ending, fix.rises); };
  for (Advice& one : advice) std::ranges::stable_sort(one.tried, {}, rank);
  return advice;
}

}  // namespace windrow
