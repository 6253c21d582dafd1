#include "sim/compare/compared_facts.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace windrow {

namespace {

constexpr double alike = 0.005;  // as for the best of a line

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
  found->differ = most - value(found->least).number() > alike * most;
  return found;
}

using Shown = Sentence& (Sentence::*)(const Fact&);

/// `what` is lowest with one choice and highest with another; or the same with all.
Sentence spread_of(const ComparedFacts& facts, const Facts& measure, std::string_view what, Shown shown) {
  Sentence sentence;
  const auto value = [&](std::size_t run) { return measure.below("values").below(run).of("value"); };
  const auto found = extremes(facts.choices(), value);
  if (!found) return sentence;
  sentence.say(what);
  if (!found->differ) {
    sentence.say("about ");
    (sentence.*shown)(value(found->least));
    return sentence.say(" with every choice");
  }
  sentence.say("lowest with ").name(facts.label(found->least)).say(", ");
  (sentence.*shown)(value(found->least));
  sentence.say(", and highest with ").name(facts.label(found->most)).say(", ");
  (sentence.*shown)(value(found->most));
  return sentence;
}

Fact peak_disk(const ComparedFacts& facts, std::size_t run) { return facts.run(run).of("peak_disk_bytes"); }

void say_least_disk(Sentence& sentence, const ComparedFacts& facts, const std::vector<std::size_t>& runs) {
  const auto found = extremes(runs, [&](std::size_t run) { return peak_disk(facts, run); });
  if (!found) return;
  if (!found->differ && runs.size() > 1) {
    sentence.say("their disk peaks at about ").bytes(peak_disk(facts, found->least)).say(" alike");
    return;
  }
  sentence.name(facts.label(found->least)).say(" needs the least disk, ");
  sentence.bytes(peak_disk(facts, found->least)).say(" at its peak");
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
    if (found && found->differ) {
      return sentence.name(facts.label(found->least)).say(" breaks the fewest, ").count(broken(found->least)).say(".");
    }
    return sentence.say("each breaks ").count(broken(facts.choices().front())).say(".");
  }
  if (holding.number() == choices.number()) {
    sentence.say("Every choice holds every limit; ");
  } else {
    sentence.count(holding).say(" of ").count(choices).say(" choices ");
    sentence.say(holding.number() == 1 ? "holds every limit: " : "hold every limit; of these ");
  }
  say_least_disk(sentence, facts, good);
  return sentence.say(".");
}

Sentence disk_comparison(const ComparedFacts& facts, std::size_t group) {
  const Facts measure = facts.measure(group, "disk peak");
  Sentence sentence = spread_of(facts, measure, "The peak of disk is ", &Sentence::bytes);
  if (measure.of("least").known())
    sentence.say("; the rows that can be read, written once, need ").bytes(measure.of("least"));
  return sentence.say(".");
}

Sentence partitions_comparison(const ComparedFacts& facts, std::size_t group) {
  return spread_of(facts, facts.measure(group, "partition p99"),
                   "At the end the 99th percentile of partition sizes is ", &Sentence::bytes)
      .say(".");
}

Sentence sstables_comparison(const ComparedFacts& facts, std::size_t group) {
  return spread_of(facts, facts.measure(group, "SSTables peak"), "The highest number of SSTables is ", &Sentence::count)
      .say(".");
}

}  // namespace windrow
