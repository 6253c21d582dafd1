#include "sim/resolve/fleet.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

struct Member {
  std::string id{};
  double rows_per_s = 0;
  int line = 0;
  int class_number = 0;  // in FleetFile::class_names
};

struct FleetFile {
  std::vector<Member> members{};  // ascending by rate
  std::vector<std::string> class_names{};
  bool has_rates = false;
  bool has_classes = false;
};

[[noreturn]] void refuse_id(const std::shared_ptr<const SourceText>& file, const std::string& id, int line,
                            std::string problem) {
  throw ScenarioError({.place = {.source = file, .line = line, .column = 1},
                       .key = "id",
                       .value = id,
                       .problem = std::move(problem),
                       .accepted = "an id of its own on every line"});
}

// `members`: in the order of the file.
void refuse_doubles(const std::shared_ptr<const SourceText>& file, const std::vector<Member>& members) {
  std::vector<std::uint32_t> order(members.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(std::string_view(members[i].id), i); });
  const Member* second = nullptr;
  const Member* first = nullptr;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Member& one = members[order[i - 1]];
    const Member& next = members[order[i]];
    const bool earlier = second == nullptr || next.line < second->line;
    if (one.id != next.id || !earlier) continue;
    first = &one;
    second = &next;
  }
  if (second != nullptr)
    refuse_id(file, second->id, second->line, fmt::format("appears twice, first on line {}", first->line));
}

FleetFile read_fleet(const Setting<Entities>& entities, InputFiles& files) {
  const std::shared_ptr<const SourceText> file = files.open(entities->file, entities);
  FleetFile fleet;
  std::map<std::string, int> classes;
  each_csv_row(file, {"id", "rate", "class"}, 1, [&](const CsvTable& table, CsvTable::Row& row) {
    fleet.has_rates = table.has[1];
    fleet.has_classes = table.has[2];
    if (row.cells[0].empty()) refuse_id(file, row.cells[0], row.line, "is empty");
    if (fleet.members.size() == static_cast<std::size_t>(most_entities))
      refuse_id(file, row.cells[0], row.line, fmt::format("is one more than {} entities", most_entities));
    const auto [known, fresh] = classes.emplace(row.cells[2], static_cast<int>(classes.size()));
    if (fresh) fleet.class_names.push_back(row.cells[2]);
    const double rows_per_s = fleet.has_rates ? read_cell(table, row, 1, "rate", read_rate_quantity) : 0;
    fleet.members.push_back(
        {.id = std::move(row.cells[0]), .rows_per_s = rows_per_s, .line = row.line, .class_number = known->second});
  });
  refuse_doubles(file, fleet.members);
  std::ranges::stable_sort(fleet.members, {}, &Member::rows_per_s);
  return fleet;
}

Timed<StreamRate> sample_rate(const FleetFile& fleet) {
  Timed<StreamRate> rate;
  rate.parts.emplace_back();
  Distribution& spread = rate.parts.front().value.spread;
  spread.kind = Distribution::Kind::sample;
  for (const Member& member : fleet.members) spread.sample.push_back(member.rows_per_s);
  return rate;
}

// Classes as the file names them, each at the mean rate of its members, the slowest class first.
std::vector<EntityClass> named_classes(FleetFile& fleet) {
  std::map<std::string, std::vector<Member>> groups;
  for (const Member& member : fleet.members)
    groups[fleet.class_names[static_cast<std::size_t>(member.class_number)]].push_back(member);
  const auto mean = [](const std::vector<Member>& members) {
    const double sum = std::accumulate(members.begin(), members.end(), 0.0,
                                       [](double total, const Member& member) { return total + member.rows_per_s; });
    return sum / static_cast<double>(members.size());
  };
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, members] : groups) order.emplace_back(mean(members), name);
  std::ranges::sort(order);
  fleet.members.clear();
  std::vector<EntityClass> classes;
  for (const auto& [rows_per_s, name] : order) {
    const std::vector<Member>& members = groups[name];
    classes.push_back({.first = static_cast<std::int64_t>(fleet.members.size()),
                       .entities = static_cast<std::int64_t>(members.size()),
                       .single = false,
                       .parts = {{.from_us = {}, .exact = {}, .rows_per_s = rows_per_s}},
                       .rates = nullptr});
    classes.back().rates = make_spread(
        std::ssize(members), classes.back().parts,
        [&](std::size_t, std::int64_t member) { return members[static_cast<std::size_t>(member)].rows_per_s; });
    fleet.members.insert(fleet.members.end(), members.begin(), members.end());
  }
  return classes;
}

