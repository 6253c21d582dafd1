#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/strategy/strategy_manager.h"
#include "tests/strategy/random_table.h"

namespace windrow {
namespace {

using test::random_gc_grace_s;
using test::RandomTable;

constexpr std::int64_t last_tick = 26 * 60;  // minutes

/// The first tick at which something is found, and what.
struct Found {
  std::int64_t tick = last_tick;
  std::vector<std::int64_t> inputs{};
  ManagerState state{};
  std::int64_t asks = 0;
};

class Asker {
 public:
  Asker(const RandomTable& table, Seconds start_s, Micros memtable_us, const EndedSessions& ended)
      : table_(table), start_s_(start_s), memtable_us_(memtable_us), ended_(ended) {}

  Found each_minute() {
    Found found{.state = new_manager_state(start_s_ * ms_per_s, table_.live())};
    for (found.tick = 0; found.tick < last_tick; ++found.tick) {
      if (ask(found)) break;
    }
    return found;
  }

  Found at_moments() {
    Found found{.state = new_manager_state(start_s_ * ms_per_s, table_.live())};
    found.tick = 0;
    while (found.tick < last_tick && !ask(found)) {
      const Millis moment_ms = next_interesting(found.state, ended_, view(found.tick));
      std::int64_t next = last_tick;
      if (moment_ms <= time_s(last_tick) * ms_per_s) {
        const Millis distance_ms = moment_ms - start_s_ * ms_per_s;
        next = std::max(found.tick + 1, (distance_ms + 59'999) / 60'000);
      }
      found.state = after_fruitless_asks(found.state, ended_, table_.live(),
                                         {.first_us = time_s(found.tick + 1) * us_per_s,
                                          .period_us = 60 * us_per_s,
                                          .count = next - found.tick - 1,
                                          .has_files = table_.live().size() > 0});
      found.tick = next;
    }
    return found;
  }

 private:
  Seconds time_s(std::int64_t tick) const { return start_s_ + tick * 60; }
  TableView view(std::int64_t tick) const {
    TableView view = table_.view(time_s(tick), random_gc_grace_s);
    view.memtable_min_timestamp_us = memtable_us_;
    return view;
  }
  bool ask(Found& found) {
    ++found.asks;
    ManagerAnswer answer = next_background_task(found.state, ended_, view(found.tick));
    found.state = answer.state;
    found.inputs = answer.pick.inputs;
    return answer.pick.kind != PickKind::none;
  }

  const RandomTable& table_;
  Seconds start_s_ = 0;
  Micros memtable_us_ = no_timestamp;
  const EndedSessions& ended_;
};

void asking_at_moments_is_enough(const CompactionOptions& options) {
  auto files = *test::random_files();
  if (*rc::gen::arbitrary<bool>()) {
    for (test::RandomFile& file : files) file.width_percent /= 10;
  }
  EndedSessions ended;
  if (*rc::gen::arbitrary<bool>()) {
    for (test::RandomFile& file : files) {
      file.status = *rc::gen::weightedElement<int>({{4, 0}, {4, 1}, {2, 2}, {1, 3}, {1, 4}});
    }
    if (*rc::gen::inRange(0, 4) == 0) ended[4] = 1;
  }
  const Seconds start_s = 700 * 60 + *rc::gen::inRange<Seconds>(0, 60);
  const Micros memtable_us =
      *rc::gen::oneOf(rc::gen::just(no_timestamp),
                      rc::gen::map(rc::gen::inRange<Micros>(0, 700), [](Micros m) { return m * 60 * us_per_s; }));
  const RandomTable polled(options, files);
  const RandomTable asked(options, files);
  const Found each_minute = Asker(polled, start_s, memtable_us, ended).each_minute();
  const Found at_moments = Asker(asked, start_s, memtable_us, ended).at_moments();
  RC_ASSERT(at_moments.tick == each_minute.tick);
  RC_ASSERT(at_moments.inputs == each_minute.inputs);
  RC_ASSERT(at_moments.state == each_minute.state);
  RC_ASSERT(at_moments.asks <= each_minute.asks);
  // What was remembered on the way is no part of the answer.
  const Found again = Asker(polled, start_s, memtable_us, ended).at_moments();
  RC_ASSERT(again.tick == each_minute.tick);
  RC_ASSERT(again.inputs == each_minute.inputs);
  RC_TAG(each_minute.tick == 0 ? "at once" : each_minute.tick < last_tick ? "later" : "never");
}

TEST_CASE("asking at moments finds first what asking each minute finds first") {
  std::vector<CompactionOptions> strategies = test::small_strategies();
  for (CompactionOptions& patient : test::patient_strategies()) strategies.push_back(std::move(patient));
  for (const CompactionOptions& options : strategies) {
    CAPTURE(strategy_name(options));
    CHECK(rc::check(std::string(strategy_name(options)), [&] { asking_at_moments_is_enough(options); }));
  }
}

}  // namespace
}  // namespace windrow
