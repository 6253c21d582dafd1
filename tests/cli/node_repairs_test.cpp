#include <doctest/doctest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/support/says.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

using test::says;

/// A scenario's results, and what the terminal said.
struct Run {
  explicit Run(const std::string& name)
      : out(test::windrow("run scenarios/" + name + ".ini --advice off --growth off --quiet --fail-on never --out '" +
                          (folder / "run") + "'")
                .out),
        summary(nlohmann::json::parse(test::read_file(folder / "run/summary.json"))),
        page(test::read_file(folder / "run/report.html")) {
    std::istringstream lines(test::read_file(folder / "run/repairs.csv"));
    for (std::string line; std::getline(lines, line);) {
      std::vector<std::string> cells;
      std::istringstream row(line);
      for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
      repairs.push_back(cells);
    }
  }
  /// Sum of a column of repairs.csv over the lines of a node.
  std::int64_t sum(const std::string& column, int node) const {
    const auto place = [&](const std::string& name) {
      std::size_t at = 0;
      while (repairs.front().at(at) != name) ++at;
      return at;
    };
    std::int64_t all = 0;
    for (std::size_t i = 1; i < repairs.size(); ++i) {
      if (repairs[i][place("node")] == std::to_string(node)) all += std::stoll(repairs[i][place(column)]);
    }
    return all;
  }
  /// Each node's words are on the terminal and on the page, and its numbers are those of repairs.csv.
  void is_said_alike() const {
    const auto& nodes = summary.at("node_repairs");
    REQUIRE(!nodes.empty());
    std::size_t said = 0;
    for (const auto& node : nodes) {
      const int number = node.at("node").get<int>();
      CAPTURE(number);
      CHECK(node.at("received_sstables") == sum("sstables", number));
      CHECK(node.at("received_bytes") == sum("bytes", number));
      CHECK(node.at("leaf_rows") == sum("leaf_rows", number));
      CHECK(node.at("leaf_bytes") == sum("leaf_bytes", number));
      CHECK(node.at("leaf_sstables") == sum("leaf_sstables", number));
      if (node.contains("anticompacted_bytes")) CHECK(node.at("anticompacted_bytes") == sum("rewritten_bytes", number));
      if (said++ >= 6) continue;
      const auto words = node.at("says").get<std::string>();
      CHECK_MESSAGE(says(out, words), words);
      CHECK_MESSAGE(says(page, words), words);
    }
  }

  test::TestFolder folder{};
  std::string out;
  nlohmann::json summary;
  std::string page;
  std::vector<std::vector<std::string>> repairs{};
};

TEST_CASE("what a flood of small SSTables does to each node is said alike on terminal, page and in summary.json") {
  const Run run("repair-floods-twcs");
  run.is_said_alike();
  const auto& first = run.summary.at("node_repairs").front();
  // Half-days from two days after the outage's begin to its end, and gc_grace of a day before the repair, three later.
  CHECK(first.at("node") == 1);
  CHECK(first.at("received_sstables").get<int>() > 3'000);
  CHECK(first.at("windows_touched").get<int>() > 400);
  CHECK(first.at("windows_touched") <= first.at("windows"));
  CHECK(first.at("windows_touched_at_end") == 0);
  CHECK(first.at("compacted_sstables") == first.at("received_sstables"));
  CHECK(first.at("leaf_rows") > run.sum("rows", 1));
  CHECK(first.at("leaf_sstables") == first.at("received_sstables"));
  CHECK(says(run.out, "windows touched by repair: "));
}

TEST_CASE("a repair that takes longer than its interval is said to, also where none of them ends within the run") {
  const test::TestFolder folder;
  const std::string run = "run scenarios/zombie.ini --advice off --growth off --quiet --fail-on never --out '" +
                          (folder / "run") + "' --set repair.monthly.takes=";
  CHECK(says(test::windrow(run + "31d --set run.length=120d").out,
             "repair monthly: 2 done; it takes 31 d, longer than its interval of 30 d"));
  CHECK(
      says(test::windrow(run + "40d").out, "repair monthly: 0 done; it takes 40 d, longer than its interval of 30 d"));
  CHECK(!says(test::windrow(run + "30d").out, "longer than its interval"));
}

TEST_CASE("what incremental repairs cost each node is said alike on terminal, page and in summary.json") {
  const Run run("incremental-repair-twcs");
  run.is_said_alike();
  for (const auto& node : run.summary.at("node_repairs")) {
    // A file that is divided is two.
    CHECK(node.at("made_sstables").get<int>() <= 2 * node.at("divided_sstables").get<int>());
    CHECK(node.at("made_sstables") > node.at("divided_sstables"));
    const double repaired = node.at("repaired_share_mean");
    CHECK((repaired > 0.5 && repaired < 1));
  }
}

}  // namespace
}  // namespace windrow
