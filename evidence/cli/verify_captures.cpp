#include "evidence/cli/verify_captures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "evidence/agreement/timeline_result.h"
#include "evidence/captures/capture_ddl.h"
#include "evidence/captures/capture_memtable.h"
#include "evidence/captures/capture_rings.h"
#include "evidence/captures/capture_sizes.h"
#include "evidence/captures/capture_tokens.h"
#include "evidence/captures/capture_tools.h"
#include "evidence/recordings/recording_check_state.h"
#include "evidence/timelines/timeline_case.h"
#include "evidence/timelines/timeline_ring.h"
#include "sim/cli/command.h"
#include "sim/cli/files.h"

namespace windrow {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
    if (entry.is_regular_file(ignored)) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

CaptureResult row_sizes(const std::string& text) {
  CaptureSizesResult sizes = verify_capture_sizes(text);
  return {.name = "row_sizes",
          .cases = sizes.cases,
          .agreeing = sizes.agreeing,
          .note = fmt::format("{} numbers", grouped(sizes.numbers)),
          .disagreements = std::move(sizes.disagreements)};
}

/// The ring that cases were recorded on lies beside them, or beside their folder; else it is the harness's.
TimelineRing ring_of_cases(const fs::path& cases) {
  const fs::path folder = fs::absolute(cases).parent_path();
  for (const fs::path& place : {folder, folder / "tokens", folder.parent_path() / "tokens"}) {
    const auto file = find_file(place, "tokens-4.json");
    if (!file) continue;
    try {
      return parse_timeline_ring(read_text_file(*file));
    } catch (const std::exception& error) {
      throw UserError(fmt::format("{}: {}", file->string(), error.what()));
    }
  }
  return harness_ring();
}

CaptureResult timelines(const fs::path& path, const std::string& text) {
  const TimelineRing ring = ring_of_cases(path);
  try {
    std::vector<TimelineResult> results;
    for (const TimelineCase& one : parse_timeline_cases(text)) results.push_back(check_timeline(one, ring));
    return timeline_result(results);
  } catch (const TimelineError& error) {
    throw UserError(fmt::format("{}:{}: {}", path.string(), error.line, error.what()));
  }
}

/// cases.jsonl are rows and their bytes, or what was done to a cluster.
CaptureResult cases(const fs::path& path) {
  const std::string text = read_text_file(path);
  return is_timeline_cases(text) ? timelines(path, text) : row_sizes(text);
}

CaptureResult tokens(const fs::path& path) {
  CaptureTokensResult keys = verify_capture_tokens(read_text_file(path));
  return {.name = "tokens",
          .cases = keys.keys,
          .agreeing = keys.agreeing,
          .note = {},
          .disagreements = std::move(keys.disagreements)};
}

void add_ddl(CaptureResult& result, const std::string& name, const std::string& cql, const std::string& verdict) {
  Disagreements found = verify_capture_ddl(name, cql, verdict);
  ++result.cases;
  if (found.empty()) ++result.agreeing;
  result.disagreements.insert(result.disagreements.end(), found.begin(), found.end());
}

/// Calls `each` with every line's JSON.
template <typename Each>
void each_line(const fs::path& path, const Each& each) {
  std::istringstream lines(read_text_file(path));
  for (std::string line; std::getline(lines, line);) each(nlohmann::json::parse(line));
}

CaptureResult ddl(const fs::path& folder) {
  CaptureResult result{.name = "ddl", .cases = 0, .agreeing = 0, .note = {}, .disagreements = {}};
  if (!fs::is_directory(folder)) {
    each_line(folder, [&](const nlohmann::json& line) {
      add_ddl(result, line.at("name"), line.at("cql"), line.at("recorded").dump());
    });
    return result;
  }
  for (const fs::path& path : files_below(folder)) {
    if (path.extension() != ".cql") continue;
    const fs::path verdict = fs::path(path).replace_extension(".json");
    const std::string name = path.lexically_relative(folder).replace_extension().string();
    add_ddl(result, name, read_text_file(path), read_text_file(verdict));
  }
  return result;
}

CaptureResult tools(const fs::path& folder) {
  std::map<std::string, std::string> files;
  if (!fs::is_directory(folder)) {
    each_line(folder, [&](const nlohmann::json& line) { files[line.at("path")] = line.at("text"); });
  } else {
    for (const fs::path& path : files_below(folder)) {
      fs::path name = path.lexically_relative(folder);
      if (name.extension() == ".xz" || name.extension() == ".gz") name.replace_extension();
      files[name.string()] = read_text_file(path);
    }
  }
  CaptureToolsResult texts = verify_capture_tools(files);
  return {.name = "tools",
          .cases = texts.texts,
          .agreeing = texts.agreeing,
          .note = {},
          .disagreements = std::move(texts.disagreements)};
}

CaptureResult ring(const CaptureFolder& folder) {
  const std::string name = capture_name(folder);
  try {
    CaptureRingResult found = verify_capture_ring(name, parse_recorded_ring(read_text_file(folder.path)));
    return {.name = name,
            .cases = found.cases,
            .agreeing = found.agreeing,
            .note = fmt::format("{} tokens, {} percentages, {} lines, {} ranges", grouped(found.tokens),
                                grouped(found.percentages), grouped(found.lines), grouped(found.ranges)),
            .disagreements = std::move(found.disagreements)};
  } catch (const RecordedRingError& error) {
    throw UserError(fmt::format("{}: {}", folder.path.string(), error.what()));
  }
}

CaptureResult memtable(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const fs::path& path : files_below(folder)) files[path.filename().string()] = read_text_file(path);
  CaptureMemtableResult shapes = verify_capture_memtable(files);
  std::string note = fmt::format("memory within {:.2f} %, commit log within {:.2f} %", 100 * shapes.most_memory,
                                 100 * shapes.most_logged);
  if (shapes.flushes > 0) note += fmt::format(", rows of flushes within {:.2f} %", 100 * shapes.most_flushed);
  if (!shapes.assumed.empty())
    note += fmt::format(", 12 bytes assumed for each value of {} columns of unknown length ({}{})",
                        shapes.assumed.size(), shapes.assumed.front(), shapes.assumed.size() > 1 ? ", ..." : "");
  return {.name = "memtable",
          .cases = shapes.cases,
          .agreeing = shapes.agreeing,
          .note = std::move(note),
          .disagreements = std::move(shapes.disagreements)};
}

}  // namespace

std::string capture_name(const CaptureFolder& folder) {
  switch (folder.kind) {
    case CaptureFolder::Kind::cases:
      return "cases";
    case CaptureFolder::Kind::tokens:
      return "tokens";
    case CaptureFolder::Kind::ddl:
      return "ddl";
    case CaptureFolder::Kind::tools:
      return "tools";
    case CaptureFolder::Kind::ring: {
      const std::string file = folder.path.filename().string();
      return "ring " + file.substr(0, file.find(".json"));
    }
    case CaptureFolder::Kind::memtable:
      return "memtable";
  }
  return {};
}

CaptureResult verify_capture(const CaptureFolder& folder) {
  switch (folder.kind) {
    case CaptureFolder::Kind::cases:
      return cases(folder.path);
    case CaptureFolder::Kind::tokens:
      return tokens(folder.path);
    case CaptureFolder::Kind::ddl:
      return ddl(folder.path);
    case CaptureFolder::Kind::tools:
      return tools(folder.path);
    case CaptureFolder::Kind::ring:
      return ring(folder);
    case CaptureFolder::Kind::memtable:
      return memtable(folder.path);
  }
  return {};
}

}  // namespace windrow
