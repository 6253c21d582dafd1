#include "sim/page/repair_chart.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "sim/page/captions.h"
#include "sim/page/iso.h"
#include "sim/page/spec.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

using nlohmann::json;

constexpr const char* repairs_file = "repairs.csv";
constexpr const char* outages_file = "outages.csv";
constexpr const char* ledger_file = "resurrections.csv";
constexpr std::size_t most_ledger_lines = 20;  // of the page; the file has all
constexpr std::size_t least_shown = 13;        // characters of a lane's name

bool there(const ResultTexts& texts, const char* file) { return texts.contains(file) && !texts.at(file).empty(); }

/// What the chart draws: spans and instants of lanes, in the order of the lanes.
class Lanes {
 public:
  void span(const std::string& lane, const char* kind, const std::string& from, const std::string& to,
            const std::string& note = {}) {
    rows_.rows.push_back({lane, kind, "span", from, to, note});
    lanes_.insert(lane);
  }
  void instant(const std::string& lane, const char* kind, const std::string& at, const std::string& note) {
    rows_.rows.push_back({lane, kind, "instant", at, at, note});
  }
  std::size_t count() const { return lanes_.size(); }
  /// Where names are too long for the page, their beginnings and their ends are shown: so much of each, that all
  /// differ.
  std::pair<std::size_t, std::size_t> shown_ends() const {
    for (std::size_t shown = least_shown;; ++shown) {
      for (std::size_t end = shown / 2; end <= shown; ++end) {
        if (differ(shown - end, end)) return {shown - end, end};
      }
    }
  }
  const CsvColumns& rows() const { return rows_; }

 private:
  bool differ(std::size_t begin, std::size_t end) const {
    std::set<std::string> cut;
    for (const std::string& lane : lanes_) {
      const bool whole = lane.size() <= begin + 1 + end;
      cut.insert(whole ? lane : lane.substr(0, begin) + "…" + lane.substr(lane.size() - end));
    }
    return cut.size() == lanes_.size();
  }

  CsvColumns rows_{.names = {"lane", "kind", "form", "from", "to", "note"}};
  std::set<std::string> lanes_{};
};

void add_outages(const ResultTexts& texts, Lanes& lanes) {
  if (!there(texts, outages_file)) return;
  for (const char* kind : {"down", "cut_off"}) {
    const CsvColumns outages =
        read_csv_columns(outages_file, texts.at(outages_file), {"outage", "node", "from", "to"}, kind, "kind");
    for (const auto& row : outages.rows) lanes.span("node " + row[1], "node down", row[2], row[3], row[0]);
  }
}

/// A span of a repair's lane: the lines of all nodes that began at one instant.
struct RepairSpan {
  std::string repair{};
  std::string begin{};
  std::string end{};
  std::vector<std::string> done{};
  std::vector<std::string> others{};  // and what became of them
};

void add_repairs(const std::string& table, const ResultTexts& texts, Lanes& lanes) {
  if (!there(texts, repairs_file)) return;
  const CsvColumns repairs =
      read_csv_columns(repairs_file, texts.at(repairs_file), {"repair", "begin", "end", "outcome", "node"}, table);
  std::vector<RepairSpan> spans;  // those that began together are next to each other, or a refusal apart
  for (const auto& row : repairs.rows) {
    const auto same = std::ranges::find_if(spans.rbegin(), spans.rend(), [&](const RepairSpan& span) {
      return span.repair == row[0] && span.begin == row[1];
    });
    RepairSpan& span = same != spans.rend() ? *same : spans.emplace_back(RepairSpan{.repair = row[0], .begin = row[1]});
    span.end = std::max(span.end, row[2]);
    (row[3] == "done" ? span.done : span.others).push_back("node " + row[4] + ": " + row[3]);
  }
  for (const RepairSpan& span : spans) {
    if (!span.done.empty()) lanes.span("repair " + span.repair, "repair", span.begin, span.end, "done");
    if (!span.others.empty())
      lanes.span("repair " + span.repair, "repair refused", span.begin, span.end,
                 fmt::format("{}", fmt::join(span.others, ", ")));
  }
}

void add_ledger(const std::string& table, const std::string& end, const ResultTexts& texts, Lanes& lanes) {
  if (!there(texts, ledger_file)) return;
  const CsvColumns ledger =
      read_csv_columns(ledger_file, texts.at(ledger_file),
                       {"state", "stream", "rows", "deleted_from", "deleted_to", "missed_by", "purged_on", "purged_at",
                        "brought_by", "brought_at", "until", "healed_by", "gc_grace_s"},
                       table);
  for (std::size_t i = 0; i < std::min(ledger.rows.size(), most_ledger_lines); ++i) {
    const auto& row = ledger.rows[i];
    const auto cell = [&](const char* name) -> const std::string& { return row[ledger.place(name)]; };
    const std::string lane = fmt::format("{} {}", table, i + 1);
    const std::string what = fmt::format("{}: {} {} of {}, node {} missed it", cell("state"), cell("rows"),
                                         cell("rows") == "1" ? "row" : "rows", cell("stream"), cell("missed_by"));
    const std::int64_t gc_grace_s = std::strtoll(cell("gc_grace_s").c_str(), nullptr, 10);
    const std::string grace = iso_time_s(iso_seconds(cell("deleted_to")) + gc_grace_s);
    const std::string& until = cell("until").empty() ? end : cell("until");
    lanes.span(lane, "within gc_grace of the deletes", cell("deleted_from"), std::min(grace, end), what);
    const bool healed = cell("state") == "healed";
    const std::string since = iso_time_s(iso_seconds(cell("deleted_from")) + gc_grace_s);
    if (cell("state") == "visible" && since < until) {
      lanes.span(lane, "returned by reads", since, until, "gc_grace was over, and no repair had come");
    }
    if (!healed && !cell("purged_at").empty() && cell("purged_at") < until) {
      lanes.span(lane, "forgotten by a node, alive on another", cell("purged_at"), until,
                 "node " + cell("purged_on") + " purged it first");
    }
    if (!cell("brought_at").empty())
      lanes.instant(lane, "brought back", cell("brought_at"), "by " + cell("brought_by"));
    if (healed) lanes.instant(lane, "healed in time", cell("until"), "by " + cell("healed_by"));
  }
}

}  // namespace

void add_repair_chart(const Facts& summary, const std::vector<std::string>& tables, const ResultTexts& texts,
                      TableCharts& charts) {
  Lanes lanes;
  const std::string end = summary.text("end");
  add_outages(texts, lanes);
  for (const std::string& table : tables) add_repairs(table, texts, lanes);
  for (const std::string& table : tables) add_ledger(table, end, texts, lanes);
  if (lanes.count() == 0) return;
  const std::int64_t length_s = iso_seconds(end) - iso_seconds(summary.text("start"));
  const auto [begin, end_of_name] = lanes.shown_ends();
  const json params{{"date_format", date_format(summary.text("start"), end)},
                    {"height", 60 + 24 * lanes.count()},
                    {"least_ms", length_s * 1000 / 300},  // what is short is seen, too
                    {"shown_begin", begin},
                    {"shown_end", end_of_name}};
  charts.charts.push_back(made_chart("repairs", repairs_caption(summary, tables),
                                     filled_spec(chart_spec("repairs"), params, json::array(), {}), ledger_file));
  charts.files[ledger_file] = columns_json(lanes.rows());
}

}  // namespace windrow
