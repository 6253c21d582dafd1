#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "sim/cli/command.h"
#include "sim/cli/files.h"
#include "sim/cli/result_folder.h"
#include "sim/explain/explain.h"
#include "sim/lint/allowed.h"
#include "sim/lint/lint.h"
#include "sim/page/facts.h"

namespace windrow {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

void add_explain_options(po::options_description& options) {
  options.add_options()("table", po::value<std::string>()->value_name("NAME"),
                        "which table; needed where the run has several");
}

ResultTexts read_result(const fs::path& folder) {
  if (!is_result_folder(folder)) {
    throw UserError(
        fmt::format("{} is no result of windrow: windrow run SCENARIO.ini --out DIR makes one", folder.string()));
  }
  ResultTexts texts;
  for (const std::string& name : stored_run_sources()) texts[name] = read_result_text(folder / name);
  return texts;
}

std::string table_of(const Invocation& invocation, const std::vector<std::string>& tables) {
  if (!invocation.has("table")) {
    if (tables.size() == 1) return tables.front();
    throw UserError(fmt::format("the run has several tables; --table accepts {}", fmt::join(tables, ", ")));
  }
  const std::string name = invocation.text("table");
  if (std::ranges::find(tables, name) == tables.end()) {
    throw UserError(fmt::format("--table {}: the run has no such table; accepts {}", name, fmt::join(tables, ", ")));
  }
  return name;
}

/// "4/17" is SSTable 17 of node 4; of a run of several nodes a number alone is one of the fullest.
struct Asked {
  std::string node{};
  std::string sstable{};
};

Asked asked_for(const std::string& text, const std::vector<std::string>& nodes) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return {.node = {}, .sstable = text};
  Asked asked{.node = text.substr(0, slash), .sstable = text.substr(slash + 1)};
  if (nodes.empty()) throw UserError(fmt::format("{}: the run has one node; accepts the number of an SSTable", text));
  if (std::ranges::find(nodes, asked.node) == nodes.end())
    throw UserError(fmt::format("{}: no run of node {}; accepts {}", text, asked.node, fmt::join(nodes, ", ")));
  return asked;
}

std::int64_t id_of(const std::string& text) {
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size() || id < 1) {
    throw UserError(fmt::format("SSTable {}: accepts a number of the column sstable of sstables.csv", text));
  }
  return id;
}

const StoredSSTable& find_sstable(const StoredTable& table, std::int64_t id) {
  const StoredSSTable* found = table.find(id);
  if (found != nullptr) return *found;
  if (table.first_id == 0)
    throw UserError(fmt::format("SSTable {}: {} has no SSTables in sstables.csv", id, table.name));
  throw UserError(fmt::format(
      "SSTable {}: {} has none of that number in sstables.csv; accepts {} to {}, those that a sample has seen "
      "or that blocked; windrow run --all keeps every one",
      id, table.name, table.first_id, table.last_id));
}

int run_explain(const Invocation& invocation) {
  if (invocation.arguments.size() == 1) {
    try {
      const LintRule& rule = rule_named(invocation.arguments.front(), "windrow explain");
      invocation.console->print(rule_as_text(rule));
    } catch (const AllowError& error) {
      throw UserError(fmt::format("{}\nwindrow explain takes a rule of windrow lint, or DIR SSTABLE", error.what()));
    }
    return exit_well;
  }
  const fs::path folder = invocation.arguments[0];
  const ResultTexts texts = read_result(folder);
  try {
    const Asked asked = asked_for(invocation.arguments[1], stored_nodes(texts));
    const std::string name = table_of(invocation, stored_tables(texts));
    const std::int64_t id = id_of(asked.sstable);
    const StoredTable table = read_stored_table(texts, name, id, asked.node);
    invocation.console->print(explain_sstable(table, find_sstable(table, id)));
  } catch (const PageError& error) {
    throw UserError(fmt::format("{}: {}", folder.string(), error.what()));
  }
  return exit_well;
}

}  // namespace

const Command explain_command{.name = "explain",
                              .arguments = "DIR [NODE/]SSTABLE | RULE",
                              .meaning =
                                  "why an SSTable exists, why it is still here, and what would free it; or what a rule "
                                  "of windrow lint means",
                              .example = "windrow explain iot-sensors.windrow 17",
                              .arguments_min = 1,
                              .arguments_max = 2,
                              .add_options = add_explain_options,
                              .run = run_explain};

}  // namespace windrow
