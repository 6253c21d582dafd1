#pragma once

#include <string>
#include <string_view>

namespace windrow {

/// The text inside an .xz or .gz file. Throws std::runtime_error with what is wrong with it.
std::string unpack_xz(std::string_view packed);
std::string unpack_gz(std::string_view packed);

}  // namespace windrow
