#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/content/content.h"

namespace windrow {

/// How the partitions of one content lie on the ring: which is the n-th, asked for many tokens. Buckets that it holds
/// whole are looked up in the table's index, of the others it keeps the tokens.
class TokenRanks {
 public:
  TokenRanks(const ContentSpace& space, const Content& content);

  /// The same of another content that holds the same rows.
  std::unique_ptr<const TokenRanks> of_same(const Content& content) const;

  /// Partitions whose tokens are not above `token`. The space and the content must still be there.
  std::int64_t up_to(Token token) const;
  std::int64_t partitions() const { return partitions_; }

 private:
  std::int64_t smooth_up_to(Token token) const;

  /// What was counted lately: the same neighbours are asked about again and again.
  struct Remembered {
    Token token = min_token;  // which nobody asks for: it is below every span
    std::int64_t count = 0;
  };
  const ContentSpace* space_ = nullptr;
  const Content* content_ = nullptr;
  std::vector<const TokenIndex::Bucket*> whole_{};
  std::vector<Token> own_{};  // ascending
  std::pair<Token, Token> span_{};
  std::int64_t partitions_ = 0;
  mutable std::array<Remembered, 8> remembered_{};
  mutable std::size_t next_remembered_ = 0;
};

}  // namespace windrow
