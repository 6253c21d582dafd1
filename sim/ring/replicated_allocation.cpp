#include "sim/ring/replicated_allocation.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"
#include "sim/ring/token_arithmetic.h"
#include "sim/stats/java_priority_queue.h"
#include "sim/stats/ring_share.h"

namespace windrow {
namespace {

double squared(double x) { return x * x; }

/// Different groups met on a walk along the ring, until there are as many as replicas.
class GroupWalk {
 public:
  GroupWalk(std::size_t groups, int replicas) : met_(groups, 0), replicas_(replicas) {}

  void begin() {
    ++walk_;
    seen_ = 0;
  }
  /// True if this walk had not met the group.
  bool add(int group) {
    std::int64_t& met = met_[static_cast<std::size_t>(group)];
    if (met == walk_) return false;
    met = walk_;
    ++seen_;
    return true;
  }
  bool has(int group) const { return met_[static_cast<std::size_t>(group)] == walk_; }
  bool complete() const { return seen_ >= replicas_; }

 private:
  std::vector<std::int64_t> met_;  // the last walk that met each group
  std::int64_t walk_ = 0;
  int seen_ = 0;
  int replicas_;
};

/// What a token replicates: from `start` to itself. A new token beyond `threshold` becomes its new start.
struct Span {
  Token start = 0;
  Token threshold = 0;
};

struct Unit {
  int group = 0;
  double ownership = 0;
  double adjusted = 0;  // with the candidate that is looked at
  int tokens = 0;
  std::int64_t looked_at = 0;  // the last evaluation that touched it
};

struct Vnode {
  Token token = 0;
  int unit = 0;
  int prev = 0;
  int next = 0;
  Span span{};
  double ownership = 0;
};

/// The middle of the range that ends at a vnode.
struct Candidate {
  Token token = 0;
  int split = 0;  // the vnode
  int prev = 0;
  int next = 0;
  Span span{};
};

struct Improvement {
  double weight = 0;
  int candidate = 0;
};

/// Weighted.compareTo: the greater weight comes first, in the order of Double.compare.
struct GreaterFirst {
  bool operator()(const Improvement& a, const Improvement& b) const {
    if (a.weight != b.weight) return a.weight > b.weight;
    return std::signbit(b.weight) && !std::signbit(a.weight);
  }
};

class Allocation {
 public:
  Allocation(const TokenRing& ring, std::span<const int> groups, int node, int num_tokens, int replicas);
  std::vector<Token> choose();

 private:
  Vnode& vnode(int i) { return vnodes_[static_cast<std::size_t>(i)]; }
  Candidate& candidate(int i) { return candidates_[static_cast<std::size_t>(i)]; }
  Unit& unit(int i) { return units_[static_cast<std::size_t>(i)]; }

  Span span_of(Token token, int group, int before);
  void settle(int i);
  double evaluate(const Candidate& wanted, double own_weight);
  double change(int unit_number, double before, double after);
  void confirm(int i);

