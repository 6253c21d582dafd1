#include "sim/scenario/row_deletes.h"

#include <doctest/doctest.h>

#include <cmath>
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

constexpr std::int64_t many = 1'000'000'000;

double share_deleted(const FateRule& fate) {
  std::int64_t deleted = 0;
  std::int64_t all = 0;
  for (const FateShare& share : fate.shares) {
    all += share.rows.rank(many);
    if (share.deleted) deleted += share.rows.rank(many);
  }
  CHECK(all == many);
  return static_cast<double>(deleted) / static_cast<double>(many);
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

TEST_CASE("a share of deletes is right to a millionth of itself") {
  for (const double share : {0.5, 1.0 / 3, 0.05, 0.0123, 0.001, 1.0 / 43'200, 0.7, 0.9999}) {
    CAPTURE(share);
    const FateRule fate = fate_of(writes(1000, 7, 0, day_us), {.share = share, .age_us = day_us, .until_us = day_us});
    CHECK(std::abs(share_deleted(fate) - share) < 1e-6 * share + 2e-9);
  }
  CHECK(share_deleted(fate_of(writes(1000, 10, 0, day_us), {})) == 0);
  CHECK(share_deleted(fate_of(writes(1000, 10, 0, day_us), {.share = 1, .age_us = 1, .until_us = 2})) == 1);
}

TEST_CASE("late rows and those of another TTL are deleted as often as others") {
  WriterSpec writer = writes(1000, 10, 0, 100 * day_us);
  writer.late = {{.share_ppm = 100'000, .delay_us = day_us}};
  writer.ttl = {{.share_ppm = 800'000, .ttl_s = 10}, {.share_ppm = 200'000, .ttl_s = 20}};
  const FateRule fate = fate_of(writer, {.share = 0.2, .age_us = 5 * day_us, .until_us = 100 * day_us});
  CHECK(fate.shares.size() == 8);
  CHECK(std::abs(share_deleted(fate) - 0.2) < 1e-8);
  std::int64_t late = 0;
  std::int64_t late_deleted = 0;
  for (const FateShare& share : fate.shares) {
    if (share.late_units == 0) continue;
    late += share.rows.rank(many);
    if (share.deleted) late_deleted += share.rows.rank(many);
  }
  CHECK(late == many / 10);
  CHECK(std::abs(late_deleted - late / 5) <= 2);
}

TEST_CASE("each node loses its share of the writes and of the deletes, and no write is lost by two") {
  const FateRule fate = fate_of(writes(1000, 10, 0, 100 * day_us), {.share = 0.25, .age_us = 1, .until_us = 2},
                                {.ppm = 10'000, .nodes = 3});
  // Of three quarters that stay four parts, of those that are deleted seven.
  CHECK(fate.shares.size() == 11);
  std::int64_t all = 0;
  std::vector<std::int64_t> writes_lost(3, 0);
  std::vector<std::int64_t> deletes_lost(3, 0);
  for (const FateShare& share : fate.shares) {
    all += share.rows.rank(many);
    CHECK((share.lost_by < 0 || share.delete_lost_by < 0));
    CHECK((share.deleted || share.delete_lost_by < 0));
    if (share.lost_by >= 0) writes_lost[static_cast<std::size_t>(share.lost_by)] += share.rows.rank(many);
    if (share.delete_lost_by >= 0)
      deletes_lost[static_cast<std::size_t>(share.delete_lost_by)] += share.rows.rank(many);
  }
  CHECK(all == many);
  CHECK(std::abs(share_deleted(fate) - 0.25) < 1e-8);
  for (std::size_t node = 0; node < 3; ++node) {
    CHECK(std::abs(writes_lost[node] - many / 100) <= 8);
    CHECK(std::abs(deletes_lost[node] - many / 400) <= 8);
  }
}

TEST_CASE("shares of a few parts per million are told apart") {
  for (const std::int64_t share_ppm : {1, 10, 100, 400, 500, 1'400}) {
    CAPTURE(share_ppm);
    WriterSpec writer = writes(1000, 10, 0, 100 * day_us);
    writer.late = {{.share_ppm = share_ppm, .delay_us = day_us}};
    writer.ttl = {{.share_ppm = share_ppm, .ttl_s = 0}, {.share_ppm = ppm - share_ppm, .ttl_s = 20}};
    const FateRule fate = fate_of(writer, {});
    std::int64_t late = 0;
    std::int64_t never = 0;
    for (const FateShare& share : fate.shares) {
      if (share.late_units > 0) late += share.rows.rank(many);
      if (share.ttl_s == 0) never += share.rows.rank(many);
    }
    CHECK(late == share_ppm * (many / ppm));
    CHECK(std::abs(never - share_ppm * (many / ppm)) <= 2);
  }
}

}  // namespace
}  // namespace windrow
