#include <doctest/doctest.h>

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "evidence/captures/capture_memtable.h"
#include "tests/support/xz.h"

namespace windrow {
namespace {

std::map<std::string, std::string> recorded_memtables() {
  std::map<std::string, std::string> files;
  for (const char* name : {"heap_buffers.jsonl", "offheap_buffers.jsonl", "offheap_objects.jsonl", "overwrites.jsonl",
                           "commitlog.jsonl", "flushes.jsonl"}) {
    files[name] = test::read_file("tests/data/captures/memtable/" + std::string(name));
  }
  return files;
}

/// Without the shapes that were measured later, of which many are small.
std::map<std::string, std::string> first_memtables() {
  std::map<std::string, std::string> files = recorded_memtables();
  for (auto& [name, text] : files) {
    if (!name.ends_with(".jsonl")) continue;
    std::istringstream lines(std::exchange(text, {}));
    for (std::string line; std::getline(lines, line);) {
      const bool later = line.starts_with("{\"case\": \"n_") || line.starts_with("{\"case\": \"s_") ||
                         line.starts_with("{\"case\": \"r_");
      if (!later) text += line + "\n";
    }
  }
  return files;
}

TEST_CASE("memtables and the commit log weigh what was measured, for every shape") {
  const CaptureMemtableResult all = verify_capture_memtable(recorded_memtables());
  CHECK(all.cases == 756);
  CHECK(all.agreeing == 756);
  CHECK(all.most_logged < 0.005);
  const CaptureMemtableResult result = verify_capture_memtable(first_memtables());
  CHECK(result.cases == 358);
  CHECK(result.agreeing == 358);
  CHECK(result.most_memory < 0.01);
  CHECK(result.most_logged < 0.001);
}

TEST_CASE("a node's own flushes have as many rows as their memtables weigh") {
  const CaptureMemtableResult result = verify_capture_memtable(recorded_memtables());
  CHECK(result.flushes == 147);
  CHECK(result.most_flushed < 0.01);
  CHECK(result.assumed.empty());
}

// The recorded line again under another name: of the text nothing is known, then it says so itself.
TEST_CASE(
    "of a shape that nobody knows the lengths of values are the line's or the statement's, or said to be assumed") {
  std::map<std::string, std::string> files = recorded_memtables();
  const std::string& text = files["heap_buffers.jsonl"];
  const auto from = text.find(R"({"case": "text200_p100",)");
  std::string line = text.substr(from, text.find('\n', from) - from);
  line.replace(line.find("text200_p100"), std::string("text200_p100").size(), "another");
  const CaptureMemtableResult unknown = verify_capture_memtable({{"heap_buffers.jsonl", line + "\n"}});
  CHECK(unknown.assumed == std::vector<std::string>{"another.a", "another.d"});
  CHECK(unknown.agreeing == 0);
  std::string literal = line;
  literal.replace(literal.find("VALUES (?, ?, ?)"), 16, "VALUES ('device-00000', ?, '" + std::string(200, 'x') + "')");
  const CaptureMemtableResult written = verify_capture_memtable({{"heap_buffers.jsonl", literal + "\n"}});
  CHECK(written.assumed.empty());
  CHECK(written.most_memory < 0.0001);
  line.insert(1, R"("sizes": {"d": 12, "a": 200}, )");
  const CaptureMemtableResult stated = verify_capture_memtable({{"heap_buffers.jsonl", line + "\n"}});
  CHECK(stated.assumed.empty());
  CHECK(stated.agreeing == 1);
  CHECK(stated.most_memory < 0.0001);
}

TEST_CASE("a memtable that weighs otherwise is told") {
  std::map<std::string, std::string> files = recorded_memtables();
  std::string& text = files["overwrites.jsonl"];
  const std::string weight = "\"on_heap\": 55560000";
  text.replace(text.find(weight), weight.size(), "\"on_heap\": 207840000");  // as if every write were a row of its own
  const CaptureMemtableResult result = verify_capture_memtable(files);
  REQUIRE(result.disagreements.size() == 1);
  CHECK(result.disagreements.front().case_name == "overwrites.jsonl skiplist floats3_p100_over4");
}

}  // namespace
}  // namespace windrow
