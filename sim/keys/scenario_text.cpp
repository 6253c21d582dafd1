#include "sim/keys/scenario_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/keys/read_section.h"
#include "sim/words/scanner.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

// A section of the file, or of --set, before it is known what its keys mean.
struct Raw {
  const SectionInfo* info = nullptr;
  std::string name{};
  Place place{};
  RawSection section{};
};

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const SectionInfo& section : all_sections()) names.push_back(section.kind);
  return names;
}

const SectionInfo& find_kind(std::string_view kind, const std::string& full, const Place& place) {
  const auto found = std::ranges::find(all_sections(), kind, &SectionInfo::kind);
  if (found != all_sections().end()) return *found;
  std::string accepted;
  for (const SectionInfo& section : all_sections()) accepted += (accepted.empty() ? "" : ", ") + section.heading;
  throw ScenarioError({.place = place,
                       .value = full,
                       .problem = "is no section",
                       .accepted = accepted,
                       .nearest = std::string(nearest_name(kind, kinds()))});
}

bool is_instance_name(std::string_view name, bool of_the_schema) {
  const auto good = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           (of_the_schema && c >= 'A' && c <= 'Z');
  };
  return !name.empty() && std::ranges::all_of(name, good);
}

void check_name(const SectionInfo& info, const std::string& name, bool has_name, const Place& place) {
  const bool table = info.kind == "table" || info.kind == "limits";
  const bool center = info.kind == "dc";
  if (info.naming == SectionInfo::Naming::single && has_name) {
    throw ScenarioError({.place = place,
                         .value = info.kind + "." + name,
                         .problem = "has a name, but there is one such section only",
                         .accepted = info.heading});
  }
  if (info.naming == SectionInfo::Naming::named && !has_name) {
    throw ScenarioError({.place = place, .value = info.kind, .problem = "needs a name", .accepted = info.heading});
  }
  if (has_name && name.empty()) {
    throw ScenarioError({.place = place, .value = info.kind, .problem = "needs a name", .accepted = info.heading});
  }
  if (has_name && !is_instance_name(name, table || center)) {
    throw ScenarioError({.place = place,
                         .value = name,
                         .problem = "is no name of a section",
                         .accepted = table    ? "a table's name: letters, digits, _ and -"
                                     : center ? "a data centre's name: letters, digits, _ and -"
                                              : "a-z, 0-9, _ and -"});
  }
}

