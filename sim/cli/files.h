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

/// True if a run of windrow has written it.
bool is_result_folder(const std::filesystem::path& folder);

/// A folder that results are written to. It is ours if it holds our scenario.ini; any other folder that is not empty is
/// never written to. Throws UserError, before anything is computed.
class ResultFolder {
 public:
  explicit ResultFolder(std::filesystem::path path);

  /// As write_whole. Results of an earlier run that have no successor among `files` go away, but only
  /// those in `known_names` and below inputs/. Throws UserError.
  void write(const std::vector<OutputFile>& files, const std::vector<std::string>& known_names) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_{};
};

/// For several results at once: the folder must be new, empty, or hold only folders that are ours. Throws UserError.
void check_folder_of_results(const std::filesystem::path& path);

/// The first line of every scenario.ini that a run writes: by it a folder is known as ours.
inline constexpr const char* result_mark = "# windrow: the resolved scenario of the results in this folder";

}  // namespace windrow
