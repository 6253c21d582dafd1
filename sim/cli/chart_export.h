#pragma once

#include <cstddef>
#include <filesystem>

namespace windrow {

/// Lets Chromium draw the charts of a page, unseen, and writes each as NAME.svg and NAME.png. Returns how many. Throws
/// UserError.
std::size_t export_charts(const std::filesystem::path& page, const std::filesystem::path& out);

}  // namespace windrow
