#include "sim/compare/compared_facts.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace windrow {

namespace {

constexpr double alike_within = 0.005;  // as for the best of a line

/// The run with the least and the one with the most.
struct Extremes {
  std::size_t least = 0;
  std::size_t most = 0;
  bool differ = false;
};

template <typename Value>
std::optional<Extremes> extremes(const std::vector<std::size_t>& runs, const Value& value) {
  std::optional<Extremes> found;
  for (const std::size_t run : runs) {
    const Fact fact = value(run);
    if (!fact.known()) continue;
    if (!found) found = {.least = run, .most = run};
    if (fact.number() < value(found->least).number()) found->least = run;
    if (fact.number() > value(found->most).number()) found->most = run;
  }
  if (!found) return found;
  const double most = value(found->most).number();
  found->differ = most - value(found->least).number() > alike_within * most;
  return found;
}

/// `what` is lowest with one choice and highest with another; or the same with all.
Sentence spread_of(const ComparedFacts& facts, const Facts& measure, std::string_view what) {
  Sentence sentence;
  const auto at = [&](std::size_t run) { return measure.below("values").below(run); };
  const auto found = extremes(facts.choices(), [&](std::size_t run) { return at(run).of("value"); });
  if (!found) return sentence;
  const std::string value = "{value:" + measure.text("kind") + "}";
  sentence.say(what);
  if (!found->differ) return sentence.say("about " + value + " with every choice", at(found->least));
  sentence.say("lowest with ").name(facts.label(found->least)).say(", " + value, at(found->least));
  return sentence.say(", and highest with ").name(facts.label(found->most)).say(", " + value, at(found->most));
}

void say_least_disk(Sentence& sentence, const ComparedFacts& facts, const std::vector<std::size_t>& runs) {
  const auto found = extremes(runs, [&](std::size_t run) { return facts.run(run).of("peak_disk_bytes"); });
  if (!found) return;
  if (!found->differ && runs.size() > 1) {
    sentence.say("their disk peaks at about {peak_disk_bytes} alike", facts.run(found->least));
    return;
  }
  sentence.name(facts.label(found->least))
      .say(" needs the least disk, {peak_disk_bytes} at its peak", facts.run(found->least));
}

}  // namespace

ComparedFacts::ComparedFacts(const nlohmann::json& comparison) : all_(comparison) {
  for (std::size_t run = 0; run < all_.below("runs").size(); ++run)
    (baseline(run) ? baselines_ : choices_).push_back(run);
  left_out_ = choices_.size() > most_choices;
  if (!left_out_) return;
  std::ranges::stable_sort(choices_, {}, [&](std::size_t number) {
    return std::pair(run(number).number("limits_broken"), run(number).number("peak_disk_bytes"));
  });
  choices_.resize(most_choices);
  std::ranges::sort(choices_);
}

bool ComparedFacts::has(std::size_t group, std::string_view name) const {
  const Facts measures = this->group(group).below("measures");
  for (std::size_t i = 0; i < measures.size(); ++i) {
    if (measures.below(i).text("name") == name) return true;
  }
  return false;
}

Facts ComparedFacts::measure(std::size_t group, std::string_view name) const {
  const Facts measures = this->group(group).below("measures");
  for (std::size_t i = 0; i < measures.size(); ++i) {
    if (measures.below(i).text("name") == name) return measures.below(i);
  }
  throw PageError("compare.json has no line " + std::string(name) + ": compare again");
}

std::vector<std::size_t> ComparedFacts::columns() const {
  std::vector<std::size_t> runs = choices_;
  runs.insert(runs.end(), baselines_.begin(), baselines_.end());
  return runs;
}

Sentence comparison_verdict(const ComparedFacts& facts) {
  Sentence sentence;
  const Fact choices = facts.all().of("choices");
  const Fact holding = facts.all().of("choices_that_hold");
  bool measured = false;
  std::vector<std::size_t> good;
  for (const std::size_t run : facts.choices()) {
    const bool asked = facts.run(run).number("limits_measured") > 0;
    measured = measured || asked;
    if (asked && facts.run(run).number("limits_broken") == 0) good.push_back(run);
  }
  if (!measured) {
    sentence.say("The scenarios set no limits that these runs measure; ");
    say_least_disk(sentence, facts, facts.choices());
    return sentence.say(".");
  }
  if (good.empty()) {
    const auto broken = [&](std::size_t run) { return facts.run(run).of("limits_broken"); };
    const auto found = extremes(facts.choices(), broken);
    sentence.say("No choice holds every limit; ");
    if (!found || !found->differ)
      return sentence.say("each breaks {limits_broken}.", facts.run(facts.choices().front()));
    return sentence.name(facts.label(found->least))
        .say(" breaks the fewest, {limits_broken}.", facts.run(found->least));
  }
  if (holding.number() == choices.number()) {
    sentence.say("Every choice holds every limit; ");
  } else {
    sentence.say("{choices_that_hold} of {choices} choices ", facts.all());
    sentence.say(holding.number() == 1 ? "holds every limit: " : "hold every limit; of these ");
  }
  say_least_disk(sentence, facts, good);
  return sentence.say(".");
}

Sentence disk_comparison(const ComparedFacts& facts, std::size_t group) {
  const Facts measure = facts.measure(group, "disk peak");
  Sentence sentence = spread_of(facts, measure, "The peak of disk is ");
  if (measure.of("least").known())
    sentence.say("; the rows that can be read, written once, need {least:bytes}", measure);
  return sentence.say(".");
}

Sentence partitions_comparison(const ComparedFacts& facts, std::size_t group) {
  return spread_of(facts, facts.measure(group, "partition p99"),
                   "At the end the 99th percentile of partition sizes is ")
      .say(".");
}

Sentence sstables_comparison(const ComparedFacts& facts, std::size_t group) {
  return spread_of(facts, facts.measure(group, "SSTables peak"), "The highest number of SSTables is ").say(".");
}

}  // namespace windrow
