#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace windrow {

struct RecordingFiles {
  std::string name{};
  std::filesystem::path trace{};
  std::filesystem::path scenario{};
};

struct CaptureFolder {
  enum class Kind { cases, tokens, ddl, tools, ring, memtable };
  Kind kind = Kind::cases;
  std::filesystem::path path{};  // a file for cases, tokens and ring; for ddl and tools a folder, or one file with
                                 // a line for each of its files
};

/// The file of this name in the folder, plain or packed.
std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder, std::string_view name);

struct VerifyInputs {
  std::vector<RecordingFiles> recordings{};
  std::vector<CaptureFolder> captures{};
};

/// What there is to verify at the paths, in their order and then by name: a trace (trace.jsonl, plain or .xz or .gz),
/// the folder of one, or folders above it; the captures' cases (of row sizes or of a cluster), tokens, ddl, tools
/// and memtable, or the folder above them. A capture of many files may be one: recorded.jsonl of ddl, tools.jsonl of
/// tools. Timelines of a cluster may be called otherwise, if they end in .jsonl. A recorded ring is a file of JSON that
/// has num_tokens, or is called NAME-NUMBER.json; a folder may hold several. The scenario of T/traces/NAME is
/// T/scenarios/NAME.ini. Throws UserError where there is nothing, or no scenario.
VerifyInputs find_verify_inputs(std::span<const std::string> paths);

}  // namespace windrow
