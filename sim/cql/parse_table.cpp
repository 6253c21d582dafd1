#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "sim/base/nearest.h"
#include "sim/cql/parser.h"

namespace windrow {

namespace {

// MASKED WITH DEFAULT | MASKED WITH function(arguments)
std::optional<Span> parse_mask(TokenCursor& cursor) {
  if (!cursor.at_word("MASKED")) return std::nullopt;
  const Span at = cursor.take().at;
  cursor.expect_word("WITH");
  if (cursor.take_word("DEFAULT")) return at;
  cursor.expect_qualified_name("a masking function");
  cursor.expect_sign("(");
  for (int open = 1; open > 0;) {
    if (cursor.at_end()) cursor.refuse_here("')' after the function's arguments");
    if (cursor.at_sign("(")) ++open;
    if (cursor.at_sign(")")) --open;
    cursor.take();
  }
  return at;
}

ColumnDefinition parse_column(TokenCursor& cursor) {
  ColumnDefinition column{.name = cursor.expect_name("a column's name or PRIMARY KEY")};
  column.type = parse_type(cursor);
  column.is_static = cursor.take_word("STATIC");
  column.mask = parse_mask(cursor);
  return column;
}

[[noreturn]] void refuse_second_key(Span at, const QualifiedName& table) {
  refuse(
      {.error_class = CqlErrorClass::invalid,
       .at = at,
       .message = "a second PRIMARY KEY",
       .fix = "keep one: PRIMARY KEY (a, b) at the end of the column list, or PRIMARY KEY behind the only key column",
       .server_message =
           fmt::format("Multiple PRIMARY KEY specified for table '{}' (exactly one required)", table.name.text)});
}

// One entry of the column list: a column, or the primary key. `names`: of the columns before it.
void parse_entry(TokenCursor& cursor, std::set<std::string>& names, CreateTable& table) {
  if (cursor.at_word("PRIMARY")) {
    const Span at = cursor.take().at;
    cursor.expect_word("KEY");
    if (table.has_primary_key) refuse_second_key(at, table.name);
    table.has_primary_key = true;
    parse_primary_key(cursor, table.partition_key, table.clustering);
    return;
  }
  ColumnDefinition column = parse_column(cursor);
  if (!names.insert(column.name.text).second)
    refuse({.error_class = CqlErrorClass::invalid,
            .at = column.name.at,
            .message = fmt::format("column {} is declared twice", column.name.text),
            .fix = "remove or rename one of the two",
            .server_message = fmt::format("Duplicate column '{}' declaration for table '{}'", column.name.text,
                                          table.name.name.text)});
  const Span key_at = cursor.peek().at;
  if (cursor.take_word("PRIMARY")) {
    cursor.expect_word("KEY");
    if (table.has_primary_key) refuse_second_key(key_at, table.name);
    table.has_primary_key = true;
    table.partition_key = {column.name};
  }
  table.columns.push_back(std::move(column));
}

void parse_table_property(TokenCursor& cursor, CreateTable& table) {
  if (cursor.take_words({"COMPACT", "STORAGE"})) {
    table.compact_storage = true;
  } else if (cursor.take_words({"CLUSTERING", "ORDER"})) {
    cursor.expect_word("BY");
    parse_clustering_order(cursor, table.clustering_order, table.name.name.text);
  } else {
    parse_property(cursor, table.properties);
  }
}

// What helps where a column list goes on with neither ',' nor ')'.
std::string unclosed_fix(const TokenCursor& cursor, bool behind_key) {
  if (cursor.at_word("WITH")) return "close the column list with ) before WITH";
  if (cursor.at_end()) return "close the column list with )";
  if (behind_key && cursor.at_sign("(")) return "write a comma before PRIMARY KEY: it is the table's, not the column's";
  if (cursor.at_sign("(")) return "types have no length in CQL: remove the brackets";
  for (const std::string_view word : {"NOT", "NULL", "DEFAULT", "UNIQUE", "CHECK", "REFERENCES", "AUTO_INCREMENT"})
    if (cursor.at_word(word)) return fmt::format("CQL has no {} for columns: remove it", word);
  constexpr std::array endings = std::to_array<std::string_view>({"PRIMARY", "STATIC", "MASKED"});
  const CqlToken& token = cursor.peek();
  const std::string_view nearest =
      token.kind == CqlToken::Kind::identifier ? nearest_name(token.text, endings) : std::string_view();
  return nearest.empty() ? "entries of the column list are separated by commas" : fmt::format("write {}", nearest);
}

AddColumns parse_add(TokenCursor& cursor) {
  AddColumns add{.if_not_exists = parse_if_not_exists(cursor)};
  const bool several = cursor.take_sign("(");
  do {
    add.columns.push_back(parse_column(cursor));
  } while (several && cursor.take_sign(","));
  if (several) cursor.expect_sign(")");
  return add;
}

DropColumns parse_drop(TokenCursor& cursor) {
  DropColumns drop{.if_exists = parse_if_exists(cursor)};
  const bool several = cursor.take_sign("(");
  do {
    drop.columns.push_back(cursor.expect_name("the name of a column"));
  } while (several && cursor.take_sign(","));
  if (several) cursor.expect_sign(")");
  if (cursor.take_words({"USING", "TIMESTAMP"})) {
    if (cursor.peek().kind != CqlToken::Kind::integer) cursor.refuse_here("a timestamp in microseconds");
    cursor.take();
  }
  return drop;
}

template <class Rename>
Rename parse_rename(TokenCursor& cursor, std::vector<std::pair<Name, Name>> Rename::*pairs, std::string_view what) {
  Rename rename{.if_exists = parse_if_exists(cursor)};
  do {
    Name from = cursor.expect_name(what);
    cursor.expect_word("TO");
    (rename.*pairs).emplace_back(std::move(from), cursor.expect_name("the new name"));
  } while (cursor.take_word("AND"));
  return rename;
}

// ALTER column TYPE type | ALTER [IF EXISTS] column (MASKED WITH … | DROP MASKED)
void parse_alter_column(TokenCursor& cursor, AlterTable& alter) {
  const bool if_exists = parse_if_exists(cursor);
  Name column = cursor.expect_name("the name of a column");
  if (!if_exists && cursor.take_word("TYPE")) {
    parse_type(cursor);
    alter.action = AlterColumnType{std::move(column)};
  } else if (cursor.take_words({"DROP", "MASKED"})) {
    alter.action = MaskColumn{if_exists, std::move(column), std::nullopt};
  } else {
    std::optional<Span> mask = parse_mask(cursor);
    if (!mask) cursor.refuse_here("TYPE, MASKED WITH or DROP MASKED");
    alter.action = MaskColumn{if_exists, std::move(column), mask};
  }
}

}  // namespace

bool parse_if_not_exists(TokenCursor& cursor) {
  if (!cursor.take_word("IF")) return false;
  cursor.expect_word("NOT", "write IF NOT EXISTS");
  cursor.expect_word("EXISTS");
  return true;
}

bool parse_if_exists(TokenCursor& cursor) {
  if (!cursor.take_word("IF")) return false;
  cursor.expect_word("EXISTS", "write IF EXISTS");
  return true;
}

void parse_primary_key(TokenCursor& cursor, std::vector<Name>& partition_key, std::vector<Name>& clustering) {
  cursor.expect_sign("(", "write PRIMARY KEY (a, b) or PRIMARY KEY ((a, b), c)");
  if (cursor.take_sign("(")) {
    do {
      partition_key.push_back(cursor.expect_name("a column of the partition key"));
    } while (cursor.take_sign(","));
    cursor.expect_sign(")", "the inner brackets hold the partition key: PRIMARY KEY ((a, b), c)");
  } else {
    partition_key.push_back(cursor.expect_name("a column of the primary key"));
  }
  while (cursor.take_sign(",")) clustering.push_back(cursor.expect_name("a clustering column"));
  cursor.expect_sign(")", "PRIMARY KEY (…) needs its closing bracket");
}

void parse_clustering_order(TokenCursor& cursor, std::vector<ColumnOrder>& order, std::string_view table) {
  cursor.expect_sign("(", "write CLUSTERING ORDER BY (a DESC, b ASC)");
  std::set<std::string> names;
  for (const ColumnOrder& before : order) names.insert(before.column.text);
  do {
    ColumnOrder column{.column = cursor.expect_name("a clustering column")};
    column.descending = cursor.at_word("DESC");
    if (!cursor.take_word("DESC")) cursor.expect_word("ASC", "give ASC or DESC for each column");
    if (!names.insert(column.column.text).second)
      refuse({.error_class = CqlErrorClass::invalid,
              .at = column.column.at,
              .message = fmt::format("column {} has two orders", column.column.text),
              .fix = "keep one of the two",
              .server_message = fmt::format("Duplicate column '{}' in CLUSTERING ORDER BY clause for table '{}'",
                                            column.column.text, table)});
    order.push_back(std::move(column));
  } while (cursor.take_sign(","));
  cursor.expect_sign(")");
}

CreateTable parse_create_table(TokenCursor& cursor) {
  CreateTable table{.if_not_exists = parse_if_not_exists(cursor)};
  table.name = cursor.expect_qualified_name("the table's name");
  cursor.expect_sign("(", "the columns follow in brackets");
  bool behind_key = false;
  std::set<std::string> names;
  const auto entry = [&] {
    const bool had_key = table.has_primary_key;
    parse_entry(cursor, names, table);
    behind_key = table.has_primary_key && !had_key;
  };
  entry();
  while (cursor.take_sign(","))  // the server passes over commas without a column behind them
    if (!cursor.at_sign(",") && !cursor.at_sign(")")) entry();
  table.end = cursor.peek().at;
  if (!cursor.take_sign(")")) cursor.refuse_here("',' or ')'", unclosed_fix(cursor, behind_key));
  if (cursor.take_word("WITH")) do {
      parse_table_property(cursor, table);
    } while (cursor.take_word("AND"));
  return table;
}

AlterTable parse_alter_table(TokenCursor& cursor) {
  AlterTable alter{.if_exists = parse_if_exists(cursor)};
  alter.name = cursor.expect_qualified_name("the table's name");
  if (cursor.take_word("ADD")) {
    alter.action = parse_add(cursor);
  } else if (cursor.take_words({"DROP", "COMPACT", "STORAGE"})) {
    alter.action = DropCompactStorage{};
  } else if (cursor.take_word("DROP")) {
    alter.action = parse_drop(cursor);
  } else if (cursor.take_word("RENAME")) {
    alter.action = parse_rename(cursor, &RenameColumns::columns, "the name of a column");
  } else if (cursor.take_word("ALTER")) {
    parse_alter_column(cursor, alter);
  } else if (cursor.take_word("WITH")) {
    if (cursor.at_word("CLUSTERING") && cursor.at_word("ORDER", 1))
      cursor.refuse_here("the name of an option",
                         "the clustering order of a table cannot be changed: make a new table");
    alter.action = AlterOptions{parse_properties(cursor)};
  } else {
    cursor.refuse_here("ADD, DROP, RENAME, ALTER or WITH");
  }
  return alter;
}

CreateType parse_create_type(TokenCursor& cursor) {
  CreateType type{.if_not_exists = parse_if_not_exists(cursor)};
  type.name = parse_type_name(cursor);
  cursor.expect_sign("(", "the fields follow in brackets");
  const auto field = [&] {
    Name name = cursor.expect_name("a field's name");
    type.fields.emplace_back(std::move(name), parse_type(cursor));
  };
  field();
  while (cursor.take_sign(","))
    if (!cursor.at_sign(",") && !cursor.at_sign(")")) field();
  if (!cursor.take_sign(")")) cursor.refuse_here("',' or ')'", "fields are separated by commas and end with )");
  return type;
}

AlterType parse_alter_type(TokenCursor& cursor) {
  AlterType alter{.if_exists = parse_if_exists(cursor)};
  alter.name = parse_type_name(cursor);
  if (cursor.take_word("ADD")) {
    AddField add{.if_not_exists = parse_if_not_exists(cursor)};
    add.name = cursor.expect_name("a field's name");
    add.type = parse_type(cursor);
    alter.action = std::move(add);
  } else if (cursor.take_word("RENAME")) {
    alter.action = parse_rename(cursor, &RenameFields::fields, "a field's name");
  } else if (cursor.take_word("ALTER")) {
    cursor.expect_name("a field's name");
    cursor.expect_word("TYPE");
    parse_type(cursor);
    alter.action = AlterFieldType{};
  } else {
    cursor.refuse_here("ADD, RENAME or ALTER");
  }
  return alter;
}

}  // namespace windrow
