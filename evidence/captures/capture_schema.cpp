#include "evidence/captures/capture_schema.h"

#include <stdexcept>
#include <string>

#include "sim/cql/script.h"

namespace windrow {

Table captured_table(const nlohmann::json& recording) {
  std::string script;
  for (const auto& type : recording.at("types")) script += type.get<std::string>() + ";\n";
  script += recording.at("ddl").get<std::string>() + ";\n";
  const Schema schema = read_schema(script);
  for (const Keyspace& keyspace : schema.keyspaces) {
    if (!keyspace.tables.empty()) return keyspace.tables.front();
  }
  throw std::runtime_error("a recording creates no table: " + script);
}

}  // namespace windrow
