#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cql/cql_error.h"
#include "sim/cql/settings.h"
#include "sim/schema/schema.h"

namespace windrow {

/// A statement that was passed over because it defines no data: INSERT, GRANT, CREATE FUNCTION, …
struct PassedOver {
  int line = 0;
  std::string first_words{};
};

struct ScriptResult {
  int statements = 0;  // in the text, also behind a refused one
  int applied = 0;     // before it; the index of the refused statement
  std::optional<CqlError> error{};
  std::vector<PassedOver> passed_over{};
};

/// Applies the statements of `text` to `schema` in their order and stops at the first that the server refuses; those
/// before it stay applied.
ScriptResult run_cql(std::string_view text, Schema& schema, const CqlSettings& settings = {});

/// Applies every statement that the server takes and returns what it refuses of the others: the server's own complaint,
/// then whatever else of the statement's options it would refuse. What is refused only because a statement before it
/// was (an index of a table that was not made) is left out.
std::vector<CqlError> run_all_cql(std::string_view text, Schema& schema, const CqlSettings& settings = {});

/// The same, for text that has to be right: throws the CqlError.
Schema read_schema(std::string_view text, const CqlSettings& settings = {});

/// Applies one ALTER TABLE, as in the middle of a simulated run, and returns the table it changed; nullptr if it
/// changed none (IF EXISTS). Throws CqlError, also for any other statement and for more than one.
const Table* apply_alter(std::string_view text, Schema& schema, const CqlSettings& settings = {});

/// "name = value AND …", the part behind WITH, applied over `base` with the checks of ALTER TABLE. Throws CqlError.
TableOptions parse_table_options(std::string_view text, const TableOptions& base, const CqlSettings& settings = {});

/// Only reads: throws CqlError where the text is not CQL. Returns the number of statements.
int check_cql_syntax(std::string_view text);

}  // namespace windrow
