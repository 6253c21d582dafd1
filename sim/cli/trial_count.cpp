#include "sim/cli/trial_count.h"

#include <fmt/format.h>

namespace windrow {

TrialCount::TrialCount(const Advance& advance, const Step& phase, const std::vector<std::string>& searches)
    : advance_(advance), phase_(phase) {
  for (const std::string& name : searches) searches_.push_back({.name = name});
}

void TrialCount::expect(std::size_t search, std::size_t trials) {
  const std::scoped_lock lock(mutex_);
  searches_[search].expected = trials;
  searches_[search].ended = trials == 0;
  tell();
}

void TrialCount::begin_trial(std::size_t search) {
  const std::scoped_lock lock(mutex_);
  ++searches_[search].begun;
  tell();
}

void TrialCount::end_trial(std::size_t search) {
  const std::scoped_lock lock(mutex_);
  ++searches_[search].done;
  tell();
}

void TrialCount::end_search(std::size_t search) {
  const std::scoped_lock lock(mutex_);
  searches_[search].ended = true;
  tell();
}

void TrialCount::look() {
  constexpr std::uint64_t now_and_then = 256;  // runs ask at each of their events
  if (looks_++ % now_and_then != 0) return;
  const std::scoped_lock lock(mutex_);
  tell();
}

void TrialCount::tell() {
  Step step = phase_;
  std::size_t done = 0;
  std::size_t expected = 0;
  for (const Search& search : searches_) {
    if (search.ended) continue;
    if (search.expected == 0) step.share_known = false;
    if (search.begun + search.expected == 0) continue;
    if (!step.doing.empty()) step.doing += "; ";
    if (search.expected == 0) {
      step.doing += fmt::format("{}, trial {}", search.name, search.begun);
    } else {
      step.doing += fmt::format("{}, {} of {} tried", search.name, search.done, search.expected);
    }
    done += search.done;
    expected += search.expected;
  }
  step.share = expected > 0 ? static_cast<double>(done) / static_cast<double>(expected) : 0;
  advance_(step);
}

}  // namespace windrow
