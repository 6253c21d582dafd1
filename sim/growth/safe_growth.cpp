#include "sim/growth/safe_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>

#include "sim/base/arithmetic.h"
#include "sim/cost/expected_cost.h"
#include "sim/engine/node.h"
#include "sim/limits/limits.h"
#include "sim/load/cluster_load.h"
#include "sim/record/node_runs.h"
#include "sim/record/recorder.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

// Multiples of two digits, numbered: 0 is 1.0, 1 is 1.1, 90 is 10, -1 is 0.99.
constexpr int a_decade = 90;

double multiple(int number) {
  const auto power = static_cast<int>(floor_div(number, a_decade));
  const double digits = 10 + number - power * a_decade;
  return power >= 1 ? digits * std::pow(10, power - 1) : digits / std::pow(10, 1 - power);
}

/// The largest multiple that is not above; not far beyond the bounds.
int number_below(double value) {
  value = std::clamp(value, least_growth / 10, most_growth * 10);
  int number = static_cast<int>(std::floor(std::log10(value))) * a_decade;
  while (multiple(number + 1) <= value * (1 + 1e-12)) ++number;
  while (multiple(number) > value * (1 + 1e-12)) --number;
  return number;
}

struct Trial {
  enum class Ending { held, broke, cut, impossible };
  Ending ending = Ending::cut;
  double use = 0;  // of the limit that was nearest
  std::string broke{};
  int node = 0;       // that broke it, where several were tried
  std::string why{};  // it is impossible
  std::int64_t work = 0;
};

/// More writes bring it nearer; the busiest node's share of them, what of the bytes has expired, and how long a delete
/// takes stay.
bool rates_move(const std::string& name) {
  const Limit* known = find_limit(name);
  if (known == nullptr) return true;
  return known->of != Limit::Of::cluster && known->of != Limit::Of::faults && known->unit != Unit::days &&
         known != &limit_row("held_back_share");
}
/// And a run measures it.
bool moves_with_rates(const LimitOutcome& limit) { return limit.measured && rates_move(limit.name); }

/// How much of its limit the worst took up; 1 is all.
double worst_use(const std::vector<LimitOutcome>& limits) {
  double use = 0;
  for (const LimitOutcome& limit : limits) {
    if (moves_with_rates(limit) && limit.bound > 0) use = std::max(use, limit.value / limit.bound);
  }
  return use;
}

std::string first_broken(const std::vector<LimitOutcome>& limits) {
  const LimitOutcome* first = nullptr;
  for (const LimitOutcome& limit : limits) {
    if (!moves_with_rates(limit) || limit.holds()) continue;
    if (first == nullptr || *limit.first_breach_us < *first->first_breach_us) first = &limit;
  }
  if (first == nullptr) return {};
  return first->table.empty() ? first->name : fmt::format("{} of {}", first->name, first->table);
}

/// Where several nodes were run: those that were nearest to a limit.
std::set<int> nodes_to_try(const RunRecord& run) {
  std::set<int> nodes;
  if (run.others.empty()) return nodes;
  for (const LimitOutcome& limit : run.limits) {
    if (moves_with_rates(limit) && limit.node > 0) nodes.insert(limit.node);
  }
  return nodes;
}

/// All others of which there was a run; what is true of nodes that are alike is true of the one that was run.
std::set<int> other_nodes(const RunRecord& run, const std::set<int>& tried) {
  std::set<int> nodes;
  for (const RunRecord* one : node_runs(run)) {
    if (!tried.contains(one->identity.node)) nodes.insert(one->identity.node);
  }
  return nodes;
}

/// What one node of a trial does.
void run_one(const Scenario& scenario, const Workloads& workloads,
             std::vector<std::shared_ptr<const LocalRanges>> local_ranges, std::int64_t most_work,
             const std::function<bool()>& go_on, Trial& trial) {
  Recorder recorder(scenario, {}, {.all = false, .only_limits = true});
  RunOptions options{.local_ranges = std::move(local_ranges)};
  options.go_on = [&](Micros) {
    return !recorder.any_limit_broken() && trial.work + recorder.work() <= most_work && go_on();
  };
  run_node(scenario, workloads, recorder, options);
  trial.work += recorder.work();
  const RunRecord record = recorder.take();
  trial.use = std::max(trial.use, worst_use(record.limits));
  trial.broke = first_broken(record.limits);
  trial.ending = !trial.broke.empty() ? Trial::Ending::broke
                 : record.complete    ? Trial::Ending::held
                                      : Trial::Ending::cut;
}

