#pragma once

#include <string>
#include <string_view>

#include "sim/base/check.h"
#include "sim/cql/script.h"
#include "sim/schema/describe.h"

namespace windrow {

/// What must hold for any text: it is applied or refused with a place inside it; what was applied can be described, and
/// where the description can be read it describes the same.
inline void check_any_text(std::string_view text) {
  for (const CqlSettings& settings : {CqlSettings{}, shipped_settings()}) {
    Schema schema;
    const ScriptResult result = run_cql(text, schema, settings);
    SIM_CHECK(result.applied <= result.statements, "more statements applied than there are");
    SIM_CHECK(result.error.has_value() == (result.applied < result.statements), "stopped without a reason");
    if (result.error)
      SIM_CHECK(result.error->complaint.at.offset <= text.size(), "an error behind the end of the text");
    for (const Keyspace& keyspace : schema.keyspaces) {
      bool compact = false;  // is described inside a comment
      for (const Table& table : keyspace.tables) compact |= table.compact_storage;
      const std::string described = describe_keyspace(keyspace);
      if (compact || keyspace.replication.empty()) continue;
      Schema again;
      // CREATE may refuse what several ALTERs can make.
      if (run_cql(described, again, CqlSettings{}).error) continue;
      SIM_CHECK(describe_keyspace(*again.find_keyspace(keyspace.name)) == described,
                "described twice, described differently");
    }
  }
}

}  // namespace windrow
