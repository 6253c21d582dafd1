#include <doctest/doctest.h>

#include <clocale>
#include <string>

#include "sim/keys/column_rule.h"
#include "sim/keys/stream_values.h"
#include "sim/words/setting.h"
#include "sim/words/timed.h"

using namespace windrow;

namespace {

template <class T>
T value_of(const std::string& text) {
  return *Setting<T>(text);
}

Micros time_of(const std::string& text) { return value_of<Duration>(text).us; }

template <class T>
bool refused(const std::string& text) {
  try {
    Setting<T>{text};
  } catch (const ValueError&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("times are whole microseconds, a year has 365 days") {
  CHECK(time_of("90s") == 90 * us_per_s);
  CHECK(time_of("1.5h") == 5400 * us_per_s);
  CHECK(time_of("2w") == 14 * us_per_day);
  CHECK(time_of("3y") == 3 * 365 * us_per_day);
  CHECK(time_of("0.000001s") == 1);
  CHECK(time_of("1e3d") == 1000 * us_per_day);
  CHECK(time_of("1000y") == longest_duration_us);
  CHECK(refused<Duration>("1001y"));
  CHECK(refused<Duration>("1e59y"));
  CHECK(refused<Duration>("5 m"));
  CHECK(refused<Duration>(""));
  CHECK(refused<Duration>("1,5h"));
  CHECK(refused<Duration>("1d 2h"));
}

TEST_CASE("sizes count in powers of 1000 or 1024 as their unit says") {
  CHECK(value_of<Size>("64MiB").bytes == 64LL << 20);
  CHECK(value_of<Size>("1.5TB").bytes == 1'500'000'000'000);
  CHECK(value_of<Size>("0").bytes == 0);
  CHECK(value_of<Size>("0.3KiB").bytes == 307);
  CHECK(value_of<ByteRate>("1MiB/s").bytes_per_s == doctest::Approx(1048576));
  CHECK(value_of<ByteRate>("86.4MB/day").bytes_per_s == doctest::Approx(1000));
}

TEST_CASE("rates are exact fractions") {
  CHECK(value_of<Rate>("400/day").rows == 1);
  CHECK(value_of<Rate>("400/day").period_us == 216 * us_per_s);
  CHECK(value_of<Rate>("7/s").rows == 7);
  CHECK(value_of<Rate>("7/s").period_us == us_per_s);
  CHECK(value_of<Rate>("0.1/s").period_us == 10 * us_per_s);
  CHECK(value_of<Rate>("0/s").rows == 0);
  CHECK(value_of<Rate>("1e7/s").rows == 10);
  CHECK(refused<Rate>("10000001/s"));
}

TEST_CASE("dates are UTC") {
  CHECK(value_of<Moment>("1970-01-01").us == 0);
  CHECK(value_of<Moment>("2026-01-01").us == 1'767'225'600 * us_per_s);
  CHECK(value_of<Moment>("2024-02-29T23:59:59Z").us == 1'709'251'199 * us_per_s);
  CHECK(refused<Moment>("2026-02-29"));
  CHECK(format_moment(value_of<Moment>("2026-03-01T08:30:00").us) == "2026-03-01T08:30:00");
  CHECK(format_moment(value_of<Moment>("2026-03-01").us) == "2026-03-01");
}

TEST_CASE("what is printed reads back as the same") {
  for (const std::string text : {"90s", "20min", "4h", "10d", "3y", "1ms", "7us", "0s"})
    CHECK(format_duration(time_of(text)) == text);
  CHECK(format_duration(time_of("2w")) == "14d");
  for (const std::string text : {"64MiB", "1TiB", "90B", "3KiB"})
    CHECK(format_size(value_of<Size>(text).bytes) == text);
}

TEST_CASE("a value may change in time") {
  const auto rate =
      value_of<Timed<StreamRate>>("2/s then 150/s from 2026-07-01 then lognormal(4/day, 400/day) from 2026-08-01");
  REQUIRE(rate.parts.size() == 3);
  CHECK(rate.parts[1].from_us == value_of<Moment>("2026-07-01").us);
  CHECK(rate.at(0).exact->per_s() == 2);
  CHECK(rate.at(value_of<Moment>("2026-07-01").us).exact->per_s() == 150);
  CHECK(rate.at(value_of<Moment>("2027-01-01").us).spread.kind == Distribution::Kind::lognormal);
}

TEST_CASE("TTL parts share out a million") {
  const auto mix = value_of<TtlMix>("60d 5% + table");
  REQUIRE(mix.parts.size() == 2);
  CHECK(mix.parts[0].share_ppm == 50'000);
  CHECK(mix.parts[0].ttl_s == 60 * 86'400);
  CHECK(mix.parts[1].share_ppm == 950'000);
  CHECK(mix.parts[1].ttl_s == -1);
  CHECK(value_of<TtlMix>("none").parts[0].ttl_s == 0);
  CHECK(value_of<TtlMix>("7d").parts[0].share_ppm == 1'000'000);
}

TEST_CASE("lateness is shares with delays, even or spread") {
  const auto late = value_of<Lateness>("2% by 1h..2d + 0.1% by 10d");
  REQUIRE(late.parts.size() == 2);
  CHECK(late.parts[0].share_ppm == 20'000);
  CHECK(late.parts[0].delay_us.kind == Distribution::Kind::uniform);
  CHECK(late.parts[0].delay_us.second == 2.0 * us_per_day);
  CHECK(late.parts[1].delay_us.first == 10.0 * us_per_day);
  CHECK(value_of<Lateness>("1% by lognormal(1d, 5d)").parts[0].delay_us.kind == Distribution::Kind::lognormal);
  CHECK(value_of<Lateness>("none").parts.empty());
}

TEST_CASE("operations, timestamps, backfill, zones and drops") {
  CHECK(value_of<Op>("overwrite(440000, zipf(1.1))").overwrite.zipf_exponent == doctest::Approx(1.1));
  CHECK(value_of<Op>("overwrite(1e6, cyclic)").overwrite.keys == 1'000'000);
  CHECK(value_of<Op>("delete(partition, 30d)").remove.age_us == 30 * us_per_day);
  CHECK(value_of<TimestampRule>("event + 5s").offset_us == 5 * us_per_s);
  CHECK(value_of<TimestampRule>("arrival - 1h").offset_us == -3600 * us_per_s);
  CHECK(value_of<BackfillSpan>("from 2020-01-01 to 2021-01-01 at 1000/s").rate.per_s() == 1000);
  CHECK(value_of<Zone>("-05:30").offset_s == -19'800);
  CHECK(value_of<DropRule>("snapshot for 30d").snapshot_kept_us == 30 * us_per_day);
  CHECK(value_of<DropRule>("remove").snapshot == DropRule::Snapshot::none);
  CHECK(value_of<Shape>("burst(10x, 1h, every 7d)").every_us == 7 * us_per_day);
  CHECK(value_of<Growth>("-10%/y").per_year == doctest::Approx(-0.1));
}

TEST_CASE("entities: a number, a pattern, names, a file") {
  CHECK(value_of<Entities>("1e6").count == 1'000'000);
  const auto pattern = value_of<Entities>("pattern(site %% %05d (x), 20000)");
  CHECK(pattern.before == "site % ");
  CHECK(pattern.after == " (x)");
  CHECK(pattern.width == 5);
  CHECK(value_of<Entities>("named(a, b c, d)").names == std::vector<std::string>{"a", "b c", "d"});
  CHECK(value_of<Entities>("from(data/fleet.csv)").file == "data/fleet.csv");
}

TEST_CASE("column rules") {
  using Kind = ColumnRule::Kind;
  CHECK(value_of<ColumnRule>("entity").kind == Kind::entity);
  CHECK(value_of<ColumnRule>("10min").bucket.length_s == 600);
  CHECK(value_of<ColumnRule>("month").bucket.kind == BucketName::Kind::month);
  CHECK(value_of<ColumnRule>("rolling(24, 1h)").rolling == 24);
  CHECK(value_of<ColumnRule>("adaptive(day, hour above 5000/day)").fine_bucket.length_s == 3600);
  CHECK(value_of<ColumnRule>("each(50, text(20))").bytes.first == 20);
  CHECK(value_of<ColumnRule>("text(lognormal(90, 280))").bytes.kind == Distribution::Kind::lognormal);
  CHECK(value_of<ColumnRule>("blob(1KiB)").bytes.first == 1024);
  CHECK(value_of<ColumnRule>("map(5, text(8), text(20))").parts[1].bytes.first == 20);
  CHECK(value_of<ColumnRule>("'eu, west'").constant == "eu, west");
  CHECK(value_of<ColumnRule>("7").kind == Kind::constant);
  CHECK(value_of<ColumnRule>("-7").constant == "-7");
  CHECK(value_of<ColumnRule>("2.50").constant == "2.50");
  const auto numbers = value_of<Timed<ColumnRule>>("7 then 8 from 2026-07-01");
  CHECK(numbers.parts[0].value.constant == "7");
  CHECK(numbers.parts[1].value.constant == "8");
  const auto timed = value_of<Timed<ColumnRule>>("day then hour from 2026-07-01");
  CHECK(timed.parts[1].value.bucket.length_s == 3600);
}

TEST_CASE("no locale is asked") {
  const char* before = std::setlocale(LC_ALL, nullptr);
  const std::string kept = before == nullptr ? "C" : before;
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  CHECK(time_of("1.5h") == 5400 * us_per_s);
  CHECK(value_of<Number>("1.5").number == 1.5);
  std::setlocale(LC_ALL, kept.c_str());
}
