#include "sim/resolve/resolved_ini.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace windrow {

namespace {

std::string base_name(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// Where each file goes, by the name the scenario has for it.
std::map<std::string, std::string> stored_paths(const LoadedScenario& loaded) {
  std::map<std::string, std::string> paths;
  std::set<std::string> taken;
  for (const auto& file : loaded.inputs) {
    std::string path = "inputs/" + base_name(file->name);
    for (int copy = 2; taken.contains(path); ++copy) path = fmt::format("inputs/{}-{}", copy, base_name(file->name));
    taken.insert(path);
    paths[file->name] = path;
  }
  return paths;
}

// A value in which a file is named: alone, or within from(…).
std::string with_stored_paths(std::string text, const std::map<std::string, std::string>& paths) {
  if (const auto whole = paths.find(text); whole != paths.end()) return whole->second;
  std::string done;
  for (std::size_t begin = text.find("from("); begin != std::string::npos; begin = text.find("from(")) {
    const std::size_t name_begin = text.find_first_not_of(' ', begin + 5);
    const std::size_t end = text.find_first_of(")", begin);
    if (name_begin == std::string::npos || end == std::string::npos || end < name_begin) break;
    std::string name = text.substr(name_begin, end - name_begin);
    auto known = paths.find(name);
    std::string column;
    if (known == paths.end() && name.find(':') != std::string::npos) {
      column = name.substr(name.rfind(':'));
      known = paths.find(name.substr(0, name.rfind(':')));
    }
    done += text.substr(0, begin) + "from(" + (known == paths.end() ? name : known->second) + column + ")";
    text.erase(0, end + 1);
  }
  return done + text;
}

class Printer {
 public:
  explicit Printer(std::map<std::string, std::string> paths) : paths_(std::move(paths)) {}

  /// Sections without values are left out. `skipped`: a key that is filled in elsewhere.
  template <class Section>
  void print(const std::string& heading, const Section& section, const std::string& skipped = {}) {
    std::string lines;
    for (const Key<Section>& key : Section::keys()) {
      if (key.info().name == skipped) continue;
      key.each(section, [&](const std::string& free_part, const SettingBase& setting) {
        if (!setting.present()) return;
        std::string name = key.info().name;
        if (key.info().family()) name = name.substr(0, name.size() - 1) + quoted(free_part);
        lines += fmt::format("{} = {}\n", name, with_stored_paths(setting.text(), paths_));
      });
    }
    if (!lines.empty()) text_ += fmt::format("{}[{}]\n{}", text_.empty() ? "" : "\n", heading, lines);
  }

  template <class Section>
  void print_all(const std::string& kind, const std::vector<Named<Section>>& sections,
                 const std::string& skipped = {}) {
    for (const Named<Section>& each : sections)
      print(each.name.empty() ? kind : kind + "." + each.name, each.section, skipped);
  }

  std::string take() { return std::move(text_); }

 private:
  static std::string quoted(const std::string& name) {
    const bool plain = std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    });
    return plain ? name : '"' + name + '"';
  }

  std::map<std::string, std::string> paths_{};
  std::string text_{};
};

}  // namespace

std::vector<StoredInput> stored_inputs(const LoadedScenario& loaded) {
  const auto paths = stored_paths(loaded);
  std::vector<StoredInput> inputs;
  for (const auto& file : loaded.inputs) inputs.push_back({.path = paths.at(file->name), .text = file->text});
  return inputs;
}

std::string resolved_ini(const LoadedScenario& loaded) {
  const ScenarioText& text = loaded.text;
  Printer printer(stored_paths(loaded));
  RunSection run = text.run;
  run.settings["name"].write(loaded.scenario.name);
  run.settings["title"].write(loaded.scenario.title);
  printer.print("run", run);
  printer.print_all("dc", text.data_centers);
  printer.print("node", text.node);
  printer.print_all("table", text.tables);
  std::vector<Named<StreamSection>> streams = text.streams;
  for (Named<StreamSection>& stream : streams) {
    // A derived stream has its source's, and must not name its own.
    if (stream.section.of.present()) stream.section.entities = {};
  }
  printer.print_all("stream", streams, "like");
  printer.print_all("read", text.reads);
  printer.print_all("repair", text.repairs);
  printer.print_all("outage", text.outages);
  printer.print_all("change", text.changes);
  printer.print_all("action", text.actions);
  printer.print_all("limits", text.limits);
  return printer.take();
}

}  // namespace windrow
