#include "sim/cql/token_cursor.h"

#include <fmt/format.h>

#include <array>

#include "sim/base/nearest.h"
#include "sim/schema/identifier.h"

namespace windrow {

void refuse(CqlComplaint complaint) { throw Refused{std::move(complaint)}; }

std::string token_text(const CqlToken& token) {
  switch (token.kind) {
    case CqlToken::Kind::end:
      return "the end of the statement";
    case CqlToken::Kind::string:
      return token.text.size() > 24 ? "a string" : quoted_string(token.text);
    case CqlToken::Kind::quoted_name:
      return "\"" + token.text + "\"";
    case CqlToken::Kind::error:
      return "an unreadable part";
    case CqlToken::Kind::identifier:
    case CqlToken::Kind::integer:
    case CqlToken::Kind::float_:
    case CqlToken::Kind::boolean:
    case CqlToken::Kind::duration:
    case CqlToken::Kind::uuid:
    case CqlToken::Kind::hex:
    case CqlToken::Kind::sign:
      return "'" + token.text + "'";
  }
  return {};
}

const CqlToken& TokenCursor::peek(std::size_t ahead) const {
  return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : tokens_.back();
}

const CqlToken& TokenCursor::take() {
  const CqlToken& token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool TokenCursor::at_sign(std::string_view sign, std::size_t ahead) const {
  const CqlToken& token = peek(ahead);
  return token.kind == CqlToken::Kind::sign && token.text == sign;
}

bool TokenCursor::at_word(std::string_view word, std::size_t ahead) const {
  const CqlToken& token = peek(ahead);
  return token.kind == CqlToken::Kind::identifier && equals_ignore_case(token.text, word);
}

bool TokenCursor::take_sign(std::string_view sign) {
  if (!at_sign(sign)) return false;
  take();
  return true;
}

bool TokenCursor::take_word(std::string_view word) { return take_words({word}); }

bool TokenCursor::take_words(std::initializer_list<std::string_view> words) {
  std::size_t ahead = 0;
  for (const std::string_view word : words)
    if (!at_word(word, ahead++)) return false;
  for (std::size_t i = 0; i < words.size(); ++i) take();
  return true;
}

void TokenCursor::expect_sign(std::string_view sign, std::string_view fix) {
  if (!take_sign(sign)) refuse_here(fmt::format("'{}'", sign), fix);
}

void TokenCursor::expect_word(std::string_view word, std::string_view fix) {
  if (take_word(word)) return;
  std::string hint(fix);
  const bool misspelt =
      peek().kind == CqlToken::Kind::identifier && !nearest_name(peek().text, std::array{word}).empty();
  if (hint.empty() && misspelt) hint = fmt::format("write {} instead of {}", word, peek().text);
  refuse_here(word, hint);
}

bool TokenCursor::at_name(std::size_t ahead) const {
  const CqlToken& token = peek(ahead);
  if (token.kind == CqlToken::Kind::quoted_name) return !token.text.empty();
  return token.kind == CqlToken::Kind::identifier && !is_reserved_keyword(token.text);
}

Name TokenCursor::expect_name(std::string_view what) {
  if (!at_name()) {
    const CqlToken& token = peek();
    std::string fix;
    if (token.kind == CqlToken::Kind::identifier)
      fix = fmt::format("{0} is a reserved word: write \"{1}\"", token.text, lower_case(token.text));
    if (token.kind == CqlToken::Kind::string)
      fix = fmt::format("names stand in double quotes or in none: write {}", quoted_if_needed(token.text));
    if (token.kind == CqlToken::Kind::boolean)
      fix = fmt::format("{0} is a constant: write \"{1}\"", token.text, lower_case(token.text));
    if (token.kind == CqlToken::Kind::integer) fix = "a name begins with a letter, or stands in double quotes";
    refuse_here(what, fix);
  }
  const CqlToken& token = take();
  return {token.kind == CqlToken::Kind::quoted_name ? token.text : lower_case(token.text), token.at};
}

QualifiedName TokenCursor::expect_qualified_name(std::string_view what) {
  QualifiedName name{.name = expect_name(what)};
  if (take_sign(".")) name = {.keyspace = std::move(name.name), .name = expect_name(what)};
  return name;
}

void TokenCursor::refuse_here(std::string_view expected, std::string_view fix) const {
  const CqlToken& token = peek();
  CqlComplaint complaint{.at = token.at};
  if (token.kind == CqlToken::Kind::error) {
    complaint.message = token.text;
  } else {
    complaint.message = fmt::format("expected {}, found {}", expected, token_text(token));
    complaint.fix = fix;
  }
  refuse(std::move(complaint));
}

}  // namespace windrow
