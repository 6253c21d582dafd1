#include "sim/record/open_changes.h"

#include <doctest/doctest.h>

namespace windrow {
namespace {

constexpr Micros day_us = seconds_per_day * us_per_s;
constexpr Micros start_us = 20'000 * day_us;

WriterSpec writer(Micros from_us, Micros until_us, BucketRule bucket, const std::string& bucket_text) {
  WriterSpec spec;
  spec.stream = "readings";
  spec.entities = 10;
  spec.from_us = from_us;
  spec.until_us = until_us;
  spec.bucket = bucket;
  spec.bucket_text = bucket_text;
  return spec;
}

Scenario with(std::vector<WriterSpec> writers) {
  Scenario scenario;
  scenario.start_us = start_us;
  scenario.end_us = start_us + 100 * day_us;
  scenario.writers = std::move(writers);
  return scenario;
}

TEST_CASE("a change between buckets finds none open, one within a bucket does") {
  const BucketRule days = BucketRule::every(seconds_per_day);
  const Micros midnight_us = start_us + 10 * day_us;
  const Micros noon_us = midnight_us + day_us / 2;
  const auto changes_at = [&](Micros at_us) {
    return changes_in_open_partitions(
        with({writer(start_us, at_us, days, "day"), writer(at_us, start_us + 100 * day_us, days, "day")}), 0);
  };
  CHECK(changes_at(midnight_us).empty());
  CHECK(changes_at(noon_us) == std::vector<Micros>{noon_us});
}

TEST_CASE("without buckets every change finds partitions open; other keys begin with other buckets") {
  const BucketRule none = BucketRule::none();
  const Micros at_us = start_us + 10 * day_us;
  CHECK(changes_in_open_partitions(
            with({writer(start_us, at_us, none, "none"), writer(at_us, at_us + day_us, none, "none")}), 0) ==
        std::vector<Micros>{at_us});
  CHECK(changes_in_open_partitions(with({writer(start_us, at_us, none, "none"),
                                         writer(at_us, at_us + day_us, BucketRule::every(3'600), "hour")}),
                                   0)
            .empty());
  CHECK(changes_in_open_partitions(with({writer(start_us, at_us, none, "none")}), 0).empty());
}

}  // namespace
}  // namespace windrow
