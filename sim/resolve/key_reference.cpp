#include "sim/resolve/key_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/keys/sections.h"
#include "sim/resolve/not_modelled.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

std::vector<const SectionInfo*> chosen_sections(std::string_view section) {
  std::vector<const SectionInfo*> chosen;
  std::vector<std::string> kinds;
  for (const SectionInfo& info : all_sections()) {
    kinds.push_back(info.kind);
    if (section.empty() || section == info.kind) chosen.push_back(&info);
  }
  if (chosen.empty()) {
    throw ScenarioError({.value = std::string(section),
                         .problem = "is no section of a scenario",
                         .accepted = fmt::format("{}", fmt::join(kinds, ", ")),
                         .nearest = std::string(nearest_name(section, kinds))});
  }
  return chosen;
}

// What holds if the key is not there.
std::string fallback_words(const KeyInfo& key) {
  if (key.required) return "required";
  if (!key.fallback_note.empty()) return key.fallback_note;
  return key.fallback.empty() ? "none" : key.fallback;
}

// A table's cell: a bar would end it.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

constexpr std::string_view introduction =
    "# Scenario keys\n\n"
    "Made by `windrow keys --format markdown` from the descriptions that the parser uses; a test keeps it so.\n\n"
    "A scenario is an INI file: `[section]`, `key = value`, `#` begins a comment at the start of a line or after a "
    "space. "
    "`--set section.key=value` goes over the file.\n\n"
    "| value | written |\n|---|---|\n"
    "| time | `90s` `20min` `4h` `10d` `2w` `3y` (a year has 365 days), also `ms` and `us`; up to 1000y |\n"
    "| size | `64MiB` `1.5TB` `90B`, with B, kB, MB, GB, TB, PB or KiB, MiB, GiB, TiB, PiB |\n"
    "| rate | `1/s` `20/min` `400/day` `1/90s`, and bytes: `1MiB/s`; up to 1e7 rows per second for one entity, 1e8 for "
    "the "
    "scenario |\n"
    "| date | `2026-01-01`, `2026-01-01T08:30:00`, UTC, years 1970 to 2199 |\n"
    "| share | `2%` `0.05%`, in whole parts per million |\n"
    "| distribution | `uniform(a, b)` `normal(mean, sd)` `lognormal(median, p99)` `pareto(smallest, shape)` `zipf(s, "
    "mean)` "
    "`from(file.csv:column)` |\n"
    "| change in time | `A then B from DATE then C from DATE` |\n\n"
    "Of n entities (or values) with a distribution, the one of rank r stands for the slice of probability from r/n to "
    "(r+1)/n and has "
    "the slice's mean: together they bring exactly n times the distribution's mean. The eight largest entities are "
    "followed singly, the "
    "others in at most 32 classes of equal numbers, each at the mean rate of its members. Values below zero count as "
    "zero.\n";

}  // namespace

std::string keys_as_text(std::string_view section) {
  std::string text;
  for (const SectionInfo* info : chosen_sections(section)) {
    text += fmt::format("{}{}  {}\n", text.empty() ? "" : "\n", info->heading, info->meaning);
    for (const KeyInfo& key : info->keys) {
      text += fmt::format("  {}\n      {}{}\n      accepted: {}\n      default: {}\n", key.name, key.meaning,
                          key.unit.empty() ? "" : fmt::format(" [{}]", key.unit), key.accepted, fallback_words(key));
    }
  }
  return text;
}

std::string keys_as_markdown(std::string_view section) {
  std::string text(section.empty() ? introduction : std::string_view());
  for (const SectionInfo* info : chosen_sections(section)) {
    text += fmt::format("{}## {}\n\n{}\n\n| key | meaning | unit | accepted | default |\n|---|---|---|---|---|\n",
                        text.empty() ? "" : "\n", info->heading, info->meaning);
    for (const KeyInfo& key : info->keys) {
      text += fmt::format("| `{}` | {} | {} | {} | {} |\n", cell(key.name), cell(key.meaning), cell(key.unit),
                          cell(key.accepted), cell(fallback_words(key)));
    }
  }
  if (section.empty()) {
    text += "\n## Not modelled yet\n\nThese are read and checked; a run that needs them is refused.\n\n";
    for (const NotModelled& row : what_is_not_modelled()) text += fmt::format("- {}\n", row.what);
  }
  return text;
}

std::string keys_as_json(std::string_view section) {
  nlohmann::ordered_json sections = nlohmann::ordered_json::array();
  for (const SectionInfo* info : chosen_sections(section)) {
    nlohmann::ordered_json keys = nlohmann::ordered_json::array();
    for (const KeyInfo& key : info->keys) {
      nlohmann::ordered_json row = {{"name", key.name},         {"meaning", key.meaning},   {"unit", key.unit},
                                    {"accepted", key.accepted}, {"required", key.required}, {"family", key.family()}};
      row["default"] = key.fallback.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(key.fallback);
      row["without"] = key.fallback_note;
      keys.push_back(std::move(row));
    }
    sections.push_back(
        {{"section", info->kind}, {"heading", info->heading}, {"meaning", info->meaning}, {"keys", std::move(keys)}});
  }
  return nlohmann::ordered_json{{"sections", std::move(sections)}}.dump(2) + "\n";
}

}  // namespace windrow
