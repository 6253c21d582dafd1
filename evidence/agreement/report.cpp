#include "evidence/agreement/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "evidence/recordings/recording_check_state.h"

namespace windrow {
namespace {

constexpr std::array<std::string_view, 3> test_kinds{"pick", "merge", "run"};
constexpr std::size_t longest_value = 200;
constexpr std::size_t shown_before_difference = 60;
constexpr int disagreements_shown = 10;  // of captures, where every case stands by itself

std::string verdict(bool agrees, const ReportStyle& style) {
  const std::string_view word = agrees ? "agrees " : "differs";
  if (!style.color) return std::string(word);
  return fmt::format("\x1b[{}m{}\x1b[0m", agrees ? 32 : 31, word);
}

/// Long values around the first place where they differ.
std::string excerpt(const std::string& value, const std::string& other) {
  if (value.size() <= longest_value) return value;
  const auto place = std::ranges::mismatch(value, other).in1 - value.begin();
  const auto difference = static_cast<std::size_t>(place);
  const std::size_t from = difference > shown_before_difference ? difference - shown_before_difference : 0;
  std::string text = from > 0 ? "…" : "";
  text += value.substr(from, longest_value);
  if (from + longest_value < value.size()) text += "…";
  return text;
}

std::string explanation_text(const TestResult& test) {
  const Explanation& first = *test.first;
  std::string text = fmt::format("    {}", first.where);
  if (first.t_s != 0) text += fmt::format(" at {} (t = {})", utc_text(first.t_s), first.t_s);
  text += fmt::format(": {}\n", first.what);
  text += fmt::format("      engine  {}\n", excerpt(first.expected, first.ours));
  text += fmt::format("      ours    {}\n", excerpt(first.ours, first.expected));
  if (!first.rule.empty()) text += fmt::format("      by rule {}\n", first.rule);
  if (!first.state.empty()) text += "      before\n";
  for (const std::string& line : first.state) text += fmt::format("        {}\n", line);
  if (test.disagreements > 1) text += fmt::format("      and {} more\n", grouped(test.disagreements - 1));
  return text;
}

std::string counts_text(const TestResult& test) {
  std::string text;
  for (const AgreeingCount& count : test.agreeing) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(count.number), count.what);
  }
  for (const std::string& note : test.notes) text += "; " + note;
  return text;
}

const TestResult* find_test(const RecordingResult& recording, std::string_view test) {
  const auto found = std::ranges::find(recording.tests, test, &TestResult::test);
  return found == recording.tests.end() ? nullptr : &*found;
}

std::int64_t total(const VerifyReport& report, std::string_view test, std::string_view what) {
  std::int64_t sum = 0;
  for (const RecordingResult& recording : report.recordings) {
    if (const TestResult* result = find_test(recording, test)) sum += result->count_of(what);
  }
  return sum;
}

std::string recordings_summary(const VerifyReport& report) {
  const auto traces = report.recordings.size();
  std::string text = fmt::format("{} {}: ", traces, traces == 1 ? "trace" : "traces");
  for (const std::string_view test : test_kinds) {
    const auto agreeing = std::ranges::count_if(report.recordings, [&](const RecordingResult& recording) {
      const TestResult* result = find_test(recording, test);
      return result != nullptr && result->agrees();
    });
    text += fmt::format("{}{} {}", test == test_kinds.front() ? "" : ", ", test, agreeing);
  }
  const std::int64_t picks = total(report, "pick", "picks");
  return text + fmt::format(" agree; {} picks, {} calls, {} SSTables, {} fields", grouped(picks),
                            grouped(picks + total(report, "pick", "calls that find nothing")),
                            grouped(total(report, "merge", "SSTables")), grouped(total(report, "merge", "fields")));
}

}  // namespace

bool VerifyReport::agrees() const {
  return std::ranges::all_of(recordings, &RecordingResult::agrees) &&
         std::ranges::all_of(captures, &CaptureResult::agrees);
}

std::string recording_text(const RecordingResult& recording, const ReportStyle& style) {
  std::string text;
  for (const TestResult& test : recording.tests) {
    const std::string counts = counts_text(test);
    text += fmt::format("{:<{}}  {:<5}  {}{}{}\n", recording.name, style.name_width, test.test,
                        verdict(test.agrees(), style), counts.empty() ? "" : "  ", counts);
    if (test.first) text += explanation_text(test);
  }
  return text;
}

std::string capture_text(const CaptureResult& capture, const ReportStyle& style) {
  std::string text = fmt::format("{:<{}}  {:<5}  {}  {} of {} cases{}\n", capture.name, style.name_width, "",
                                 verdict(capture.agrees(), style), grouped(capture.agreeing), grouped(capture.cases),
                                 capture.note.empty() ? "" : "; " + capture.note);
  int shown = 0;
  for (const Disagreement& disagreement : capture.disagreements) {
    if (++shown > disagreements_shown) break;
    text += fmt::format("    {}: {}\n      engine  {}\n      ours    {}\n", disagreement.case_name, disagreement.field,
                        excerpt(disagreement.expected, disagreement.ours),
                        excerpt(disagreement.ours, disagreement.expected));
  }
  const auto all = static_cast<std::int64_t>(capture.disagreements.size());
  if (all > disagreements_shown) text += fmt::format("      and {} more\n", grouped(all - disagreements_shown));
  for (const std::string& remark : capture.remarks) text += fmt::format("    {}\n", remark);
  return text;
}

std::string summary_text(const VerifyReport& report) {
  std::string text;
  if (!report.recordings.empty()) text = recordings_summary(report);
  if (report.captures.empty()) return text;
  std::int64_t cases = 0;
  std::int64_t agreeing = 0;
  for (const CaptureResult& capture : report.captures) {
    cases += capture.cases;
    agreeing += capture.agreeing;
  }
  if (!text.empty()) text += "; ";
  return text + fmt::format("captures: {} of {} cases agree", grouped(agreeing), grouped(cases));
}

}  // namespace windrow
