#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/resolve/resolve_operators.h"
#include "sim/scenario/cluster_ring.h"
#include "sim/scenario/node_count.h"
#include "sim/scenario/row_deletes.h"
#include "sim/stats/random_stream.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

constexpr std::size_t most_outages = 100'000;

[[noreturn]] void refuse_missing(const Named<OutageSection>& outage, const std::string& key,
                                 const std::string& accepted) {
  throw ScenarioError({.place = outage.place,
                       .key = "outage." + outage.name + "." + key,
                       .problem = "is missing",
                       .accepted = accepted});
}

/// Which data centre is meant, by number; none is named where there is one.
std::optional<int> center_of(const OutageSection& section, const Scenario& scenario) {
  const std::vector<DataCenter>& centers = scenario.data_centers;
  if (!section.dc.present()) {
    if (section.rack.present() && centers.size() > 1)
      refuse(section.rack, "is a rack of several data centres", "`dc = NAME` beside it");
    return std::nullopt;
  }
  const auto found = std::ranges::find(centers, section.dc->name, &DataCenter::name);
  if (found != centers.end()) return static_cast<int>(found - centers.begin());
  std::vector<std::string> names;
  for (const DataCenter& center : centers) names.push_back(center.name);
  refuse(section.dc, "is no data centre of this scenario", fmt::format("{}", fmt::join(names, ", ")),
         std::string(nearest_name(section.dc->name, names)));
}

/// Groups of nodes, from 1, that go away together.
std::vector<std::vector<int>> groups_of(const Named<OutageSection>& outage, const Scenario& scenario) {
  const OutageSection& section = outage.section;
  const int nodes = node_count(scenario.data_centers);
  if (section.node.present() && section.rack.present())
    refuse(section.rack, "is given beside `node`", "either `node` or `rack`");
  if (section.node.present() && section.dc.present())
    refuse(section.dc, "is given beside `node`", "either `node`, counted over all data centres, or `dc`");
  if (section.node.present()) {
    if (section.node->count > nodes)
      refuse(section.node, fmt::format("is no node: there are {}", nodes), fmt::format("1 to {}", nodes));
    return {{static_cast<int>(section.node->count)}};
  }
  const std::optional<int> center = center_of(section, scenario);
  if (section.rack.present() || center) {
    std::vector<int> there;
    for (int node = 1; scenario.ring && node <= nodes; ++node) {
      const NodePlace& place = scenario.ring->places[static_cast<std::size_t>(node - 1)];
      const bool in_rack = !section.rack.present() || place.rack + 1 == section.rack->count;
      if (in_rack && (!center || place.datacenter == *center)) there.push_back(node);
    }
    if (there.empty()) refuse(section.rack, "is no rack", "1 to the number of racks");
    return {there};
  }
  if (!section.rate.present()) refuse_missing(outage, "node", "`node = N`, `rack = R` or `dc = NAME`");
  std::vector<std::vector<int>> each;
  for (int node = 1; node <= nodes; ++node) each.push_back({node});
  return each;
}

/// Uniform in (0, 1).
double drawn_share(RandomStream& random) {
  return (static_cast<double>(random.next() >> 11U) + 0.5) / 9007199254740992.0;
}

Micros drawn_length(const Distribution& length, RandomStream& random) {
  constexpr std::int64_t slices = 1000;
  const auto slice = static_cast<std::int64_t>(random.next() % slices);
  const double us = length.mean_of_ranks(slice, slice + 1, slices);
  return std::max<Micros>(1, std::llround(us / us_per_s)) * us_per_s;
}

/// Of a group: its own stream of random numbers, so that nothing else in the scenario moves them.
void draw(const Named<OutageSection>& outage, const Scenario& scenario, std::size_t group, OutageSpec spec,
          std::vector<OutageSpec>& drawn) {
  RandomStream random(scenario.seed, fmt::format("outages {} {}", outage.name, group));
  const double mean_us = us_per_s / outage.section.rate->per_s();
  for (Micros at_us = scenario.start_us;;) {
    const double wait_us = -std::log(drawn_share(random)) * mean_us;
    spec.length_us = drawn_length(outage.section.length->us, random);
    if (wait_us >= static_cast<double>(scenario.end_us - at_us)) return;
    at_us += std::llround(wait_us / us_per_s) * us_per_s;
    if (at_us >= scenario.end_us) return;
    spec.from_us = at_us;
    drawn.push_back(spec);
    if (drawn.size() > most_outages) refuse(outage.section.rate, "makes more than 100,000 outages", "a lower rate");
    at_us += spec.length_us;
  }
}

}  // namespace

namespace {

void check_lost_mutations(const ScenarioText& text, const Scenario& scenario) {
  const LostMutations lost = lost_mutations(scenario);
  if (2 * lost.nodes * lost.ppm < ppm) return;
  const std::int64_t most_ppm = (ppm - 1) / (2 * lost.nodes);
  refuse(text.node.setting("lost_mutations"), fmt::format("is half of all writes or more on {} nodes", lost.nodes),
         fmt::format("0% to {}%", static_cast<double>(most_ppm) / ppm_of_percent));
}

}  // namespace

std::vector<OutageSpec> resolve_outages(const ScenarioText& text, const Scenario& scenario) {
  check_lost_mutations(text, scenario);
  std::vector<OutageSpec> outages;
  for (const Named<OutageSection>& outage : text.outages) {
    const OutageSection& section = outage.section;
    if (section.from.present() && section.rate.present())
      refuse(section.rate, "is given beside `from`", "`from` for one outage, or `rate` for many");
    if (!section.from.present() && !section.rate.present())
      refuse_missing(outage, "from", "`from = DATE`, or `rate = N/y`");
    if (section.from.present() && (section.from->us < scenario.start_us || section.from->us >= scenario.end_us)) {
      refuse(section.from, "is outside the run",
             fmt::format("from {} to before {}", format_moment(scenario.start_us), format_moment(scenario.end_us)));
    }
    const OutageSpec::Ends ends = section.ends.present() ? *section.ends : OutageSpec::Ends::returns;
    if (*section.kind == OutageSpec::Kind::cut_off && ends == OutageSpec::Ends::replaced)
      refuse(section.ends, "is given beside `kind = cut_off`: who is replaced is down", "return, or `kind = down`");
    const std::vector<std::vector<int>> groups = groups_of(outage, scenario);
    for (std::size_t group = 0; group < groups.size(); ++group) {
      std::vector<OutageSpec> times;
      const OutageSpec spec{.name = outage.name, .kind = *section.kind, .ends = ends};
      if (section.rate.present()) {
        draw(outage, scenario, group, spec, times);
      } else {
        RandomStream random(scenario.seed, fmt::format("outages {} {}", outage.name, group));
        times.push_back(spec);
        times.back().from_us = section.from->us;
        times.back().length_us = section.length->us.varies() ? drawn_length(section.length->us, random)
                                                             : std::llround(section.length->us.first);
      }
      for (OutageSpec& each : times) {
        for (const int node : groups[group]) {
          each.node = node;
          outages.push_back(each);
        }
      }
    }
  }
  std::ranges::stable_sort(outages, {}, &OutageSpec::from_us);
  return outages;
}

}  // namespace windrow
