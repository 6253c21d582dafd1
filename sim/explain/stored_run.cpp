#include "sim/explain/stored_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/page/csv_columns.h"
#include "sim/page/facts.h"
#include "sim/record/run_record.h"

namespace windrow {

namespace {

using Json = nlohmann::json;

const ResultText& text_of(const ResultTexts& texts, const std::string& name) {
  const auto found = texts.find(name);
  if (found == texts.end()) throw PageError(name + " is missing: run the scenario again");
  return found->second;
}

Json parse_summary(const ResultTexts& texts) {
  try {
    return Json::parse(text_of(texts, "summary.json").text());
  } catch (const Json::exception&) {
    throw PageError("summary.json cannot be read: run the scenario again");
  }
}

std::int64_t whole(std::string_view cell, std::string_view file) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (error != std::errc() || end != cell.data() + cell.size()) {
    throw PageError(fmt::format("{}: `{}` is no whole number: run the scenario again", file, cell));
  }
  return number;
}

std::vector<std::int64_t> ids(std::string_view cell, std::string_view file) {
  std::vector<std::int64_t> numbers;
  while (!cell.empty()) {
    const std::size_t end = std::min(cell.find(' '), cell.size());
    const std::string_view one = cell.substr(0, end);
    numbers.push_back(one == "memtable" ? memtable_id : whole(one, file));
    cell.remove_prefix(std::min(end + 1, cell.size()));
  }
  return numbers;
}

/// Cells of a row, taken one after the other in the order of the names asked for.
class Cells {
 public:
  Cells(const std::vector<std::string_view>& cells, std::string_view file) : cells_(cells), file_(file) {}
  std::string_view text() { return cells_[at_++]; }
  std::int64_t number() { return whole(text(), file_); }
  std::vector<std::int64_t> numbers() { return ids(text(), file_); }

 private:
  const std::vector<std::string_view>& cells_;
  std::string_view file_;
  std::size_t at_ = 0;
};

StoredSSTable sstable_of(const std::vector<std::string_view>& row, std::string_view file) {
  Cells cells(row, file);
  StoredSSTable sstable;
  sstable.id = cells.number();
  sstable.parents = cells.numbers();
  sstable.blocked_by = cells.numbers();
  sstable.was_blocker = cells.text() == "yes";
  sstable.born = cells.text();
  sstable.died = cells.text();
  sstable.why_born = cells.text();
  sstable.why_died = cells.text();
  sstable.window = cells.text();
  sstable.bytes = cells.number();
  sstable.rows = cells.number();
  sstable.partitions = cells.number();
  sstable.oldest_write = cells.text();
  sstable.newest_write = cells.text();
  sstable.first_expiry = cells.text();
  sstable.last_expiry = cells.text();
  sstable.droppable_at = cells.text();
  sstable.frees_bytes = cells.number();
  sstable.holds_bytes = cells.number();
  sstable.goes_at = cells.text();
  sstable.state = cells.text();
  if (const std::string_view readable = cells.text(); !readable.empty()) sstable.readable_rows = whole(readable, file);
  return sstable;
}

/// The file may have millions, of which a few are kept: what an SSTable was made of comes before it, and takes another
/// look.
void read_sstables(const ResultTexts& texts, std::int64_t about, StoredTable& table) {
  static const std::vector<std::string> names = {
      "sstable",      "parents",      "blocked_by",   "was_blocker",  "born",         "died",
      "why_born",     "why_died",     "window",       "bytes",        "rows",         "partitions",
      "oldest_write", "newest_write", "first_expiry", "last_expiry",  "droppable_at", "frees_bytes",
      "holds_bytes",  "goes_at",      "state_at_end", "readable_rows"};
  const std::string file = "sstables.csv";
  const auto look = [&](const auto& wanted) {
    each_result_row(file, text_of(texts, file), names, table.name, "table", table.node, [&](const auto& row) {
      Cells cells(row, file);
      const std::int64_t id = cells.number();
      if (table.first_id == 0 || id < table.first_id) table.first_id = id;
      table.last_id = std::max(table.last_id, id);
      const std::vector<std::int64_t> parents = cells.numbers();
      const bool blocked = !cells.text().empty();
      const bool blocker = cells.text() == "yes";
      if (wanted(id, parents, blocked || blocker)) table.sstables.emplace(id, sstable_of(row, file));
    });
  };
  look([about](std::int64_t id, const std::vector<std::int64_t>& parents, bool in_a_chain) {
    return in_a_chain || id == about || std::ranges::find(parents, about) != parents.end();
  });
  const StoredSSTable* found = table.find(about);
  if (found == nullptr || found->parents.empty()) return;
  look([made_of = found->parents](std::int64_t id, const std::vector<std::int64_t>&, bool) {
    return std::ranges::find(made_of, id) != made_of.end();
  });
}

/// Those that made the SSTable that is asked about, which was born when they ended.
void read_compactions(const ResultTexts& texts, const StoredSSTable& about, StoredTable& table) {
  static const std::vector<std::string> names = {
      "start", "end", "reason", "count", "inputs", "read_bytes", "output_sstables", "output_rows", "purged_rows"};
  const std::string file = "compactions.csv";
  each_result_row(file, text_of(texts, file), names, table.name, "table", table.node, [&](const auto& row) {
    Cells cells(row, file);
    StoredCompaction compaction;
    compaction.start = cells.text();
    compaction.end = cells.text();
    compaction.reason = cells.text();
    if (cells.number() != 1 || compaction.end != about.born) return;
    compaction.inputs = cells.number();
    compaction.read_bytes = cells.number();
    compaction.output_sstables = cells.number();
    compaction.output_rows = cells.number();
    compaction.purged_rows = cells.number();
    table.compactions.push_back(std::move(compaction));
  });
}

}  // namespace

