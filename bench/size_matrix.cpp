// The classic decision matrix of windrow size, five rates by three buckets, in yardsticks: one million operations of a
// binary-heap hold model in the same process.
// usage: bench_size_matrix [--tiny]

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "bench/hold_model.h"
#include "sim/cql/script.h"
#include "sim/size/matrix.h"

namespace {

using windrow_bench::seconds_of;

constexpr const char* cql =
    "CREATE TABLE bench.readings (device text, day text, at timestamp, payload blob, PRIMARY KEY ((device, day), at));";

windrow::SizeQuestion classic_question() {
  windrow::SizeQuestion question;
  windrow::run_cql(std::string("CREATE KEYSPACE bench WITH replication = {'class': 'SimpleStrategy', "
                               "'replication_factor': 1};") +
                       cql,
                   question.schema);
  question.rates = {"1/s", "10/s", "100/s", "1000/s", "10000/s"};
  question.buckets = {"day", "hour", "10min"};
  question.columns = {{"payload", "blob(1000)"}};
  return question;
}

}  // namespace

int main(int argc, char** argv) {
  const bool tiny = argc > 1 && std::strcmp(argv[1], "--tiny") == 0;
  std::uint64_t checksum = 0;
  const double yardstick = seconds_of([&] { checksum = windrow_bench::hold_model(tiny ? 10'000 : 1'000'000); });
  fmt::print("yardstick {:.4f} s, checksum {:x}\n", yardstick, checksum);
  const windrow::SizeQuestion question = classic_question();
  double best_s = 1e9;
  windrow::SizeMatrix matrix;
  for (int turn = 0; turn < (tiny ? 1 : 20); ++turn) {
    best_s = std::min(best_s, seconds_of([&] { matrix = windrow::size_matrix(question); }));
  }
  std::int64_t bytes = 0;
  for (const windrow::SizeCell& cell : matrix.cells) bytes += cell.size.partition_bytes.max;
  fmt::print("size matrix: {} cells in {:.4f} s, {:.4f} yardsticks; largest partitions {} bytes together\n",
             matrix.cells.size(), best_s, best_s / yardstick, bytes);
  return 0;
}
