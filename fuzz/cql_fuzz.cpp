#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/check.h"
#include "sim/cql/script.h"
#include "sim/schema/describe.h"

// What must hold for any text: it is applied or refused with a place inside it, and what was applied can be described
// and read again to the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace windrow;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const CqlSettings& settings : {CqlSettings{}, shipped_settings()}) {
    Schema schema;
    const ScriptResult result = run_cql(text, schema, settings);
    SIM_CHECK(result.applied <= result.statements, "more statements applied than there are");
    SIM_CHECK(result.error.has_value() == (result.applied < result.statements), "stopped without a reason");
    if (result.error) SIM_CHECK(result.error->complaint.at.offset <= size, "an error behind the end of the text");
    for (const Keyspace& keyspace : schema.keyspaces) {
      if (keyspace.replication.empty()) continue;
      const std::string described = describe_keyspace(keyspace);
      Schema again;
      const ScriptResult second = run_cql(described, again, CqlSettings{});
      if (second.error) continue;  // types come in order of creation, but ALTER TYPE can turn their uses around
      SIM_CHECK(describe_keyspace(*again.find_keyspace(keyspace.name)) == described, "described twice, described differently");
    }
  }
  return 0;
}
