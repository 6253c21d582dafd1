// What a key costs: its bytes, its token and its replica set, in yardsticks (a million operations of the hold model) a
// million keys. At most 0.8 on the ring of twelve nodes with 16 tokens each. And what allocating tokens costs.
// usage: bench_ring [--tiny]

#include <fmt/core.h>

#include <cstring>
#include <string>
#include <vector>

#include "bench/hold_model.h"
#include "sim/ring/allocation.h"
#include "sim/ring/replica_map.h"
#include "sim/stats/murmur3.h"

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

/// Partition key (text, text) of a device and a day; the device's number is written anew for every key.
class DeviceKeys {
 public:
  const std::string& key(std::int64_t device) {
    for (std::size_t digit = 0; digit < digits; ++digit) {
      key_[last_digit - digit] = static_cast<char>('0' + device % 10);
      device /= 10;
    }
    return key_;
  }

 private:
  static constexpr std::size_t digits = 7;
  static constexpr std::size_t last_digit = 2 + 7 + digits - 1;
  std::string key_ = std::string("\0\016device-0000000\0\0\0122026-01-01\0", 2 + 14 + 1 + 2 + 10 + 1);
};

void bench_keys(int nodes, int num_tokens, std::int64_t keys, double yardstick_s) {
  const std::vector<NodePlace> places(static_cast<std::size_t>(nodes));
  const ReplicaMap map(ring_of(places, num_tokens), places,
                       {.strategy = windrow::Replication::Strategy::network_topology, .factors = {3}});
  std::uint64_t checksum = 0;
  const double took = windrow_bench::least_seconds_of([&] {
    DeviceKeys device_keys;
    for (std::int64_t device = 0; device < keys; ++device) {
      checksum += static_cast<std::uint64_t>(map.set_of(windrow::murmur3_token(device_keys.key(device))));
    }
  });
  const double a_million = took * 1e6 / static_cast<double>(keys);
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
  const std::int64_t keys = tiny ? 10'000 : 5'000'000;
  bench_keys(12, 16, keys, yardstick_s);
  bench_keys(100, 16, keys, yardstick_s);
  bench_keys(tiny ? 50 : 500, 16, keys, yardstick_s);
  bench_allocation(12, 16, yardstick_s);
  bench_allocation(tiny ? 20 : 100, 16, yardstick_s);
  if (!tiny) bench_allocation(1000, 16, yardstick_s);
  return 0;
}
