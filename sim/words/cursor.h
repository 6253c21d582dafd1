#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/base/arithmetic.h"

namespace windrow {

/// A value that cannot be read: what is wrong and where in the value's text. The reader of keys turns it into a
/// ScenarioError.
class ValueError : public std::runtime_error {
 public:
  ValueError(std::size_t at, std::size_t covered, const std::string& problem, std::string accepted = {},
             std::string nearest = {})
      : std::runtime_error(problem),
        at_(at),
        covered_(covered),
        accepted_(std::move(accepted)),
        nearest_(std::move(nearest)) {}

  std::size_t at() const { return at_; }            // bytes from the value's beginning
  std::size_t covered() const { return covered_; }  // bytes; 0: the whole value
  const std::string& accepted() const { return accepted_; }
  const std::string& nearest() const { return nearest_; }

 private:
  std::size_t at_ = 0;
  std::size_t covered_ = 0;
  std::string accepted_{};
  std::string nearest_{};
};

/// A decimal number as written: digits times a power of ten, exact.
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;
  double value() const;
};

/// Walks through the text of one value. No locale is asked: a decimal point is a point.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::string_view text() const { return text_; }
  std::size_t at() const { return at_; }
  void move_to(std::size_t at) { at_ = at; }
  void skip_spaces();
  bool done();
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  /// Takes this character (after spaces) if it is next.
  bool take(char wanted);
  /// Takes this whole word (after spaces) if it is next.
  bool take_word(std::string_view wanted);
  void expect(char wanted, std::string_view accepted);
  /// Letters and `_`, then digits too; empty if there is none.
  std::string_view word();
  /// Letters and the micro sign right here, without spaces before; empty if there is none.
  std::string_view unit();
  /// Digits, a point, an exponent: at most 18 significant digits. Nothing if no number begins here.
  std::optional<Decimal> number();
  /// Up to one of `ends` outside parentheses and quotes, or to the end; spaces around are left out.
  std::string_view until(std::string_view ends);
  void expect_done(std::string_view accepted);

  [[noreturn]] void fail(std::size_t from, const std::string& problem, std::string accepted = {},
                         std::string nearest = {}) const;

 private:
  std::string_view text_{};
  std::size_t at_ = 0;
};

/// number * unit as a whole number of units' parts; nothing if it does not fit below `most` or is no whole number.
enum class Scaling { exact, too_large, not_whole };
Scaling scale(const Decimal& number, std::int64_t unit, std::int64_t most, std::int64_t& result);

}  // namespace windrow