  std::vector<Unit> units_{};  // by node number
  std::vector<Vnode> vnodes_{};
  std::vector<Candidate> candidates_{};
  int node_;
  int num_tokens_;
  double optimum_;  // of a token
  GroupWalk spans_;
  GroupWalk affected_;
  std::int64_t evaluations_ = 0;
  std::vector<int> touched_{};  // units of this evaluation, in the order they were met
};

Allocation::Allocation(const TokenRing& ring, std::span<const int> groups, int node, int num_tokens, int replicas)
    : node_(node),
      num_tokens_(num_tokens),
      optimum_(1.0 * replicas / static_cast<double>(ring.size() + static_cast<std::size_t>(num_tokens))),
      spans_(static_cast<std::size_t>(std::ranges::max(groups)) + 1, replicas),
      affected_(spans_) {
  for (const int group : groups) units_.push_back({.group = group});
  unit(node).ownership = num_tokens * optimum_;
  const int size = static_cast<int>(ring.size());
  for (const OwnedToken& owned : ring.tokens()) {
    const int i = static_cast<int>(vnodes_.size());
    vnodes_.push_back(
        {.token = owned.token, .unit = owned.node, .prev = (i + size - 1) % size, .next = (i + 1) % size});
    ++unit(owned.node).tokens;
  }
  for (int i = 0; i < size; ++i) settle(i);
  unit(node).tokens = num_tokens;
  for (int i = 0; i < size; ++i) {
    const Vnode& end = vnode(i);
    Candidate made{
        .token = token_midpoint(vnode(end.prev).token, end.token), .split = i, .prev = end.prev, .next = end.next};
    made.span = span_of(made.token, unit(node).group, end.prev);
    candidates_.push_back(made);
  }
}

/// Walks back from the vnode before a token to where the token's replicas begin: ReplicationAwareTokenAllocator
/// .populateTokenInfo.
Span Allocation::span_of(Token token, int group, int before) {
  Span span{.start = token, .threshold = token};
  spans_.begin();
  int met = 0;
  for (int i = before;; i = vnode(i).prev) {
    span.start = vnode(i).token;
    met = unit(vnode(i).unit).group;
    if (!spans_.add(met)) continue;
    if (spans_.complete()) break;
    span.threshold = span.start;
    if (met == group) break;  // the group's own earlier token: what lies before is replicated there
  }
  const int joining = unit(node_).group;
  if (joining == group) {
    span.threshold = token;
  } else if (joining != met && spans_.has(joining)) {
    span.threshold = span.start;  // the joining group is there already: nothing changes
  }
  return span;
}

void Allocation::settle(int i) {
  Vnode& v = vnode(i);
  Unit& owner = unit(v.unit);
  v.span = span_of(v.token, owner.group, v.prev);
  const double now = ring_share(v.span.start, v.token);
  owner.ownership += now - v.ownership;
  v.ownership = now;
}

/// Of the variance among tokens, when a token of this unit owns `after` instead of `before`.
double Allocation::change(int unit_number, double before, double after) {
  Unit& owner = unit(unit_number);
  if (owner.looked_at != evaluations_) {
    owner.looked_at = evaluations_;
    owner.adjusted = owner.ownership + (after - before);
    touched_.push_back(unit_number);
  } else {
    owner.adjusted += after - before;
  }
  return (squared(after - optimum_) - squared(before - optimum_)) / squared(static_cast<double>(owner.tokens));
}

/// By how much less tokens and units would vary with the candidate; the joining unit's own part counts `own_weight`.
double Allocation::evaluate(const Candidate& wanted, double own_weight) {
  ++evaluations_;
  touched_.clear();
  double tokens = 0;
  tokens += change(node_, optimum_, ring_share(wanted.span.start, wanted.token));
  affected_.begin();
  for (int i = wanted.split; !affected_.complete(); i = vnode(i).next) {
    const Vnode& v = vnode(i);
    if (!affected_.add(unit(v.unit).group)) continue;  // a group that is met before keeps its span
    Token start = v.span.threshold;
    if (start == v.token) {
      start = wanted.token;
    } else if (wanted.token != v.token && !(ring_share(start, v.token) > ring_share(wanted.token, v.token))) {
      start = wanted.token;
    }
    tokens += change(v.unit, v.ownership, ring_share(start, v.token));
  }
  double units = 0;
  for (auto i = touched_.rbegin(); i != touched_.rend(); ++i) {
    const Unit& u = unit(*i);
    const double count = u.tokens;
    const double more = squared(u.adjusted / count - optimum_) - squared(u.ownership / count - optimum_);
    units += *i == node_ ? more * own_weight : more;
  }
  return -(tokens + units);
}

/// The candidate becomes a token; spans behind it, of vnodes and candidates, are found anew.
void Allocation::confirm(int i) {
  const Candidate chosen = candidate(i);
  candidate(chosen.prev).next = chosen.next;
  candidate(chosen.next).prev = chosen.prev;
  const int split = chosen.split;
  const int added = static_cast<int>(vnodes_.size());
  vnodes_.push_back(
      {.token = chosen.token, .unit = node_, .prev = vnode(split).prev, .next = split, .ownership = optimum_});
  vnode(vnode(added).prev).next = added;
  vnode(split).prev = added;
  settle(added);
  affected_.begin();
  int behind = i;
  for (int v = split; !affected_.complete(); v = vnode(v).next) {
    behind = candidate(behind).next;
    Candidate& after = candidate(behind);
    after.span = span_of(after.token, unit(node_).group, vnode(after.split).prev);
    if (affected_.add(unit(vnode(v).unit).group)) settle(v);
  }
}

std::vector<Token> Allocation::choose() {
  JavaPriorityQueue<Improvement, GreaterFirst> improvements{GreaterFirst{}};
  const double tokens = num_tokens_;
  for (int i = 0; i < static_cast<int>(candidates_.size()); ++i) {
    improvements.add({.weight = evaluate(candidate(i), 1.0 / tokens), .candidate = i});
  }
  Improvement best = improvements.peek();
  improvements.poll();
  std::vector<Token> chosen;
  while (true) {
    confirm(best.candidate);
    chosen.push_back(candidate(best.candidate).token);
    if (std::ssize(chosen) == num_tokens_) return chosen;
    while (true) {  // until one is still better than the next was
      best = improvements.peek();
      improvements.poll();
      best.weight = evaluate(candidate(best.candidate), (static_cast<double>(chosen.size()) + 1.0) / tokens);
      if (improvements.empty() || best.weight >= improvements.peek().weight) break;
      improvements.add(best);
    }
  }
}

}  // namespace

std::vector<Token> allocate_replicated(const TokenRing& ring, std::span<const int> groups, int node, int num_tokens,
                                       int replicas) {
  SIM_CHECK(num_tokens > 0 && ring.size() >= static_cast<std::size_t>(num_tokens), "a range for every token");
  return Allocation(ring, groups, node, num_tokens, replicas).choose();
}

}  // namespace windrow
