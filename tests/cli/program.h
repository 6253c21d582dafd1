#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace windrow::test {

/// How the program ended, and what it said.
struct Ending {
  int code = -1;
  std::string out{};
  std::string error{};
};

/// Runs `windrow ARGUMENTS` in a shell, from the repository's root.
Ending windrow(const std::string& arguments);

/// Runs a shell line in which $WINDROW is the program.
Ending shell(const std::string& line);

/// The most memory that `windrow ARGUMENTS` had at a time. Throws std::runtime_error unless it ends with exit code 0.
std::int64_t peak_bytes(const std::string& arguments);

/// A folder of its own for a test, gone with it.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_{};
};

}  // namespace windrow::test
