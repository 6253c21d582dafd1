#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "sim/cql/statement.h"
#include "sim/cql/token.h"

namespace windrow {

/// Thrown while a statement is read or applied; becomes a CqlError where the text is known.
struct Refused {
  CqlComplaint complaint{};
};

[[noreturn]] void refuse(CqlComplaint complaint);

/// Walks over the tokens of one statement. Everything that is "expected" refuses the statement when it is not there.
class TokenCursor {
 public:
  explicit TokenCursor(std::span<const CqlToken> tokens) : tokens_(tokens) {}

  /// The token `ahead` places on; the end stands there for ever.
  const CqlToken& peek(std::size_t ahead = 0) const;
  const CqlToken& take();
  bool at_end() const { return peek().kind == CqlToken::Kind::end; }

  bool at_sign(std::string_view sign, std::size_t ahead = 0) const;
  bool at_word(std::string_view word, std::size_t ahead = 0) const;  // any case, not in quotes
  bool take_sign(std::string_view sign);
  bool take_word(std::string_view word);
  /// All or nothing.
  bool take_words(std::initializer_list<std::string_view> words);

  void expect_sign(std::string_view sign, std::string_view fix = {});
  void expect_word(std::string_view word, std::string_view fix = {});

  /// A name that may stand for a column, table, field, …: quoted, or a word that is not reserved.
  Name expect_name(std::string_view what);
  bool at_name(std::size_t ahead = 0) const;
  QualifiedName expect_qualified_name(std::string_view what);

  [[noreturn]] void refuse_here(std::string_view expected, std::string_view fix = {}) const;

 private:
  std::span<const CqlToken> tokens_;
  std::size_t at_ = 0;
};

/// How a token is called in a message: 'order', "end of the statement".
std::string token_text(const CqlToken& token);

}  // namespace windrow
