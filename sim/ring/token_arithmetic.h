#pragma once

#include "sim/base/units.h"

namespace windrow {

/// Middle of (left, right], which goes round the ring where left is not below right: Murmur3Partitioner.midpoint,
/// Cassandra 5.0.9, with its roundings.
Token token_midpoint(Token left, Token right);

/// The token this share of the way from left to right: Murmur3Partitioner.split, Cassandra 5.0.9, in exact decimals of
/// the share as Double.toString prints it, truncated. `share` in [1e-18, 1).
Token token_split(Token left, Token right, double share);

}  // namespace windrow