const StoredSSTable* StoredTable::find(std::int64_t id) const {
  const auto found = sstables.find(id);
  return found == sstables.end() ? nullptr : &found->second;
}

std::vector<std::int64_t> StoredTable::children(std::int64_t id) const {
  std::vector<std::int64_t> found;
  for (const auto& [child, sstable] : sstables) {
    if (std::ranges::find(sstable.parents, id) != sstable.parents.end()) found.push_back(child);
  }
  return found;
}

std::vector<std::string> stored_tables(const ResultTexts& texts) {
  std::vector<std::string> names;
  // Keys of a parsed object come in the order of the alphabet: the same for everybody who asks.
  const Json tables = parse_summary(texts).value("tables", Json::object());
  for (const auto& [name, table] : tables.items()) names.push_back(name);
  return names;
}

std::vector<std::string> stored_nodes(const ResultTexts& texts) {
  std::vector<std::string> names;
  const Json nodes = parse_summary(texts).value("nodes", Json::array());
  for (const Json& node : nodes) {
    if (node.contains("fullest") && node.value("run", 0) == node.value("node", 0))
      names.push_back(std::to_string(node.value("node", 0)));
  }
  return names;
}

StoredTable read_stored_table(const ResultTexts& texts, const std::string& table, std::int64_t about,
                              const std::string& node) {
  const Json summary = parse_summary(texts);
  const Facts all(summary);
  const Facts facts = all.below("tables").below(table);
  StoredTable stored{.name = table,
                     .strategy = facts.text("strategy"),
                     .end = all.text("end"),
                     .gc_grace_s = static_cast<std::int64_t>(facts.number("gc_grace_s")),
                     .node = node.empty() ? fullest_node_name(facts) : node};
  read_sstables(texts, about, stored);
  if (const StoredSSTable* found = stored.find(about)) read_compactions(texts, *found, stored);
  return stored;
}

const std::vector<std::string>& stored_run_sources() {
  static const std::vector<std::string> names = {"summary.json", "sstables.csv", "compactions.csv"};
  return names;
}

}  // namespace windrow
