#include "evidence/components/digest.h"

#include <array>
#include <cstdint>
#include <string>

namespace windrow {

namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t rest = i;
    for (int bit = 0; bit < 8; ++bit) rest = (rest & 1) != 0 ? 0xEDB88320U ^ (rest >> 1) : rest >> 1;
    table[i] = rest;
  }
  return table;
}

std::uint32_t crc32(std::string_view data) {
  static constexpr std::array<std::uint32_t, 256> table = make_crc_table();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : data) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (crc >> 8);
  return ~crc;
}

}  // namespace

Bytes digest_bytes(std::string_view data) { return static_cast<Bytes>(std::to_string(crc32(data)).size()); }

}  // namespace windrow
