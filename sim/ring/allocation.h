#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/ring/token_ring.h"

namespace windrow {

/// How the nodes of a data centre get their tokens.
struct AllocationRule {
  int num_tokens = 16;
  int replicas = 3;  // allocate_tokens_for_local_replication_factor
};

/// What a node that joins adds to the ring of those that joined before, ascending: TokenAllocation.allocateTokens,
/// Cassandra 5.0.9. Tokens of the same data centre (of the same rack, if there are as many racks as replicas) make the
/// ring it looks at; racks are those of nodes that have joined. `first_token` begins a data centre without tokens,
/// where the engine draws one at random: nothing else is left to chance. Departure: nodes that own exactly the same are
/// taken in the order of their numbers, where the engine's order hangs on hashes of their addresses. Throws RingError
/// with the engine's reason where 1 < racks < replicas, and where a token is another node's already.
std::vector<Token> allocate_tokens(const TokenRing& joined, std::span<const NodePlace> places, int node,
                                   const AllocationRule& rule, Token first_token);

/// A data centre's nodes join one after another.
struct DatacenterTokens {
  AllocationRule rule{};
  Token first_token = 0;
};

/// Throws RingError unless it is 1 to 1,536 (DatabaseDescriptor.MAX_NUM_TOKENS, Cassandra 5.0.9).
void refuse_num_tokens(int num_tokens);

/// Throws RingError where so many nodes would take long to get so many tokens each.
void refuse_long_allocation(std::int64_t nodes, int num_tokens);

/// Nodes join in the order of their numbers, by the rule of their data centre. Throws RingError as above, and where the
/// tokens are so many that allocating them takes long.
TokenRing allocate_ring(std::span<const NodePlace> places, std::span<const DatacenterTokens> datacenters);

/// As many random tokens for every node, none twice: BootStrapper.getRandomTokens, Cassandra 5.0.9. Data centre d draws
/// from the seed's stream "tokens d".
TokenRing random_ring(std::span<const NodePlace> places, std::span<const int> num_tokens, std::uint64_t seed);

/// What begins a data centre whose first token is not given: of the seed's stream "first token d".
Token first_token_of(std::uint64_t seed, int datacenter);

}  // namespace windrow
