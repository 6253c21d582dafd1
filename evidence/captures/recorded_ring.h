#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"

namespace windrow {

/// A recording of a ring that is cut off, lacks a field or has another shape.
class RecordedRingError : public std::runtime_error {
 public:
  explicit RecordedRingError(const std::string& what) : std::runtime_error(what) {}
};

/// A line of nodetool ring.
struct RingLine {
  std::string address{};
  std::string datacenter{};
  std::string rack{};
  std::string owns{};  // "33.77%"; without a keyspace it is of whatever keyspaces there are, or "?"
  Token token = 0;
};

/// A text of nodetool for a keyspace with so many replicas (0: without keyspace).
struct RecordedText {
  std::string field{};
  int replicas = 0;
  std::string text{};
};

/// What nodetool said when so many nodes had joined.
struct RecordedTexts {
  std::vector<RecordedText> ring{};
  std::vector<RecordedText> status{};
  std::vector<RecordedText> describering{};
};

struct RecordedJoin {
  std::string node{};
  std::string address{};
  std::string datacenter{};
  std::string rack{};
  std::vector<Token> tokens{};  // ascending
  RecordedTexts texts{};
};

/// Tokens of a node as another source has them.
struct TokenList {
  std::string field{};
  std::string node{};
  std::vector<Token> tokens{};
};

/// A ring whose nodes joined one after another (tests/tokens).
struct RecordedRing {
  int num_tokens = 0;
  int allocation_replicas = 0;  // allocate_tokens_for_local_replication_factor
  std::vector<RecordedJoin> joined{};
  RecordedTexts at_end{};
  std::vector<TokenList> lists{};
};

/// Of one file of JSON. Throws RecordedRingError, naming the field.
RecordedRing parse_recorded_ring(std::string_view json);

// Lines of nodetool's texts. Throw RecordedRingError where there are none.

std::vector<RingLine> ring_lines(const RecordedText& text);
/// "33.8%" by address.
std::map<std::string, std::string> status_ownership(const RecordedText& text);
/// "TokenRange(…)" by the token that it ends at.
std::map<Token, std::string> described_ranges(const RecordedText& text);

}  // namespace windrow
