#include "sim/size/sai_estimate.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/support/xz.h"

namespace windrow {
namespace {

TEST_CASE("indexes of 10^3 to 10^6 rows are estimated to a quarter") {
  std::istringstream lines(test::read_file("tests/data/captures/sai/sizes.csv"));
  std::string line;
  std::getline(lines, line);
  int compared = 0;
  while (std::getline(lines, line)) {
    CAPTURE(line);
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
    using Kind = CqlType::Kind;
    const Kind kind = cells[0] == "text"   ? Kind::text
                      : cells[0] == "int"  ? Kind::int_
                      : cells[0] == "uuid" ? Kind::uuid
                                           : Kind::double_;
    const std::int64_t rows = std::stoll(cells[3]);
    const SaiBytes bytes = sai_index_bytes(simple_type(kind), std::stod(cells[2]), rows);
    const double measured = std::stod(cells[6]);
    CHECK(sai_key_bytes(rows) == doctest::Approx(std::stod(cells[5])).epsilon(0.25));
    if (cells[1] == "rising") {
      CHECK(measured > bytes.few);
      CHECK(measured < bytes.different);
    } else {
      CHECK((cells[1] == "few" ? bytes.few : bytes.different) == doctest::Approx(measured).epsilon(0.25));
    }
    ++compared;
  }
  CHECK(compared >= 29);
}

}  // namespace
}  // namespace windrow
