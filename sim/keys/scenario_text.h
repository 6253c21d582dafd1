#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/keys/sections.h"
#include "sim/words/source_text.h"

namespace windrow {

/// One section with the name that it was given: NAME of [stream.NAME].
template <class Section>
struct Named {
  std::string name{};
  Place place{};
  Section section{};
};

/// A scenario as written: every value read, nothing looked up yet. Sections of a kind are in the order of the file.
struct ScenarioText {
  std::shared_ptr<const SourceText> source{};
  RunSection run{};
  NodeSection node{};
  std::vector<Named<DcSection>> data_centers{};
  std::vector<Named<StreamSection>> streams{};
  std::vector<Named<TableSection>> tables{};
  std::vector<Named<ReadSection>> reads{};
  std::vector<Named<RepairSection>> repairs{};
  std::vector<Named<OutageSection>> outages{};
  std::vector<Named<ChangeSection>> changes{};
  std::vector<Named<ActionSection>> actions{};
  std::vector<Named<LimitsSection>> limits{};  // an empty name: [limits]
};

/// Reads the text of a scenario file named `name`; each of `assignments` is `section.key=value` of a --set and goes
/// over the file. Throws ScenarioError.
ScenarioText read_scenario_text(std::string_view name, std::string_view text, std::span<const std::string> assignments);

/// A mistake in a value that was read without one: its place, key and text, and what is wrong.
[[noreturn]] void refuse(const SettingBase& setting, std::string problem, std::string accepted = {},
                         std::string nearest = {}, std::string note = {});

}  // namespace windrow