// A profile's lines as parts of a rate in time; silence before the first.
Timed<StreamRate> read_profile(const Setting<Timed<StreamRate>>& rate, Micros start_us, InputFiles& files) {
  const StreamRate& first = rate->parts.front().value;
  if (rate->changes()) refuse(rate, "has a profile beside other rates", "from(profile.csv) by itself");
  const CsvTable table = read_csv(files.open(first.profile_file, rate), {"time", "rate"}, 2);
  Timed<StreamRate> profile;
  profile.parts.push_back({.from_us = {}, .value = {.exact = Rate{}, .spread = {}, .profile_file = {}}});
  for (const CsvTable::Row& row : table.rows) {
    Timed<StreamRate>::Part part;
    part.from_us = read_moment_cell(table, row, 0, "time", start_us);
    const auto before = profile.parts.back().from_us;
    if (before && *part.from_us <= *before) {
      throw ScenarioError({.place = table.place(row),
                           .key = "time",
                           .value = row.cells[0],
                           .problem = "is not after the line before",
                           .accepted = "lines in the order of time"});
    }
    part.value.spread.first = read_cell(table, row, 1, "rate", read_rate_quantity);
    profile.parts.push_back(std::move(part));
  }
  return profile;
}

// One class for all: rates of a profile are no distribution.
std::vector<EntityClass> profile_classes(std::int64_t count, const Timed<StreamRate>& profile) {
  EntityClass all{.first = 0, .entities = count, .single = false, .parts = {}};
  for (const auto& part : profile.parts)
    all.parts.push_back({.from_us = part.from_us, .exact = part.value.exact, .rows_per_s = part.value.spread.first});
  return {all};
}

}  // namespace

Fleet make_fleet(const Named<StreamSection>& stream, Micros start_us, InputFiles& files) {
  const StreamSection& section = stream.section;
  const Setting<Timed<StreamRate>>& rate = section.rate;
  Fleet fleet;
  std::vector<std::string> names;
  if (section.entities->kind == Entities::Kind::file) {
    FleetFile file = read_fleet(section.entities, files);
    const bool deletes = section.op->kind == WriteOp::remove;
    if (file.has_rates && rate.present() && !deletes)
      refuse(rate, fmt::format("is said twice: {} has a column `rate`", section.entities->file),
             "a rate here or in the file");
    // The file says how often its entities write: deletes of them may come at a rate of their own.
    if (file.has_rates && !rate.present()) {
      fleet.classes = file.has_classes
                          ? named_classes(file)
                          : make_classes(static_cast<std::int64_t>(file.members.size()), sample_rate(file));
    }
    names.reserve(file.members.size());
    for (Member& member : file.members) names.push_back(std::move(member.id));
  }
  Entities entities = *section.entities;
  if (entities.living_s > 0) {  // those of two streams are not the same
    entities.kind = Entities::Kind::pattern;
    entities.before = stream.name + "-";
  }
  fleet.list = std::make_shared<const EntityList>(std::move(entities), std::move(names));
  if (!fleet.classes.empty()) return fleet;
  if (!rate.present()) {
    throw ScenarioError({.place = stream.place,
                         .key = "stream." + stream.name + ".rate",
                         .problem = "is missing",
                         .accepted = "rows per time and entity, such as 1/s, 20/min, lognormal(4/day, 400/day)",
                         .note = "add a line `rate = …`: how often one entity writes"});
  }
  if (!rate->parts.front().value.profile_file.empty()) {
    fleet.classes = profile_classes(fleet.list->count(), read_profile(rate, start_us, files));
    return fleet;
  }
  Timed<StreamRate> loaded = *rate;
  for (auto& part : loaded.parts) {
    if (!part.value.profile_file.empty())
      refuse(rate, "has a profile beside other rates", "from(profile.csv) by itself");
    load_sample(part.value.spread, read_rate_quantity, files, rate);
  }
  fleet.classes = make_classes(fleet.list->count(), loaded);
  return fleet;
}

}  // namespace windrow
