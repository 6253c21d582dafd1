#pragma once

#include <string_view>
#include <vector>

#include "sim/page/facts.h"
#include "sim/page/sentence.h"

namespace windrow {

/// compare.json as its page reads it.
class ComparedFacts {
 public:
  explicit ComparedFacts(const nlohmann::json& comparison);

  const Facts& all() const { return all_; }
  Facts run(std::size_t number) const { return all_.below("runs").below(number); }
  Fact label(std::size_t number) const { return run(number).of("label"); }
  bool baseline(std::size_t number) const { return run(number).of("baseline").known(); }
  std::size_t groups() const { return all_.below("groups").size(); }  // the first is of the limits
  Facts group(std::size_t number) const { return all_.below("groups").below(number); }
  /// A line of a group by its name; of no group if there is none.
  bool has(std::size_t group, std::string_view name) const;
  Facts measure(std::size_t group, std::string_view name) const;

  /// Runs that the page shows: all choices, or of very many those that break the fewest limits and then need the least
  /// disk, in the order of the comparison.
  const std::vector<std::size_t>& choices() const { return choices_; }
  /// These, then the baselines.
  std::vector<std::size_t> columns() const;
  bool left_out() const { return left_out_; }
  static constexpr std::size_t most_choices = 24;

 private:
  Facts all_;
  std::vector<std::size_t> choices_{};
  std::vector<std::size_t> baselines_{};
  bool left_out_ = false;
};

// Sentences computed from the comparison.

/// How many choices hold every limit, and which of them needs the least disk.
Sentence comparison_verdict(const ComparedFacts& facts);
/// Which choice has least and most of a measure, by its name: "disk peak".
Sentence disk_comparison(const ComparedFacts& facts, std::size_t group);
Sentence partitions_comparison(const ComparedFacts& facts, std::size_t group);
Sentence sstables_comparison(const ComparedFacts& facts, std::size_t group);

}  // namespace windrow
