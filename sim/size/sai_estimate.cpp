#include "sim/size/sai_estimate.h"

#include <algorithm>
#include <cmath>

namespace windrow {

namespace {

using Kind = CqlType::Kind;

constexpr double metadata_bytes = 380;

/// Terms in a trie, with posting lists of their own.
bool is_literal(const CqlType& type) {
  return type.kind == Kind::text || type.kind == Kind::ascii || type.kind == Kind::boolean || type.frozen;
}

}  // namespace

double sai_key_bytes(std::int64_t rows) { return 450 + 5.6 * static_cast<double>(rows); }

SaiBytes sai_index_bytes(const CqlType& type, double value_bytes, std::int64_t rows) {
  const auto n = static_cast<double>(std::max<std::int64_t>(rows, 2));
  if (is_literal(type)) {
    return {.few = metadata_bytes + 1.1 * n,
            .different = metadata_bytes + n * (2.1 * value_bytes + 10.5 + 1.83 * std::log10(n))};
  }
  // A block balanced tree: leaves of values in order, and row numbers of as many bits as the rows need.
  const double row_number = std::max(0.3, std::log2(n) / 8 - 0.6);
  return {.few = metadata_bytes + n * (1.5 + row_number), .different = metadata_bytes + n * (value_bytes + row_number)};
}

}  // namespace windrow
