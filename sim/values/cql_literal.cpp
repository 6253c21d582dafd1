#include "sim/values/cql_literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace windrow {
namespace {

constexpr int deepest = 64;

bool is_null(std::string_view word) {
  constexpr std::string_view null = "null";
  return std::ranges::equal(word, null, {}, [](char c) { return std::tolower(static_cast<unsigned char>(c)); });
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  CqlLiteral whole() {
    CqlLiteral literal = value(0);
    skip_space();
    if (at_ < text_.size()) fail("one literal ends here");
    return literal;
  }

 private:
  [[noreturn]] void fail(std::string_view wanted) const {
    throw CqlValueError(fmt::format("not a literal at character {} of {}: {}", at_ + 1, text_, wanted));
  }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool accept(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string quoted(char quote) {
    std::string content;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c != quote) {
        content.push_back(c);
      } else if (at_ < text_.size() && text_[at_] == quote) {
        content.push_back(quote);
        ++at_;
      } else {
        return content;
      }
    }
    fail("its quote is never closed");
  }

  CqlLiteral word() {
    const std::size_t from = at_;
    const auto is_part = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '.' || c == '_';
    };
    while (at_ < text_.size() && is_part(text_[at_])) ++at_;
    if (at_ == from) fail("a constant, a string in single quotes, or one of [ ( { stands here");
    std::string text(text_.substr(from, at_ - from));
    if (is_null(text)) return {};
    return {.kind = CqlLiteral::Kind::word, .text = std::move(text)};
  }

  CqlLiteral sequence(CqlLiteral::Kind kind, char end, int depth) {
    CqlLiteral literal{.kind = kind};
    if (accept(end)) return literal;
    do {
      literal.items.push_back(value(depth + 1));
      if (end == '}' && accept(':')) {
        literal.kind = CqlLiteral::Kind::map;
        literal.items.push_back(value(depth + 1));
      } else if (literal.kind == CqlLiteral::Kind::map) {
        fail("a colon and a value follow each key");
      }
    } while (accept(','));
    if (!accept(end)) fail(fmt::format("a comma or {} stands here", end));
    return literal;
  }

  CqlLiteral value(int depth) {
    if (depth > deepest) fail(fmt::format("nested more than {} deep", deepest));
    if (accept('\'')) return {.kind = CqlLiteral::Kind::string, .text = quoted('\'')};
    if (accept('"')) return {.kind = CqlLiteral::Kind::word, .text = quoted('"')};
    if (accept('[')) return sequence(CqlLiteral::Kind::list, ']', depth);
    if (accept('(')) return sequence(CqlLiteral::Kind::tuple, ')', depth);
    if (accept('{')) return sequence(CqlLiteral::Kind::set, '}', depth);
    skip_space();
    return word();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

CqlLiteral parse_cql_literal(std::string_view text) { return Reader(text).whole(); }

}  // namespace windrow
