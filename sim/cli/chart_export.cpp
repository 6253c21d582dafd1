#include "sim/cli/chart_export.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/command.h"
#include "sim/cli/files.h"

extern char** environ;

namespace windrow {
namespace {

namespace fs = std::filesystem;

/// A folder that goes away with all it holds.
class PassingFolder {
 public:
  PassingFolder() {
    std::string name = (fs::temp_directory_path() / "windrow-charts-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw UserError(fmt::format("cannot make a folder for Chromium: {}", std::strerror(errno)));
    path_ = name;
  }
  ~PassingFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_{};
};

/// What a program prints on its standard output; what it says on the other one is nobody's. False if there is no such
/// program.
bool output_of(const std::vector<std::string>& line, std::string& output) {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0)
    throw UserError(fmt::format("cannot start {}: {}", line.front(), std::strerror(errno)));
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
  std::vector<char*> arguments;
  for (const std::string& word : line) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int refused = posix_spawnp(&child, line.front().c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  std::string chunk(std::size_t{1} << 16, '\0');
  if (refused == 0) {
    output.clear();
    for (ssize_t got = 0; (got = read(pipe_ends[0], chunk.data(), chunk.size())) > 0 || (got < 0 && errno == EINTR);) {
      if (got > 0) output.append(chunk, 0, static_cast<std::size_t>(got));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  }
  close(pipe_ends[0]);
  return refused == 0;
}

/// Whatever a path has in it, it stays one: # ? % and the rest are written as %xx.
std::string file_url(const fs::path& path) {
  constexpr std::string_view plain = "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::string url = "file://";
  for (const char c : path.string()) {
    if (plain.find(c) != std::string_view::npos) {
      url += c;
    } else {
      url += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return url;
}

std::string document_after_drawing(const fs::path& page) {
  const PassingFolder profile;
  std::vector<std::string> line = {"",
                                   "--headless",
                                   "--disable-gpu",
                                   "--dump-dom",
                                   "--virtual-time-budget=120000",
                                   "--window-size=1200,900",
                                   "--user-data-dir=" + profile.path().string()};
  if (geteuid() == 0)
    line.emplace_back("--no-sandbox");  // Chromium refuses to run as root with it; the page fetches nothing
  line.push_back(file_url(fs::absolute(page)) + "#export");
  std::string document;
  for (const char* program : {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}) {
    line.front() = program;
    if (output_of(line, document)) return document;
  }
  throw UserError(
      "--svg needs Chromium, and there is no chromium, chromium-browser or google-chrome: tools/install-deps page "
      "installs it");
}

/// The text that HTML writes with entities for & < >.
std::string without_entities(std::string_view html) {
  constexpr std::array entities = {std::pair{std::string_view("&lt;"), '<'}, std::pair{std::string_view("&gt;"), '>'},
                                   std::pair{std::string_view("&amp;"), '&'}};
  std::string text;
  while (!html.empty()) {
    const std::size_t at = std::min(html.find('&'), html.size());
    text += html.substr(0, at);
    html.remove_prefix(at);
    if (html.empty()) break;
    std::size_t taken = 1;
    char c = '&';
    for (const auto& [entity, meant] : entities) {
      if (!html.starts_with(entity)) continue;
      taken = entity.size();
      c = meant;
    }
    text += c;
    html.remove_prefix(taken);
  }
  return text;
}

std::string from_base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t held = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t value = digits.find(c);
    if (value == std::string_view::npos) break;
    held = held << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 0xFF);
  }
  return bytes;
}

}  // namespace

std::size_t export_charts(const fs::path& page, const fs::path& out) {
  const std::string document = document_after_drawing(page);
  constexpr std::string_view begin = "<pre id=\"windrow-charts\">";
  const std::size_t from = document.find(begin);
  const std::size_t to = document.find("</pre>", from);
  if (from == std::string::npos || to == std::string::npos)
    throw UserError("Chromium did not draw the charts of " + page.string());
  const auto charts = nlohmann::json::parse(
      without_entities(std::string_view(document).substr(from + begin.size(), to - from - begin.size())));
  std::vector<OutputFile> files;
  for (const auto& chart : charts) {
    const std::string name = chart.at("name");
    files.push_back({.name = name + ".svg", .text = chart.at("svg").get<std::string>() + "\n"});
    files.push_back({.name = name + ".png", .text = from_base64(chart.at("png").get<std::string>())});
  }
  write_whole(out, files);
  return charts.size();
}

}  // namespace windrow
