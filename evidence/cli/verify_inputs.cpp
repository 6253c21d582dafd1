#include "evidence/cli/verify_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "evidence/timelines/timeline_case.h"
#include "sim/cli/command.h"
#include "sim/cli/files.h"

namespace windrow {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 3;  // folders below a path that are looked into
constexpr std::array<std::string_view, 3> endings{"", ".xz", ".gz"};

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) paths.push_back(entry.path());
  if (failed) throw UserError(fmt::format("cannot read {}: {}", folder.string(), failed.message()));
  std::ranges::sort(paths);
  return paths;
}

/// Without `./`, `..` and a slash at the end: parents are real.
fs::path clean(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::canonical(path, failed);
  return failed ? path : whole;
}

RecordingFiles recording_of(const fs::path& trace) {
  const fs::path folder = clean(trace).parent_path();
  RecordingFiles files{.name = folder.filename().string(), .trace = trace, .scenario = {}};
  files.scenario = folder.parent_path().parent_path() / "scenarios" / (files.name + ".ini");
  if (!is_file(files.scenario)) {
    throw UserError(fmt::format("{}: there is no scenario {}; that of T/traces/NAME is T/scenarios/NAME.ini",
                                trace.string(), files.scenario.string()));
  }
  return files;
}

bool has_statements(const fs::path& folder) {
  return is_folder(folder) &&
         std::ranges::any_of(entries(folder), [](const fs::path& path) { return path.extension() == ".cql"; });
}

bool is_ddl(const fs::path& folder) {
  return has_statements(folder) || has_statements(folder / "accepted") || has_statements(folder / "rejected");
}

bool is_tools(const fs::path& folder) {
  return is_folder(folder / "tablehistograms") || is_folder(folder / "tablestats") ||
         is_folder(folder / "sstablemetadata") || is_file(folder / "compactionhistory.json");
}

/// The files that are a whole capture, and their names.
constexpr std::array<std::pair<std::string_view, CaptureFolder::Kind>, 4> capture_files{{
    {"cases.jsonl", CaptureFolder::Kind::cases},
    {"tokens.csv", CaptureFolder::Kind::tokens},
    {"recorded.jsonl", CaptureFolder::Kind::ddl},
    {"tools.jsonl", CaptureFolder::Kind::tools},
}};

/// The file's name without .json, plain or packed; nothing if it is called otherwise.
std::optional<std::string> json_stem(const fs::path& path) {
  const std::string name = path.filename().string();
  for (const std::string_view ending : endings) {
    const std::string whole = fmt::format(".json{}", ending);
    if (name.ends_with(whole)) return name.substr(0, name.size() - whole.size());
  }
  return std::nullopt;
}

bool is_ring(const fs::path& path) {
  const std::optional<std::string> stem = json_stem(path);
  if (!stem || !is_file(path)) return false;
  const std::size_t dash = stem->rfind('-');
  const bool numbered = dash != std::string::npos && dash + 1 < stem->size() &&
                        stem->find_first_not_of("0123456789", dash + 1) == std::string::npos;
  return numbered || read_text_file(path).find("\"num_tokens\"") != std::string::npos;
}

bool take_rings(const fs::path& folder, VerifyInputs& inputs) {
  const std::size_t before = inputs.captures.size();
  for (const fs::path& path : entries(folder)) {
    if (is_ring(path)) inputs.captures.push_back({.kind = CaptureFolder::Kind::ring, .path = path});
  }
  return inputs.captures.size() > before;
}

/// What the harness of the cluster writes: OUT/TIMELINE.jsonl.
bool is_timeline(const fs::path& path) {
  const std::string name = path.filename().string();
  const bool lines = std::ranges::any_of(
      endings, [&](std::string_view ending) { return name.ends_with(fmt::format(".jsonl{}", ending)); });
  return lines && is_file(path) && is_timeline_cases(read_text_file(path));
}

bool take_timelines(const fs::path& folder, VerifyInputs& inputs) {
  const std::size_t before = inputs.captures.size();
  for (const fs::path& path : entries(folder)) {
    if (is_timeline(path)) inputs.captures.push_back({.kind = CaptureFolder::Kind::cases, .path = path});
  }
  return inputs.captures.size() > before;
}

/// Takes what the folder itself is; false if it is only a folder of others.
bool take_folder(const fs::path& folder, VerifyInputs& inputs) {
  if (const auto trace = find_file(folder, "trace.jsonl")) {
    inputs.recordings.push_back(recording_of(*trace));
    return true;
  }
  for (const auto& [name, kind] : capture_files) {
    if (const auto file = find_file(folder, name)) {
      inputs.captures.push_back({.kind = kind, .path = *file});
      return true;
    }
  }
  if (is_file(folder / "commitlog.jsonl")) {
    inputs.captures.push_back({.kind = CaptureFolder::Kind::memtable, .path = folder});
    return true;
  }
  if (is_ddl(folder)) {
    inputs.captures.push_back({.kind = CaptureFolder::Kind::ddl, .path = folder});
    return true;
  }
  if (is_tools(folder)) {
    inputs.captures.push_back({.kind = CaptureFolder::Kind::tools, .path = folder});
    return true;
  }
  const bool timelines = take_timelines(folder, inputs);
  return take_rings(folder, inputs) || timelines;
}

void search(const fs::path& folder, int depth, VerifyInputs& inputs) {
  if (take_folder(folder, inputs) || depth == deepest) return;
  for (const fs::path& path : entries(folder)) {
    if (is_folder(path)) search(path, depth + 1, inputs);
  }
}

void take_file(const fs::path& path, VerifyInputs& inputs) {
  const std::string name = path.filename().string();
  const auto* capture =
      std::ranges::find_if(capture_files, [&](const auto& one) { return name.starts_with(one.first); });
  if (capture != capture_files.end()) {
    inputs.captures.push_back({.kind = capture->second, .path = path});
  } else if (is_timeline(path)) {
    inputs.captures.push_back({.kind = CaptureFolder::Kind::cases, .path = path});
  } else if (name.find(".jsonl") != std::string::npos) {
    inputs.recordings.push_back(recording_of(path));
  } else if (json_stem(path)) {
    inputs.captures.push_back({.kind = CaptureFolder::Kind::ring, .path = path});
  } else {
    throw UserError(fmt::format(
        "{}: is no recording; accepts trace.jsonl, cases.jsonl or a timeline of its harness, tokens.csv, the JSON of a "
        "ring, or a folder of them",
        path.string()));
  }
}

}  // namespace

std::optional<fs::path> find_file(const fs::path& folder, std::string_view name) {
  for (const std::string_view ending : endings) {
    fs::path path = folder / fmt::format("{}{}", name, ending);
    if (is_file(path)) return path;
  }
  return std::nullopt;
}

VerifyInputs find_verify_inputs(std::span<const std::string> paths) {
  VerifyInputs inputs;
  for (const std::string& text : paths) {
    const fs::path path(text);
    std::error_code failed;
    if (!fs::exists(path, failed)) {
      throw UserError(
          fmt::format("cannot read {}: {}", text, failed ? failed.message() : "there is no such file or folder"));
    }
    const std::size_t before = inputs.recordings.size() + inputs.captures.size();
    is_folder(path) ? search(path, 0, inputs) : take_file(path, inputs);
    if (inputs.recordings.size() + inputs.captures.size() == before) {
      throw UserError(
          fmt::format("{}: holds no recording; one is a folder with trace.jsonl, cases.jsonl, tokens.csv or the JSON "
                      "of rings (plain, .xz or .gz), or with a ddl, tools or memtable capture",
                      text));
    }
  }
  return inputs;
}

}  // namespace windrow
