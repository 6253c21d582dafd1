#include "sim/workload/arrivals.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

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

}  // namespace
}  // namespace windrow
