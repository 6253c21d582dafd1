#pragma once

#include <cstdint>
#include <string_view>

#include "evidence/captures/disagreement.h"

namespace windrow {

struct CaptureTokensResult {
  int keys = 0;
  int agreeing = 0;
  Disagreements disagreements{};
};

/// Serializes every partition key of tokens/tokens.csv from its CQL literal and computes its token.
CaptureTokensResult verify_capture_tokens(std::string_view tokens_csv);

}  // namespace windrow
