// What a key costs: the bytes of its day, its token and its replica set, in yardsticks (a million operations of the
// hold model) a million keys. At most 0.8 on the ring of twelve nodes with 16 tokens each. And what allocating tokens
// costs. usage: bench_ring [--tiny]

#include <fmt/core.h>

#include <cstring>
#include <string>
#include <vector>

#include "bench/hold_model.h"
#include "sim/placement/slot_hasher.h"
#include "sim/ring/allocation.h"
#include "sim/ring/replica_map.h"
#include "sim/workload/writer.h"

namespace {

using windrow::DatacenterTokens;
using windrow::NodePlace;
using windrow::ReplicaMap;
using windrow::TokenRing;

constexpr double budget = 0.8;  // yardsticks a million keys

TokenRing ring_of(const std::vector<NodePlace>& places, int num_tokens) {
  const DatacenterTokens datacenter{.rule = {.num_tokens = num_tokens, .replicas = 3},
                                    .first_token = windrow::first_token_of(1, 0)};
  return windrow::allocate_ring(places, std::vector{datacenter});
}

/// Partition keys (text, text) of devices and days, all equally long.
class DeviceKeys final : public windrow::PartitionKeys {
 public:
  std::string key(std::int64_t entity, std::int64_t bucket_label, std::int64_t /*shard*/) const override {
    const std::string device = fmt::format("device-{:07}", entity);
    const std::string day = fmt::format("day-{:06}", bucket_label);
    const auto component = [](const std::string& text) {
      return std::string(1, '\0') + static_cast<char>(text.size()) + text + '\0';
    };
    return component(device) + component(day);
  }
  int constant_length() const override { return 2 + 14 + 1 + 2 + 10 + 1; }
};

/// As runs do it: all devices of a day, one day after the other.
void bench_keys(int nodes, int num_tokens, std::int64_t devices, std::int64_t days, double yardstick_s) {
  const std::vector<NodePlace> places(static_cast<std::size_t>(nodes));
  const ReplicaMap map(ring_of(places, num_tokens), places,
                       {.strategy = windrow::Replication::Strategy::network_topology, .factors = {3}});
  const DeviceKeys keys;
  windrow::SlotHasher hasher({.keys = &keys, .entities = devices, .shards = 1});
  std::uint64_t checksum = static_cast<std::uint64_t>(hasher.sets(0, map).back());  // writes the keys
  const double took = windrow_bench::least_seconds_of([&] {
    for (std::int64_t day = 1; day <= days; ++day)
      checksum += static_cast<std::uint64_t>(hasher.sets(day, map)[static_cast<std::size_t>(day % devices)]);
  });
  const double a_million = took * 1e6 / static_cast<double>(devices * days);
  fmt::print(
      "{:4} nodes, {:2} tokens: {:5} ranges, {:4} sets, {:.2f} yardsticks a million keys, {:.1f} ns each{}; sum {}\n",
      nodes, num_tokens, map.ranges(), map.sets(), a_million / yardstick_s, a_million * 1e3,
      nodes == 12 ? fmt::format(" (at most {})", budget) : "", checksum);
}

void bench_allocation(int nodes, int num_tokens, double yardstick_s) {
  const std::vector<NodePlace> places(static_cast<std::size_t>(nodes));
  std::size_t tokens = 0;
  const double took = windrow_bench::least_seconds_of([&] { tokens = ring_of(places, num_tokens).size(); }, 1);
  fmt::print("{:4} nodes, {:2} tokens: {:5} tokens allocated in {:.2f} yardsticks\n", nodes, num_tokens, tokens,
             took / yardstick_s);
}

}  // namespace

int main(int argc, char** argv) {
  const bool tiny = argc > 1 && std::strcmp(argv[1], "--tiny") == 0;
  std::uint64_t checksum = 0;
  const double yardstick_s =
      windrow_bench::least_seconds_of([&] { checksum += windrow_bench::hold_model(1'000'000); }, tiny ? 0 : 3);
  fmt::print("yardstick: {:.4f} s; sum {}\n", yardstick_s, checksum);
  const std::int64_t devices = tiny ? 1'000 : 20'000;
  const std::int64_t days = tiny ? 10 : 250;
  bench_keys(12, 16, devices, days, yardstick_s);
  bench_keys(100, 16, devices, days, yardstick_s);
  bench_keys(tiny ? 50 : 500, 16, devices, days, yardstick_s);
  bench_allocation(12, 16, yardstick_s);
  bench_allocation(tiny ? 20 : 100, 16, yardstick_s);
  if (!tiny) bench_allocation(1000, 16, yardstick_s);
  return 0;
}
