#include "sim/cli/result_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "sim/cli/console.h"
#include "sim/cli/files.h"

namespace windrow {
namespace {

namespace fs = std::filesystem;

/// Too long to be kept, of a kind that is read row by row.
bool stays_where_it_is(const fs::path& name, std::size_t bytes) {
  return bytes > (std::size_t{16} << 20) && name.extension() == ".csv";
}

const char* last_reason() { return std::strerror(errno != 0 ? errno : EIO); }

/// Throws UserError.
ResultText left_in(const fs::path& path) {
  return ResultText::read_by([path]() -> ResultText::ReadOn {
    const std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "rb"), [](std::FILE* opened) {
      if (opened != nullptr) std::fclose(opened);
    });
    if (!file) throw UserError(fmt::format("cannot read {}: {}", path.string(), last_reason()));
    return [file, path](std::span<char> room) {
      const std::size_t got = std::fread(room.data(), 1, room.size(), file.get());
      if (got == 0 && std::ferror(file.get()) != 0)
        throw UserError(fmt::format("cannot read {}: {}", path.string(), last_reason()));
      return got;
    };
  });
}

bool is_ours(const fs::path& folder) {
  std::string text;
  return try_read_text_file(folder / "scenario.ini", text) && text.starts_with(result_mark);
}

void remove_stale(const fs::path& folder, const std::vector<std::string>& names,
                  const std::vector<std::string>& known_names) {
  const auto written = [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
  std::error_code ignored;
  for (const std::string& name : known_names) {
    if (!written(name)) fs::remove(folder / name, ignored);
  }
  std::vector<fs::path> stale;
  for (const auto& entry : fs::directory_iterator(folder / "inputs", ignored)) {
    if (!written("inputs/" + entry.path().filename().string())) stale.push_back(entry.path());
  }
  for (const fs::path& path : stale) fs::remove(path, ignored);
}

}  // namespace

ResultText read_result_text(const fs::path& path) {
  std::error_code failed;
  const bool stays = fs::is_regular_file(path, failed) && stays_where_it_is(path, fs::file_size(path, failed));
  return stays ? left_in(path) : ResultText(read_text_file(path));
}

void ResultWriter::begin(std::string_view name) {
  close();
  names_.emplace_back(name);
  const fs::path place = staging_.place_of(names_.back());
  errno = 0;
  file_.reset(std::fopen(place.c_str(), "wb"));
  if (!file_) throw not_written(staging_.target() / names_.back(), last_reason());
}

void ResultWriter::put(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
    throw not_written(staging_.target() / names_.back(), last_reason());
}

void ResultWriter::end() {
  errno = 0;
  if (std::fclose(file_.release()) != 0) throw not_written(staging_.target() / names_.back(), last_reason());
}

void ResultWriter::open(std::string_view name) { begin(name); }

void ResultWriter::append(std::string_view text) {
  put(text);
  bytes_ += text.size();
  if (stays_where_it_is(names_.back(), bytes_)) {
    text_ = {};
  } else {
    text_ += text;
  }
}

void ResultWriter::close() {
  if (!file_) return;
  end();
  const std::string& name = names_.back();
  texts_[name] =
      stays_where_it_is(name, bytes_) ? left_in(staging_.place_of(name)) : ResultText(std::exchange(text_, {}));
  bytes_ = 0;
}

void ResultWriter::write(std::string_view name, std::string_view text) {
  begin(name);
  put(text);
  end();
}

ResultTexts ResultWriter::take_texts() {
  close();
  return std::move(texts_);
}

void ResultWriter::move_in() {
  close();
  staging_.move_in(names_);
}

ResultFolder::ResultFolder(fs::path path) : path_(std::move(path)) {
  if (path_.has_relative_path() && !path_.has_filename()) path_ = path_.parent_path();
  std::error_code failed;
  if (fs::exists(path_, failed)) {
    if (!fs::is_directory(path_, failed)) {
      throw UserError(fmt::format("cannot write to {}: it is a file; results need a folder", path_.string()));
    }
    if (!fs::is_empty(path_, failed) && !is_ours(path_)) {
      throw UserError(
          fmt::format("will not write to {}: it holds other things than results of windrow; name another folder with "
                      "--out, or empty this one",
                      path_.string()));
    }
  }
  const fs::path there = existing_part(path_);
  if (!fs::is_directory(there, failed)) {
    throw UserError(fmt::format("cannot write to {}: {} is a file", path_.string(), there.string()));
  }
  if (access(there.c_str(), W_OK) != 0) {
    throw UserError(fmt::format("cannot write to {}: {}", path_.string(), std::strerror(errno)));
  }
}

void check_folder_of_results(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return;
  for (const auto& entry : fs::directory_iterator(path, failed)) {
    if (is_ours(entry.path())) continue;
    throw UserError(fmt::format("will not write to {}: it holds {}, which is no result of windrow; name another folder",
                                path.string(), entry.path().filename().string()));
  }
}

bool is_result_folder(const fs::path& folder) { return is_ours(folder); }

void ResultFolder::write(const std::function<void(ResultWriter&)>& fill,
                         const std::vector<std::string>& known_names) const {
  const Unbroken unbroken;
  ResultWriter writer(path_);
  fill(writer);
  writer.move_in();
  remove_stale(path_, writer.names(), known_names);
}

}  // namespace windrow
