#include "tests/cli/program.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/support/xz.h"

namespace windrow::test {

Ending shell(const std::string& line) {
  const TestFolder folder;
  folder.write("line", line);
  setenv("WINDROW", WINDROW_PROGRAM, 1);
  const std::string command =
      fmt::format("bash '{}' >'{}' 2>'{}' </dev/null", folder / "line", folder / "out", folder / "error");
  const int status = std::system(command.c_str());
  Ending ending;
  ending.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ending.out = read_file(folder / "out");
  ending.error = read_file(folder / "error");
  return ending;
}

Ending windrow(const std::string& arguments) { return shell("exec \"$WINDROW\" " + arguments); }

std::int64_t peak_bytes(const std::string& arguments) {
  const std::string line = fmt::format("exec '{}' {} >/dev/null 2>&1 </dev/null", WINDROW_PROGRAM, arguments);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("windrow " + arguments + " did not end well");
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

TestFolder::TestFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "windrow-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for a test");
  path_ = name;
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TestFolder::write(const std::string& name, const std::string& text) const {
  std::filesystem::create_directories((path_ / name).parent_path());
  std::ofstream(path_ / name, std::ios::binary) << text;
}

}  // namespace windrow::test
