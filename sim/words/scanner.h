#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/words/source_text.h"

namespace windrow {

/// One `key = value` line.
struct ScannedEntry {
  std::string key{};
  std::string value{};
  Place key_place{};
  Place value_place{};
};

/// One `[name]` and the entries below it.
struct ScannedSection {
  std::string name{};
  Place place{};
  std::vector<ScannedEntry> entries{};
};

/// The part of a line that is no comment, without spaces around.
std::string_view without_comment(std::string_view line);

/// Reads INI text: `[section]`, `key = value`, `#` begins a comment at line start or after a space. LF or CRLF, a byte
/// order mark is skipped. A section or key that appears twice, an entry before the first section, control characters
/// and more than 1 MiB are mistakes (ScenarioError).
std::vector<ScannedSection> scan(const std::shared_ptr<const SourceText>& source);

}  // namespace windrow
