#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

#include "sim/resolve/load_scenario.h"
#include "tests/ring/given_rings.h"

namespace windrow::test {

/// The recorded ring of six nodes as `tokens = ring.csv` takes it.
inline std::string six_nodes_csv() {
  std::string csv = "dc,node,rack,token\n";
  const TokenRing ring = six_nodes_16();
  for (const OwnedToken& owned : ring.tokens()) csv += fmt::format("main,{},rack1,{}\n", owned.node + 1, owned.token);
  return csv;
}

inline const std::string day_tables =
    "CREATE TABLE readings (device text, day text, at timestamp, value double, PRIMARY KEY ((device, day), at));"
    "CREATE TABLE sharded (device text, day text, shard int, at timestamp, value double, PRIMARY KEY ((device, day, "
    "shard), at));"
    "CREATE TABLE hourly (device text, hour text, at timestamp, value double, PRIMARY KEY ((device, hour), at));"
    "CREATE TABLE unbucketed (device text, at timestamp, value double, PRIMARY KEY ((device), at));";

/// A scenario from its text; t.cql has the tables above, ring.csv the recorded ring.
inline LoadedScenario cluster(const std::string& ini, std::map<std::string, std::string> more = {}) {
  more.emplace("t.cql", day_tables);
  more.emplace("ring.csv", six_nodes_csv());
  return load_scenario("cluster.ini", ini, {}, [more](const std::string& name) -> std::optional<std::string> {
    const auto found = more.find(name);
    return found == more.end() ? std::nullopt : std::optional(found->second);
  });
}

}  // namespace windrow::test
