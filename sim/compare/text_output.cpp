#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/compare/measures.h"
#include "sim/compare/output.h"
#include "sim/text/aligned.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

using Cell = AlignedText::Cell;
using Side = AlignedText::Side;

std::string number_text(const Measure& measure, double number, const LineUnit& unit) {
  if (measure.verdict) return number > 0 ? human_count(number) : "none";
  return human_count(number / unit.size);
}

/// Lines of at most so many columns, broken at spaces; what is behind the first is indented.
std::string wrapped(const std::string& text, std::size_t width) {
  std::string all;
  std::string line;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, end - from);
    if (!line.empty() && text_width(line) + 1 + text_width(word) > width) {
      all += line + "\n";
      line = "  " + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
    from = end + 1;
  }
  return all + line + "\n";
}

class Comparison {
 public:
  Comparison(const std::vector<ComparedRun>& runs, const ComparisonStyle& style)
      : runs_(runs), style_(style), groups_(measures_of(runs)) {
    for (const ComparedRun& run : runs_) contender_.push_back(!run.baseline);
    add_headings();
    for (const MeasureGroup& group : groups_) add_group(group);
  }

  std::string text() const {
    std::string text;
    std::size_t first = 0;
    while (first < columns()) {
      const std::size_t end = end_of_block(first);
      if (first > 0) text += "\n";
      text += block(first, end);
      first = end;
    }
    return text + (alike_.empty() ? "" : "\n" + alike_) + trades() + legend();
  }

 private:
  /// Runs, and what no choice can get below.
  std::size_t columns() const { return runs_.size() + (has_least_ ? 1 : 0); }

  std::vector<Cell>& new_line(std::string label) {
    lines_.push_back({{.text = std::move(label)}});
    return lines_.back();
  }
  Cell painted(std::string text, const char* escape) const {
    if (!style_.color) return {.text = std::move(text)};
    return {.text = std::move(text), .before = fmt::format("\x1b[{}m", escape), .after = "\x1b[0m"};
  }

