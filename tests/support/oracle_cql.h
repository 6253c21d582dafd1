#pragma once

#include <regex>
#include <string>
#include <string_view>

#include "evidence/recordings/pick.h"

namespace windrow::test {

/// Reads from a recording's CREATE TABLE or ALTER TABLE what decides about compaction. The harness writes these
/// statements itself, in one form.
inline void apply_oracle_cql(PickSettings& settings, std::string_view cql, bool allow_unsafe) {
  const std::string statement(cql);
  std::smatch found;
  if (std::regex_search(statement, found, std::regex(R"(gc_grace_seconds\s*=\s*(\d+))"))) {
    settings.gc_grace_s = std::stoll(found[1]);
  }
  if (std::regex_search(statement, found, std::regex(R"(min_index_interval\s*=\s*(\d+))"))) {
    settings.min_index_interval = std::stoll(found[1]);
  }
  if (!std::regex_search(statement, found, std::regex(R"(compaction\s*=\s*\{([^}]*)\})"))) return;
  const std::string map = found[1];
  settings.compaction.clear();
  const std::regex entry("'([^']*)'\\s*:\\s*'([^']*)'");
  for (std::sregex_iterator at(map.begin(), map.end(), entry), end; at != end; ++at) {
    settings.compaction[(*at)[1]] = (*at)[2];
  }
  settings.options = parse_compaction_options(settings.compaction, allow_unsafe);
}

}  // namespace windrow::test
