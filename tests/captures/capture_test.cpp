#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "evidence/captures/capture_sizes.h"
#include "evidence/captures/capture_tokens.h"
#include "evidence/captures/capture_tools.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

using Json = nlohmann::json;

const std::string& recorded_sizes() {
  static const std::string text = test::read_xz("tests/data/captures/row_sizes/cases.jsonl.xz");
  return text;
}

void expect_none(const Disagreements& disagreements) {
  for (const Disagreement& one : disagreements) {
    FAIL_CHECK(one.case_name << " " << one.field << ": expected " << one.expected << ", ours " << one.ours);
  }
}

Json recording(const std::string& name, const std::string& format) {
  std::istringstream lines(recorded_sizes());
  for (std::string line; std::getline(lines, line);) {
    Json found = Json::parse(line);
    if (found.at("name") == name && found.at("format") == format) return found;
  }
  throw std::runtime_error("no such recording: " + name);
}

// Paths of all numbers and texts below a value.
void each_leaf(const Json& value, const Json::json_pointer& at,
               const std::function<void(const Json::json_pointer&)>& visit) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) each_leaf(inner, at / key, visit);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) each_leaf(value[i], at / i, visit);
  } else {
    visit(at);
  }
}

}  // namespace

TEST_CASE(
    "all recorded row sizes follow from their statements, and the modelled files to half a percent or to the byte") {
  // Asked of a model: Statistics.db within 25 %, Partitions.db and Rows.db within 10 %.
  const CaptureSizesResult result = verify_capture_sizes(recorded_sizes(), {.statistics = 0.005, .bti_indexes = 0});
  expect_none(result.disagreements);
  CHECK(result.cases == 471);
  CHECK(result.agreeing == 471);
}

TEST_CASE("twenty cases that were predicted before a node ran them agree in all three formats") {
  const std::string text = test::read_xz("tests/data/captures/own_sizes/cases.jsonl.xz");
  const CaptureSizesResult result = verify_capture_sizes(text, {.statistics = 0.05, .bti_indexes = 0});
  expect_none(result.disagreements);
  CHECK(result.cases == 60);
  CHECK(result.agreeing == 60);
}

TEST_CASE("random statements of all kinds and types give the sizes that a node gives") {
  const std::string text = test::read_xz("tests/data/captures/random_sizes/cases.jsonl.xz");
  const CaptureSizesResult result = verify_capture_sizes(text, {.statistics = 0.25, .bti_indexes = 0});
  expect_none(result.disagreements);
  CHECK(result.cases == 747);
  CHECK(result.agreeing == 747);
}

TEST_CASE("every recorded number is compared: changing any one is noticed") {
  for (const char* format : {"nb", "da"}) {
    const Json original = recording("wide_two_partitions_static", format);
    REQUIRE(verify_capture_sizes(original.dump()).agreeing == 1);
    int leaves = 0;
    each_leaf(original.at("expected"), Json::json_pointer("/expected"), [&](const Json::json_pointer& leaf) {
      const std::string name = leaf.back();
      // The place in the steps, names, and what only a compressed file has.
      if (name == "after_step" || name == "version" || name == "file" || name == "compressionRatio") return;
      Json changed = original;
      Json& value = changed.at(leaf);
      value = value.is_string() ? Json(value.get<std::string>() + "0")
                                : Json(value.get<std::int64_t>() ^ (std::int64_t{1} << 40));
      CHECK_MESSAGE(verify_capture_sizes(changed.dump()).disagreements.size() == 1, leaf.to_string());
      ++leaves;
    });
    CHECK(leaves >= 50);
  }
}

TEST_CASE("all recorded partition keys and tokens follow from their literals") {
  const CaptureTokensResult result = verify_capture_tokens(test::read_file("tests/data/captures/tokens/tokens.csv"));
  expect_none(result.disagreements);
  CHECK(result.keys == 1347);
  CHECK(result.agreeing == 1347);
}

TEST_CASE("texts of the tools are rendered byte for byte") {
  std::map<std::string, std::string> files;
  std::istringstream lines(test::read_xz("tests/data/captures/tools/tools.jsonl.xz"));
  for (std::string line; std::getline(lines, line);) {
    const Json file = Json::parse(line);
    files[file.at("path")] = file.at("text");
  }
  const CaptureToolsResult result = verify_capture_tools(files);
  expect_none(result.disagreements);
  CHECK(result.texts == 76);

  // A bucket more, and the text is another.
  Json data = Json::parse(files.at("data.json"));
  data["wide"]["sstables"][0]["partitionSizeHistogram"][0][0] = 3379391;
  files["data.json"] = data.dump();
  CHECK(verify_capture_tools(files).disagreements.size() == 3);
}

}  // namespace windrow
