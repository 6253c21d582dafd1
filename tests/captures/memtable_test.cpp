#include <doctest/doctest.h>

#include <map>
#include <sstream>
#include <string>
#include <utility>

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
      if (!line.starts_with("{\"case\": \"n_")) text += line + "\n";
    }
  }
  return files;
}

TEST_CASE("memtables and the commit log weigh what was measured, for every shape") {
  const CaptureMemtableResult all = verify_capture_memtable(recorded_memtables());
  CHECK(all.cases == 562);
  CHECK(all.agreeing == 562);
  CHECK(all.most_logged < 0.001);
  const CaptureMemtableResult result = verify_capture_memtable(first_memtables());
  CHECK(result.cases == 283);
  CHECK(result.agreeing == 283);
  CHECK(result.most_memory < 0.01);
  CHECK(result.most_logged < 0.001);
}

TEST_CASE("a node's own flushes have as many rows as their memtables weigh") {
  const CaptureMemtableResult result = verify_capture_memtable(recorded_memtables());
  CHECK(result.flushes == 93);
  CHECK(result.flushes_within_a_percent == 90);  // the others: 16 rows a partition, and counters, off the heap
  CHECK(result.most_flushed < 0.02);
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
