#include "sim/stats/estimated_histogram.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

namespace windrow {

TEST_CASE("the last offsets of 118, 150 and 155 are the engine's") {
  const auto offsets = EstimatedHistogram::offsets();
  CHECK(offsets.size() == 164);
  CHECK(offsets[117] == 4139110981);
  CHECK(offsets[149] == 1414838745986);
  CHECK(offsets[154] == 3520571548412);
}

TEST_CASE("samples round up to an offset, nothing counts as one") {
  const auto mean_of = [](std::int64_t sample) {
    EstimatedHistogram histogram(EstimatedHistogram::cell_count_offsets);
    histogram.add(sample);
    CHECK(histogram.count() == 1);
    return histogram.mean();
  };
  CHECK(mean_of(0) == 1);
  CHECK(mean_of(1) == 1);
  CHECK(mean_of(9) == 10);
  CHECK(mean_of(100) == 103);
  CHECK(mean_of(125) == 149);
  CHECK(mean_of(4139110981) == 4139110981);
}

TEST_CASE("percentiles are upper bounds, the minimum is a lower one") {
  EstimatedHistogram histogram(EstimatedHistogram::partition_size_offsets);
  CHECK(histogram.mean() == 0);
  CHECK(histogram.percentile(0.5) == 0);
  CHECK(histogram.min() == 0);
  CHECK(histogram.max() == 0);
  histogram.add(39, 128);
  histogram.add(1000, 128);
  CHECK(histogram.percentile(0.5) == 42);
  CHECK(histogram.percentile(0.51) == 1109);
  CHECK(histogram.min() == 36);
  CHECK(histogram.max() == 1109);
  CHECK(histogram.raw_mean() == doctest::Approx(575.5));
  CHECK(histogram.mean() == 576);
}

TEST_CASE("a sample beyond the last offset overflows") {
  EstimatedHistogram histogram(EstimatedHistogram::cell_count_offsets);
  histogram.add(4139110982);
  CHECK(histogram.overflowed());
  CHECK(histogram.count() == 1);
  CHECK(histogram.max() == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("merging adds bucket by bucket, whatever the lengths") {
  EstimatedHistogram shorter(EstimatedHistogram::cell_count_offsets);
  EstimatedHistogram longer(EstimatedHistogram::partition_size_offsets);
  shorter.add(7, 3);
  longer.add(7);
  longer.add(5'000'000'000);
  shorter.merge(longer);
  CHECK(shorter.counts().size() == 156);
  CHECK(shorter.counts()[6] == 4);
  CHECK(shorter.count() == 5);
  CHECK_FALSE(shorter.overflowed());
}

}  // namespace windrow
