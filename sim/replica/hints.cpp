#include "sim/replica/hints.h"

#include <algorithm>
#include <iterator>

namespace windrow {

bool hint_lives(const Hint& hint, Seconds gc_grace_s, Micros now_us, const ReplicaRules& rules) {
  if (!rules.hints_die_with_gc_grace) return true;
  return hint.created_us + std::min(hint.gc_grace_s, gc_grace_s) * us_per_s > now_us;
}

bool HintStore::takes(int target, Micros down_since_us, Micros now_us, const ReplicaRules& rules) const {
  if (!settings.handoff) return false;
  const Micros window_us = settings.max_hint_window_ms * (us_per_s / ms_per_s);
  if (rules.hint_window_holds && now_us - down_since_us > window_us) return false;
  if (!rules.hint_file_age_counts) return true;
  return std::ranges::none_of(
      files_, [&](const HintFile& file) { return file.target == target && now_us - file.created_us > window_us; });
}

void HintStore::add(int target, Hint hint) {
  auto file = std::ranges::find_if(files_, [&](const HintFile& one) { return one.target == target && one.open; });
  if (file == files_.end()) {
    file = files_.insert(files_.end(), {.target = target, .created_us = hint.created_us, .open = true, .hints = {}});
  }
  file->hints.push_back(std::move(hint));
}

std::vector<Hint> HintStore::dispatch(int target) {
  std::vector<Hint> hints;
  if (settings.dispatch_paused) return hints;
  for (HintFile& file : files_) {
    if (file.target == target) std::ranges::move(file.hints, std::back_inserter(hints));
  }
  forget(target);
  return hints;
}

void HintStore::truncate() {
  std::erase_if(files_, [](const HintFile& file) { return !file.open; });
}

void HintStore::close_files() {
  for (HintFile& file : files_) file.open = false;
}

void HintStore::forget(int target) {
  std::erase_if(files_, [&](const HintFile& file) { return file.target == target; });
}

}  // namespace windrow
