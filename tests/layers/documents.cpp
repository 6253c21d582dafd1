#include "tests/layers/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <utility>

namespace windrow {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  if (!line.starts_with("| ")) return cells;
  for (std::size_t from = 2, to = line.find(" |", from); to != std::string::npos; to = line.find(" |", from)) {
    cells.push_back(line.substr(from, to - from));
    from = std::min(to + 3, line.size());
  }
  return cells;
}

std::vector<std::string> in_backticks(const std::string& text) {
  static const std::regex quoted("`([^`]+)`");
  std::vector<std::string> found;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), quoted); at != std::sregex_iterator(); ++at) {
    found.push_back((*at)[1]);
  }
  return found;
}

bool is_path(const std::string& word) {
  static const std::regex path("(?:sim|evidence|tests|docs|tools|bench|scenarios|fuzz|plots|cmake)/[\\w./-]+");
  return std::regex_match(word, path);
}

/// "7" and "12" of "7.12".
std::pair<int, int> parts(const std::string& number) {
  const auto dot = number.find('.');
  return {std::stoi(number), dot == std::string::npos ? -1 : std::stoi(number.substr(dot + 1))};
}

/// The numbers of "1.3 to 1.5, 1.9": a range is written out.
std::vector<std::string> numbers_in(const std::string& list) {
  static const std::regex number(R"((to|–)?[\s/]*(\d+(?:\.\d+[a-d]?)?))");
  std::vector<std::string> numbers;
  for (auto at = std::sregex_iterator(list.begin(), list.end(), number); at != std::sregex_iterator(); ++at) {
    const std::string last = (*at)[2];
    if ((*at)[1].matched && !numbers.empty()) {
      const auto [section, first] = parts(numbers.back());
      const auto [last_section, end] = parts(last);
      for (int n = first + 1; n < end; ++n) numbers.push_back(fmt::format("{}.{}", section, n));
      for (int n = section + 1; first < 0 && n < last_section; ++n) numbers.push_back(std::to_string(n));
    }
    numbers.push_back(last);
  }
  return numbers;
}

void cite(Findings& findings, const SourceFile& file, std::size_t line, std::string_view paper,
          const std::string& numbers, const std::set<std::string>& rows) {
  for (const std::string& number : numbers_in(numbers)) {
    if (rows.contains(std::string(paper) + number)) continue;
    findings.push_back(fmt::format("{}:{}: {}rule {} has no row in docs/rules.md", file.path, line, paper, number));
  }
}

}  // namespace

std::vector<DocumentRow> document_rows(std::string_view text) {
  static const std::regex section(R"(## (Storage )?(\d+) .*)");
  static const std::regex numbered(R"((?:storage )?\d+(?:\.\d+[a-d]?)?)");
  std::vector<DocumentRow> rows;
  std::size_t number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    std::smatch match;
    if (std::regex_match(line, match, section)) {
      rows.push_back(
          {.line = number, .number = (match[1].matched ? "storage " : "") + match[2].str(), .names = {}, .files = {}});
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() < 2) continue;
    DocumentRow row{.line = number, .number = {}, .names = {}, .files = {}};
    if (std::regex_match(cells[0], numbered)) row.number = cells[0];
    for (const std::string& word : in_backticks(cells.back())) {
      if (is_path(word)) row.files.push_back(word);
    }
    if (row.number.empty() && row.files.empty()) continue;
    row.names = in_backticks(cells[row.number.empty() ? 0 : 1]);
    rows.push_back(std::move(row));
  }
  return rows;
}

Findings citation_findings(const SourceFile& file, const std::set<std::string>& numbers) {
  static const std::regex cited(
      R"(\b([Ss]torage[\s/#]+)?[Rr]ules?[\s/#]+(\d+(?:\.\d+[a-d]?)?)"
      R"((?:(?:,? ?and|,|[\s/]to|–)[\s/#]+\d+(?:\.\d+[a-d]?)?|–\d+(?:\.\d+[a-d]?)?)*)(?![\w%]))");
  static const std::regex decided(R"re(rule = "(\d+(?:\.\d+[a-d]?)?) )re");
  static const std::regex model_row(R"(^\| (\d+(?:\.\d+[a-d]?)?(?:(?:, |–)\d+\.\d+[a-d]?)*) \|)");
  Findings findings;
  if (file.text.find("ule") == std::string::npos) return findings;
  const auto line_at = [&](std::ptrdiff_t place) {
    return static_cast<std::size_t>(std::count(file.text.begin(), file.text.begin() + place, '\n')) + 1;
  };
  for (auto at = std::sregex_iterator(file.text.begin(), file.text.end(), cited); at != std::sregex_iterator(); ++at) {
    cite(findings, file, line_at(at->position()), (*at)[1].matched ? "storage " : "", (*at)[2], numbers);
  }
  std::size_t number = 0;
  for (const std::string& line : lines_of(file.text)) {
    ++number;
    std::smatch match;
    if (std::regex_search(line, match, decided) ||
        (file.path == "docs/model.md" && std::regex_search(line, match, model_row))) {
      cite(findings, file, number, "", match[1], numbers);
    }
  }
  return findings;
}

Findings row_findings(const std::string& path, const std::vector<DocumentRow>& rows,
                      const std::function<std::string(const std::string&)>& read) {
  static const std::regex part(R"(\w+)");
  Findings findings;
  for (const DocumentRow& row : rows) {
    if (row.files.empty()) continue;
    for (const std::string& name : row.names) {
      const bool found = std::ranges::any_of(row.files, [&](const std::string& file) {
        const std::string text = read(file);
        for (auto at = std::sregex_iterator(name.begin(), name.end(), part); at != std::sregex_iterator(); ++at) {
          if (text.find(at->str()) == std::string::npos) return false;
        }
        return true;
      });
      if (found) continue;
      findings.push_back(fmt::format("{}:{}: {} does not name {} in a comment: who greps for it finds nothing", path,
                                     row.line, row.files.front(), name));
    }
  }
  return findings;
}

Findings path_findings(const SourceFile& file, const std::function<bool(const std::string&)>& exists) {
  static const std::regex link(R"(\]\(([^)#:]+)(?:#[^)]*)?\))");
  Findings findings;
  const std::string folder = file.path.substr(0, file.path.rfind('/') + 1);
  std::size_t number = 0;
  for (const std::string& line : lines_of(file.text)) {
    ++number;
    std::vector<std::string> paths;
    for (const std::string& quoted : in_backticks(line)) {
      std::istringstream words(quoted);
      for (std::string word; words >> word;) {
        if (is_path(word)) paths.push_back(word);
      }
    }
    for (auto at = std::sregex_iterator(line.begin(), line.end(), link); at != std::sregex_iterator(); ++at) {
      paths.push_back(folder + (*at)[1].str());
    }
    for (const std::string& path : paths) {
      if (exists(path)) continue;
      findings.push_back(fmt::format("{}:{}: {} does not exist", file.path, number, path));
    }
  }
  return findings;
}

}  // namespace windrow