Trial run_trial(const ScaledScenario& scaled, double factor, const std::set<int>& nodes, std::int64_t most_work,
                const std::function<bool()>& go_on) {
  // Enough for the largest entities and a sample of all others' buckets: a trial is worth no more.
  constexpr std::int64_t most_hashed = 1'000'000;
  Trial trial;
  try {
    Scenario scenario = scaled(factor);
    std::erase_if(scenario.limits, [](const LimitSpec& limit) { return !rates_move(limit.name); });
    const ExpectedCost expected = expected_cost(scenario);
    Work hashed = Work{.sketched = expected.work.sketched} *
                  (static_cast<double>(std::max<std::size_t>(1, nodes.size())) / expected.nodes);
    if (!nodes.empty()) hashed.keys = std::min(expected.work.keys, static_cast<double>(most_hashed));
    trial.work = std::llround(steps_of(hashed));
    if (trial.work > most_work) return trial;
    if (nodes.empty()) {
      run_one(scenario, make_workloads(scenario), {}, most_work, go_on, trial);
      return trial;
    }
    scenario.exact_placements = std::min(scenario.exact_placements, most_hashed);
    const ClusterLoad load(scenario);
    for (const int node : nodes) {
      Workloads workloads;
      for (int table = 0; table < std::ssize(scenario.tables); ++table)
        workloads.push_back(std::make_shared<const TableWorkload>(load.workload(table, node - 1)));
      run_one(scenario, workloads, load.local_ranges(node - 1), most_work, go_on, trial);
      trial.node = node;
      if (trial.ending != Trial::Ending::held) return trial;
    }
  } catch (const std::invalid_argument& error) {
    trial.ending = Trial::Ending::impossible;
    trial.why = error.what();
  } catch (const std::length_error& error) {
    trial.ending = Trial::Ending::impossible;
    trial.why = error.what();
  }
  return trial;
}

/// What is known, and what to try next.
class Bracket {
 public:
  explicit Bracket(const RunRecord& run)
      : run_use_(worst_use(run.limits)), run_work_(run.work), use_(run_use_), work_(run.work) {
    stops_at_ = first_broken(run.limits);
    (stops_at_.empty() ? safe_ : broken_) = 0;
  }

  /// Nothing if the answer is known to two digits, or the next step costs too much.
  std::optional<int> next(std::int64_t work_left) {
    if (complete()) return std::nullopt;
    const std::optional<int> number = safe_ && broken_ ? between() : safe_ ? above(work_left) : below();
    if (!number || (safe_ && *number <= *safe_) || (broken_ && *number >= *broken_)) return std::nullopt;
    return number;
  }

  void learn(int number, const Trial& trial) {
    if (trial.ending == Trial::Ending::broke) {
      broken_ = number;
      stops_at_ = trial.broke;
      return;
    }
    // What does not grow with the rates says nothing of where it is used up.
    constexpr double far_off = 0.2;
    if (safe_ && use_ > 0 && std::abs(trial.use / (use_ * multiple(number) / multiple(*safe_)) - 1) > far_off)
      misleads_ = true;
    other_ = broken_ == 0 ? Use{0, run_use_} : safe_ ? Use{*safe_, use_} : Use{};
    safe_ = number;
    use_ = trial.use;
    work_ = trial.work;
  }

  /// The highest multiple that held on the nodes that were tried; nothing if only the run itself did, on all nodes.
  std::optional<int> to_confirm() const { return safe_ && *safe_ != 0 ? safe_ : std::nullopt; }
  /// It does not hold on another node, so that nothing is known but of the run itself.
  void withdraw(const std::string& broke) {
    broken_ = safe_;
    safe_.reset();
    if (*broken_ > 0) safe_ = 0;
    stops_at_ = broke;
    use_ = *broken_ > 0 ? run_use_ : 0;
    other_ = {};
    work_ = run_work_;
    near_tries_ = 0;
    misleads_ = false;
  }

  bool complete() const {
    if (safe_ && broken_) return *broken_ - *safe_ == 1;
    return safe_ ? *safe_ == highest : *broken_ == lowest;
  }
  SafeGrowth growth() const {
    SafeGrowth growth{.stops_at = stops_at_};
    if (safe_) growth.factor = multiple(*safe_);
    if (broken_) growth.breaks_at = multiple(*broken_);
    return growth;
  }

 private:
  static constexpr int highest = 54 + a_decade;    // 64
  static constexpr int lowest = 5 - 2 * a_decade;  // 0.015

  /// Where the nearest limit would be used up if it grew with the rates.
  int predicted(int from) const { return number_below(multiple(from) / std::max(use_, 1e-3)); }

  /// Where it would be used up if it went on as between the highest safe multiple and the other one; nothing if there
  /// is no other, or it hardly grows.
  std::optional<int> predicted_by_two() const {
    if (other_.use <= 0 || use_ <= 0) return std::nullopt;
    const double exponent = std::log(use_ / other_.use) / std::log(multiple(*safe_) / multiple(other_.number));
    constexpr double hardly = 0.01;
    if (!(exponent > hardly)) return std::nullopt;
    return number_below(multiple(*safe_) * std::pow(1 / use_, 1 / exponent));
  }

  /// Of two that are not proportional, one that lies far away is half believed, unless it lies beyond all that are
  /// tried.
  int expected_above() const {
    if (!misleads_) return predicted(*safe_);
    const int by_two = predicted_by_two().value_or(highest);
    if (by_two >= highest) return highest;
    return number_below(std::sqrt(2 * multiple(*safe_) * multiple(by_two)));
  }

