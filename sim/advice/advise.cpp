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

TrialBounds AdviceBudget::bounds(double run_steps) const {
  constexpr double part_of_few = 0.4;  // one remedy may take of them
  return {.each = std::max(part_of_few * few_steps, each_times_the_run * run_steps),
          .together = std::max(few_steps, times_the_run * run_steps)};
}

void cut_beyond(double together, std::vector<AdviceTrial>& trials) {
  double taken = 0;
  for (AdviceTrial& trial : trials) {
    if (taken > together) trial = {.cut = true};
    taken += trial.steps;
  }
}

namespace {

/// A remedy that is run: for which trouble, and in whose advice it stands.
struct Candidate {
  Remedy remedy{};
  std::size_t trouble = 0;
  std::size_t advice = 0;
  std::size_t round = 0;  // the how manieth of its trouble
};

}  // namespace

std::vector<Advice> advise(const LoadedScenario& loaded, const RunRecord& record, double run_steps,
                           const AdviceBudget& budget, const RunRemedies& run_remedies) {
  const Troubles troubles(record);
  std::vector<Advice> advice;
  if (troubles.all().empty()) return advice;
  const TrialBounds bounds = budget.bounds(run_steps);
  // Each its share, and one fix at least.
  const double share = budget.few_steps / std::max(1.0, run_steps) / static_cast<double>(troubles.all().size());
  const auto most = static_cast<std::size_t>(std::clamp(share, 1.0, static_cast<double>(budget.remedies_per_limit)));
  std::vector<Candidate> all;
  for (std::size_t number = 0; number < troubles.all().size(); ++number) {
    const Trouble& trouble = troubles.all()[number];
    std::vector<Remedy> found = candidates(loaded, record, trouble.limit);
    Advice one{.limit = trouble.limit.name,
               .table = trouble.limit.table,
               .cause = cause_of(loaded, record, trouble.limit),
               .at_length = budget.at_length};
    if (found.empty() && one.cause.empty()) continue;  // of what others look for: deleted rows that come back
    if (found.size() > most) {
      one.not_tried = std::ssize(found) - static_cast<std::int64_t>(most);
      found.resize(most);
    }
    for (std::size_t round = 0; round < found.size(); ++round) {
      Remedy& remedy = found[round];
      if (!trouble.judged_by.empty()) remedy.judged_by.push_back(trouble.judged_by);
      all.push_back({.remedy = std::move(remedy), .trouble = number, .advice = advice.size(), .round = round});
    }
    advice.push_back(std::move(one));
  }
  // The first of every limit before the second of any.
  std::ranges::stable_sort(all, {}, &Candidate::round);
  std::vector<Remedy> remedies;
  for (const Candidate& each : all) remedies.push_back(each.remedy);
  std::vector<AdviceTrial> trials = run_remedies(remedies, bounds);
  cut_beyond(bounds.together, trials);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    Advice& one = advice[all[i].advice];
    if (trials[i].cut) ++one.not_tried;
    if (std::optional<TriedFix> fix = judged(record, troubles.all()[all[i].trouble].limit, all[i].remedy, trials[i]))
      one.tried.push_back(std::move(*fix));
  }
  const auto rank = [](const TriedFix& fix) { return std::pair(fix.ending, fix.rises); };
  for (Advice& one : advice) std::ranges::stable_sort(one.tried, {}, rank);
  return advice;
}

}  // namespace windrow
