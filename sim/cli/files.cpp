#include "sim/cli/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "sim/cli/command.h"
#include "sim/cli/console.h"
#include "sim/cli/staging.h"
#include "sim/cli/unpack.h"

namespace windrow {
namespace {

namespace fs = std::filesystem;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open_file(const fs::path& path, const char* mode) { return {std::fopen(path.c_str(), mode), &std::fclose}; }

constexpr std::size_t longest_input_bytes = std::size_t{2} << 30;

/// Appends. nullptr if all went well, else the system's reason.
const char* read_to_end(std::FILE* file, std::string& bytes) {
  std::string chunk(std::size_t{1} << 16, '\0');
  while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), file)) {
    bytes.append(chunk, 0, got);
    if (bytes.size() > longest_input_bytes) return "it is longer than 2 GiB";
  }
  return std::ferror(file) != 0 ? std::strerror(errno) : nullptr;
}

constexpr int wait_for_writer_ms = 5'000;

/// A pipe that is opened before its writer is waited for, one without a writer not for ever.
const char* read_pipe(const fs::path& path, std::string& bytes) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return std::strerror(errno);
  const File file(::fdopen(descriptor, "rb"), &std::fclose);
  if (!file) return std::strerror(errno);
  pollfd writer{.fd = descriptor, .events = POLLIN, .revents = 0};
  const int heard = ::poll(&writer, 1, wait_for_writer_ms);
  std::array<char, 4096> first{};
  const ssize_t got = ::read(descriptor, first.data(), first.size());
  if (got == 0 && heard <= 0) return "it is a pipe into which nobody writes";
  if (got < 0 && errno != EAGAIN) return std::strerror(errno);
  if (got > 0) bytes.assign(first.data(), static_cast<std::size_t>(got));
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return read_to_end(file.get(), bytes);
}

/// What comes through a pipe comes once, and trials ask again: it is kept.
const char* read_pipe_once(const fs::path& path, std::string& bytes) {
  static std::mutex mutex;
  static std::map<fs::path, std::string> read;
  const std::scoped_lock lock(mutex);
  if (const auto known = read.find(path); known != read.end()) {
    bytes = known->second;
    return nullptr;
  }
  const char* problem = read_pipe(path, bytes);
  if (problem == nullptr) read.emplace(path, bytes);
  return problem;
}

/// nullptr if all went well, else the system's reason.
const char* read_bytes(const fs::path& path, std::string& bytes) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return std::strerror(EISDIR);
  if (fs::is_character_file(path, ignored) || fs::is_block_file(path, ignored)) return "it is a device, not a text";
  bytes.clear();
  if (fs::is_fifo(path, ignored)) return read_pipe_once(path, bytes);
  const File file = open_file(path, "rb");
  if (!file) return std::strerror(errno);
  return read_to_end(file.get(), bytes);
}

/// As cqlsh does: what marks a file as UTF-8 is no text.
void drop_encoding_mark(std::string& bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
}

const char* write_bytes(const fs::path& path, std::string_view text) {
  File file = open_file(path, "wb");
  if (!file) return std::strerror(errno);
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  const bool closed = std::fclose(file.release()) == 0;
  if (written && closed) return nullptr;
  return std::strerror(errno != 0 ? errno : EIO);
}

}  // namespace

std::string read_text_file(const fs::path& path) {
  std::string bytes;
  if (const char* reason = read_bytes(path, bytes)) {
    throw UserError(fmt::format("cannot read {}: {}", path.string(), reason));
  }
  try {
    if (path.extension() == ".xz") return unpack_xz(bytes);
    if (path.extension() == ".gz") return unpack_gz(bytes);
  } catch (const std::runtime_error& error) {
    throw UserError(fmt::format("cannot read {}: it {}", path.string(), error.what()));
  }
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
    throw UserError(fmt::format("cannot read {}: it is UTF-16; save it as UTF-8", path.string()));
  drop_encoding_mark(bytes);
  return bytes;
}

bool try_read_text_file(const fs::path& path, std::string& text) {
  if (read_bytes(path, text) != nullptr) return false;
  drop_encoding_mark(text);
  return true;
}

void write_whole(const fs::path& path, const std::vector<OutputFile>& files) {
  const Unbroken unbroken;
  Staging staging(path);
  std::vector<std::string> names;
  for (const OutputFile& file : files) {
    if (const char* reason = write_bytes(staging.place_of(file.name), file.text))
      throw not_written(path / file.name, reason);
    names.push_back(file.name);
  }
  staging.move_in(names);
}

}  // namespace windrow
