#include "sim/record/lifeline.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

namespace windrow {
namespace {

constexpr std::array<std::string_view, 4> reasons = {"heap", "compacted", "expired", ""};

/// Numbers of any length, of either sign.
class AnyNumbers {
 public:
  explicit AnyNumbers(std::uint64_t seed) : random_(seed) {}
  std::int64_t any() { return static_cast<std::int64_t>(random_() >> 2 >> random_() % 62) * (one_in(2) ? 1 : -1); }
  std::int64_t size() { return std::abs(any()); }
  bool one_in(std::uint64_t n) { return random_() % n == 0; }
  template <typename Value>
  std::optional<Value> maybe(Value value) {
    return one_in(3) ? std::optional(value) : std::nullopt;
  }
  std::vector<std::int64_t> ids() {
    std::vector<std::int64_t> ids(random_() % 5);
    for (std::int64_t& id : ids) id = size();
    return ids;
  }
  std::string_view reason() { return reasons[random_() % reasons.size()]; }

 private:
  std::mt19937_64 random_;
};

Lifeline any_lifeline(std::int64_t id, AnyNumbers& numbers) {
  Lifeline line{.id = id,
                .born_us = numbers.size(),
                .died_us = numbers.maybe(numbers.size()),
                .why_born = numbers.reason(),
                .why_died = numbers.reason(),
                .level = static_cast<int>(numbers.any() % 10),
                .window_s = numbers.maybe(numbers.any()),
                .bytes = numbers.size(),
                .rows = numbers.size(),
                .partitions = numbers.size(),
                .min_timestamp_us = numbers.any() / 4,
                .max_timestamp_us = numbers.any() / 4,
                .gc_grace_s = numbers.size(),
                .readable_rows = numbers.maybe(numbers.size())};
  if (numbers.one_in(2)) line.parents = std::make_shared<const std::vector<std::int64_t>>(numbers.ids());
  if (numbers.one_in(2)) line.min_local_deletion_time_s = numbers.size();
  if (numbers.one_in(2)) line.max_local_deletion_time_s = numbers.size();
  if (numbers.one_in(3)) {
    line.blocked = true;
    line.blocked_by = numbers.ids();
    line.goes_at_s = numbers.one_in(2) ? numbers.size() : no_deletion_time;
  }
  if (numbers.one_in(3)) {
    line.blocker = true;
    line.frees_bytes = numbers.size();
    line.holds_bytes = numbers.size();
  }
  return line;
}

void check_equal(const Lifeline& a, const Lifeline& b) {
  CHECK(a.id == b.id);
  CHECK(a.born_us == b.born_us);
  CHECK(a.died_us == b.died_us);
  CHECK(a.why_born == b.why_born);
  CHECK(a.why_died == b.why_died);
  CHECK((a.parents ? *a.parents : std::vector<std::int64_t>{}) ==
        (b.parents ? *b.parents : std::vector<std::int64_t>{}));
  CHECK(a.level == b.level);
  CHECK(a.window_s == b.window_s);
  CHECK(a.bytes == b.bytes);
  CHECK(a.rows == b.rows);
  CHECK(a.partitions == b.partitions);
  CHECK(a.min_timestamp_us == b.min_timestamp_us);
  CHECK(a.max_timestamp_us == b.max_timestamp_us);
  CHECK(a.min_local_deletion_time_s == b.min_local_deletion_time_s);
  CHECK(a.max_local_deletion_time_s == b.max_local_deletion_time_s);
  CHECK(a.gc_grace_s == b.gc_grace_s);
  CHECK(a.blocked == b.blocked);
  CHECK(a.blocker == b.blocker);
  CHECK(a.blocked_by == b.blocked_by);
  CHECK(a.goes_at_s == b.goes_at_s);
  CHECK(a.frees_bytes == b.frees_bytes);
  CHECK(a.holds_bytes == b.holds_bytes);
  CHECK(a.readable_rows == b.readable_rows);
}

TEST_CASE("lifelines come back by id, each as it was, however long its numbers are") {
  AnyNumbers numbers(18);
  std::vector<Lifeline> lines;
  for (std::int64_t id = 1; id <= 500; ++id) lines.push_back(any_lifeline(id * 7, numbers));
  std::vector<std::size_t> order(lines.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::shuffle(order, std::mt19937_64(4));
  Lifelines packed;
  for (const std::size_t i : order) packed.add(lines[i]);
  packed.sort();
  REQUIRE(packed.size() == lines.size());
  std::size_t i = 0;
  for (const Lifeline& line : packed) check_equal(line, lines[i++]);
  CHECK(i == lines.size());
  check_equal(packed[123], lines[123]);
  CHECK(Lifelines().empty());
  CHECK(Lifelines().begin() == Lifelines().end());
}

}  // namespace
}  // namespace windrow
