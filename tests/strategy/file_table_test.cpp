#include "sim/strategy/file_table.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

namespace windrow {
namespace {

TEST_CASE("file table: files are found by id, wherever others come and go, and stay where they are") {
  FileTable table;
  std::map<std::int64_t, const SSTableView*> expected;
  std::mt19937_64 random(7);
  std::int64_t next = 1;
  for (int step = 0; step < 20'000; ++step) {
    // It grows to about 3,000 files and shrinks again, twice.
    const bool grows = step / 5'000 % 2 == 0;
    if (expected.empty() || random() % 10 < (grows ? 8U : 2U)) {
      next += random() % 3 == 0 ? 17 : 1;
      SSTableView file;
      file.id = next;
      file.data_bytes = next * 3;
      expected[next] = &table.add(file);
    } else {
      const auto leaves = std::next(expected.begin(), static_cast<std::ptrdiff_t>(random() % expected.size()));
      table.erase(leaves->first);
      CHECK(table.find(leaves->first) == nullptr);
      expected.erase(leaves);
    }
    REQUIRE(table.size() == expected.size());
    if (step % 500 != 0) continue;
    for (const auto& [id, view] : expected) {
      REQUIRE(table.find(id) == view);
      REQUIRE(view->id == id);
      REQUIRE(view->data_bytes == id * 3);
    }
  }
}

}  // namespace
}  // namespace windrow
