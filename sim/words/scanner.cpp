#include "sim/words/scanner.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "sim/base/units.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

constexpr Bytes longest_text = MiB(1);

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// A comment begins with `#` at the start of a line or after a space, not within quotes of CQL.
std::string_view cut_comment(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote != 0) {
      if (line[i] == quote) quote = 0;
    } else if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
      return line.substr(0, i);
    } else if (line[i] == '\'' || line[i] == '"') {
      const std::size_t closing = line.find(line[i], i + 1);
      if (closing != std::string_view::npos) quote = line[i];
    }
  }
  return line;
}

// The `=` that ends a key; a quoted column name may contain one.
std::size_t find_equals(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == '=' && !quoted) return i;
  }
  return line.find('=');
}

class Scanner {
 public:
  explicit Scanner(std::shared_ptr<const SourceText> source) : source_(std::move(source)) {}

  std::vector<ScannedSection> run() {
    if (static_cast<Bytes>(source_->text.size()) > longest_text) {
      throw ScenarioError(
          {.place = {.source = source_}, .problem = "is longer than a scenario may be", .accepted = "at most 1 MiB"});
    }
    std::string_view rest = source_->text;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    while (!rest.empty()) {
      ++line_;
      const std::size_t end = rest.find('\n');
      whole_ = rest.substr(0, end);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      if (whole_.ends_with('\r')) whole_.remove_suffix(1);
      refuse_control_characters();
      const std::string_view content = without_comment(whole_);
      if (content.empty()) continue;
      if (content.front() == '[') {
        begin_section(content);
      } else {
        add_entry(content);
      }
    }
    return std::move(sections_);
  }

 private:
  Place place(std::string_view part) const {
    const auto begin = static_cast<std::size_t>(part.data() - whole_.data());
    return {.source = source_,
            .line = line_,
            .column = count_characters(whole_.substr(0, begin)) + 1,
            .length = std::max(1, count_characters(part))};
  }

  void refuse_control_characters() const {
    for (std::size_t i = 0; i < whole_.size(); ++i) {
      const auto byte = static_cast<unsigned char>(whole_[i]);
      if ((byte < 0x20 && byte != '\t') || byte == 0x7F) {
        throw ScenarioError({.place = place(whole_.substr(i, 1)),
                             .problem = fmt::format("a control character (0x{:02X}) stands here", byte),
                             .accepted = "printable text in UTF-8"});
      }
    }
  }

  void begin_section(std::string_view content) {
    if (content.back() != ']') {
      throw ScenarioError({.place = place(content),
                           .problem = "the section's name has no closing `]`",
                           .accepted = "[section] or [section.name] on a line of its own"});
    }
    const std::string_view name = trim(content.substr(1, content.size() - 2));
    if (name.empty()) {
      throw ScenarioError(
          {.place = place(content), .problem = "a section without a name", .accepted = "[section] or [section.name]"});
    }
    const auto [known, fresh] = seen_sections_.emplace(name, line_);
    if (!fresh) {
      throw ScenarioError(
          {.place = place(content),
           .problem = fmt::format("section [{}] appears twice", name),
           .accepted = "each section once",
           .note = fmt::format("the first one is at {}:{}", shown_in_place(source_->name), known->second)});
    }
    seen_keys_.clear();
    sections_.push_back({.name = std::string(name), .place = place(content), .entries = {}});
  }

  void add_entry(std::string_view content) {
    const std::size_t equals = find_equals(content);
    if (equals == std::string_view::npos) {
      throw ScenarioError({.place = place(content),
                           .problem = "this line is neither a section nor `key = value`",
                           .accepted = "[section], key = value, or a # comment"});
    }
    const std::string_view key = trim(content.substr(0, equals));
    const std::string_view value = trim(content.substr(equals + 1));
    if (key.empty())
      throw ScenarioError({.place = place(content), .problem = "no key before `=`", .accepted = "key = value"});
    if (sections_.empty()) {
      throw ScenarioError({.place = place(key),
                           .key = std::string(key),
                           .problem = "stands before the first section",
                           .accepted = "a [section] first"});
    }
    const std::string full = sections_.back().name + "." + std::string(key);
    if (value.empty()) {
      throw ScenarioError({.place = place(content),
                           .key = full,
                           .problem = "has no value",
                           .accepted = "key = value; leave the line out for the default"});
    }
    const auto [known, fresh] = seen_keys_.emplace(key, place(key));
    if (!fresh) {
      throw ScenarioError({.place = place(key),
                           .key = full,
                           .problem = "appears twice",
                           .accepted = "each key once in a section",
                           .note = fmt::format("the first one is at {}:{}:{}", shown_in_place(source_->name),
                                               known->second.line, known->second.column)});
    }
    sections_.back().entries.push_back(
        {.key = std::string(key), .value = std::string(value), .key_place = place(key), .value_place = place(value)});
  }

  std::shared_ptr<const SourceText> source_{};
  std::string_view whole_{};
  int line_ = 0;
  std::vector<ScannedSection> sections_{};
  std::map<std::string, int, std::less<>> seen_sections_{};
  std::map<std::string, Place, std::less<>> seen_keys_{};
};

}  // namespace

std::string_view without_comment(std::string_view line) { return trim(cut_comment(line)); }

std::vector<ScannedSection> scan(const std::shared_ptr<const SourceText>& source) { return Scanner(source).run(); }

}  // namespace windrow