bool has_control_character(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

class RawScenario {
 public:
  void add_file(const std::shared_ptr<const SourceText>& source) {
    for (ScannedSection& scanned : scan(source)) {
      const std::size_t dot = scanned.name.find('.');
      const SectionInfo& info = find_kind(std::string_view(scanned.name).substr(0, dot), scanned.name, scanned.place);
      const std::string name = dot == std::string::npos ? std::string() : scanned.name.substr(dot + 1);
      check_name(info, name, dot != std::string::npos, scanned.place);
      sections_.push_back({.info = &info,
                           .name = name,
                           .place = scanned.place,
                           .section = {.full_name = scanned.name,
                                       .place = scanned.place,
                                       .assigned = {},
                                       .written = std::move(scanned.entries)}});
    }
  }

  // `#? question`, and below it `#key =` as `windrow new` leaves it: nobody has said yet what to run.
  void refuse_open_questions(const std::shared_ptr<const SourceText>& source) const {
    std::string open;
    Place first;
    const int lines = 1 + static_cast<int>(std::ranges::count(source->text, '\n'));
    for (int line = 1; line < lines; ++line) {
      const std::string_view answer = source->line(line + 1);
      const std::size_t equals = answer.find('=');
      const bool unanswered = source->line(line).starts_with("#?") && answer.starts_with("#") &&
                              equals != std::string_view::npos &&
                              answer.find_first_not_of(" \t\r", equals + 1) == std::string_view::npos;
      if (!unanswered) continue;
      const std::string_view padded = answer.substr(1, equals - 1);
      const std::string_view key = padded.substr(0, padded.find_last_not_of(' ') + 1);
      const Raw* section = section_at(line);
      if (section == nullptr || says(section->section, key)) continue;
      if (open.empty())
        first = {.source = source, .line = line, .column = 1, .length = count_characters(source->line(line))};
      open += (open.empty() ? "" : ", ") + section->section.full_name + "." + std::string(key);
    }
    if (open.empty()) return;
    throw ScenarioError({.place = first,
                         .problem = "is a question that nobody has answered",
                         .accepted = "the line below without its #, and the answer behind the =; or --set KEY=VALUE",
                         .note = "open: " + open});
  }

  // section.key=value or section.name.key=value
  void add_assignment(const std::string& text) {
    const auto source = std::make_shared<SourceText>(SourceText{.name = "--set", .text = text});
    const Place whole{.source = source, .line = 1, .column = 1, .length = std::max(1, count_characters(text))};
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size() || has_control_character(text)) {
      throw ScenarioError({.place = whole,
                           .problem = "is no assignment",
                           .accepted = "section.key=value, such as run.length=1y or stream.readings.rate=2/s"});
    }
    const std::string_view value = std::string_view(text).substr(equals + 1);
    if (without_comment(value) != value) {
      throw ScenarioError({.place = whole.later(equals + 1, value.size()),
                           .key = text.substr(0, equals),
                           .value = std::string(value),
                           .problem = "has spaces around it or a # after a space",
                           .accepted = "a value as it stands in a file"});
    }
    std::string_view key(text.data(), equals);
    const std::size_t dot = key.find('.');
    const SectionInfo& info = find_kind(key.substr(0, dot), text.substr(0, equals), whole);
    key.remove_prefix(dot == std::string_view::npos ? key.size() : dot + 1);
    std::string name;
    const bool named = info.naming == SectionInfo::Naming::named ||
                       (info.naming == SectionInfo::Naming::optional && key.find('.') != std::string_view::npos);
    if (named) {
      const std::size_t end = key.find('.');
      name = std::string(key.substr(0, end));
      check_name(info, name, true, whole);
      key.remove_prefix(end == std::string_view::npos ? key.size() : end + 1);
    }
    if (key.empty()) {
      throw ScenarioError({.place = whole,
                           .problem = "names no key",
                           .accepted = fmt::format("{}.KEY=value", named ? info.kind + "." + name : info.kind)});
    }
    Raw& raw = find_or_add(info, name, whole);
    const Place key_place{.source = source, .line = 1, .column = 1, .length = count_characters(text.substr(0, equals))};
    const Place value_place = whole.later(equals + 1, text.size() - equals - 1);
    for (const ScannedEntry& before : raw.section.assigned) {
      if (before.key == key)
        throw ScenarioError({.place = key_place,
                             .key = text.substr(0, equals),
                             .problem = "is set twice",
                             .accepted = "each key once"});
    }
    raw.section.assigned.push_back({.key = std::string(key),
                                    .value = text.substr(equals + 1),
                                    .key_place = key_place,
                                    .value_place = value_place});
  }

  template <class Section>
  std::vector<Named<Section>> take(std::string_view kind) const {
    std::vector<Named<Section>> result;
    for (const Raw& raw : sections_) {
      if (raw.info->kind != kind) continue;
      Named<Section> named{.name = raw.name, .place = raw.place, .section = {}};
      read_section(raw.section, named.section);
      result.push_back(std::move(named));
    }
    return result;
  }

  template <class Section>
  Section take_one(std::string_view kind, const Place& whole_file) const {
    for (const Raw& raw : sections_) {
      if (raw.info->kind != kind) continue;
      Section section;
      read_section(raw.section, section);
      return section;
    }
    Section section;
    read_section({.full_name = std::string(kind), .place = whole_file, .assigned = {}, .written = {}}, section);
    return section;
  }

 private:
  static bool says(const RawSection& section, std::string_view key) {
    const auto same = [&](const ScannedEntry& entry) { return entry.key == key; };
    return std::ranges::any_of(section.assigned, same) || std::ranges::any_of(section.written, same);
  }
  const Raw* section_at(int line) const {
    const Raw* last = nullptr;
    for (const Raw& raw : sections_) {
      if (raw.place.file() != "--set" && raw.place.line <= line) last = &raw;
    }
    return last;
  }

  // --set may speak of a table, data centre or limit that the file does not mention, but not of a new stream.
  Raw& find_or_add(const SectionInfo& info, const std::string& name, const Place& place) {
    std::vector<std::string> names;
    for (Raw& raw : sections_) {
      if (raw.info != &info) continue;
      if (raw.name == name) return raw;
      names.push_back(raw.name);
    }
    const bool may_be_new = info.naming != SectionInfo::Naming::named || info.kind == "table" || info.kind == "dc";
    const std::string full = name.empty() ? info.kind : info.kind + "." + name;
    if (!may_be_new) {
      throw ScenarioError({.place = place,
                           .value = full,
                           .problem = "is not in the scenario",
                           .accepted = names.empty() ? "a section of the scenario"
                                                     : fmt::format("{}.{}", info.kind,
                                                                   fmt::join(names, fmt::format(", {}.", info.kind))),
                           .nearest = std::string(nearest_name(name, names))});
    }
    sections_.push_back({.info = &info,
                         .name = name,
                         .place = place,
                         .section = {.full_name = full, .place = place, .assigned = {}, .written = {}}});
    return sections_.back();
  }

  std::vector<Raw> sections_{};
};

}  // namespace

ScenarioText read_scenario_text(std::string_view name, std::string_view text,
                                std::span<const std::string> assignments) {
  const auto source = std::make_shared<SourceText>(SourceText{.name = std::string(name), .text = std::string(text)});
  RawScenario raw;
  raw.add_file(source);
  for (const std::string& assignment : assignments) raw.add_assignment(assignment);
  raw.refuse_open_questions(source);
  const Place whole{.source = source};
  ScenarioText scenario;
  scenario.source = source;
  scenario.run = raw.take_one<RunSection>("run", whole);
  scenario.node = raw.take_one<NodeSection>("node", whole);
  scenario.data_centers = raw.take<DcSection>("dc");
  scenario.streams = raw.take<StreamSection>("stream");
  scenario.tables = raw.take<TableSection>("table");
  scenario.reads = raw.take<ReadSection>("read");
  scenario.repairs = raw.take<RepairSection>("repair");
  scenario.outages = raw.take<OutageSection>("outage");
  scenario.changes = raw.take<ChangeSection>("change");
  scenario.actions = raw.take<ActionSection>("action");
  scenario.limits = raw.take<LimitsSection>("limits");
  return scenario;
}

void refuse(const SettingBase& setting, std::string problem, std::string accepted, std::string nearest,
            std::string note) {
  throw ScenarioError({.place = setting.place(),
                       .key = setting.key(),
                       .value = setting.text(),
                       .problem = std::move(problem),
                       .accepted = std::move(accepted),
                       .nearest = std::move(nearest),
                       .note = std::move(note)});
}

}  // namespace windrow
