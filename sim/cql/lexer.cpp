#include <algorithm>
#include <array>
#include <utility>

#include "sim/cql/shell_commands.h"
#include "sim/cql/token.h"
#include "sim/schema/identifier.h"

namespace windrow {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

template <class Predicate>
std::size_t count_while(std::string_view text, std::size_t from, Predicate predicate) {
  std::size_t at = from;
  while (at < text.size() && predicate(text[at])) ++at;
  return at - from;
}

// Length of a UUID at the start of `text`, else 0.
std::size_t uuid_length(std::string_view text) {
  std::size_t at = 0;
  for (const std::size_t group : {8U, 4U, 4U, 4U, 12U}) {
    if (at > 0 && (at >= text.size() || text[at++] != '-')) return 0;
    if (text.size() < at + group || count_while(text.substr(0, at + group), at, is_hex) != group) return 0;
    at += group;
  }
  return at;
}

// Length of a unit of a duration at the start of `text`, else 0: y mo w d h m s ms us µs ns.
std::size_t duration_unit_length(std::string_view text) {
  constexpr std::array units =
      std::to_array<std::string_view>({"mo", "ms", "us", "\u00b5s", "ns", "y", "w", "d", "h", "m", "s"});
  for (const std::string_view unit : units)
    if (text.size() >= unit.size() && equals_ignore_case(text.substr(0, unit.size()), unit)) return unit.size();
  return 0;
}

// Length of "2h30m" at the start of `text`, which begins with a digit; else 0.
std::size_t duration_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_digit(text[at])) {
    const std::size_t digits = count_while(text, at, is_digit);
    const std::size_t unit = duration_unit_length(text.substr(at + digits));
    if (unit == 0) break;
    at += digits + unit;
  }
  return at;
}

