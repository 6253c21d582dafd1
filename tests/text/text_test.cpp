#include "sim/text/text.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "sim/text/aligned.h"
#include "sim/text/csv.h"
#include "sim/text/spark.h"

namespace windrow {
namespace {

TEST_CASE("names cannot command a terminal or turn the text around") {
  CHECK(printable("plain name, ä 漢") == "plain name, ä 漢");
  CHECK(printable("\x1b[31mred") == "\\u{1b}[31mred");
  CHECK(printable("a\nb\x7f") == "a\\u{a}b\\u{7f}");
  CHECK(printable("user\u202Etxt.exe") == "user\\u{202e}txt.exe");
  CHECK(printable("\u200Bzero\u2066width") == "\\u{200b}zero\\u{2066}width");
  CHECK(printable("\xc2\x9b"
                  "0m") == "\\u{9b}0m");  // C1 control sequence introducer
  CHECK(printable("\xff\xc0\x80"
                  "ok") == "\\xff\\xc0\\x80ok");  // no UTF-8
}

TEST_CASE("a spreadsheet takes no name for a formula") {
  CHECK(csv_text("=1+1") == "'=1+1");
  CHECK(csv_text("+1") == "'+1");
  CHECK(csv_text("-1") == "'-1");
  CHECK(csv_text("@cmd") == "'@cmd");
  CHECK(csv_text("\t=1") == "'\\u{9}=1");
  CHECK(csv_text("a=1") == "a=1");
}

TEST_CASE("CSV rows are quoted where they must be") {
  TextSink sink;
  constexpr std::array<std::string_view, 3> columns = {"name", "share", "at"};
  CsvFile csv(sink, "x.csv", columns);
  csv.text("say \"hi\", all").number(1.0 / 3).time(1'767'225'600'500'000).end_row();
  csv.word("plain").number(std::int64_t{-5}).empty().end_row();
  csv.close();
  REQUIRE(sink.texts().size() == 1);
  CHECK(sink.texts()[0].text ==
        "name,share,at\r\n\"say \"\"hi\"\", all\",0.333333333,2026-01-01T00:00:00Z\r\nplain,-5,\r\n");
}

TEST_CASE("numbers have at most nine significant digits") {
  CHECK(plain_number(12'345'678'901'234.0) == "12345678901234");
  CHECK(plain_number(0.1234567891234) == "0.123456789");
  CHECK(plain_number(1e-12) == "1e-12");
  CHECK(nine_digits(1.0 / 3) == 0.333333333);
  CHECK(human_bytes(1536) == "1.50 KiB");
  CHECK(human_bytes(1023) == "0.999 KiB");
  CHECK(human_bytes(100.0 * 1024 * 1024) == "100 MiB");
  CHECK(human_count(1'234'567) == "1,234,567");
  CHECK(human_count(0.01234) == "0.0123");
  CHECK(number_of(1, "SSTable") == "1 SSTable");
  CHECK(number_of(0, "SSTable") == "0 SSTables");
  CHECK(number_of(1'234, "entity", "entities") == "1,234 entities");
  CHECK(number_of(1.004, "time") == "1.00 times");
  CHECK(human_span(90) == "90 s");
  CHECK(human_span(12.5 * 86'400) == "12.5 d");
  CHECK(human_share(0.5) == "50 %");
}

TEST_CASE("a share that is neither nothing nor all is never called 0 % or 100 %") {
  CHECK(human_share(0) == "0 %");
  CHECK(human_share(1) == "100 %");
  CHECK(human_share(0.9998) == "99.98 %");
  CHECK(human_share(0.99951) == "99.95 %");
  CHECK(human_share(0.999996) == "99.9996 %");
  CHECK(human_share(1 - 1e-9) == "above 99.9999 %");
  CHECK(human_share(1.0004) == "100.04 %");
  CHECK(human_share(1.004) == "100.4 %");
  CHECK(human_share(1.0000001) == "below 100.0001 %");
  CHECK(human_share(1e-7) == "below 0.0001 %");
  CHECK(human_share(-1e-7) == "above -0.0001 %");
  CHECK(human_share(0.000001) == "0.0001 %");
  CHECK(human_share(0.0002) == "0.02 %");
  CHECK(human_share(0.9994) == "99.9 %");
  CHECK(human_share(0.1 + 0.2 - 0.3) == "0 %");
}

TEST_CASE("times are ISO 8601, also before 1970 and far away") {
  CHECK(iso_time(-1) == "1969-12-31T23:59:59Z");
  CHECK(iso_day(951'782'400'000'000) == "2000-02-29");
  CHECK(iso_time_s(INT64_MAX / 2).starts_with("+99999-12-31"));
}

TEST_CASE("spark lines show the largest value of each column") {
  constexpr std::array<double, 4> up = {0, 1, 4, 8};
  CHECK(spark_line(up, 4) == " ▁▄█");
  CHECK(spark_line(up, 2) == "▁█");
  CHECK(text_width(spark_line(up, 11)) == 11);
  CHECK(spark_line({}, 5).empty());
  constexpr std::array<double, 2> nothing = {0, 0};
  CHECK(spark_line(nothing, 3) == "   ");
}

TEST_CASE("columns line up, colours take no room") {
  AlignedText text({AlignedText::Side::left, AlignedText::Side::right});
  text.add_row({{.text = "ä"}, {.text = "1"}});
  text.add_row({{.text = "name"}, {.text = "1,234", .before = "\x1b[31m", .after = "\x1b[0m"}});
  CHECK(text.text(2) == "  ä         1\n  name  \x1b[31m1,234\x1b[0m\n");
}

}  // namespace
}  // namespace windrow
