#include <nlohmann/json.hpp>

#include "evidence/agreement/report.h"
#include "evidence/recordings/recording_check_state.h"

namespace windrow {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const TestResult& test) {
  Json json;
  json["test"] = test.test;
  json["agrees"] = test.agrees();
  json["agreeing"] = Json::object();
  for (const AgreeingCount& count : test.agreeing) json["agreeing"][count.what] = count.number;
  json["disagreements"] = test.disagreements;
  if (test.first) {
    json["first"] = {{"t", test.first->t_s},     {"date", utc_text(test.first->t_s)}, {"where", test.first->where},
                     {"what", test.first->what}, {"expected", test.first->expected},  {"ours", test.first->ours},
                     {"rule", test.first->rule}, {"state", test.first->state}};
  }
  if (!test.notes.empty()) json["notes"] = test.notes;
  return json;
}

Json to_json(const TimelineCounts& counts) {
  Json json;
  for (const auto& [name, count] : named_counts(counts)) json[name] = {{"all", count.all}, {"alike", count.alike}};
  return json;
}

Json to_json(const CaptureResult& capture) {
  Json json;
  json["name"] = capture.name;
  json["agrees"] = capture.agrees();
  json["cases"] = capture.cases;
  json["agreeing"] = capture.agreeing;
  if (capture.timeline_counts) json["counts"] = to_json(*capture.timeline_counts);
  if (!capture.remarks.empty()) json["remarks"] = capture.remarks;
  json["disagreements"] = Json::array();
  for (const Disagreement& disagreement : capture.disagreements) {
    json["disagreements"].push_back({{"case", disagreement.case_name},
                                     {"field", disagreement.field},
                                     {"expected", disagreement.expected},
                                     {"ours", disagreement.ours}});
  }
  return json;
}

}  // namespace

std::string report_json(const VerifyReport& report) {
  Json json;
  json["recordings"] = Json::array();
  for (const RecordingResult& recording : report.recordings) {
    Json tests = Json::array();
    for (const TestResult& test : recording.tests) tests.push_back(to_json(test));
    json["recordings"].push_back(
        {{"name", recording.name}, {"agrees", recording.agrees()}, {"tests", std::move(tests)}});
  }
  json["captures"] = Json::array();
  for (const CaptureResult& capture : report.captures) json["captures"].push_back(to_json(capture));
  json["agrees"] = report.agrees();
  json["summary"] = summary_text(report);
  // Names of files and texts of recordings need not be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace windrow
