#pragma once

#include <cstddef>
#include <string_view>

namespace windrow {

/// Where a command's words go: results to the standard output, everything else to the standard error.
class Console {
 public:
  enum class Color { automatic, always, never };
  Console(Color color, bool quiet);

  /// Prints a result. A reader that went away is no mistake: what is left goes nowhere. Anything else that keeps the
  /// text from being written is a UserError.
  void print(std::string_view text);
  /// Prints a remark, unless quiet.
  void remark(std::string_view text);

  bool color() const { return color_; }
  bool quiet() const { return quiet_; }
  /// True if somebody watches the standard error.
  bool watched() const { return watched_ && !quiet_; }
  /// Columns of the terminal, or of a page where there is none.
  std::size_t width() const { return width_; }

 private:
  bool color_ = false;
  bool quiet_ = false;
  bool watched_ = false;
  bool reader_left_ = false;
  std::size_t width_ = 100;
};

/// From now on Ctrl-C asks to stop instead of killing (the second one kills), and writing to a reader that left, or
/// beyond the largest file allowed, is an error instead of death.
void handle_signals();
/// True once somebody asked the program to stop. Whoever does not look within two seconds is ended all the same.
bool stop_requested();

/// While one of these lives, what was begun is finished first.
class Unbroken {
 public:
  Unbroken();
  ~Unbroken();
  Unbroken(const Unbroken&) = delete;
  Unbroken& operator=(const Unbroken&) = delete;
};

}  // namespace windrow
