#pragma once

#include <boost/program_options.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/keys/key.h"
#include "sim/words/scanner.h"
#include "sim/words/scenario_error.h"

namespace windrow {

/// One section before its keys are known: --set first, then the file.
struct RawSection {
  std::string full_name{};  // stream.readings
  Place place{};
  std::vector<ScannedEntry> assigned{};
  std::vector<ScannedEntry> written{};
};

/// The part of `key` that stands for the `*` of a family's name, without its quotes; the family's other part must
/// match.
inline bool matches_family(const KeyInfo& info, std::string_view key, std::string& free_part) {
  const std::string_view before = std::string_view(info.name).substr(0, info.name.size() - 1);
  if (!key.starts_with(before) || key.size() == before.size()) return false;
  key.remove_prefix(before.size());
  if (key.size() > 2 && key.front() == '"' && key.back() == '"') key = key.substr(1, key.size() - 2);
  free_part = std::string(key);
  return true;
}

/// A name that Program_options takes as it is: a comma would begin a short name, a star a family.
inline std::string option_name(std::string name) {
  for (char& c : name) c = c == ',' ? '\x01' : c == '*' ? '\x02' : c;
  return name;
}

/// Reads the entries of a section into its members, by way of Program_options: names, types, defaults, and --set before
/// the file. Unknown keys, values that cannot be read and missing keys are ScenarioErrors.
template <class Section>
class SectionReader {
 public:
  SectionReader(const RawSection& raw, Section& section) : raw_(raw), section_(section) {
    for (const Key<Section>& key : Section::keys()) {
      if (!key.info().family()) declare(key, key.info().name, {});
    }
  }

  void run() {
    for (const ScannedEntry& entry : raw_.assigned) store(entry);
    for (const ScannedEntry& entry : raw_.written) store(entry);
    boost::program_options::notify(values_);
    for (const auto& [name, known] : known_) settle(name, known);
  }

 private:
  struct Known {
    const Key<Section>* key = nullptr;
    std::string free_part{};
    const ScannedEntry* entry = nullptr;
  };

  void declare(const Key<Section>& key, const std::string& name, const std::string& free_part) {
    auto add = options_.add_options();
    key.declare(section_, option_name(name), free_part, add);
    known_[name] = {.key = &key, .free_part = free_part, .entry = nullptr};
  }

  Known& find(const ScannedEntry& entry) {
    const auto exact = known_.find(entry.key);
    if (exact != known_.end()) return exact->second;
    for (const Key<Section>& key : Section::keys()) {
      std::string free_part;
      if (!key.info().family() || !matches_family(key.info(), entry.key, free_part)) continue;
      declare(key, entry.key, free_part);
      return known_[entry.key];
    }
    std::vector<std::string> names;
    std::string accepted;
    for (const Key<Section>& key : Section::keys()) {
      names.push_back(key.info().name);
      accepted += (accepted.empty() ? "" : ", ") + key.info().name;
    }
    throw ScenarioError({.place = entry.key_place,
                         .key = raw_.full_name + "." + entry.key,
                         .problem = "is no key of this section",
                         .accepted = accepted,
                         .nearest = std::string(nearest_name(entry.key, names))});
  }

  void store(const ScannedEntry& entry) {
    namespace po = boost::program_options;
    Known& known = find(entry);
    if (known.entry == nullptr) known.entry = &entry;
    po::parsed_options parsed(&options_);
    parsed.options.emplace_back(option_name(entry.key), std::vector<std::string>{entry.value});
    try {
      po::store(parsed, values_);
    } catch (const ValueError& error) {
      const KeyInfo& info = known.key->info();
      const std::size_t covered = error.covered() > 0 ? error.covered() : entry.value.size();
      throw ScenarioError({.place = entry.value_place.later(error.at(), covered),
                           .key = raw_.full_name + "." + entry.key,
                           .value = entry.value,
                           .problem = error.what(),
                           .accepted = error.accepted().empty() ? info.accepted : error.accepted(),
                           .nearest = error.nearest()});
    }
  }

  void settle(const std::string& name, const Known& known) {
    SettingBase& setting = *known.key->find(section_, known.free_part);
    const std::string full = raw_.full_name + "." + name;
    setting.locate(full, known.entry == nullptr ? raw_.place : known.entry->value_place, known.entry != nullptr);
    const KeyInfo& info = known.key->info();
    if (known.entry == nullptr && info.required) {
      throw ScenarioError({.place = raw_.place,
                           .key = full,
                           .problem = "is missing",
                           .accepted = info.accepted,
                           .note = "add a line `" + name + " = …`: " + info.meaning});
    }
    if (known.entry != nullptr && !known.key->accepts(setting)) {
      throw ScenarioError({.place = setting.place(),
                           .key = full,
                           .value = setting.text(),
                           .problem = "is out of range",
                           .accepted = info.accepted});
    }
  }

  const RawSection& raw_;
  Section& section_;
  boost::program_options::options_description options_{};
  boost::program_options::variables_map values_{};
  std::map<std::string, Known> known_{};
};

template <class Section>
void read_section(const RawSection& raw, Section& section) {
  SectionReader<Section>(raw, section).run();
}

}  // namespace windrow
