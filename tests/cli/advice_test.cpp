#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/advice/remedy.h"
#include "sim/text/text.h"
#include "tests/cli/gallery_runs.h"
#include "tests/cli/program.h"
#include "tests/support/scenario_names.h"

// What a run advises against what comes of it.

namespace windrow {
namespace {

using nlohmann::json;
using test::all_scenarios;
using test::TestFolder;
using test::windrow;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

json summary_of(const std::string& folder) { return json::parse(text_of(folder + "/summary.json")); }

/// A copy of the scenario whose table has the column in its partition key, as the fix says.
std::string with_key(const TestFolder& folder, const std::string& name, const std::string& key_column) {
  std::istringstream words(key_column);  // bucket text in the partition key of readings
  KeyColumn column;
  std::string word;
  words >> column.name >> column.type;
  while (words >> word) column.table = word;
  const auto changed = with_key_column(text_of("scenarios/" + name + ".cql"), column);
  REQUIRE(changed.has_value());
  folder.write(name + ".cql", *changed);
  folder.write(name + ".ini", text_of("scenarios/" + name + ".ini"));
  return folder / (name + ".ini");
}

/// What a finding is judged by where the scenario has no such limit.
std::string judged_by(const json& base, const std::string& limit) {
  const auto has = [&](const json& other) { return other.at("name") == limit; };
  if (std::ranges::any_of(base.at("limits"), has)) return {};
  const std::map<std::string, std::string> bounds{
      {"held_back_share", "20%"}, {"partition_size_max", "100MiB"}, {"resurrected_rows", "0"}};
  return fmt::format(" --set limits.{}={}", limit, bounds.at(limit));
}

using Warned = std::set<std::pair<std::string, std::string>>;

Warned lint_warns(const std::string& scenario, const std::string& settings) {
  Warned warned;
  const json found = json::parse(windrow(fmt::format("lint '{}' --format json {}", scenario, settings)).out);
  for (const json& finding : found.at("findings"))
    if (finding.at("severity") != "note") warned.emplace(finding.at("table"), finding.at("id"));
  return warned;
}

/// What is advised is nothing that lint warns of.
void check_lint(const std::string& before, const std::string& after, const json& fix) {
  const Warned known = lint_warns(before, {});
  const Warned found = lint_warns(after, fix.at("command").get<std::string>());
  const bool news = !std::ranges::includes(known, found);
  if (fix.at("ending") == "holds") CHECK_FALSE(news);
  if (fix.at("ending") == "lint warns") CHECK(news);
}

void check_fix(const std::string& name, const json& base, const json& advice, const json& fix) {
  CAPTURE(fix.at("command").get<std::string>());
  const TestFolder folder;
  const std::string scenario = fix.at("key_column").is_null()
                                   ? "scenarios/" + name + ".ini"
                                   : with_key(folder, name, fix.at("key_column").get<std::string>());
  const std::string alone =
      fmt::format("run '{}'{} --growth off --advice off --fail-on never --out '{}' {}", scenario,
                  judged_by(base, advice.at("limit")), folder / "r", fix.at("command").get<std::string>());
  REQUIRE(windrow(alone).code == 0);
  const json after = summary_of(folder / "r");
  const auto same = [](const json& a, const json& b) {
    return a.at("name") == b.at("name") && a.at("table") == b.at("table");
  };
  std::vector<json> found;
  std::string breaks;
  for (const json& limit : after.at("limits")) {
    if (limit.at("name") == advice.at("limit") &&
        (advice.at("table").is_null() || limit.at("table") == advice.at("table")))
      found.push_back(limit);
    const auto held = [&](const json& before) { return same(before, limit) && before.at("holds") == true; };
    if (limit.at("holds") == false && std::ranges::any_of(base.at("limits"), held) && breaks.empty())
      breaks = limit.at("name").get<std::string>();
  }
  // What held without the fix and breaks with it is said, or there is no such limit.
  if (breaks.empty()) {
    CHECK(fix.at("breaks").is_null());
    CHECK(fix.at("ending") != "breaks another");
  } else {
    CHECK(fix.at("ending") != "holds");
    REQUIRE(fix.at("breaks").is_string());
    CHECK(fix.at("breaks").get<std::string>().starts_with(breaks));
  }
  if (advice.at("limit") == "resurrected_rows") {
    std::int64_t rows = 0;
    for (const auto& [table, numbers] : after.at("tables").items())
      rows += numbers.at("resurrected_rows").get<std::int64_t>();
    CHECK(static_cast<double>(rows) == fix.at("value").get<double>());
    return;
  }
  REQUIRE(found.size() == 1);
  CHECK(found.front().at("value") == fix.at("value"));
  const bool holds =
      fix.at("ending") == "holds" || fix.at("ending") == "breaks another" || fix.at("ending") == "lint warns";
  CHECK(found.front().at("holds").get<bool>() == holds);
  check_lint("scenarios/" + name + ".ini", scenario, fix);
}

/// Runs every fix on its own. Returns how many hold.
std::size_t check_fixes(const std::string& name, const json& summary) {
  std::size_t holding = 0;
  for (const json& advice : summary.at("advice")) {
    for (const json& fix : advice.at("tried")) {
      check_fix(name, summary, advice, fix);
      holding += fix.at("ending") == "holds" ? 1 : 0;
    }
  }
  return holding;
}

/// Counts that the terminal prints of a table, against summary.json.
void check_counts(const std::string& out, const json& tables) {
  std::istringstream lines(out);
  const json* table = nullptr;
  std::size_t seen = 0;
  const auto numbers = [](std::string line) {
    std::erase(line, ',');
    std::vector<std::int64_t> found;
    for (std::size_t at = line.find_first_of("0123456789"); at != std::string::npos;
         at = line.find_first_of("0123456789", line.find_first_not_of("0123456789.", at)))
      found.push_back(std::stoll(line.substr(at)));
    return found;
  };
  for (std::string line; std::getline(lines, line);) {
    const std::size_t gap = line.find("  ");
    if (gap > 0 && gap != std::string::npos && tables.contains(line.substr(0, gap)))
      table = &tables.at(line.substr(0, gap));
    if (table == nullptr || !line.starts_with("  ")) continue;
    CAPTURE(line);
    const auto same = [&](std::size_t place, const char* name) {
      const std::vector<std::int64_t> shown = numbers(line);
      REQUIRE(shown.size() > place);
      CHECK(shown[place] == table->at(json::json_pointer(name)).get<std::int64_t>());
      ++seen;
    };
    if (line.starts_with("  partitions  ")) same(0, "/partitions");
    if (line.starts_with("  SSTables  ") && line.find("at the end") != std::string::npos) {
      same(0, "/live_sstables");
      same(1, "/peak_sstables");
    }
    if (line.starts_with("  windows  ")) {
      same(0, "/windows/count");
      same(1, "/windows/with_one_sstable");
    }
    if (line.starts_with("  tombstones  ")) {
      same(0, "/tombstones");
      same(0, "/tombstone_drops/count");
      same(1, "/tombstone_drops/overdue");
    }
    if (line.starts_with("  write amplification  ")) {
      same(1, "/flushes");
      same(2, "/compactions");
    }
  }
  CHECK(seen > 0);
}

/// The cells of a CSV file without quotes, by column.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& text) {
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    if (line.ends_with(',')) cells.emplace_back();
    return cells;
  };
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> header = split(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(lines, line)) {
    std::map<std::string, std::string> row;
    const std::vector<std::string> cells = split(line);
    for (std::size_t i = 0; i < std::min(cells.size(), header.size()); ++i) row[header[i]] = cells[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

/// One size for one partition: the decision matrix's own cell and lint's finding are the summary's.
void check_sizes(const std::string& name, const std::string& folder, const json& summary) {
  for (const auto& row : rows_of(text_of(folder + "/sizes.csv"))) {
    if (row.at("own") != "yes") continue;
    const json& table = summary.at("tables").at(row.at("table"));
    if (table.at("key_choices").at("own_is_newer") == true) continue;
    CHECK(std::stoll(row.at("partition_max_bytes")) == table.at("partition_bytes").at("max").get<std::int64_t>());
    CHECK(std::stoll(row.at("partition_p50_bytes")) == table.at("partition_bytes").at("p50").get<std::int64_t>());
    CHECK(std::stoll(row.at("partition_max_rows")) == table.at("partition_rows").at("max").get<std::int64_t>());
  }
  const std::string lint = windrow("lint scenarios/" + name + ".ini --fail-on never").out;
  for (const auto& [table, numbers] : summary.at("tables").items()) {
    const std::string says = ": " + table + ": the largest partition has ";
    const std::size_t at = lint.find(says);
    if (at == std::string::npos) continue;
    CAPTURE(lint.substr(at));
    const std::string size = human_bytes(numbers.at("partition_bytes").at("max").get<double>());
    CHECK(lint.substr(at + says.size()).starts_with(size + " in "));
  }
}

/// As long as every row that was written can be read, nothing has expired or was deleted: no partition is smaller, and
/// there are no fewer of them, than at the sample before. Rows that draw their keys again replace others.
void check_growing(const std::string& folder) {
  struct Before {
    double bytes = 0;
    double partitions = 0;
  };
  std::map<std::string, Before> before;
  for (const auto& row : rows_of(text_of(folder + "/timeline.csv"))) {
    if (row.at("partition_max_bytes").empty() || row.at("rows_live") != row.at("rows_written")) continue;
    Before& last = before[row.at("node") + " " + row.at("table")];
    CAPTURE(row.at("at"));
    CAPTURE(row.at("table"));
    CHECK(std::stod(row.at("partition_max_bytes")) >= last.bytes);
    CHECK(std::stod(row.at("partitions")) >= last.partitions);
    last = {std::stod(row.at("partition_max_bytes")), std::stod(row.at("partitions"))};
  }
}

TEST_CASE("every fix that was tried does what the run says when it is run on its own") {
  std::size_t holding = 0;
  for (const std::string& name : all_scenarios()) {
    CAPTURE(name);
    const test::GalleryRun& run = test::gallery_run(name);
    REQUIRE(run.code == 0);
    const json summary = summary_of(run.folder);
    if (name != "table-per-month") check_counts(run.printed(), summary.at("tables"));
    check_sizes(name, run.folder, summary);
    check_growing(run.folder);
    holding += check_fixes(name, summary);
  }
  CHECK(holding > 25);
}

TEST_CASE("--advice full tries what quick leaves out, and each of its fixes does what it says") {
  // Those of which quick leaves something out, and whose runs are short; WINDROW_ADVICE=all: every scenario.
  std::vector<std::string> names = {"bucket-drop",    "hot-and-cold",      "splitting-factor",  "table-per-month",
                                    "ticks-by-month", "too-large-buckets", "stcs-three-months", "window-too-small"};
  const char* which = std::getenv("WINDROW_ADVICE");
  const bool all = which != nullptr && std::string_view(which) == "all";
  if (all) names = all_scenarios();
  const auto tried = [](const json& summary) {
    std::size_t fixes = 0;
    for (const json& advice : summary.at("advice")) fixes += advice.at("tried").size();
    return fixes;
  };
  for (const std::string& name : names) {
    CAPTURE(name);
    const TestFolder folder;
    const std::string run =
        "run scenarios/" + name + ".ini --growth off --fail-on never --out '" + (folder / "r") + "'";
    REQUIRE(windrow(run).code == 0);
    const std::size_t quick = tried(summary_of(folder / "r"));
    REQUIRE(windrow(run + " --advice full").code == 0);
    const json summary = summary_of(folder / "r");
    CHECK((all ? tried(summary) >= quick : tried(summary) > quick));
    // Of all scenarios there are some of which a fix takes longer than --advice full may.
    for (const json& advice : summary.at("advice")) CHECK((all || advice.at("not_tried") == 0));
    check_fixes(name, summary);
  }
}

/// Of the first advice for a limit the fix whose command has these words.
json fix_with(const json& summary, std::string_view limit, std::string_view words) {
  for (const json& advice : summary.at("advice")) {
    if (advice.at("limit") != limit) continue;
    for (const json& fix : advice.at("tried")) {
      if (fix.at("command").get<std::string>().find(words) != std::string::npos) return fix;
    }
  }
  FAIL("no such fix was tried");
  return {};
}

// With gc_grace 0 tombstones go at once: 16.3 % of the bytes are held back at the most, with gc_grace of 26 hours 20.6
// %.
TEST_CASE("what keeps deleted rows away and breaks a limit that held says so, and is not what prevents it") {
  const TestFolder folder;
  const std::string run =
      "run scenarios/hints-and-gc-grace-zero.ini --set limits.held_back_share=17% --growth off "
      "--fail-on never --out '" +
      (folder / "r") + "'";
  const std::string out = windrow(run).out;
  const json fix = fix_with(summary_of(folder / "r"), "resurrected_rows", "gc_grace_seconds=93600");
  CHECK(fix.at("value") == 0);
  CHECK(fix.at("ending") == "breaks another");
  CHECK(fix.at("breaks") == "held_back_share of events");
  CHECK(out.find("holds, but breaks held_back_share of events") != std::string::npos);
  CHECK(text_of(folder / "r/resurrections.csv").find("gc_grace_seconds=93600") == std::string::npos);
  CHECK(windrow(run + " --threads 1").out == out);
}

// 100 sensors without a bucket, 141 MiB a year each: in two shards 70.5, after two years 141 again. Buckets end.
TEST_CASE("a fix that holds for as long as the run alone says so") {
  const TestFolder folder;
  const std::string name = "sharded-readings-bug";
  const std::string run = "run scenarios/" + name + ".ini --growth off --fail-on never --out '" + (folder / "r") + "'";
  REQUIRE(windrow(run).code == 0);
  const json summary = summary_of(folder / "r");
  CHECK(summary.at("limits").front().at("rises") == true);
  const auto holds_for_two_years = [&](const json& fix) {
    const std::string scenario = with_key(folder, name, fix.at("key_column").get<std::string>());
    const std::string longer =
        fmt::format("run '{}' --set run.length=2y --growth off --advice off --fail-on never --out '{}' {}", scenario,
                    folder / "long", fix.at("command").get<std::string>());
    REQUIRE(windrow(longer).code == 0);
    return summary_of(folder / "long").at("limits").front().at("holds").get<bool>();
  };
  const json shards = fix_with(summary, "partition_size_max", "shard(2)");
  CHECK(shards.at("says") == "holds until the end of the run, and still rises");
  CHECK_FALSE(holds_for_two_years(shards));
  const json months = fix_with(summary, "partition_size_max", "bucket=month");
  CHECK(months.at("says") == "holds");
  CHECK(holds_for_two_years(months));
}

TEST_CASE("advice names who wrote the rows that stay, the setting that mends it, and what mends nothing") {
  const TestFolder folder;
  const std::string run = "run scenarios/mixed-ttl.ini --growth off --fail-on never --out '" + (folder / "r") + "'";
  const std::string out = windrow(run).out;
  const std::string at_nothing = "no such fix";
  const auto says = [&](const std::string& words) { return out.find(words) != std::string::npos; };
  CHECK(says("for it has rows without TTL, written by test_devices"));
  const auto comes_of = [&](const std::string& settings) {
    const std::size_t at = out.find("  --set " + settings);
    const std::size_t begin = out.rfind('\n', at) + 1;
    return at == std::string::npos ? at_nothing : out.substr(begin, out.find("  ", out.find("%  ", begin) + 3) - begin);
  };
  CHECK(comes_of("stream.test_devices.ttl=10d") == "    19.2 %  holds");
  CHECK(comes_of("table.sensor_data.gc_grace_seconds=10800") == "    82.4 %  changes nothing");
  CHECK(comes_of("table.sensor_data.compaction.class=LeveledCompactionStrategy") ==
        "    19.1 %  holds, but windrow lint warns of it: leveled-append-only, ttl-without-twcs");
  CHECK(windrow(run + " --threads 1").out == out);
  CHECK(windrow(run + " --advice off").out.find("--set") == std::string::npos);
  const test::Ending wrong = windrow(run + " --advice some");
  CHECK(wrong.code == 2);
  CHECK(wrong.error.find("--advice some: accepts off, quick, full") != std::string::npos);
}

}  // namespace
}  // namespace windrow
