#include "sim/cli/unpack.h"

// zlib reads what we give it as const.
#define ZLIB_CONST
#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace windrow {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 16;
constexpr std::size_t longest_text = std::size_t{4} << 30;  // more is a mistake, or malice

void check_length(const std::string& text) {
  if (text.size() > longest_text) throw std::runtime_error("unpacks to more than 4 GiB");
}

}  // namespace

std::string unpack_xz(std::string_view packed) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, std::numeric_limits<std::uint64_t>::max(), 0) != LZMA_OK) {
    throw std::runtime_error("liblzma does not start");
  }
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  std::string text;
  std::array<std::uint8_t, chunk_bytes> chunk{};
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK && text.size() <= longest_text) {
    stream.next_out = chunk.data();
    stream.avail_out = chunk.size();
    status = lzma_code(&stream, LZMA_FINISH);
    text.append(reinterpret_cast<const char*>(chunk.data()), chunk.size() - stream.avail_out);
  }
  lzma_end(&stream);
  check_length(text);
  if (status != LZMA_STREAM_END) throw std::runtime_error("is not a whole xz file");
  return text;
}

std::string unpack_gz(std::string_view packed) {
  constexpr int gzip_window = 15 + 16;
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK) throw std::runtime_error("zlib does not start");
  std::string text;
  std::array<unsigned char, chunk_bytes> chunk{};
  int status = Z_OK;
  std::size_t taken = 0;
  while (status == Z_OK && text.size() <= longest_text) {
    if (stream.avail_in == 0) {
      const std::size_t part = std::min<std::size_t>(packed.size() - taken, std::size_t{1} << 30);
      stream.next_in = reinterpret_cast<const unsigned char*>(packed.data() + taken);
      stream.avail_in = static_cast<unsigned>(part);
      taken += part;
    }
    stream.next_out = chunk.data();
    stream.avail_out = static_cast<unsigned>(chunk.size());
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(reinterpret_cast<const char*>(chunk.data()), chunk.size() - stream.avail_out);
    // Members may follow one another.
    if (status == Z_STREAM_END && (stream.avail_in > 0 || taken < packed.size())) status = inflateReset(&stream);
  }
  inflateEnd(&stream);
  check_length(text);
  if (status != Z_STREAM_END) throw std::runtime_error("is not a whole gzip file");
  return text;
}

}  // namespace windrow