  void add_headings() {
    for (const MeasureGroup& group : groups_) {
      for (const Measure& measure : group.measures) has_least_ = has_least_ || measure.least.has_value();
    }
    const bool several = std::ranges::count(runs_, runs_.front().scenario, &ComparedRun::scenario) != std::ssize(runs_);
    if (several || runs_.front().choices.empty()) {
      std::vector<Cell>& line = new_line("scenario");
      for (const ComparedRun& run : runs_) {
        line.push_back(painted(printable(run.scenario) + (run.baseline && run.choices.empty() ? ", none " : " "), "1"));
      }
      if (has_least_) line.push_back(painted("least ", "2"));
    }
    std::vector<std::string> keys;
    for (const Choice& choice : runs_.front().choices) keys.push_back(choice.key);
    const std::vector<std::string> names = short_keys(keys);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      std::vector<Cell>& line = new_line(printable(names[k]));
      for (const ComparedRun& run : runs_) {
        line.push_back(painted((run.baseline ? "none" : printable(run.choices[k].value)) + " ", "1"));
      }
      if (has_least_) line.push_back(painted("least ", "2"));
    }
  }

  void add_group(const MeasureGroup& group) {
    if (group.measures.empty()) return;
    new_line(printable(group.title));
    std::string alike;
    for (const Measure& measure : group.measures) {
      if (!measure.all_alike()) {
        add_measure(measure);
        continue;
      }
      const LineUnit unit = line_unit(measure);
      alike += fmt::format("{}{} {}", alike.empty() ? "" : "; ", measure_label(measure, unit),
                           number_text(measure, *measure.values.front().number, unit));
    }
    if (!alike.empty())
      alike_ += wrapped(fmt::format("{}, the same in all: {}", printable(group.title), alike), style_.width);
  }

  /// What every other choice gives and takes against the first.
  std::string trades() const {
    constexpr std::size_t shown = 8;
    const RunLabels labels = run_labels(runs_);
    std::string text;
    std::size_t told = 0;
    for (std::size_t run = 1; run < runs_.size() && told < shown; ++run) {
      if (runs_[run].baseline || runs_.front().baseline) continue;
      const std::string trade = trade_of(run);
      if (trade.empty()) continue;
      text += wrapped(
          fmt::format("{} instead of {}: {}", printable(labels.plain[run]), printable(labels.plain.front()), trade),
          style_.width);
      ++told;
    }
    return text.empty() ? text : "\n" + text;
  }
  std::string trade_of(std::size_t run) const {
    std::string text;
    for (const MeasureGroup& group : groups_) {
      std::string part;
      for (const Measure& measure : group.measures) {
        const bool disk = measure.name == "disk peak";
        if (!disk && measure.name != "SSTables peak" && measure.name != "SSTables per partition" &&
            measure.name != "write amplification")
          continue;
        const auto& before = measure.values.front().number;
        const auto& after = measure.values[run].number;
        if (!before || !after || *before <= 0 || std::abs(*after / *before - 1) <= 0.005) continue;
        const double more = *after / *before - 1;
        part += part.empty() ? "" : ", ";
        part += disk ? fmt::format("{} {} disk", human_share(std::abs(more)), more > 0 ? "more" : "less")
                     : fmt::format("{} instead of {} {}", human_count(*after), human_count(*before),
                                   measure.name == "SSTables peak" ? "SSTables at most" : measure.name);
      }
      if (part.empty()) continue;
      const bool several = groups_.size() > 2;
      text += fmt::format("{}{}{}", text.empty() ? "" : "; ", several ? printable(group.title) + " " : "", part);
    }
    return text;
  }

  void add_measure(const Measure& measure) {
    const LineUnit unit = line_unit(measure);
    std::vector<Cell>& line = new_line("  " + measure_label(measure, unit));
    for (std::size_t i = 0; i < measure.values.size(); ++i) {
      const Measure::Value& value = measure.values[i];
      if (!value.number) {
        line.push_back({.text = "- "});
      } else if (value.broken) {
        line.push_back(painted(number_text(measure, *value.number, unit) + "!", "31"));
      } else if (measure.is_best(i, contender_)) {
        line.push_back(painted(number_text(measure, *value.number, unit) + "*", "32"));
      } else {
        line.push_back({.text = number_text(measure, *value.number, unit) + " "});
      }
    }
    if (has_least_) {
      line.push_back(measure.least ? painted(number_text(measure, *measure.least, unit) + " ", "2") : Cell{});
    }
  }

  std::size_t width_of(std::size_t column) const {
    std::size_t width = 0;
    for (const std::vector<Cell>& line : lines_) {
      if (column < line.size()) width = std::max(width, text_width(line[column].text));
    }
    return width;
  }

  /// At least one run, however narrow the terminal.
  std::size_t end_of_block(std::size_t first) const {
    constexpr std::size_t gap = 2;
    std::size_t width = width_of(0) + gap + width_of(first + 1);
    std::size_t end = first + 1;
    while (end < columns() && width + gap + width_of(end + 1) <= style_.width) {
      width += gap + width_of(end + 1);
      ++end;
    }
    return end;
  }

  std::string block(std::size_t first, std::size_t end) const {
    std::vector<Side> sides(1 + end - first, Side::right);
    sides.front() = Side::left;
    AlignedText aligned(sides);
    for (const std::vector<Cell>& line : lines_) {
      std::vector<Cell> cells = {line.front()};
      for (std::size_t i = first; i < end && i + 1 < line.size(); ++i) cells.push_back(line[i + 1]);
      aligned.add_row(std::move(cells));
    }
    return aligned.text(0);
  }

  std::string legend() const {
    std::string text = "\n* best of its line   ! beyond its limit\n";
    if (std::ranges::count(contender_, false) > 0) text += "none: the same writes, and nothing is ever compacted\n";
    if (has_least_) text += "least: what any choice needs for the rows that can be read, each written once\n";
    const bool guessed = !std::ranges::all_of(runs_, &ComparedRun::disk_sizes_known);
    const std::string& missing = runs_.front().not_counted;
    if (!missing.empty())
      text += fmt::format("Missing in all figures: {}. What they write, use and compact comes on top.\n",
                          printable(missing));
    else if (guessed)
      text +=
          "Disk figures are upper bounds (values that do not compress take a little more): no compression ratio was "
          "measured.\n";
    return text;
  }

  const std::vector<ComparedRun>& runs_;
  ComparisonStyle style_;
  std::vector<MeasureGroup> groups_;
  std::vector<bool> contender_{};
  bool has_least_ = false;
  std::string alike_{};
  std::vector<std::vector<Cell>> lines_{};
};

}  // namespace

std::string comparison_as_text(const std::vector<ComparedRun>& runs, const ComparisonStyle& style) {
  if (runs.empty()) return {};
  return Comparison(runs, style).text();
}

}  // namespace windrow
