#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/command.h"

namespace windrow {

/// The path or the nearest folder above it that exists.
std::filesystem::path existing_part(std::filesystem::path path);

/// Of a file that takes its place only once all others are whole.
UserError not_written(const std::filesystem::path& place, const char* reason);

/// Files beside their places, in a folder that goes away with all it holds, and with the folders that were made for it
/// unless something has been moved in. Throws UserError.
class Staging {
 public:
  explicit Staging(std::filesystem::path target);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  const std::filesystem::path& target() const { return target_; }
  /// Where a file is written first; `name` is relative, with / between folders.
  std::filesystem::path place_of(const std::string& name) const;
  void move_in(const std::vector<std::string>& names);

 private:
  std::filesystem::path target_{};
  std::filesystem::path path_{};
  std::filesystem::path made_{};  // the topmost folder that was not there before
  bool kept_ = false;
};

}  // namespace windrow