// Length of an ISO 8601 duration such as P1DT2H or P0001-01-01T00:00:00 at the start of `text`; else 0.
std::size_t iso_duration_length(std::string_view text) {
  if (!text.starts_with('P')) return 0;
  std::size_t at = 1;
  bool any = false;
  const auto part = [&](std::string_view letters) {
    const std::size_t digits = count_while(text, at, is_digit);
    if (digits == 0 || at + digits >= text.size() || letters.find(text[at + digits]) == letters.npos) return false;
    at += digits + 1;
    return any = true;
  };
  while (part("YMDW")) {
  }
  if (at < text.size() && text[at] == 'T') {
    const std::size_t before_time = at++;
    const bool had_period = any;
    any = false;
    while (part("HMS")) {
    }
    if (!any) at = before_time;
    any = any || had_period;
  }
  return any ? at : 0;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  // Blanks and comments are passed over; an unfinished comment is an error token.
  CqlToken next(bool inside_statement) {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_])) {
        ++at_;
      } else if (starts("--") || starts("//")) {
        const std::size_t line_end = text_.find_first_of("\r\n", at_);
        if (line_end == text_.npos && inside_statement)
          return error(text_.size() - at_, "a comment to the end of the line needs a line end after it");
        at_ = std::min(line_end, text_.size());
      } else if (starts("/*")) {
        const std::size_t close = text_.find("*/", at_ + 2);
        if (close == text_.npos) return comment_error();
        at_ = close + 2;
      } else {
        return word();
      }
    }
    return {.kind = CqlToken::Kind::end, .text = {}, .at = {text_.size(), 0}};
  }

 private:
  bool starts(std::string_view prefix) const { return text_.substr(at_).starts_with(prefix); }

  CqlToken take(CqlToken::Kind kind, std::size_t length) {
    CqlToken token{.kind = kind, .text = std::string(text_.substr(at_, length)), .at = {at_, length}};
    at_ += length;
    return token;
  }

  CqlToken error(std::size_t length, std::string message) {
    CqlToken token{.kind = CqlToken::Kind::error, .text = std::move(message), .at = {at_, length}};
    at_ += length;
    return token;
  }

  CqlToken comment_error() {
    CqlToken token = error(text_.size() - at_, "the comment that begins here is never closed with */");
    token.at.length = 2;
    return token;
  }

  CqlToken word() {
    const std::string_view rest = text_.substr(at_);
    const char first = rest.front();
    if (first == '\'') return quoted(CqlToken::Kind::string, '\'', "the string that begins here has no closing quote");
    if (first == '"')
      return quoted(CqlToken::Kind::quoted_name, '"', "the name that begins here has no closing double quote");
    if (starts("$$")) return dollar_string();
    if (const std::size_t length = uuid_length(rest)) return take(CqlToken::Kind::uuid, length);
    if (is_digit(first) || first == '-') return number(rest);
    if (const std::size_t length = iso_duration_length(rest)) return take(CqlToken::Kind::duration, length);
    if (is_letter(first)) return identifier();
    return sign(rest);
  }

  CqlToken identifier() {
    CqlToken token = take(CqlToken::Kind::identifier, count_while(text_, at_, is_word));
    if (equals_ignore_case(token.text, "true") || equals_ignore_case(token.text, "false"))
      token.kind = CqlToken::Kind::boolean;
    return token;
  }

  CqlToken quoted(CqlToken::Kind kind, char quote, std::string message) {
    std::string content;
    for (std::size_t at = at_ + 1; at < text_.size(); ++at) {
      if (text_[at] != quote) {
        content += text_[at];
      } else if (at + 1 < text_.size() && text_[at + 1] == quote) {
        content += text_[at++];
      } else {
        CqlToken token = take(kind, at + 1 - at_);
        token.text = std::move(content);
        return token;
      }
    }
    CqlToken token = error(text_.size() - at_, std::move(message));
    token.at.length = 1;
    return token;
  }

  CqlToken dollar_string() {
    const std::size_t close = text_.find("$$", at_ + 2);
    if (close == text_.npos) {
      CqlToken token = error(text_.size() - at_, "the string that begins here has no closing $$");
      token.at.length = 2;
      return token;
    }
    CqlToken token = take(CqlToken::Kind::string, close + 2 - at_);
    token.text = token.text.substr(2, token.text.size() - 4);
    return token;
  }

  // `rest` begins with a digit or a minus.
  CqlToken number(std::string_view rest) {
    const std::size_t minus = rest.front() == '-' ? 1 : 0;
    for (const std::string_view word : {"nan", "infinity"})
      if (minus == 1 && rest.size() > word.size() && equals_ignore_case(rest.substr(1, word.size()), word) &&
          (rest.size() == word.size() + 1 || !is_word(rest[word.size() + 1])))
        return take(CqlToken::Kind::float_, word.size() + 1);
    const std::size_t digits = count_while(rest, minus, is_digit);
    if (digits == 0) {
      const std::size_t iso = minus == 1 ? iso_duration_length(rest.substr(1)) : 0;
      return iso > 0 ? take(CqlToken::Kind::duration, iso + 1) : sign(rest);
    }
    if (minus == 0 && rest.front() == '0' && rest.size() > 1 && (rest[1] == 'x' || rest[1] == 'X'))
      return take(CqlToken::Kind::hex, 2 + count_while(rest, 2, is_hex));
    if (const std::size_t duration = duration_length(rest.substr(minus)))
      return take(CqlToken::Kind::duration, minus + duration);
    std::size_t end = minus + digits;
    const bool range = rest.substr(end).starts_with("..");
    if (!range && end < rest.size() && rest[end] == '.') end += 1 + count_while(rest, end + 1, is_digit);
    if (!range && end < rest.size() && (rest[end] == 'e' || rest[end] == 'E')) {
      const std::size_t after_sign =
          end + 1 + (end + 1 < rest.size() && (rest[end + 1] == '+' || rest[end + 1] == '-') ? 1 : 0);
      const std::size_t exponent = count_while(rest, after_sign, is_digit);
      if (exponent > 0) end = after_sign + exponent;
    }
    return take(end == minus + digits ? CqlToken::Kind::integer : CqlToken::Kind::float_, end);
  }

  CqlToken sign(std::string_view rest) {
    constexpr std::array long_signs = std::to_array<std::string_view>({"<=", ">=", "!=", "..", "+=", "-="});
    for (const std::string_view each : long_signs)
      if (rest.starts_with(each)) return take(CqlToken::Kind::sign, each.size());
    if (std::string_view("(),;{}[]:=<>.?+-*/%").find(rest.front()) != std::string_view::npos)
      return take(CqlToken::Kind::sign, 1);
    std::size_t length = 1;  // a whole character of UTF-8
    while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0U) == 0x80U) ++length;
    return error(length, "this character has no meaning in CQL outside quotes");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::vector<CqlToken>> split_statements(std::string_view text) {
  std::vector<std::vector<CqlToken>> statements;
  std::vector<CqlToken> current;
  Lexer lexer(text);
  const auto finish = [&](Span at) {
    if (current.empty()) return;
    current.push_back({.kind = CqlToken::Kind::end, .text = {}, .at = at});
    statements.push_back(std::exchange(current, {}));
  };
  // Where a statement ends without a semicolon: behind its last token, if `token` is on a later line.
  const auto ends_before = [&](const CqlToken& token) {
    if (current.empty()) return false;
    const CqlToken& first = current.front();
    const std::size_t behind = current.back().at.offset + current.back().at.length;
    if (first.kind == CqlToken::Kind::quoted_name ||
        text.substr(behind, token.at.offset - behind).find('\n') == text.npos)
      return false;
    if (ends_with_its_line(first.text)) return true;
    if (!equals_ignore_case(first.text, "COPY") && !equals_ignore_case(first.text, "USE")) return false;
    constexpr std::array next = std::to_array<std::string_view>({"CREATE", "ALTER", "DROP", "USE"});
    return current.size() > 1 && std::ranges::any_of(next, [&](std::string_view word) {
             return token.kind == CqlToken::Kind::identifier && equals_ignore_case(word, token.text);
           });
  };
  for (;;) {
    CqlToken token = lexer.next(!current.empty());
    if (token.kind != CqlToken::Kind::end && ends_before(token)) {
      const Span behind{current.back().at.offset + current.back().at.length, 0};
      if (equals_ignore_case(current.front().text, "USE"))
        current.push_back({.kind = CqlToken::Kind::error,
                           .text = "the semicolon behind USE is missing: cqlsh takes the next line for a part of it",
                           .at = {current.front().at.offset, behind.offset - current.front().at.offset}});
      finish(behind);
    }
    if (token.kind == CqlToken::Kind::end) {
      finish(token.at);
      return statements;
    }
    if (token.kind == CqlToken::Kind::sign && token.text == ";") {
      finish(token.at);
    } else {
      current.push_back(std::move(token));
    }
  }
}

}  // namespace windrow
