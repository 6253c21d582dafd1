#include "tests/cli/terminal_numbers.h"

#include <fmt/format.h>

#include <sstream>

#include "sim/text/text.h"
#include "sim/text/unit.h"

namespace windrow::test {

namespace {

using Json = nlohmann::json;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string bytes(const Json& value) { return human_bytes(value.get<double>()); }
std::string count(const Json& value) { return human_count(value.get<double>()); }
std::string day(const Json& value) { return value.get<std::string>().substr(0, 10); }

class Terminal {
 public:
  Terminal(const std::string& text, const Json& summary) : lines_(lines_of(text)), summary_(summary) {}

  std::vector<std::string> mistakes() {
    for (const auto& [name, table] : summary_.at("tables").items()) {
      if (!table.at("month_of").is_null()) continue;
      check_table(name, table);
    }
    for (const Json& limit : summary_.at("limits")) check_limit(limit);
    check_growth();
    return std::move(mistakes_);
  }

 private:
  /// The lines from a heading on to the next empty line.
  std::vector<std::string> block(const std::string& heading) const {
    std::vector<std::string> found;
    bool within = false;
    for (const std::string& line : lines_) {
      within = within ? !line.empty() : line.starts_with(heading);
      if (within) found.push_back(line);
    }
    return found;
  }

  void expect(const std::vector<std::string>& block, const std::string& where, const std::string& label,
              const std::string& words) {
    const std::string begin = "  " + label + " ";
    for (const std::string& line : block) {
      if (!line.starts_with(begin)) continue;
      if (line.find(words) != std::string::npos) return;
    }
    mistakes_.push_back(fmt::format("{}: no line `{}` has `{}`, as summary.json", where, label, words));
  }

  void check_table(const std::string& name, const Json& table) {
    const std::vector<std::string> lines = block(name + "  " + table.at("strategy").get<std::string>());
    if (lines.empty()) {
      mistakes_.push_back(name + ": has no block of its own");
      return;
    }
    const auto says = [&](const std::string& label, const std::string& words) { expect(lines, name, label, words); };
    if (table.at("partitions") > 0) {
      const Json& sizes = table.at("partition_bytes");
      says("partitions", fmt::format("{}: median {}, p99 {}, max {}", count(table.at("partitions")),
                                     bytes(sizes.at("p50")), bytes(sizes.at("p99")), bytes(sizes.at("max"))));
    }
    if (table.at("peak_disk_bytes") > 0)
      says("disk", fmt::format("{} at the end, peak {} on {}", bytes(table.at("live_bytes")),
                               bytes(table.at("peak_disk_bytes")), day(table.at("peak_disk_date"))));
    const Json& waiting = table.at("waiting_gc_grace_bytes");
    if (waiting > 0)
      says("  not readable",
           fmt::format("{} wait for gc_grace, {} past it or deleted but not compacted, {} blocked", bytes(waiting),
                       bytes(table.at("purgeable_bytes")), bytes(table.at("blocked_bytes"))));
    if (table.at("live_growth") == "grows")
      says("  still grows", fmt::format("{} a year, evenly since {}", bytes(table.at("live_growth_bytes_per_year")),
                                        day(table.at("live_growth_since"))));
    says("SSTables", fmt::format("{} at the end, peak {} on {}", count(table.at("live_sstables")),
                                 count(table.at("peak_sstables")), day(table.at("peak_sstables_date"))));
    if (table.contains("windows") && !table.at("windows").is_null())
      says("windows", fmt::format("{}, {} with one SSTable", count(table.at("windows").at("count")),
                                  count(table.at("windows").at("with_one_sstable"))));
    if (table.at("peak_disk_bytes") > 0)
      says("write amplification", fmt::format("each byte written {} ({}, {})",
                                              number_of(table.at("write_amplification").get<double>(), "time"),
                                              number_of(table.at("flushes").get<double>(), "flush", "flushes"),
                                              number_of(table.at("compactions").get<double>(), "compaction")));
    if (!table.at("space_amplification").is_null()) says("space amplification", count(table.at("space_amplification")));
    if (table.at("tombstones") > 0)
      says("tombstones", fmt::format("{} with expired cells", count(table.at("tombstones"))));
  }

  void check_limit(const Json& limit) {
    if (limit.at("value").is_null()) return;
    const std::string name = limit.at("name").get<std::string>();
    const Json& table = limit.at("table");
    if (!table.is_null() && !summary_.at("tables").at(table.get<std::string>()).at("month_of").is_null()) return;
    const Unit unit = unit_named(limit.at("unit").get<std::string>());
    const std::string value = in_unit(unit, limit.at("value").get<double>());
    const std::string state =
        limit.at("holds").get<bool>()
            ? fmt::format("holds, {} to spare", human_share(limit.at("margin_share").get<double>()))
            : "BROKEN ";
    for (const std::string& line : block("Limits")) {
      const bool own = line.starts_with("  " + name + " ") &&
                       line.find(table.is_null() ? "node" : table.get<std::string>()) != std::string::npos;
      const bool broken =
          limit.at("holds").get<bool>() || line.find(limit.at("first_breach").get<std::string>()) != std::string::npos;
      if (own && broken && line.find(" " + value + "  of ") != std::string::npos &&
          line.find(state) != std::string::npos)
        return;
    }
    mistakes_.push_back(fmt::format("{} of {}: no limit has {} and {}", name, table.dump(), value, state));
  }

  void check_growth() {
    const Json& factor = summary_.at("growth_factor_safe");
    if (factor.is_null()) return;
    const std::string times = factor == 1 ? "the rates as they are" : count(factor) + " times all rates";
    for (const std::string& line : lines_) {
      if (line.starts_with("Safe growth:") && line.find(times) != std::string::npos) return;
    }
    mistakes_.push_back("safe growth is not " + count(factor));
  }

  std::vector<std::string> lines_{};
  const Json& summary_;
  std::vector<std::string> mistakes_{};
};

}  // namespace

std::vector<std::string> terminal_mistakes(const std::string& terminal, const Json& summary) {
  return Terminal(terminal, summary).mistakes();
}

}  // namespace windrow::test
