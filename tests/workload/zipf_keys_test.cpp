#include "sim/workload/zipf_keys.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "sim/workload/writer.h"

namespace windrow {
namespace {

/// Key by key.
double different_of_all(const std::vector<double>& weights, double all, std::int64_t draws) {
  double sum = 0;
  for (const double weight : weights) sum += -std::expm1(static_cast<double>(draws) * std::log1p(-weight / all));
  return sum;
}

TEST_CASE("classes of keys drawn by zipf have as many different keys as a sum over every key") {
  double worst = 0;
  for (const std::int64_t keys : {1, 2, 7, 100, 5'000, 300'000}) {
    for (const double exponent : {0.05, 0.5, 0.99, 1.0, 1.2, 2.0, 5.0, 10.0}) {
      std::vector<double> weights;
      double all = 0;
      for (std::int64_t rank = 1; rank <= keys; ++rank) {
        weights.push_back(std::pow(static_cast<double>(rank), -exponent));
        all += weights.back();
      }
      const ZipfKeys classes(keys, exponent);
      CHECK(classes.classes() < 2'000);
      for (std::int64_t draws = 1; draws <= 1'000'000'000; draws *= 10) {
        CAPTURE(keys);
        CAPTURE(exponent);
        CAPTURE(draws);
        const double exact = different_of_all(weights, all, draws);
        const double error = classes.different(draws) / exact - 1;
        REQUIRE(error > -1e-7);
        REQUIRE(error < 3e-4);
        worst = std::max(worst, error);
      }
    }
  }
  CHECK(worst > 1e-5);  // else there were no classes
}

TEST_CASE("one draw is one key, endless draws are all of them, and ten milliards of keys are few classes") {
  for (const double exponent : {0.3, 1.0, 3.0}) {
    const ZipfKeys classes(10'000'000'000, exponent);
    CHECK(classes.classes() < 1'000);
    CHECK(classes.different(0) == 0);
    CHECK(classes.different(1) == doctest::Approx(1).epsilon(1e-9));
    CHECK(classes.different(1'000'000) < 1'000'000);
  }
  CHECK(ZipfKeys(50, 0.5).different(1'000'000'000) == doctest::Approx(50));
}

TEST_CASE("a writer that draws by zipf counts its keys so") {
  Writer writer;
  writer.drawn_keys = 1'000;
  const std::int64_t evenly = writer.different_keys(2'000);
  writer.zipf = std::make_shared<const ZipfKeys>(1'000, 1.0);
  CHECK(writer.different_keys(1) == 1);
  CHECK(writer.different_keys(2'000) < evenly);
  CHECK(writer.different_keys(2'000) == std::llround(writer.zipf->different(2'000)));
}

}  // namespace
}  // namespace windrow
