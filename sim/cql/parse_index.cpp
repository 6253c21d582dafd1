#include "sim/cql/parser.h"

namespace windrow {

namespace {

IndexTarget parse_target(TokenCursor& cursor) {
  struct Form {
    std::string_view word;
    IndexTarget::Kind kind;
  };
  constexpr Form forms[] = {{"VALUES", IndexTarget::Kind::values},
                            {"KEYS", IndexTarget::Kind::keys},
                            {"ENTRIES", IndexTarget::Kind::entries},
                            {"FULL", IndexTarget::Kind::full}};
  for (const auto& [word, kind] : forms) {
    if (!cursor.at_word(word) || !cursor.at_sign("(", 1)) continue;
    cursor.take();
    cursor.take();
    IndexTarget target{.kind = kind, .column = cursor.expect_name("a column")};
    cursor.expect_sign(")");
    return target;
  }
  return {.column = cursor.expect_name("a column, or VALUES, KEYS, ENTRIES or FULL of one")};
}

}  // namespace

CreateIndex parse_create_index(TokenCursor& cursor, bool custom) {
  CreateIndex index{.custom = custom, .at = cursor.peek().at};
  index.if_not_exists = parse_if_not_exists(cursor);
  if (!cursor.at_word("ON")) {
    index.name = cursor.expect_name("the index's name or ON");
    index.at = index.name->at;
  }
  cursor.expect_word("ON");
  index.table = cursor.expect_qualified_name("the table's name");
  cursor.expect_sign("(", "the indexed column follows in brackets");
  if (!cursor.at_sign(")")) do {
      index.targets.push_back(parse_target(cursor));
    } while (cursor.take_sign(","));
  cursor.expect_sign(")");
  if (cursor.take_word("USING")) {
    const CqlToken& token = cursor.peek();
    if (token.kind != CqlToken::Kind::string)
      cursor.refuse_here("the index's class in single quotes", token.text.empty() ? "" : "write '" + token.text + "'");
    index.class_name = Name{token.text, token.at};
    cursor.take();
  }
  if (cursor.take_word("WITH")) index.properties = parse_properties(cursor);
  return index;
}

}  // namespace windrow
