#include <fmt/format.h>

#include "sim/cql/parser.h"

namespace windrow {

namespace {

void parse_selection(TokenCursor& cursor, CreateView& view) {
  if (cursor.take_sign("*")) {
    view.selects_all = true;
    return;
  }
  do {
    view.selected.push_back(cursor.expect_name("a column of the base table or *"));
    const bool alias = cursor.at_word("AS");
    if (alias || cursor.at_sign("(") || cursor.at_sign("["))
      refuse({.error_class = CqlErrorClass::invalid,
              .at = cursor.peek().at,
              .message = alias ? "a view's columns keep their names" : "a view selects whole columns by name",
              .server_message = alias ? fmt::format("Cannot use aliases when defining a materialized view (got {})",
                                                    view.selected.back().text)
                                      : "Can only select columns by name when defining a materialized view"});
  } while (cursor.take_sign(","));
}

// Up to AND, PRIMARY or the end: the value is of no use to us.
void skip_value(TokenCursor& cursor) {
  int open = 0;
  do {
    if (cursor.at_end() || cursor.peek().kind == CqlToken::Kind::error) cursor.refuse_here("a value");
    if (cursor.at_sign("(") || cursor.at_sign("[") || cursor.at_sign("{")) ++open;
    if (cursor.at_sign(")") || cursor.at_sign("]") || cursor.at_sign("}")) --open;
    cursor.take();
  } while (open > 0 || !(cursor.at_end() || cursor.at_word("AND") || cursor.at_word("PRIMARY") || cursor.at_sign(")")));
}

void parse_relation(TokenCursor& cursor, CreateView& view) {
  int brackets = 0;
  while (cursor.take_sign("(")) ++brackets;
  ViewRestriction restriction;
  if (cursor.at_word("TOKEN")) {
    restriction = {.kind = ViewRestriction::Kind::token, .column = {.text = "token", .at = cursor.take().at}};
    skip_value(cursor);
  } else {
    restriction.column = cursor.expect_name("a column");
    if (cursor.take_word("IS")) {
      cursor.expect_word("NOT");
      cursor.expect_word("NULL");
    } else {
      restriction.kind = ViewRestriction::Kind::value;
      constexpr std::string_view operators[] = {"=", "<", "<=", ">", ">=", "!=", "["};
      bool known = cursor.take_word("IN") || cursor.take_word("CONTAINS") || cursor.take_word("LIKE");
      for (const std::string_view sign : operators) known = known || cursor.take_sign(sign);
      if (!known) cursor.refuse_here("IS NOT NULL or a comparison");
      skip_value(cursor);
    }
  }
  view.where.push_back(std::move(restriction));
  while (brackets-- > 0) cursor.expect_sign(")");
}

void parse_view_property(TokenCursor& cursor, CreateView& view) {
  if (cursor.at_word("COMPACT") && cursor.at_word("STORAGE", 1))
    cursor.refuse_here("an option", "a materialized view has no compact storage");
  if (cursor.take_words({"CLUSTERING", "ORDER"})) {
    cursor.expect_word("BY");
    parse_clustering_order(cursor, view.clustering_order, view.name.name.text);
  } else {
    parse_property(cursor, view.properties);
  }
}

}  // namespace

CreateView parse_create_view(TokenCursor& cursor) {
  CreateView view{.if_not_exists = parse_if_not_exists(cursor)};
  view.name = cursor.expect_qualified_name("the view's name");
  cursor.expect_word("AS");
  cursor.expect_word("SELECT");
  parse_selection(cursor, view);
  cursor.expect_word("FROM");
  view.base = cursor.expect_qualified_name("the base table's name");
  if (cursor.take_word("WHERE")) do {
      parse_relation(cursor, view);
    } while (cursor.take_word("AND"));
  cursor.expect_word("PRIMARY");
  cursor.expect_word("KEY");
  parse_primary_key(cursor, view.partition_key, view.clustering);
  if (cursor.take_word("WITH")) do {
      parse_view_property(cursor, view);
    } while (cursor.take_word("AND"));
  return view;
}

}  // namespace windrow