  /// A step that a lack of work makes a small one would cost nearly all that is left and say little.
  std::optional<int> above(std::int64_t work_left) const {
    const double affordable =
        multiple(*safe_) * static_cast<double>(work_left) / static_cast<double>(std::max<std::int64_t>(1, work_));
    const int wanted = std::min(std::max(expected_above(), number_below(2 * multiple(*safe_))), highest);
    constexpr double small = 1.5;
    if (number_below(affordable) < wanted && affordable < small * multiple(*safe_)) return std::nullopt;
    return std::min(wanted, number_below(affordable));
  }
  int below() {
    const int wanted = use_ > 1 ? predicted(*broken_) : number_below(multiple(*broken_) / 4);
    use_ = 0;  // a prediction from a broken limit is tried once
    return std::max(std::min(wanted, *broken_ - 1), lowest);
  }
  /// The predictions and their neighbours first; halves where they mislead.
  int between() {
    const auto within = [this](int guess) { return guess >= *safe_ && guess < *broken_; };
    const int proportional = predicted(*safe_);
    const int guess = misleads_ || !within(proportional) ? predicted_by_two().value_or(*broken_) : proportional;
    if (near_tries_ >= 2 || !within(guess)) return (*safe_ + *broken_) / 2;
    ++near_tries_;
    return std::max(guess, *safe_ + 1);
  }

  struct Use {
    int number = 0;
    double use = 0;  // 0: not known
  };

  double run_use_ = 0;
  std::int64_t run_work_ = 0;
  std::optional<int> safe_{};
  std::optional<int> broken_{};
  std::string stops_at_{};
  double use_ = 0;         // at the highest safe multiple, or of the run itself
  Use other_{};            // of another multiple that was run to its end, above if there is one
  std::int64_t work_ = 0;  // of the same
  int near_tries_ = 0;
  bool misleads_ = false;  // the nearest limit does not grow with the rates
};

bool can_be_asked(const RunRecord& run) { return std::ranges::any_of(run.limits, moves_with_rates); }

}  // namespace

std::int64_t GrowthBudget::most_work(std::int64_t run_work) const {
  std::int64_t of_run = 0;
  if (__builtin_mul_overflow(times_the_run, run_work, &of_run)) return INT64_MAX;
  return std::max(few_steps, of_run);
}

SafeGrowth find_safe_growth(const RunRecord& run, const ScaledScenario& scaled, const GrowthBudget& budget,
                            const std::function<bool()>& go_on) {
  const auto stays = std::ranges::find_if(run.limits, [](const LimitOutcome& limit) {
    return limit.measured && !limit.holds() && !moves_with_rates(limit);
  });
  const std::string aside =
      stays == run.limits.end() ? std::string() : fmt::format("{} aside, which rates do not move", stays->name);
  if (!can_be_asked(run))
    return {.note = aside.empty() ? aside : fmt::format("not looked for, {} does not follow from rates", stays->name)};
  const bool recorded =
      std::ranges::any_of(run.scenario->tables, [](const TableSpec& table) { return !table.flushes.empty(); });
  if (recorded) return {.note = "not looked for: flushes follow a recording"};
  std::set<int> nodes = nodes_to_try(run);
  Bracket bracket(run);
  const std::int64_t most_work = budget.most_work(run.work);
  // Where one run is too much, a part of one would say nothing.
  std::int64_t left = run.work > most_work ? 0 : most_work;
  std::string note;
  for (bool confirmed = false; !confirmed;) {
    while (const std::optional<int> number = left > 0 ? bracket.next(left) : std::nullopt) {
      const Trial trial = run_trial(scaled, multiple(*number), nodes, left, go_on);
      left -= std::min(left, trial.work);
      if (trial.ending == Trial::Ending::impossible) {
        note = fmt::format("at {} times all rates: {}", human_count(multiple(*number)), trial.why);
        break;
      }
      if (trial.ending == Trial::Ending::cut) break;
      bracket.learn(*number, trial);
    }
    // What the nodes that were nearest to a limit can do, all the others must be able to.
    confirmed = true;
    const std::set<int> others = nodes.empty() ? nodes : other_nodes(run, nodes);
    if (others.empty() || !bracket.to_confirm() || !go_on()) break;
    const Trial last = run_trial(scaled, multiple(*bracket.to_confirm()), others, most_work, go_on);
    left -= std::min(left, last.work);
    if (last.ending == Trial::Ending::broke) {
      nodes.insert(last.node);
      bracket.withdraw(last.broke);
      confirmed = false;
    } else if (last.ending == Trial::Ending::cut && note.empty()) {
      note = "the last trial, on all nodes, was cut short";
    }
  }
  SafeGrowth growth = bracket.growth();
  growth.note = !note.empty() || bracket.complete() ? note
                : !go_on()                          ? "the search was cut short"
                : budget.full                       ? "the search was cut short: it takes longer than --growth full may"
                                                    : "the search was cut short; --growth full goes on";
  if (!aside.empty()) growth.note += (growth.note.empty() ? "" : "; ") + aside;
  return growth;
}

}  // namespace windrow
