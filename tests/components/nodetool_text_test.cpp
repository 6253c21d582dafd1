#include "evidence/components/nodetool_text.h"

#include <doctest/doctest.h>

#include "evidence/components/java_text.h"
#include "evidence/components/sstablemetadata_text.h"

namespace windrow {

TEST_CASE("numbers and times are printed as Java prints them") {
  CHECK(java_double(0) == "0.0");
  CHECK(java_double(26) == "26.0");
  CHECK(java_double(0.1) == "0.1");
  CHECK(java_double(12'345'678.0) == "1.2345678E7");
  CHECK(java_double(0.0001) == "1.0E-4");
  CHECK(java_double(no_traffic) == "NaN");
  CHECK(java_fixed(0.0625, 3) == "0.063");
  CHECK(java_fixed(0.125, 2) == "0.13");
  CHECK(java_fixed(9.996, 2) == "10.00");
  CHECK(java_fixed(0.994, 1) == "1.0");
  CHECK(java_fixed(-1, 5) == "-1.00000");
  CHECK(java_fixed(0, 2) == "0.00");
  CHECK(java_fixed(0.00001, 2) == "0.00");
  CHECK(java_fixed(9223372036854775807.0, 0) == "9223372036854776000");
  CHECK(pretty_memory(0) == "0B");
  CHECK(pretty_memory(1023) == "1023B");
  CHECK(pretty_memory(40'588) == "39.637KiB");
  CHECK(file_size(0) == "0 bytes");
  CHECK(file_size(1024) == "1 KiB");
  CHECK(file_size(40'588) == "39.64 KiB");
  CHECK(short_bytes(1597) == "1.6 kB");
  CHECK(tool_date(1'795'200'000) == "11/20/2026 18:40:00");
  CHECK(tool_date(-1) == "12/31/1969 23:59:59");
  CHECK(tool_date(951'782'400) == "02/29/2000 00:00:00");
  CHECK(local_date_time(1'795'255'512'882) == "2026-11-21T10:05:12.882");
  CHECK(local_date_time(1'795'255'500'000) == "2026-11-21T10:05");
  CHECK(duration_words(83'972) == "23 hours 19 minutes 32 seconds");
  CHECK(duration_words(604'800) == "7 days");
  CHECK(duration_words(1) == "1 second");
  CHECK(duration_words(3605) == "1 hour 0 minutes 5 seconds");
}

TEST_CASE("an idle table's histograms: latencies are NaN, an overflow leaves minimum and maximum") {
  TableHistograms histograms{.keyspace = "ks", .table = "t"};
  histograms.partition_sizes.add(5'000'000'000'000);
  histograms.cells.add(9);
  const std::string text = tablehistograms_text(histograms);
  CHECK(
      text.starts_with("Row sizes are larger than 3520571548412, unable to calculate percentiles\nks/t histograms\n"));
  CHECK(
      text.find(
          "\n50%                      NaN               NaN               NaN               NaN                10\n") !=
      std::string::npos);
  CHECK(text.find("\nMax                      NaN               NaN               NaN9223372036854776000               "
                  " 10\n") != std::string::npos);
}

TEST_CASE("an empty compaction history says so") {
  CHECK(compactionhistory_text({}) == "There is no compaction history\n");
}

TEST_CASE("bars are measured against the fullest bucket") {
  const std::string block = column_count_block({{1, 9858}, {2, 1}, {310, 5000}});
  CHECK(
      block.starts_with("   Columns | Count  (%)  Histogram \n"
                        "   1       |  9858 ( 66) OOOOOOOOOOOOOOOOOOOOOOOOOOOOOO\n"
                        "   2       |     1 (  0) \n"
                        "   310     |  5000 ( 33) OOOOOOOOOOOOOOO\n"
                        "   Percentiles\n"
                        "   50th      1\n"));
}

}  // namespace windrow
