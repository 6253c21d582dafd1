#include "tests/strategy/pick_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace windrow::test {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view line) {
  std::istringstream in{std::string(line)};
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

Bytes size_of(const std::string& word) {
  std::size_t digits = 0;
  const std::int64_t number = std::stoll(word, &digits);
  const std::string unit = word.substr(digits);
  if (unit == "KiB") return KiB(number);
  if (unit == "MiB") return MiB(number);
  if (unit == "GiB") return GiB(number);
  if (unit == "B") return number;
  throw std::runtime_error("not a size: " + word);
}

/// Reads `day N hour N ...` from words[at] on and moves `at` behind it.
Seconds time_of(const Words& words, std::size_t& at) {
  Seconds time_s = 0;
  for (; at + 1 < words.size(); at += 2) {
    const std::string& unit = words[at];
    const Seconds unit_s = unit == "day"      ? 86'400
                           : unit == "hour"   ? 3'600
                           : unit == "minute" ? 60
                           : unit == "second" ? 1
                                              : 0;
    if (unit_s == 0) break;
    time_s += unit_s * std::stoll(words[at + 1]);
  }
  return time_s;
}

Seconds time_from(const Words& words, std::size_t at) { return time_of(words, at); }

std::string time_text(Millis time_ms) {
  if (time_ms == no_deletion_time) return "never";
  const Seconds time_s = time_ms / ms_per_s;
  std::string text = fmt::format("day {}", time_s / 86'400);
  if (time_s % 86'400 != 0) text += fmt::format(" hour {}", time_s / 3'600 % 24);
  if (time_s % 3'600 != 0) text += fmt::format(" minute {}", time_s / 60 % 60);
  if (time_s % 60 != 0) text += fmt::format(" second {}", time_s % 60);
  if (time_ms % ms_per_s != 0) text += fmt::format(" + {} ms", time_ms % ms_per_s);
  return text;
}

/// Percent of the ring, from the least token on.
Token token_at(double percent) {
  constexpr double ring = 18446744073709551616.0;
  if (percent >= 100) return max_token;
  return static_cast<Token>(static_cast<std::uint64_t>(min_token) + static_cast<std::uint64_t>(ring / 100 * percent));
}

}  // namespace

std::int64_t TextEstimates::estimated_keys_for_ranges(std::span<const TokenRange> ranges) const {
  const double span = static_cast<double>(last) - static_cast<double>(first);
  double covered = 0;
  for (const TokenRange& range : ranges) {
    if (range.left == range.right) return keys;
    const Token left = std::max(range.left, first);
    const Token right = std::min(range.right, last);
    if (left < right) covered += static_cast<double>(right) - static_cast<double>(left);
  }
  return span > 0 ? static_cast<std::int64_t>(static_cast<double>(keys) * covered / span) : 0;
}

PickText::PickText(std::string_view text) {
  view_.flush_average_bytes = std::numeric_limits<double>::quiet_NaN();
  const std::size_t dashes = text.find("----\n");
  if (dashes == std::string_view::npos) throw std::runtime_error("no line of dashes");
  question_ = text.substr(0, dashes);
  recorded_ = text.substr(dashes + 5);
  std::istringstream lines(question_);
  for (std::string line; std::getline(lines, line);) read_line(line);
  options_ = parse_compaction_options(compaction_, true);
  live_.use(options_);
  for (const SSTableView& file : files_) live_.add({&file, 1});
  view_.live = &live_;
  view_.gc_before_s = view_.now_ms / ms_per_s - gc_grace_s_;
  state_ = new_manager_state(0, live_);
  for (const Words& words : state_lines_) read_state(words);
}

void PickText::read_line(std::string_view line) {
  const Words words = words_of(line.substr(0, line.find('#')));
  if (words.empty()) return;
  const std::string& what = words.front();
  if (what == "compaction") {
    for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
      std::string value = words[i + 1];
      if (value.back() == ',') value.pop_back();
      compaction_[words[i]] = value;
    }
  } else if (what == "gc_grace") {
    gc_grace_s_ = time_from(words, 1);
  } else if (what == "id") {
    read_file(words);
  } else if (what == "memtable") {
    view_.memtable_min_timestamp_us = time_from(words, 2) * us_per_s;
  } else if (what == "now") {
    view_.now_ms = time_from(words, 1) * ms_per_s;
  } else if (what == "flush") {
    view_.flush_average_bytes = static_cast<double>(size_of(words.at(2)));
  } else if (what == "session") {
    ended_[std::stoll(words.at(1))] = words.at(2) == "finished" ? 1'000 : 0;
  } else if (what == "highest" || what == "last" || what == "level" || what == "estimate") {
    state_lines_.push_back(words);
  } else {
    throw std::runtime_error("unknown line: " + std::string(line));
  }
}

