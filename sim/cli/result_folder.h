#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/staging.h"
#include "sim/page/result_text.h"
#include "sim/text/sink.h"

namespace windrow {

/// A file of a result: a CSV file longer than 16 MiB stays where it is. Throws UserError.
ResultText read_result_text(const std::filesystem::path& path);

/// Files of a result as they are made, beside their places. Throws UserError.
class ResultWriter final : public Sink {
 public:
  explicit ResultWriter(const std::filesystem::path& target) : staging_(target) {}
  void open(std::string_view name) override;
  void append(std::string_view text) override;
  /// A whole file whose text is elsewhere.
  void write(std::string_view name, std::string_view text);
  /// All others that have been written so far, as read_result_text; of use until they are moved in.
  ResultTexts take_texts();
  const std::vector<std::string>& names() const { return names_; }
  void move_in();

 private:
  void begin(std::string_view name);
  void put(std::string_view text);
  void end();
  /// Ends what was opened.
  void close();

  Staging staging_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, &std::fclose};  // the last, while it is written
  std::vector<std::string> names_{};
  ResultTexts texts_{};
  std::string text_{};     // of what was opened last
  std::size_t bytes_ = 0;  // that were appended to it
};

/// True if a run of windrow has written it.
bool is_result_folder(const std::filesystem::path& folder);

/// A folder that results are written to. It is ours if it holds our scenario.ini; any other folder that is not empty is
/// never written to. Throws UserError, before anything is computed.
class ResultFolder {
 public:
  explicit ResultFolder(std::filesystem::path path);

  /// All that `fill` writes appears whole, or nothing of it. Results of an earlier run that have no successor go away,
  /// but only those in `known_names` and below inputs/. Throws UserError.
  void write(const std::function<void(ResultWriter&)>& fill, const std::vector<std::string>& known_names) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_{};
};

/// For several results at once: the folder must be new, empty, or hold only folders that are ours. Throws UserError.
void check_folder_of_results(const std::filesystem::path& path);

/// The first line of every scenario.ini that a run writes: by it a folder is known as ours.
inline constexpr const char* result_mark = "# windrow: the resolved scenario of the results in this folder";

}  // namespace windrow
