#pragma once

#include <span>

#include "sim/cql/token_cursor.h"

namespace windrow {

/// Reads one statement; `tokens` ends with an end token. Throws Refused (syntax, or what the server finds while it
/// parses: a column declared twice, a second PRIMARY KEY).
Statement parse_statement(std::span<const CqlToken> tokens);

/// Parts of it, each at the cursor.
RawType parse_type(TokenCursor& cursor);
/// The name of a user-defined type.
QualifiedName parse_type_name(TokenCursor& cursor);
/// name = value AND …, behind WITH.
Properties parse_properties(TokenCursor& cursor);
/// One of them; refuses a name that `properties` already holds.
void parse_property(TokenCursor& cursor, Properties& properties);
CreateTable parse_create_table(TokenCursor& cursor);  // behind CREATE TABLE
AlterTable parse_alter_table(TokenCursor& cursor);    // behind ALTER TABLE
CreateType parse_create_type(TokenCursor& cursor);
AlterType parse_alter_type(TokenCursor& cursor);
CreateIndex parse_create_index(TokenCursor& cursor, bool custom);
CreateView parse_create_view(TokenCursor& cursor);

/// CLUSTERING ORDER BY (…), behind the three words.
void parse_clustering_order(TokenCursor& cursor, std::vector<ColumnOrder>& order, std::string_view table);
/// (a, b) or ((a, b), c), behind PRIMARY KEY.
void parse_primary_key(TokenCursor& cursor, std::vector<Name>& partition_key, std::vector<Name>& clustering);
/// IF NOT EXISTS, IF EXISTS
bool parse_if_not_exists(TokenCursor& cursor);
bool parse_if_exists(TokenCursor& cursor);

}  // namespace windrow
