#include "sim/cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "sim/cli/command.h"

namespace windrow {
namespace {

constexpr unsigned patience_s = 2;

std::atomic<int> stop_asked = 0;
std::atomic<int> unbroken_pieces = 0;
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers may use nothing else");

extern "C" void on_stop_signal(int signal) {
  stop_asked = 1;
  std::signal(signal, SIG_DFL);
  alarm(patience_s);
}

/// What was asked to stop has not noticed: it is ended, unless files are just being moved into place.
extern "C" void on_alarm(int) {
  if (unbroken_pieces == 0) _exit(exit_interrupted);
  alarm(patience_s);
}

std::size_t terminal_width() {
  constexpr std::size_t page = 100;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return page;
  return std::clamp<std::size_t>(size.ws_col, 40, 200);
}

bool wants_color(Console::Color color) {
  if (color != Console::Color::automatic) return color == Console::Color::always;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return !refused && !dumb && isatty(STDOUT_FILENO) != 0;
}

}  // namespace

Console::Console(Color color, bool quiet)
    : color_(wants_color(color)), quiet_(quiet), watched_(isatty(STDERR_FILENO) != 0), width_(terminal_width()) {}

void Console::print(std::string_view text) {
  if (reader_left_) return;
  errno = 0;
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written == text.size() && std::fflush(stdout) == 0) return;
  if (errno != EPIPE) throw UserError(std::string("cannot write to the standard output: ") + std::strerror(errno));
  reader_left_ = true;
}

void Console::remark(std::string_view text) {
  if (!quiet_) std::fwrite(text.data(), 1, text.size(), stderr);
}

void handle_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGINT, on_stop_signal);
  std::signal(SIGTERM, on_stop_signal);
  std::signal(SIGALRM, on_alarm);
}

Unbroken::Unbroken() { ++unbroken_pieces; }
Unbroken::~Unbroken() { --unbroken_pieces; }

bool stop_requested() { return stop_asked != 0; }

}  // namespace windrow
