#include "sim/cql/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/nearest.h"
#include "sim/cql/shell_commands.h"
#include "sim/schema/identifier.h"

namespace windrow {

namespace {

// What begins a statement that defines no table, keyspace, type, index or view.
constexpr std::array other_beginnings = std::to_array<std::string_view>(
    {"SELECT", "INSERT", "UPDATE", "DELETE", "BEGIN", "TRUNCATE", "GRANT", "REVOKE", "LIST"});
constexpr std::array other_objects =
    std::to_array<std::string_view>({"FUNCTION", "AGGREGATE", "TRIGGER", "ROLE", "USER", "IDENTITY"});
constexpr std::array objects =
    std::to_array<std::string_view>({"KEYSPACE", "TABLE", "TYPE", "INDEX", "CUSTOM INDEX", "MATERIALIZED VIEW"});

bool at_table(TokenCursor& cursor) { return cursor.take_word("TABLE") || cursor.take_word("COLUMNFAMILY"); }
bool at_keyspace(TokenCursor& cursor) { return cursor.take_word("KEYSPACE"); }

OtherStatement pass_over(TokenCursor& cursor, const CqlToken& first) {
  OtherStatement other{.first_words = upper_case(first.text), .at = first.at};
  if (first.text != cursor.peek().text && cursor.peek().kind == CqlToken::Kind::identifier)
    other.first_words += " " + upper_case(cursor.peek().text);
  while (!cursor.at_end()) {
    if (cursor.peek().kind == CqlToken::Kind::error) cursor.refuse_here("a statement");
    cursor.take();
  }
  return other;
}

/// Statements of a batch may have semicolons of their own (Parser.g, batchStatement): its end then stands alone here.
bool at_other_beginning(const TokenCursor& cursor) {
  if (cursor.at_word("APPLY") && cursor.at_word("BATCH", 1)) return true;
  if (cursor.at_word("ADD") && cursor.at_word("IDENTITY", 1)) return true;
  return std::ranges::any_of(other_beginnings, [&](std::string_view word) { return cursor.at_word(word); });
}

bool at_other_object(const TokenCursor& cursor) {
  if (cursor.at_word("OR") && cursor.at_word("REPLACE", 1)) return true;
  for (const std::string_view word : other_objects)
    if (cursor.at_word(word)) return true;
  return false;
}

[[noreturn]] void refuse_object(const TokenCursor& cursor) {
  if (cursor.at_word("COLUMN") && cursor.at_word("FAMILY", 1))
    cursor.refuse_here(fmt::format("{}", fmt::join(objects, ", ")),
                       "this is the language of cassandra-cli, not CQL: give what DESCRIBE of cqlsh prints");
  const bool schema = cursor.at_word("SCHEMA");  // a synonym until 4.x; the lexer of 5.0 has a word of its own for it
  const std::string_view nearest = schema ? "KEYSPACE" : nearest_name(cursor.peek().text, objects);
  cursor.refuse_here(fmt::format("{}", fmt::join(objects, ", ")),
                     nearest.empty() ? std::string() : fmt::format("write {}", nearest));
}

template <class WithProperties>
WithProperties parse_with_properties(TokenCursor& cursor, WithProperties statement) {
  cursor.expect_word("WITH");
  statement.properties = parse_properties(cursor);
  return statement;
}

Statement parse_create(TokenCursor& cursor, const CqlToken& first) {
  if (at_other_object(cursor)) return pass_over(cursor, first);
  if (at_table(cursor)) return parse_create_table(cursor);
  if (at_keyspace(cursor)) {
    CreateKeyspace keyspace{.if_not_exists = parse_if_not_exists(cursor)};
    keyspace.name = cursor.expect_name("the keyspace's name");
    if (!cursor.at_word("WITH"))
      cursor.refuse_here("WITH",
                         "a keyspace needs WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
    return parse_with_properties(cursor, std::move(keyspace));
  }
  if (cursor.take_word("TYPE")) return parse_create_type(cursor);
  if (cursor.take_words({"CUSTOM", "INDEX"})) return parse_create_index(cursor, true);
  if (cursor.take_word("INDEX")) return parse_create_index(cursor, false);
  if (cursor.take_words({"MATERIALIZED", "VIEW"})) return parse_create_view(cursor);
  refuse_object(cursor);
}

Statement parse_alter(TokenCursor& cursor, const CqlToken& first) {
  if (at_other_object(cursor)) return pass_over(cursor, first);
  if (at_table(cursor)) return parse_alter_table(cursor);
  if (at_keyspace(cursor)) {
    AlterKeyspace keyspace{.if_exists = parse_if_exists(cursor)};
    keyspace.name = cursor.expect_name("the keyspace's name");
    return parse_with_properties(cursor, std::move(keyspace));
  }
  if (cursor.take_word("TYPE")) return parse_alter_type(cursor);
  if (cursor.take_words({"MATERIALIZED", "VIEW"})) {
    AlterView view{.if_exists = parse_if_exists(cursor)};
    view.name = cursor.expect_qualified_name("the view's name");
    return parse_with_properties(cursor, std::move(view));
  }
  refuse_object(cursor);
}

Statement parse_drop(TokenCursor& cursor, const CqlToken& first) {
  if (at_other_object(cursor)) return pass_over(cursor, first);
  Drop drop;
  if (at_table(cursor)) {
    drop.kind = Drop::Kind::table;
  } else if (at_keyspace(cursor)) {
    drop.kind = Drop::Kind::keyspace;
  } else if (cursor.take_word("TYPE")) {
    drop.kind = Drop::Kind::type;
  } else if (cursor.take_word("INDEX")) {
    drop.kind = Drop::Kind::index;
  } else if (cursor.take_words({"MATERIALIZED", "VIEW"})) {
    drop.kind = Drop::Kind::view;
  } else {
    refuse_object(cursor);
  }
  drop.if_exists = parse_if_exists(cursor);
  if (drop.kind == Drop::Kind::type) {
    drop.name = parse_type_name(cursor);
  } else if (drop.kind == Drop::Kind::keyspace) {
    drop.name.name = cursor.expect_name("the keyspace's name");
  } else {
    drop.name = cursor.expect_qualified_name("a name");
  }
  return drop;
}

Statement parse_beginning(TokenCursor& cursor) {
  const CqlToken& first = cursor.peek();
  if (cursor.take_word("CREATE")) return parse_create(cursor, first);
  if (cursor.take_word("ALTER")) return parse_alter(cursor, first);
  if (cursor.take_word("DROP")) return parse_drop(cursor, first);
  if (cursor.take_word("USE")) return UseStatement{cursor.expect_name("the keyspace's name")};
  if (cursor.at_word("SOURCE"))
    cursor.refuse_here("a CQL statement",
                       "SOURCE is a command of cqlsh, not CQL: put what that file says in place of the line");
  if (at_other_beginning(cursor) || is_shell_command(first.text)) return pass_over(cursor, cursor.take());
  constexpr std::array beginnings = std::to_array<std::string_view>({"CREATE", "ALTER", "DROP", "USE"});
  const std::string_view nearest =
      first.kind == CqlToken::Kind::identifier ? nearest_name(first.text, beginnings) : std::string_view();
  cursor.refuse_here("CREATE, ALTER, DROP or USE", nearest.empty() ? std::string() : fmt::format("write {}", nearest));
}

std::string trailing_fix(const TokenCursor& cursor, const Statement& statement) {
  const bool has_options =
      std::holds_alternative<CreateTable>(statement) || std::holds_alternative<AlterTable>(statement) ||
      std::holds_alternative<CreateKeyspace>(statement) || std::holds_alternative<CreateView>(statement);
  if (has_options && cursor.at_name() && cursor.at_sign("=", 1))
    return fmt::format("write AND before {}", cursor.peek().text);
  if (has_options && cursor.at_word("CLUSTERING"))
    return "write AND (or WITH, if it is the first option) before CLUSTERING ORDER BY";
  if (cursor.at_sign(")")) return "there is one ) too many";
  return "statements end with a semicolon";
}

}  // namespace

Statement parse_statement(std::span<const CqlToken> tokens) {
  TokenCursor cursor(tokens);
  Statement statement = parse_beginning(cursor);
  if (!cursor.at_end()) cursor.refuse_here("the end of the statement", trailing_fix(cursor, statement));
  return statement;
}

}  // namespace windrow
