#include "sim/cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace windrow {
namespace {

constexpr std::chrono::milliseconds silent_for{1000};
constexpr std::chrono::milliseconds between_lines{200};
constexpr std::chrono::milliseconds between_plain_lines{10'000};
constexpr int bar_width = 24;

/// `seconds`: that the phase has taken.
std::string rest_text(const Step& step, double seconds) {
  if (step.share <= 0 || !step.share_known) return {};
  const std::string left = duration_text(seconds / step.share - seconds);
  return step.phase < step.phases ? fmt::format(", {} left of this", left) : fmt::format(", {} left", left);
}

/// "the run (1 of 3), ": nothing of work that has one phase.
std::string phase_text(const Step& step) {
  if (step.phases == 1) return {};
  return fmt::format("{} ({} of {}), ", step.doing.empty() ? "and so on" : step.doing, step.phase, step.phases);
}

}  // namespace

double Step::of_all() const {
  return (phase - 1 + (share_known ? std::clamp(share, 0.0, 1.0) : 0)) / std::max(1, phases);
}

Progress::Progress(const Console& console, std::string what)
    : what_(std::move(what)),
      watched_(console.watched()),
      quiet_(console.quiet()),
      width_(console.width()),
      started_(Clock::now()),
      shown_(started_),
      phase_started_(started_) {}

Progress::~Progress() { clear(); }

std::string Progress::line(const Step& step, double seconds) const {
  std::string text = what_ + (step.phases > 1 ? ": " : " ") + phase_text(step);
  if (step.share_known) {
    const auto filled = static_cast<int>(std::floor(step.share * bar_width));
    text += fmt::format("[{}{}] {:3.0f} %", std::string(static_cast<std::size_t>(filled), '#'),
                        std::string(static_cast<std::size_t>(bar_width - filled), '.'), std::floor(100 * step.share));
  }
  text += rest_text(step, seconds);
  return text.substr(0, width_ - 1);
}

std::string Progress::plain_line(const Step& step, double seconds) const {
  const std::string done = step.share_known ? fmt::format("{:.0f} % ", std::floor(100 * step.share)) : std::string();
  return fmt::format("{}: {}{}after {}{}", what_, phase_text(step), done, duration_text(seconds),
                     rest_text(step, seconds));
}

void Progress::show(const Step& step) {
  if (quiet_) return;
  const std::scoped_lock lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (step.phase != phase_) {
    phase_ = step.phase;
    phase_started_ = now;
  }
  if (now - started_ < silent_for || now - shown_ < (watched_ ? between_lines : between_plain_lines)) return;
  shown_ = now;
  visible_ = watched_;
  const double seconds = std::chrono::duration<double>(now - phase_started_).count();
  Step shown = step;
  shown.share = std::clamp(step.share, 0.0, 1.0);
  fmt::print(stderr, "{}", watched_ ? "\r\x1b[K" + line(shown, seconds) : plain_line(shown, seconds) + "\n");
  std::fflush(stderr);
}

void Progress::clear() {
  const std::scoped_lock lock(mutex_);
  if (!visible_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  visible_ = false;
}

std::string duration_text(double seconds) {
  constexpr double longest = 100 * 3600.0;
  const auto whole = static_cast<long>(std::ceil(std::clamp(seconds, 0.0, longest)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace windrow
