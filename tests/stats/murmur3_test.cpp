#include "sim/stats/murmur3.h"

#include <doctest/doctest.h>

#include "tests/stats/data.h"

namespace windrow {
namespace {

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

}  // namespace

TEST_CASE("tokens equal the published vectors of storage rule 3.1") {
  CHECK(murmur3_token("123") == -7468325962851647638);
  CHECK(murmur3_token(from_hex(repeated("00ff10fa99", 10))) == 5837342703291459765);
  CHECK(murmur3_token(from_hex(repeated("fe", 8))) == -8927430733708461935);
  CHECK(murmur3_token(from_hex(repeated("10", 8))) == 1446172840243228796);
  CHECK(murmur3_token("9223372036854775807") == 7162290910810015547);
  CHECK(murmur3_token(from_hex("c3a9")) == 5461403030378599040);
  CHECK(murmur3_token(from_hex("000400000007000002c3a900")) == 1787178245019224474);
  CHECK(murmur3_token("") == min_token);
}

TEST_CASE("tokens equal those of a real node, key by key") {
  int lines = 0;
  for (const std::string& line : data_lines("tests/data/captures/tokens/tokens.csv")) {
    // The literal may hold commas and quotes: the key and the token are the last two fields.
    const std::size_t token_at = line.rfind(',') + 1;
    const std::size_t key_at = line.rfind(',', token_at - 2) + 1;
    const std::string key = from_hex(line.substr(key_at, token_at - 1 - key_at));
    CHECK_MESSAGE(murmur3_token(key) == std::stoll(line.substr(token_at)), line);
    ++lines;
  }
  CHECK(lines == 1347);
}

}  // namespace windrow
