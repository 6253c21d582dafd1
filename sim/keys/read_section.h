#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/keys/key.h"
#include "sim/text/text.h"
#include "sim/words/quantities.h"
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

/// " (47.7 MiB)" behind a size that was written as 50MB: what is printed elsewhere, and compared with.
inline std::string in_binary_units(const KeyInfo& info, std::string_view text) {
  const bool decimal = text.ends_with("kB") || text.ends_with("MB") || text.ends_with("GB") || text.ends_with("TB") ||
                       text.ends_with("PB");
  if (info.unit != "size" || !decimal) return {};
  return " (" + human_bytes(static_cast<double>(read_whole<Size>(text).bytes)) + ")";
}

/// Reads the entries of a section into its members, defaults where there are none. Unknown keys, values that cannot be
/// read and missing keys are ScenarioErrors.
template <class Section>
class SectionReader {
 public:
  SectionReader(const RawSection& raw, Section& section) : raw_(raw), section_(section) {
    for (const Key<Section>& key : Section::keys()) {
      if (!key.info().family()) known_[key.info().name] = {.key = &key};
    }
  }

  void run() {
    for (const ScannedEntry& entry : raw_.assigned) store(entry);
    for (const ScannedEntry& entry : raw_.written) store(entry);
    for (const auto& [name, known] : known_) settle(name, known);
  }

 private:
  struct Known {
    const Key<Section>* key = nullptr;
    std::string free_part{};
    const ScannedEntry* entry = nullptr;
  };

  Known& find(const ScannedEntry& entry) {
    const auto exact = known_.find(entry.key);
    if (exact != known_.end()) return exact->second;
    for (const Key<Section>& key : Section::keys()) {
      std::string free_part;
      if (!key.info().family() || !matches_family(key.info(), entry.key, free_part)) continue;
      return known_[entry.key] = {.key = &key, .free_part = free_part};
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

  /// The first stands: --set goes over the file.
  void store(const ScannedEntry& entry) {
    Known& known = find(entry);
    if (known.entry != nullptr) return;
    known.entry = &entry;
    try {
      known.key->read(section_, known.free_part, entry.value);
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
    const KeyInfo& info = known.key->info();
    if (known.entry == nullptr && !info.fallback.empty()) known.key->read(section_, known.free_part, info.fallback);
    SettingBase& setting = known.key->find(section_, known.free_part);
    const std::string full = raw_.full_name + "." + name;
    setting.locate(full, known.entry == nullptr ? raw_.place : known.entry->value_place, known.entry != nullptr);
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
                           .problem = "is out of range" + in_binary_units(info, setting.text()),
                           .accepted = info.accepted});
    }
  }

  const RawSection& raw_;
  Section& section_;
  std::map<std::string, Known> known_{};
};

template <class Section>
void read_section(const RawSection& raw, Section& section) {
  SectionReader<Section>(raw, section).run();
}

}  // namespace windrow
