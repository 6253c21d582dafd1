#include "tests/layers/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <regex>
#include <sstream>

namespace windrow {
namespace {

constexpr std::string_view program_layer = "cli";  // the program itself: above all layers, may see everything

/// Of a text in UTF-8.
std::ptrdiff_t characters(std::string_view line) {
  return std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

std::string without_comment(const std::string& line) { return line.substr(0, line.find("//")); }

void report(Findings& findings, const SourceFile& file, std::size_t line, std::string_view what) {
  findings.push_back(fmt::format("{}:{}: {}", file.path, line, what));
}

/// The layer whose folder holds the file, or nothing outside sim/ and evidence/.
std::string layer_of(const std::string& path) {
  for (const std::string_view root : {"sim/", "evidence/"}) {
    if (path.starts_with(root)) return path.substr(root.size(), path.find('/', root.size()) - root.size());
  }
  return {};
}

struct LibraryHeader {
  std::string_view prefix{};
  std::string_view target{};
};
// The first prefix that fits decides; a target may be named by its beginning.
constexpr std::array library_headers{
    LibraryHeader{"boost/program_options", "Boost::program_options"},
    LibraryHeader{"boost/", "Boost::"},
    LibraryHeader{"nlohmann/", "nlohmann_json::nlohmann_json"},
    LibraryHeader{"Eigen/", "Eigen3::Eigen"},
    LibraryHeader{"libfccp/", "windrow_csv"},
    LibraryHeader{"tbb/", "TBB::tbb"},
    LibraryHeader{"oneapi/", "TBB::tbb"},
    LibraryHeader{"lzma.h", "LibLZMA::LibLZMA"},
    LibraryHeader{"zlib.h", "ZLIB::ZLIB"},
};

struct Banned {
  std::string_view pattern{};
  std::string_view instead{};
  bool program_may = false;
};

constexpr std::array banned_headers{
    Banned{"filesystem|fstream|fmt/os\\.h", "opens files; take text, or a read(name) function", true},
    Banned{"thread|future|mutex|shared_mutex|condition_variable|stop_token|semaphore|latch|barrier",
           "starts threads; return values and let sim/cli run them side by side", true},
    Banned{"iostream", "prints; return the text", true},
};

constexpr std::string_view no_clock = "asks the machine's clock; take the simulated `now` as an argument";
constexpr std::string_view no_luck =
    "differs by machine or library; draw from a seeded stream, with a distribution of our own";
constexpr std::string_view no_file = "opens files; take text, or a read(name) function";

// A name as it stands in code; a star stands for any beginning.
constexpr std::array banned_names{
    Banned{"system_clock", no_clock, true},
    Banned{"steady_clock", no_clock, true},
    Banned{"high_resolution_clock", no_clock, true},
    Banned{"clock_gettime", no_clock, true},
    Banned{"gettimeofday", no_clock, true},
    Banned{"localtime", no_clock, true},
    Banned{"gmtime", no_clock, true},
    Banned{"rand", no_luck, false},
    Banned{"srand", no_luck, false},
    Banned{"random_shuffle", no_luck, false},
    Banned{"random_device", no_luck, false},
    Banned{"std::*_distribution", no_luck, false},
    Banned{"std::hash", "differs by library; use the hashes of sim/stats", false},
    Banned{"getenv", "depends on the machine; make it an option of the program", true},
    Banned{"fopen", no_file, true},
    Banned{"popen", no_file, true},
};

std::regex as_regex(std::string_view pattern) { return std::regex(std::string(pattern), std::regex::optimize); }

void check_layer_include(Findings& findings, const SourceFile& file, std::size_t line, const std::string& included,
                         const LayerTable& table) {
  const std::string layer = layer_of(file.path);
  const std::string other = layer_of(included);
  if (other.empty()) {
    report(findings, file, line,
           fmt::format("\"{}\" is not a path from the root such as \"sim/base/units.h\"", included));
  } else if (other != layer && !table.lower.at(layer).contains(other)) {
    report(
        findings, file, line,
        fmt::format("{} may not include {} (CMakeLists.txt); what both need belongs in a lower layer", layer, other));
  }
}

void check_library_include(Findings& findings, const SourceFile& file, std::size_t line, const std::string& included,
                           const LayerTable& table) {
  const std::string layer = layer_of(file.path);
  const auto* library =
      std::ranges::find_if(library_headers, [&](const auto& l) { return included.starts_with(l.prefix); });
  if (library != library_headers.end()) {
    const auto used = table.libraries.find(layer);
    const auto fits = [&](const std::string& target) { return target.starts_with(library->target); };
    if (used == table.libraries.end() || std::ranges::none_of(used->second, fits)) {
      report(
          findings, file, line,
          fmt::format("<{}>: CMakeLists.txt does not give {} to {} (windrow_uses)", included, library->target, layer));
    }
  }
  for (const Banned& banned : banned_headers) {
    if (std::regex_match(included, as_regex(banned.pattern))) {
      report(findings, file, line, fmt::format("<{}> {}", included, banned.instead));
    }
  }
}

/// Every name of a line with its qualification: `std::hash<Key>(key)` gives std::hash, Key and key.
std::vector<std::string_view> names_in(std::string_view line) {
  const auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'; };
  std::vector<std::string_view> names;
  for (auto at = line.begin(); at != line.end();) {
    const auto from = std::find_if(at, line.end(), belongs);
    at = std::find_if_not(from, line.end(), belongs);
    if (from != at) names.emplace_back(from, at);
  }
  return names;
}

/// Whether the pattern is the name, one of its parts, or with a star its two ends.
bool is_named(std::string_view name, std::string_view pattern) {
  const auto star = pattern.find('*');
  if (star != std::string_view::npos) {
    return name.starts_with(pattern.substr(0, star)) && name.ends_with(pattern.substr(star + 1));
  }
  for (auto at = name.find(pattern); at != std::string_view::npos; at = name.find(pattern, at + 1)) {
    const auto end = at + pattern.size();
    if ((at == 0 || name[at - 1] == ':') && (end == name.size() || name[end] == ':')) return true;
  }
  return false;
}

/// Names of unordered containers declared in these lines.
std::set<std::string> unordered_names(const std::vector<std::string>& lines) {
  static const std::regex declaration(R"(\bunordered_(?:multi)?(?:map|set)<.*>\s*[&*]?\s*(\w+)\s*(?:[;{=,)]|$))");
  std::set<std::string> names;
  for (const std::string& line : lines) {
    std::smatch match;
    if (line.find("unordered_") == std::string::npos) continue;
    const std::string code = without_comment(line);
    if (std::regex_search(code, match, declaration)) names.insert(match[1]);
  }
  return names;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

LayerTable layer_table(std::string_view cmake_text) {
  static const std::regex row(R"(^\s*windrow_(layer|uses)\(\s*(\w+)\s*([^)]*)\))");
  LayerTable table;
  std::size_t number = 0;
  for (const std::string& line : lines_of(cmake_text)) {
    ++number;
    std::smatch match;
    if (!std::regex_search(line, match, row)) continue;
    std::istringstream rest(match[3]);
    const bool is_layer = match[1] == "layer";
    auto& named = (is_layer ? table.lower : table.libraries)[match[2]];
    for (std::string word; rest >> word;) {
      named.insert(word);
      if (is_layer && !table.lower.contains(word)) {
        table.mistakes.push_back(fmt::format("CMakeLists.txt:{}: {} is named before its own row", number, word));
      }
    }
  }
  return table;
}

Findings include_findings(const SourceFile& file, const LayerTable& table) {
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  Findings findings;
  const std::string layer = layer_of(file.path);
  if (layer.empty() || layer == program_layer) return findings;
  if (!table.lower.contains(layer)) {
    report(findings, file, 1, fmt::format("{} has no row windrow_layer({} ...) in CMakeLists.txt", layer, layer));
    return findings;
  }
  std::size_t number = 0;
  for (const std::string& line : lines_of(file.text)) {
    ++number;
    std::smatch match;
    if (!line.starts_with('#') || !std::regex_search(line, match, include)) continue;
    if (match[1] == "\"") {
      check_layer_include(findings, file, number, match[2], table);
    } else {
      check_library_include(findings, file, number, match[2], table);
    }
  }
  return findings;
}

Findings unused_findings(const std::vector<SourceFile>& files, const LayerTable& table) {
  static const std::regex include(R"re(#include "(?:sim|evidence)/(\w+)/)re");
  std::map<std::string, std::set<std::string>> unused = table.lower;
  for (const SourceFile& file : files) {
    const std::string layer = layer_of(file.path);
    if (!unused.contains(layer)) continue;
    for (auto found = std::sregex_iterator(file.text.begin(), file.text.end(), include);
         found != std::sregex_iterator(); ++found) {
      unused.at(layer).erase((*found)[1]);
    }
  }
  Findings findings;
  for (const auto& [layer, lower] : unused) {
    for (const std::string& name : lower)
      findings.push_back(
          fmt::format("CMakeLists.txt: {} may include {} and does not; take it out of the row", layer, name));
  }
  return findings;
}

Findings word_findings(const SourceFile& file, std::string_view header) {
  static const std::regex loop(R"(\bfor\s*\(.*[^:]:\s*\*?(?:\w+(?:\.|->))*(\w+)\s*\))");
  Findings findings;
  const std::string layer = layer_of(file.path);
  if (layer.empty()) return findings;
  const std::vector<std::string> lines = lines_of(file.text);
  std::set<std::string> unordered = unordered_names(lines);
  unordered.merge(unordered_names(lines_of(header)));
  std::size_t number = 0;
  for (const std::string& line : lines) {
    ++number;
    const std::string code = without_comment(line);
    std::smatch match;
    for (const std::string_view name : names_in(code)) {
      const auto* banned =
          std::ranges::find_if(banned_names, [&](const Banned& b) { return is_named(name, b.pattern); });
      if (banned == banned_names.end() || (banned->program_may && layer == program_layer)) continue;
      report(findings, file, number, fmt::format("`{}` {}", name, banned->instead));
    }
    if (!unordered.empty() && std::regex_search(code, match, loop) && unordered.contains(match[1])) {
      report(findings, file, number,
             fmt::format("a loop over the unordered `{}` has no stated order; use std::map, or sort first",
                         match[1].str()));
    }
  }
  return findings;
}

Findings form_findings(const SourceFile& file, int lines_max, int columns_max) {
  // In pieces, so that this file does not name what it looks for.
  static constexpr std::array<std::string_view, 7> unfinished{
      "TO"
      "DO",
      "FIX"
      "ME",
      "XX"
      "X",
      "HA"
      "CK",
      "doctest::sk"
      "ip",
      "doctest::may_"
      "fail",
      "doctest::should_"
      "fail"};
  Findings findings;
  const bool cpp = file.path.ends_with(".h") || file.path.ends_with(".cpp");
  const std::vector<std::string> lines = lines_of(file.text);
  if (file.path.ends_with(".h") && (lines.empty() || lines.front() != "#pragma once")) {
    report(findings, file, 1, "a header begins with #pragma once");
  }
  std::size_t number = 0;
  for (const std::string& line : lines) {
    ++number;
    for (const std::string_view name : names_in(line)) {
      if (std::ranges::none_of(unfinished, [&](std::string_view word) { return is_named(name, word); })) continue;
      report(findings, file, number, fmt::format("`{}`: finish it, or take it out and say so", name));
    }
    if (line.find_first_not_of(' ') == line.find("rc::check(") && line.find("rc::check(") != std::string::npos) {
      report(findings, file, number, "nobody looks at what rc::check found: CHECK(rc::check(…))");
    }
    if (cpp && characters(line) > columns_max) {
      report(findings, file, number, fmt::format("{} columns, {} at most", characters(line), columns_max));
    }
  }
  if (std::ssize(lines) > lines_max) {
    report(findings, file, lines.size(), fmt::format("more than {} lines: one idea a file", lines_max));
  }
  return findings;
}

Findings type_findings(const std::vector<SourceFile>& files) {
  static const std::regex definition(
      R"(^(?:struct|class|enum class|enum) ([A-Z]\w*)\b(?!.*;\s*$)|^using ([A-Z]\w*) =)");
  std::map<std::string, std::string> defined_in;
  Findings findings;
  for (const SourceFile& file : files) {
    if (layer_of(file.path).empty()) continue;
    bool unnamed = false;
    std::size_t number = 0;
    for (const std::string& line : lines_of(file.text)) {
      ++number;
      if (line == "namespace {") unnamed = true;
      if (line.starts_with("}  // namespace")) unnamed = false;
      std::smatch match;
      // One-line definitions end with a semicolon, and so do declarations: only these have no brace.
      const std::string code = line.find('{') == std::string::npos ? line : line.substr(0, line.find('{') + 1);
      if (unnamed || !std::regex_search(code, match, definition)) continue;
      const std::string name = match[1].matched ? match[1] : match[2];
      const auto [other, fresh] = defined_in.emplace(name, file.path);
      if (!fresh && other->second != file.path) {
        report(findings, file, number,
               fmt::format("{} is also defined in {}; give one another name, or keep it to its file in namespace {{",
                           name, other->second));
      }
    }
  }
  return findings;
}

Findings machine_findings(const SourceFile& file) {
  static constexpr std::array<std::string_view, 4> folders{
      "/wo"
      "rk/",
      "/ro"
      "ot/",
      "/ho"
      "me/",
      "/t"
      "mp/"};
  static const std::regex host(R"(https?://(?:[^/@\s"']*@)?([A-Za-z0-9.-]+))");
  static const std::regex registry(
      "regis"
      "try|arti"
      "fact|mir"
      "ror|pro"
      "xy|ne"
      "xus|pk"
      "g\\.dev|^\\d+\\.|^local"
      "host");
  static const std::set<std::string> everybodys{"registry.npmjs.org"};
  Findings findings;
  std::size_t number = 0;
  for (const std::string& line : lines_of(file.text)) {
    ++number;
    for (const std::string_view folder : folders) {
      for (std::size_t at = line.find(folder); at != std::string::npos; at = line.find(folder, at + 1)) {
        const char before = at == 0 ? ' ' : line[at - 1];
        if (std::isalnum(static_cast<unsigned char>(before)) != 0 ||
            std::string_view("._-}*").find(before) != std::string_view::npos)
          continue;
        report(findings, file, number,
               fmt::format("{}… is a path of one machine; say it from the root of the repository", folder));
      }
    }
    if (line.find("://") == std::string::npos) continue;
    std::smatch match;
    if (std::regex_search(line, match, host) && std::regex_search(match[1].str(), registry) &&
        !everybodys.contains(match[1])) {
      report(findings, file, number,
             fmt::format("{} is a package registry of one machine; name the public one", match[1].str()));
    }
  }
  return findings;
}

}  // namespace windrow
