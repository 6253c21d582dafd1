#include "sim/scenario/row_deletes.h"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

namespace windrow {
namespace {

constexpr Micros day_us = 86'400 * us_per_s;

WriterSpec writes(std::int64_t rows_a_day, std::int64_t entities, Micros from_us, Micros until_us) {
  WriterSpec spec;
  spec.entities = entities;
  spec.from_us = from_us;
  spec.until_us = until_us;
  spec.rate = {{.from_us = from_us, .rows = rows_a_day, .period_us = day_us}};
  return spec;
}

WriterSpec deletes(std::int64_t rows_a_day, std::int64_t entities, Micros age_us, Micros from_us, Micros until_us) {
  WriterSpec spec = writes(rows_a_day, entities, from_us, until_us);
  spec.op = WriteOp::remove;
  spec.remove = {.kind = DeleteKind::row, .age_us = age_us};
  return spec;
}

double share_deleted(const FateRule& fate) {
  std::size_t deleted = 0;
  std::size_t all = 0;
  for (const FateShare& share : fate.shares) {
    all += share.residues.size();
    if (share.deleted) deleted += share.residues.size();
  }
  CHECK(static_cast<std::int64_t>(all) == fate.modulus);
  return static_cast<double>(deleted) / static_cast<double>(fate.modulus);
}

TEST_CASE("deletes are a share of the rows that are old enough") {
  const WriterSpec writer = writes(1000, 10, 0, 100 * day_us);
  const std::vector<WriterSpec> some = {deletes(50, 10, 30 * day_us, 0, 100 * day_us)};
  const RowDeletes found = row_deletes_of(writer, some);
  CHECK(found.share == doctest::Approx(0.05));
  CHECK(found.age_us == 30 * day_us);
  CHECK(found.from_us == 30 * day_us);
  CHECK(found.until_us == 100 * day_us);
  const std::vector<WriterSpec> later = {deletes(50, 10, 30 * day_us, 60 * day_us, 70 * day_us)};
  CHECK(row_deletes_of(writer, later).share == doctest::Approx(0.05));
  CHECK(row_deletes_of(writer, later).from_us == 60 * day_us);
  const std::vector<WriterSpec> too_many = {deletes(5000, 10, day_us, 0, 100 * day_us)};
  CHECK(row_deletes_of(writer, too_many).share == 1);
  const std::vector<WriterSpec> too_old = {deletes(50, 10, 200 * day_us, 0, 100 * day_us)};
  CHECK(row_deletes_of(writer, too_old).share == 0);
}

TEST_CASE("deletes of many entities divide among the classes that write") {
  WriterSpec slow = writes(900, 90, 0, 100 * day_us);
  WriterSpec fast = writes(1000, 10, 0, 100 * day_us);
  fast.first_entity = 90;
  const std::vector<WriterSpec> some = {deletes(100, 100, day_us, 0, 100 * day_us)};
  CHECK(row_deletes_of(slow, some).share == doctest::Approx(0.1));
  CHECK(row_deletes_of(fast, some).share == doctest::Approx(0.01));
}

TEST_CASE("a share is right to a two-thousandth, and every partition has it") {
  for (const double share : {0.5, 1.0 / 3, 0.05, 0.0123, 0.001, 1.0 / 43'200}) {
    for (const std::int64_t slots : {1, 7, 1000, 5000}) {
      CAPTURE(share);
      CAPTURE(slots);
      const FateRule fate =
          fate_of(writes(1000, slots, 0, day_us), slots, {.share = share, .age_us = day_us, .until_us = day_us});
      CHECK(share_deleted(fate) == doctest::Approx(share).epsilon(0.002));
      CHECK(std::gcd(fate.modulus, slots) == 1);
    }
  }
  CHECK(share_deleted(fate_of(writes(1000, 10, 0, day_us), 10, {})) == 0);
  CHECK(share_deleted(fate_of(writes(1000, 10, 0, day_us), 10, {.share = 1, .age_us = 1, .until_us = 2})) == 1);
}

TEST_CASE("late rows and those of another TTL are deleted as often as others") {
  WriterSpec writer = writes(1000, 10, 0, 100 * day_us);
  writer.late = {{.share_ppm = 100'000, .delay_us = day_us}};
  writer.ttl = {{.share_ppm = 800'000, .ttl_s = 10}, {.share_ppm = 200'000, .ttl_s = 20}};
  const FateRule fate = fate_of(writer, 10, {.share = 0.2, .age_us = 5 * day_us, .until_us = 100 * day_us});
  CHECK(share_deleted(fate) == doctest::Approx(0.2).epsilon(0.01));
  double late = 0;
  double late_deleted = 0;
  for (const FateShare& share : fate.shares) {
    if (share.late_units == 0) continue;
    late += static_cast<double>(share.residues.size());
    if (share.deleted) late_deleted += static_cast<double>(share.residues.size());
  }
  CHECK(late / static_cast<double>(fate.modulus) == doctest::Approx(0.1).epsilon(0.01));
  CHECK(late_deleted / late == doctest::Approx(0.2).epsilon(0.1));
}

}  // namespace
}  // namespace windrow
