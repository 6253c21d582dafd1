#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/resolve/support.h"

namespace windrow {
namespace {

std::vector<OutageSpec> outages(const std::string& more, const std::vector<std::string>& assignments = {}) {
  const std::string ini = test::small_scenario(
      "entities = 10\nrate = 1/min\ncolumn.day = day\ncolumn.note = text(20)\n"
      "[dc.main]\nnodes = 6\nracks = 3\nreplication_factor = 3\n" +
      more);
  std::vector<std::string> all = {"run.length=10y"};
  all.insert(all.end(), assignments.begin(), assignments.end());
  return test::load(ini, test::small_files, all).scenario.outages;
}

bool same(const std::vector<OutageSpec>& a, const std::vector<OutageSpec>& b) {
  return std::ranges::equal(a, b, [](const OutageSpec& x, const OutageSpec& y) {
    return x.name == y.name && x.node == y.node && x.from_us == y.from_us && x.length_us == y.length_us;
  });
}

TEST_CASE("outages that are drawn: two a year and node, the same whatever else the scenario has, others by the seed") {
  const std::string drawn = "[outage.o]\nrate = 2/y\nlength = lognormal(2h, 12h)\n";
  const std::vector<OutageSpec> first = outages(drawn);
  CHECK(first.size() > 80);  // 6 nodes, ten years: 120 in the mean
  CHECK(first.size() < 160);
  std::vector<Micros> lengths;
  for (const OutageSpec& outage : first) {
    CHECK((outage.node >= 1 && outage.node <= 6));
    lengths.push_back(outage.length_us);
  }
  std::ranges::sort(lengths);
  const double median_h = static_cast<double>(lengths[lengths.size() / 2]) / 3.6e9;
  CHECK(median_h > 1.4);
  CHECK(median_h < 2.8);
  CHECK(same(first, outages(drawn, {"stream.readings.rate=2/min", "dc.main.first_token=17"})));
  CHECK_FALSE(same(first, outages(drawn, {"run.seed=2"})));
  std::vector<OutageSpec> beside = outages(drawn + "[outage.p]\nrate = 5/y\nlength = 1h\n");
  std::erase_if(beside, [](const OutageSpec& outage) { return outage.name == "p"; });
  CHECK(same(first, beside));
}

TEST_CASE("a rack goes away as one, and one outage has its date") {
  const std::vector<OutageSpec> rack =
      outages("[outage.r]\nrack = 2\nfrom = 2026-01-05\nlength = 5h\nkind = cut_off\n");
  REQUIRE(rack.size() == 2);
  CHECK(rack[0].from_us == rack[1].from_us);
  CHECK(rack[0].node != rack[1].node);
  CHECK(rack[0].kind == OutageSpec::Kind::cut_off);
  CHECK(rack[0].length_us == 5 * 3'600 * us_per_s);
}

TEST_CASE("all nodes of a data centre go away as one, or a rack of it: nodes are counted over all data centres") {
  const std::string other = "[dc.other]\nnodes = 4\nracks = 2\nreplication_factor = 2\n";
  const auto away = [&](const std::string& who) {
    std::vector<int> nodes;
    for (const OutageSpec& each : outages(other + "[outage.r]\n" + who + "from = 2026-01-05\nlength = 5h\n"))
      nodes.push_back(each.node);
    return nodes;
  };
  CHECK(away("dc = other\n") == std::vector{7, 8, 9, 10});
  CHECK(away("dc = other\nrack = 2\n") == std::vector{8, 10});
  CHECK(away("dc = main\nrack = 3\n") == std::vector{3, 6});
  CHECK(away("node = 9\n") == std::vector{9});
  const auto drawn = outages(other + "[outage.r]\ndc = other\nrate = 2/y\nlength = 5h\n");
  REQUIRE(drawn.size() > 4);
  CHECK(drawn.size() % 4 == 0);
  CHECK((drawn[0].from_us == drawn[3].from_us && drawn[0].node == 7 && drawn[3].node == 10));
}

}  // namespace
}  // namespace windrow
