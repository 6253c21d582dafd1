#include "sim/words/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace windrow {

namespace {

constexpr int most_digits = 18;
constexpr int largest_exponent = 60;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_unit_character(char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80 || c == '%'; }

// Position after the quoted text that begins at `at`; the end if it is never closed.
std::size_t after_quotes(std::string_view text, std::size_t at) {
  const std::size_t closing = text.find(text[at], at + 1);
  return closing == std::string_view::npos ? text.size() : closing + 1;
}

}  // namespace

double Decimal::value() const {
  double power = 1;
  for (int i = std::abs(exponent); i > 0; --i) power *= 10;
  return exponent < 0 ? static_cast<double>(digits) / power : static_cast<double>(digits) * power;
}

void Cursor::skip_spaces() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
}

bool Cursor::done() {
  skip_spaces();
  return at_ >= text_.size();
}

bool Cursor::take(char wanted) {
  skip_spaces();
  if (peek() != wanted || at_ >= text_.size()) return false;
  ++at_;
  return true;
}

bool Cursor::take_word(std::string_view wanted) {
  skip_spaces();
  const std::size_t before = at_;
  if (word() == wanted) return true;
  at_ = before;
  return false;
}

void Cursor::expect(char wanted, std::string_view accepted) {
  if (!take(wanted)) fail(at_, fmt::format("needs `{}` here", wanted), std::string(accepted));
}

std::string_view Cursor::word() {
  skip_spaces();
  const std::size_t begin = at_;
  while (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '_' || (at_ > begin && is_digit(text_[at_]))))
    ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view Cursor::unit() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_unit_character(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::optional<Decimal> Cursor::number() {
  skip_spaces();
  const std::size_t begin = at_;
  Decimal result;
  int kept = 0;
  bool any = false;
  bool point = false;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '.' && !point && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) {
      point = true;
      continue;
    }
    if (!is_digit(c)) break;
    any = true;
    if (kept == 0 && c == '0') {
      if (point) --result.exponent;
      continue;
    }
    if (++kept > most_digits) fail(begin, "has too many digits", "at most 18 significant digits");
    result.digits = result.digits * 10 + (c - '0');
    if (point) --result.exponent;
  }
  if (!any) {
    at_ = begin;
    return std::nullopt;
  }
  if (peek() == 'e' || peek() == 'E') {
    std::size_t next = at_ + 1;
    const bool negative = next < text_.size() && text_[next] == '-';
    if (next < text_.size() && (text_[next] == '-' || text_[next] == '+')) ++next;
    if (next < text_.size() && is_digit(text_[next])) {
      int exponent = 0;
      for (; next < text_.size() && is_digit(text_[next]); ++next)
        exponent = std::min(exponent * 10 + (text_[next] - '0'), 10'000);
      at_ = next;
      result.exponent += negative ? -exponent : exponent;
    }
  }
  if (result.digits == 0) result.exponent = 0;
  if (std::abs(result.exponent) > largest_exponent)
    fail(begin, "is out of any range", "numbers between 1e-60 and 1e60");
  return result;
}

std::string_view Cursor::until(std::string_view ends) {
  skip_spaces();
  const std::size_t begin = at_;
  int depth = 0;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (depth == 0 && ends.find(c) != std::string_view::npos) break;
    if (c == '\'' || c == '"') {
      at_ = after_quotes(text_, at_);
      continue;
    }
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    ++at_;
  }
  std::string_view part = text_.substr(begin, at_ - begin);
  while (!part.empty() && (part.back() == ' ' || part.back() == '\t')) part.remove_suffix(1);
  return part;
}

void Cursor::expect_done(std::string_view accepted) {
  if (done()) return;
  const std::size_t from = at_;
  at_ = text_.size();
  fail(from, "is followed by something that means nothing here", std::string(accepted));
}

void Cursor::fail(std::size_t from, const std::string& problem, std::string accepted, std::string nearest) const {
  throw ValueError(from, std::max<std::size_t>(at_, from + 1) - from, problem, std::move(accepted), std::move(nearest));
}

Scaling scale(const Decimal& number, std::int64_t unit, std::int64_t most, std::int64_t& result) {
  Int128 product = static_cast<Int128>(number.digits) * unit;
  for (int i = number.exponent; i > 0 && product != 0; --i) {
    product *= 10;
    if (product > static_cast<Int128>(most)) return Scaling::too_large;
  }
  for (int i = number.exponent; i < 0; ++i) {
    if (product % 10 != 0) return Scaling::not_whole;
    product /= 10;
  }
  if (product > static_cast<Int128>(most)) return Scaling::too_large;
  result = static_cast<std::int64_t>(product);
  return Scaling::exact;
}

}  // namespace windrow
