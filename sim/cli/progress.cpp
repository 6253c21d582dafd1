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

/// After the run itself come safe growth and fixes, whose time nobody knows.
std::string rest_text(double share, double seconds) {
  if (share <= 0) return {};
  if (share >= 1) return ", working out what follows from it";
  return fmt::format(", {} left", duration_text(seconds / share - seconds));
}

}  // namespace

Progress::Progress(const Console& console, std::string what)
    : what_(std::move(what)),
      watched_(console.watched()),
      quiet_(console.quiet()),
      width_(console.width()),
      started_(Clock::now()),
      shown_(started_) {}

Progress::~Progress() { clear(); }

std::string Progress::line(double share, double seconds) const {
  const auto filled = static_cast<int>(std::floor(share * bar_width));
  std::string text =
      fmt::format("{} [{}{}] {:3.0f} %", what_, std::string(static_cast<std::size_t>(filled), '#'),
                  std::string(static_cast<std::size_t>(bar_width - filled), '.'), std::floor(100 * share));
  text += rest_text(share, seconds);
  return text.substr(0, width_ - 1);
}

std::string Progress::plain_line(double share, double seconds) const {
  return fmt::format("{}: {:.0f} % after {}{}", what_, std::floor(100 * share), duration_text(seconds),
                     rest_text(share, seconds));
}

void Progress::show(double share) {
  if (quiet_) return;
  const std::scoped_lock lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now - started_ < silent_for || now - shown_ < (watched_ ? between_lines : between_plain_lines)) return;
  shown_ = now;
  visible_ = watched_;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  const double done = std::clamp(share, 0.0, 1.0);
  fmt::print(stderr, "{}", watched_ ? "\r\x1b[K" + line(done, seconds) : plain_line(done, seconds) + "\n");
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
