#pragma once

#include <fmt/format.h>

#include <string>

namespace windrow {

/// Two lower-case digits a byte.
inline std::string hex_text(const std::string& bytes) {
  std::string digits;
  for (const char c : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return digits;
}

}  // namespace windrow
