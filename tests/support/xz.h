#pragma once

#include <lzma.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace windrow::test {

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The text inside an .xz file. Whoever uses it links LibLZMA::LibLZMA (tests/<layer>/uses.cmake).
inline std::string read_xz(const std::string& path) {
  const std::string packed = read_file(path);
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, UINT64_MAX, 0) != LZMA_OK) throw std::runtime_error("liblzma does not start");
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  std::string text;
  std::array<std::uint8_t, 1 << 16> chunk{};
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK) {
    stream.next_out = chunk.data();
    stream.avail_out = chunk.size();
    status = lzma_code(&stream, LZMA_FINISH);
    text.append(reinterpret_cast<const char*>(chunk.data()), chunk.size() - stream.avail_out);
  }
  lzma_end(&stream);
  if (status != LZMA_STREAM_END) throw std::runtime_error("not a whole xz file: " + path);
  return text;
}

}  // namespace windrow::test
