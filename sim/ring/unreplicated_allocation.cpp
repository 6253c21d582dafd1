#include "sim/ring/unreplicated_allocation.h"

#include <algorithm>
#include <map>

#include "sim/base/check.h"
#include "sim/ring/token_arithmetic.h"
#include "sim/stats/java_priority_queue.h"
#include "sim/stats/ring_share.h"

namespace windrow {
namespace {

constexpr double most_taken = 0.90;  // of a range
constexpr double least_taken = 1.0 - most_taken;

struct Range {
  Token begin = 0;
  Token end = 0;
  double share = 0;
};

struct LargestRange {
  bool operator()(const Range& a, const Range& b) const { return a.share > b.share; }
};
using Ranges = JavaPriorityQueue<Range, LargestRange>;

struct Owner {
  int node = 0;
  double share = 0;
};

struct LargestOwner {
  bool operator()(const Owner& a, const Owner& b) const { return a.share > b.share; }
};

std::map<int, Ranges> ranges_by_node(const TokenRing& ring) {
  std::map<int, Ranges> ranges;
  Token before = ring.tokens().back().token;
  for (const OwnedToken& owned : ring.tokens()) {
    const Range range{.begin = before, .end = owned.token, .share = ring_share(before, owned.token)};
    ranges.try_emplace(owned.node, LargestRange{}).first->second.add(range);
    before = owned.token;
  }
  return ranges;
}

/// Sums along the ring, as the engine adds them.
std::map<int, double> share_by_node(const TokenRing& ring) {
  std::map<int, double> shares;
  Token before = ring.tokens().back().token;
  for (const OwnedToken& owned : ring.tokens()) {
    shares[owned.node] += ring_share(before, owned.token);
    before = owned.token;
  }
  return shares;
}

/// Those that give something up, largest first, and what each of them and the new node would own.
struct Givers {
  std::vector<Owner> owners{};
  double average = 0;
};

Givers givers_of(const TokenRing& ring, int num_tokens) {
  JavaPriorityQueue<Owner, LargestOwner> owners{LargestOwner{}};
  for (const auto& [node, share] : share_by_node(ring)) owners.add({.node = node, .share = share});
  Givers givers;
  double sum = 0;
  for (int i = 0; i < num_tokens && !owners.empty(); ++i) {
    const Owner owner = owners.peek();
    sum += owner.share;
    const double average = sum / static_cast<double>(givers.owners.size() + 2);  // the new node too
    if (owner.share <= average) break;
    owners.poll();
    givers.owners.push_back(owner);
    givers.average = average;
  }
  return givers;
}

/// What is taken of each of the ranges of a node that gives up `given` of their `sum`.
double slice_of(double given, double sum) {
  if (!(given < sum)) return most_taken;
  return std::clamp(given / sum, least_taken, most_taken);
}

}  // namespace

std::vector<Token> allocate_unreplicated(const TokenRing& ring, int node, int num_tokens) {
  SIM_CHECK(num_tokens > 0 && ring.size() >= static_cast<std::size_t>(num_tokens), "a range for every token");
  SIM_CHECK(ring.tokens_of(node).empty(), "a node joins once");
  std::map<int, Ranges> ranges = ranges_by_node(ring);
  const Givers givers = givers_of(ring, num_tokens);
  const auto count = static_cast<int>(givers.owners.size());
  SIM_CHECK(count > 0, "who owns most owns more than half of it");

  // Targets lie around the average, the largest for the largest owner, nearer to each other the more nodes there are.
  const double tokens = num_tokens;
  const double correction = std::min(1.0, (tokens + 1.0) / (static_cast<double>(ranges.size()) + 1.0));
  const double spread = givers.average * correction * 2.0 / (2 * tokens + 1);
  const double step = spread / count;
  double target = givers.average + spread / 2;

  std::vector<Token> made;
  for (int i = 0; i < count; ++i) {
    const Owner& owner = givers.owners[static_cast<std::size_t>(i)];
    const int wanted = num_tokens / count + (i < num_tokens % count ? 1 : 0);
    Ranges& owned = ranges.at(owner.node);
    std::vector<Range> largest;
    double sum = 0;
    for (int k = 0; k < wanted; ++k) {
      largest.push_back(owned.peek());
      owned.poll();
      sum += largest.back().share;
    }
    const double slice = slice_of(owner.share - target, sum);
    for (const Range& range : largest) made.push_back(token_split(range.begin, range.end, slice));
    target -= step;
  }
  return made;
}

}  // namespace windrow
