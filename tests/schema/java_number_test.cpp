#include "sim/schema/java_number.h"

#include <doctest/doctest.h>

#include <cmath>

namespace windrow {
namespace {

TEST_CASE("whole numbers take a sign and nothing else") {
  CHECK(parse_java_int("+10") == 10);
  CHECK(parse_java_int("-2147483648") == -2147483648);
  CHECK_FALSE(parse_java_int("2147483648"));
  CHECK_FALSE(parse_java_int(" 10"));
  CHECK_FALSE(parse_java_int("1e3"));
  CHECK_FALSE(parse_java_int(""));
  CHECK_FALSE(parse_java_int("+-1"));
  CHECK(parse_java_long("9223372036854775807") == 9223372036854775807);
}

TEST_CASE("doubles take spaces, suffixes and names as Java does") {
  CHECK(parse_java_double(" 0.5 ") == 0.5);
  CHECK(parse_java_double("0.5d") == 0.5);
  CHECK(parse_java_double("+.5e1F") == 5.0);
  CHECK(parse_java_double("1.") == 1.0);
  CHECK(std::isnan(parse_java_double("NaN").value_or(0)));
  CHECK(parse_java_double("-Infinity").value_or(0) == -INFINITY);
  CHECK(parse_java_double("1e999").value_or(0) == INFINITY);
  CHECK(parse_java_double("1e-999") == 0.0);
  for (const char* text : {"nan", "inf", "0.5x", "", "--1", "1,5", "infinity"}) CHECK_FALSE(parse_java_double(text));
}

TEST_CASE("doubles print as in Java") {
  CHECK(java_double_text(1.0) == "1.0");
  CHECK(java_double_text(0.01) == "0.01");
  CHECK(java_double_text(1e-5) == "1.0E-5");
  CHECK(java_double_text(6.71e-5) == "6.71E-5");
  CHECK(java_double_text(12345678.0) == "1.2345678E7");
  CHECK(java_double_text(1234567.0) == "1234567.0");
}

TEST_CASE("sizes need their unit") {
  CHECK(parse_java_bytes("1GiB") == std::int64_t{1} << 30);
  CHECK(parse_java_bytes("100 MiB") == std::int64_t{100} << 20);
  CHECK(parse_java_bytes("0B") == 0);
  CHECK(parse_java_bytes("1e9B") == 1'000'000'000);
  CHECK(parse_java_bytes("1*2^20B") == 1'048'576);
  CHECK(parse_java_bytes("-1B") == -1);
  for (const char* text : {"1024", "1gib", "1GiBs", "", "B", "1XiB"}) CHECK_FALSE(parse_java_bytes(text));
  CHECK(java_size_text(std::int64_t{1} << 20) == "1.000MiB");
  CHECK(java_size_text(512) == "512B");
}

TEST_CASE("shares take a percent sign") {
  CHECK(parse_java_percent("25%") == 0.25);
  CHECK(parse_java_percent(" 0.333 ") == 0.333);
  CHECK_FALSE(parse_java_percent("auto"));
}

}  // namespace
}  // namespace windrow
