#include "sim/results/windows.h"

#include <array>
#include <map>

#include "sim/record/node_runs.h"
#include "sim/text/csv.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 7> window_columns = {"node", "table",    "window", "from",
                                                            "to",   "sstables", "bytes"};

struct Step {
  std::int64_t sstables = 0;
  Bytes bytes = 0;
};

}  // namespace

std::vector<WindowSpan> window_spans(const Lifelines& lifelines, Micros end_us) {
  std::map<Seconds, std::map<Micros, Step>> windows;
  for (const Lifeline& line : lifelines) {
    if (!line.window_s) continue;
    auto& steps = windows[*line.window_s];
    Step& born = steps[line.born_us];
    born.sstables += 1;
    born.bytes += line.bytes;
    Step& died = steps[line.died_us.value_or(end_us)];
    died.sstables -= 1;
    died.bytes -= line.bytes;
  }
  std::vector<WindowSpan> spans;
  for (const auto& [window_s, steps] : windows) {
    WindowSpan span{.window_s = window_s};
    for (const auto& [at_us, step] : steps) {
      span.to_us = at_us;
      if (span.sstables > 0) spans.push_back(span);
      span.from_us = at_us;
      span.sstables += step.sstables;
      span.bytes += step.bytes;
    }
  }
  return spans;
}

void write_windows(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "windows.csv", window_columns);
  each_node_table(record, [&](const RunRecord& run, const TableRecord& table) {
    for (const WindowSpan& span : window_spans(table.lifelines, record.scenario->end_us)) {
      csv.number(std::int64_t{run.identity.node}).text(table.name).time_s(span.window_s);
      csv.time(span.from_us).time(span.to_us).number(span.sstables).number(span.bytes).end_row();
    }
  });
  csv.close();
}

}  // namespace windrow
