#pragma once

#include "sim/cql/settings.h"
#include "sim/cql/statement.h"
#include "sim/cql/token_cursor.h"
#include "sim/schema/schema.h"

namespace windrow {

/// What a statement is applied to.
struct ApplyContext {
  Schema& schema;
  const CqlSettings& settings;
};

// Each changes the schema as the statement does on the server, or throws Refused and leaves it as it was.
// The order of checks is the server's, so that of two mistakes the same one is found.
void apply(const ApplyContext& context, const UseStatement& statement);
void apply(const ApplyContext& context, const CreateKeyspace& statement);
void apply(const ApplyContext& context, const AlterKeyspace& statement);
void apply(const ApplyContext& context, const CreateTable& statement);
void apply(const ApplyContext& context, const AlterTable& statement);
void apply(const ApplyContext& context, const CreateType& statement);
void apply(const ApplyContext& context, const AlterType& statement);
void apply(const ApplyContext& context, const CreateIndex& statement);
void apply(const ApplyContext& context, const CreateView& statement);
void apply(const ApplyContext& context, const AlterView& statement);
void apply(const ApplyContext& context, const Drop& statement);

/// The keyspace that a statement means: the written one, else that of USE. Refuses system keyspaces and none at all.
std::string keyspace_name(const ApplyContext& context, const QualifiedName& name);
/// The keyspace itself; nullptr if there is none and none may be made.
Keyspace* find_or_make_keyspace(const ApplyContext& context, const std::string& name);
/// The same, refusing when there is none.
Keyspace& expect_keyspace(const ApplyContext& context, const std::string& name, Span at);

/// `keyspace.name`, or the name alone where nobody said the keyspace.
std::string as_written(const ApplyContext& context, const std::string& keyspace, const QualifiedName& name);
/// The fix where a text of changes lacks what it changes.
inline constexpr std::string_view made_elsewhere =
    "the statement that makes it comes first; windrow lint --migrations FILE.cql... reads several files in order";

[[noreturn]] void refuse_missing_table(const ApplyContext& context, const std::string& keyspace,
                                       const QualifiedName& name, std::string server_message, std::string fix = {});

/// Invalid: our message, where, and the server's.
[[noreturn]] void refuse_invalid(Span at, std::string message, std::string server_message, std::string fix = {});

/// Is every character a letter, a digit or an underscore of ASCII?
bool is_plain_name(std::string_view name);

/// "did you mean" among columns.
std::string nearest_column(std::string_view written, const std::vector<Column>& columns);

}  // namespace windrow
