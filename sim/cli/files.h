#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace windrow {

/// The text of a file; what ends in .xz or .gz is unpacked. Throws UserError.
std::string read_text_file(const std::filesystem::path& path);

/// The same without a message: false if the file cannot be read.
bool try_read_text_file(const std::filesystem::path& path, std::string& text);

struct OutputFile {
  std::string name{};  // relative, with / between folders
  std::string text{};
};

/// Writes all files beside their places and then moves them there: each appears whole or not at all, and if one cannot
/// be written none appears. Throws UserError.
void write_whole(const std::filesystem::path& folder, const std::vector<OutputFile>& files);

}  // namespace windrow