void PickText::read_file(Words words) {
  SSTableView file;
  TextEstimates& estimates = estimates_.emplace_back();
  file.id = std::stoll(words.at(1));
  file.hash = static_cast<std::int32_t>(file.id);
  file.data_bytes = file.bytes_on_disk = size_of(words.at(2));
  file.estimates = &estimates;
  file.min_timestamp_us = no_timestamp;
  for (std::size_t at = 3; at < words.size();) {
    const std::string what = words[at++];
    if (what == "compacting") {
      file.compacting = true;
    } else if (what == "newest") {
      file.max_timestamp_us = time_of(words, at) * us_per_s;
    } else if (what == "oldest") {
      file.min_timestamp_us = time_of(words, at) * us_per_s;
    } else if (what == "expires") {
      file.max_local_deletion_time_s = time_of(words, at);
    } else if (what == "created") {
      file.created_ms = time_of(words, at) * ms_per_s;
    } else if (what == "droppable") {
      const double ratio = std::stod(words.at(at++));
      estimates.droppable.push_back({.from_s = time_of(words, ++at), .ratio = ratio});
    } else if (what == "level") {
      file.level = std::stoi(words.at(at++));
    } else if (what == "repaired") {
      file.repair.repaired_at_ms = time_of(words, at) * ms_per_s;
    } else if (what == "pending") {
      file.repair.pending_session = std::stoll(words.at(at++));
    } else if (what == "keys") {
      estimates.keys = std::stoll(words.at(at++));
    } else if (what == "hash") {
      file.hash = std::stoi(words.at(at++));
    } else if (what == "covers") {
      const std::string range = words.at(at++);
      estimates.first = token_at(std::stod(range));
      estimates.last = token_at(std::stod(range.substr(range.find('-') + 1)));
    } else {
      throw std::runtime_error("unknown property of a file: " + what);
    }
  }
  if (file.min_timestamp_us == no_timestamp) file.min_timestamp_us = file.max_timestamp_us;
  files_.push_back(file);
}

void PickText::read_state(const Words& words) {
  if (words[0] == "estimate") {
    const bool pending = words[1] == "pending";
    const HolderKey key{.kind = pending                  ? HolderKey::Kind::pending
                                : words[1] == "repaired" ? HolderKey::Kind::repaired
                                                         : HolderKey::Kind::unrepaired,
                        .session = pending ? std::stoll(words.at(2)) : 0};
    state_of(state_, key).estimated_remaining = std::stoll(words.back());
    return;
  }
  StrategyState& state = state_of(state_, HolderKey{}).strategy;
  if (words[0] == "highest") {
    std::get<TimeWindowState>(state).highest_window_ms = time_from(words, 2) * ms_per_s;
  } else if (words[0] == "last") {
    const Millis checked_ms = time_from(words, 3) * ms_per_s;
    if (auto* unified = std::get_if<UnifiedState>(&state)) unified->last_expired_check_ms = checked_ms;
    if (auto* time_window = std::get_if<TimeWindowState>(&state)) time_window->last_expired_check_ms = checked_ms;
  } else {
    auto& leveled = std::get<LeveledState>(state);
    const auto level = static_cast<std::size_t>(std::stoi(words.at(1)));
    if (words.at(2) == "counter") {
      leveled.counters[level] = std::stoi(words.at(3));
    } else {
      leveled.last_compacted[level] = -1;
      leveled.last_compacted_last_token[level] = token_at(std::stod(words.at(5)));
    }
  }
}

std::string PickText::answer() {
  const ManagerAnswer answer = next_background_task(state_, ended_, view_);
  const Pick& pick = answer.pick;
  if (pick.kind == PickKind::none) {
    return fmt::format("nothing; ask again {}\n", time_text(next_interesting(answer.state, ended_, view_)));
  }
  if (pick.kind == PickKind::repair_finished) {
    return fmt::format("{} become {} by {}\n", fmt::join(pick.inputs, " "),
                       pick.repaired_at_ms > 0 ? "repaired" : "unrepaired", pick.rule);
  }
  const bool level_change = pick.kind == PickKind::level_change;
  const char* kind = pick.kind == PickKind::normal || level_change ? "normal"
                     : pick.kind == PickKind::tombstone            ? "tombstone"
                                                                   : "expired_only";
  std::string text = fmt::format("{} {} by {}\n", kind, fmt::join(pick.inputs, " "), pick.rule);
  if (pick.output_limit_bytes > 0) {
    text += fmt::format("into level {}, files of {}MiB{}\n", pick.level, pick.output_limit_bytes / MiB(1),
                        level_change ? ", level number only" : "");
  }
  if (state_.size() > 1) {
    text += pick.holder.kind == HolderKey::Kind::pending    ? fmt::format("of session {}\n", pick.holder.session)
            : pick.holder.kind == HolderKey::Kind::repaired ? "of the repaired files\n"
                                                            : "of the unrepaired files\n";
  }
  return text + fmt::format("remaining {}\n", pick.estimated_remaining);
}

std::string PickText::updated() { return question_ + "----\n" + answer(); }

}  // namespace windrow::test
