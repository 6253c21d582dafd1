#include "sim/page/thinning.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "sim/page/facts.h"
#include "sim/page/iso.h"

namespace windrow {
namespace {

TEST_CASE("columns are read by name, for one table, and names lose the apostrophe that spreadsheets need") {
  const std::string text =
      "node,table,entity,bytes\r\n1,t,\"a \"\"b\"\", c\",5\r\n1,u,x,6\r\n1,t,'=cmd(),7\r\n1,t,'quoted',8\r\n";
  const CsvColumns columns = read_csv_columns("largest.csv", text, {"bytes", "entity"}, "t");
  REQUIRE(columns.rows.size() == 3);
  CHECK(columns.rows[0] == std::vector<std::string>{"5", "a \"b\", c"});
  CHECK(columns.rows[1] == std::vector<std::string>{"7", "=cmd()"});
  CHECK(columns.rows[2] == std::vector<std::string>{"8", "'quoted'"});
  CHECK_THROWS_WITH_AS(read_csv_columns("largest.csv", text, {"rows"}, "t"),
                       "largest.csv has no column rows: run the scenario again", PageError);
  CHECK_THROWS_AS(read_csv_columns("largest.csv", "node,table,entity,bytes\n1,t\n", {"bytes"}, "t"), PageError);
}

TEST_CASE("a file that is not kept is read row by row, in whatever pieces it comes, with or without a last line end") {
  constexpr std::int64_t rows = 450'000;  // longer than the parser's block of 16 MiB
  std::string text = "node,table,number,rest\n";
  for (std::int64_t i = 0; i < rows; ++i)
    text += std::to_string(i % 3) + ",t," + std::to_string(i) + ",some forty characters to make it longer\n";
  text.pop_back();
  for (const std::size_t most : {std::size_t{1'000'003}, text.size()}) {
    const ResultText left = ResultText::read_by([&]() -> ResultText::ReadOn {
      return [&text, most, at = std::size_t{0}](std::span<char> room) mutable {
        const std::size_t got = std::min({room.size(), most, text.size() - at});
        std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), got, room.begin());
        at += got;
        return got;
      };
    });
    CHECK_FALSE(left.kept());
    CHECK(has_csv_column(left, "number"));
    CHECK_FALSE(has_csv_column(left, "numb"));
    std::int64_t seen = 0;
    std::int64_t in_order = 0;
    each_result_row("long.csv", left, {"number"}, "t", "table", {}, [&](const auto& row) {
      if (row[0] == std::to_string(seen)) ++in_order;
      ++seen;
    });
    CHECK(seen == rows);
    CHECK(in_order == rows);
    CHECK(read_csv_columns("long.csv", left, {"number"}, "t", "table", "2").rows.size() == rows / 3);
  }
  CHECK(read_csv_columns("short.csv", "table,number\nt,1\nt,2", {"number"}, "t").rows.size() == 2);
  CHECK_THROWS_AS(read_csv_columns("none.csv", "", {"number"}, "t"), PageError);
}

TEST_CASE("a thinned timeline keeps its ends, its highest row, and rows of the file") {
  CsvColumns timeline{.names = {"at", "disk_bytes_max", "partition_max_bytes"}};
  for (int i = 0; i < 1000; ++i) {
    timeline.rows.push_back(
        {std::to_string(i), std::to_string(i == 777 ? 5000 : i), i % 10 == 0 ? std::to_string(i) : std::string()});
  }
  CsvColumns thin = timeline;
  thin_timeline(thin, 50);
  CHECK(thin.rows.size() <= 102);
  CHECK(thin.rows.front()[0] == "0");
  CHECK(thin.rows.back()[0] == "999");
  bool highest = false;
  for (const auto& row : thin.rows) {
    CHECK(row == timeline.rows[static_cast<std::size_t>(std::stoi(row[0]))]);
    highest = highest || row[1] == "5000";
  }
  CHECK(highest);
  thin_timeline(timeline, 1000);
  CHECK(timeline.rows.size() == 1000);
}

TEST_CASE("of many SSTables the blocked, their blockers and the largest are shown") {
  CsvColumns sstables{.names = {"bytes", "oldest_write", "was_blocker", "state_at_end"}};
  sstables.rows = {{"5", "4", "no", "live"},
                   {"1", "1", "yes", "live"},
                   {"9", "0", "no", "gone"},
                   {"2", "2", "no", "blocked"},
                   {"7", "3", "no", "live"}};
  CHECK(keep_sstables_at_end(sstables, 3));
  REQUIRE(sstables.rows.size() == 3);
  CHECK(sstables.rows[0][1] == "1");
  CHECK(sstables.rows[1][1] == "2");
  CHECK(sstables.rows[2][1] == "3");
  CHECK_FALSE(keep_sstables_at_end(sstables, 3));
}

TEST_CASE("compactions are summed by hour, day, week or month, whichever fits") {
  CsvColumns compactions{.names = {"end", "reason", "count", "read_bytes", "output_bytes"}};
  for (int day = 1; day <= 28; ++day) {
    for (const char* at : {"T01:00:00Z", "T02:00:00Z"}) {
      compactions.rows.push_back(
          {"2026-02-" + std::string(day < 10 ? "0" : "") + std::to_string(day) + at, "r", "1", "10", "5"});
    }
  }
  CsvColumns days = compactions;
  CHECK(sum_compactions(days, 100) == "utcyearmonthdate");
  REQUIRE(days.rows.size() == 28);
  CHECK(days.rows[0] == std::vector<std::string>{"2026-02-01T00:00:00Z", "r", "2", "20", "10"});
  CsvColumns weeks = compactions;
  CHECK(sum_compactions(weeks, 10) == "utcyearweek");
  CHECK(weeks.rows[1] == std::vector<std::string>{"2026-02-08T00:00:00Z", "r", "14", "140", "70"});
  CHECK(sum_compactions(compactions, 1) == "utcyearmonth");
  CHECK(compactions.rows == std::vector<std::vector<std::string>>{{"2026-02-01T00:00:00Z", "r", "56", "560", "280"}});
}

TEST_CASE("neighbouring windows are summed, their SSTables added up") {
  CsvColumns windows{.names = {"window", "from", "to", "sstables", "bytes"}};
  for (int day = 1; day <= 8; ++day) {
    windows.rows.push_back(
        {"2026-01-0" + std::to_string(day) + "T00:00:00Z", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2", "100"});
  }
  CHECK(sum_windows(windows, 4, 86'400) == 2 * 86'400);
  REQUIRE(windows.rows.size() == 4);
  CHECK(windows.rows[1] ==
        std::vector<std::string>{"2026-01-03T00:00:00Z", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "4", "200"});
}

TEST_CASE("dates are read as they are written") {
  CHECK(iso_seconds("1970-01-02") == 86'400);
  CHECK(iso_seconds("2026-01-01T01:02:03Z") == 1'767'225'600 + 3'723);
  CHECK(iso_seconds("never") == 0);
  CHECK(iso_seconds("") == 0);
}

}  // namespace
}  // namespace windrow
