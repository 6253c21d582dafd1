#include "sim/workload/arrivals.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace windrow {
namespace {

class Keys final : public PartitionKeys {
 public:
  std::string key(std::int64_t entity, std::int64_t, std::int64_t) const override { return std::to_string(entity); }
};

/// Row j at time 10 j, until 1000; every second one is 25 late. Nothing is sent from 400 to 500.
TableWorkload every_ten() {
  Writer writer;
  writer.rhythm = Rhythm(0, 10, 1, true);
  writer.rhythm.stop_at(1'000);
  writer.keys = std::make_shared<Keys>();
  writer.pauses = {{.from = 400, .to = 500}};
  TableWorkload workload;
  workload.add(
      std::move(writer),
      {.shares = {{.rows = RowShare::remainders(2, {0})}, {.rows = RowShare::remainders(2, {1}), .late_units = 25}}},
      1'000);
  workload.finish(1'000);
  return workload;
}

TEST_CASE("all that is sent arrives at a node, but for what comes while it is away; another node has all of it") {
  const TableWorkload workload = every_ten();
  Arrivals node(workload);
  const Arrivals other(workload);
  node.stop(200);
  CHECK(node.missed(200));
  CHECK_FALSE(node.missed(199));
  const auto all_of = [&](const Arrivals& arrivals, std::int64_t time) {
    std::int64_t count = 0;
    for (int s = 0; s < std::ssize(workload.sub_streams()); ++s) count += arrivals.count_before(s, time);
    return count;
  };
  CHECK(all_of(node, 2'000) == all_of(node, 200));
  node.resume(300);
  node.stop(350);
  node.resume(450);  // begins before what is not sent, ends in it
  for (int s = 0; s < std::ssize(workload.sub_streams()); ++s) {
    const SubStream& sub = workload.sub_streams()[static_cast<std::size_t>(s)];
    std::int64_t at_node = 0;
    std::int64_t at_other = 0;
    for (std::int64_t j = 0; j < sub.rank(100); ++j) {
      const std::int64_t arrival = sub.arrival(j);
      CHECK(node.count_before(s, arrival) == at_node);
      CHECK(other.count_before(s, arrival) == at_other);
      const bool sent = arrival < 400 || arrival >= 500;
      const bool away = (arrival >= 200 && arrival < 300) || (arrival >= 350 && arrival < 450);
      if (sent && !away) CHECK(node.member(s, at_node++) == j);
      if (sent) CHECK(other.member(s, at_other++) == j);
      if (sent) CHECK(node.missed(arrival) == away);
    }
  }
}

TEST_CASE("what is known to have been sent is not counted, and all else is as before") {
  const TableWorkload workload = every_ten();
  const Arrivals counted(workload);
  const Arrivals told(workload);
  CHECK(told.loses_some());  // the pause
  for (std::int64_t time = 0; time < 1'200; time += 7) {
    const auto sent = counted.sent_before(time);
    const std::vector<std::int64_t> members(sent.begin(), sent.end());
    if (time % 2 == 0) told.know_sent_before(time, members);
    for (const std::int64_t again : {time, std::max<std::int64_t>(0, time - 14)})
      CHECK(std::ranges::equal(told.sent_before(again), counted.sent_before(again)));
  }
}

}  // namespace
}  // namespace windrow
