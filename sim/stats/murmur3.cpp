#include "sim/stats/murmur3.h"

#include <bit>
#include <cstring>
#include <limits>

namespace windrow {
namespace {

constexpr std::uint64_t c1 = 0x87c37b91114253d5;
constexpr std::uint64_t c2 = 0x4cf5ad432745937f;

constexpr std::uint64_t mix_k1(std::uint64_t k) { return std::rotl(k * c1, 31) * c2; }
constexpr std::uint64_t mix_k2(std::uint64_t k) { return std::rotl(k * c2, 33) * c1; }

constexpr std::uint64_t final_mix(std::uint64_t k) {
  k = (k ^ (k >> 33)) * 0xff51afd7ed558ccd;
  k = (k ^ (k >> 33)) * 0xc4ceb9fe1a85ec53;
  return k ^ (k >> 33);
}

std::uint64_t little_endian_word(const char* bytes) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// Tail bytes are sign-extended before they are shifted in: a slip of Cassandra's, kept for compatibility.
std::uint64_t tail_word(std::string_view tail) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < tail.size(); ++i) {
    word ^= static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<signed char>(tail[i]))) << (8 * i);
  }
  return word;
}

}  // namespace

Murmur3Hash murmur3(std::string_view key) {
  std::uint64_t h1 = 0;
  std::uint64_t h2 = 0;
  std::string_view rest = key;
  for (; rest.size() >= 16; rest.remove_prefix(16)) {
    h1 = (std::rotl(h1 ^ mix_k1(little_endian_word(rest.data())), 27) + h2) * 5 + 0x52dce729;
    h2 = (std::rotl(h2 ^ mix_k2(little_endian_word(rest.data() + 8)), 31) + h1) * 5 + 0x38495ab5;
  }
  if (rest.size() > 8) h2 ^= mix_k2(tail_word(rest.substr(8)));
  if (!rest.empty()) h1 ^= mix_k1(tail_word(rest.substr(0, 8)));
  h1 ^= key.size();
  h2 ^= key.size();
  h1 += h2;
  h2 += h1;
  h1 = final_mix(h1);
  h2 = final_mix(h2);
  h1 += h2;
  h2 += h1;
  return {.h1 = static_cast<std::int64_t>(h1), .h2 = static_cast<std::int64_t>(h2)};
}

Token murmur3_token(std::string_view key) {
  if (key.empty()) return min_token;
  const Token token = murmur3(key).h1;
  return token == min_token ? max_token : token;
}

}  // namespace windrow
