#include "sim/cli/staging.h"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>
#include <utility>

namespace windrow {

namespace fs = std::filesystem;

fs::path existing_part(fs::path path) {
  std::error_code ignored;
  while (!path.empty() && !fs::exists(path, ignored)) path = path.parent_path();
  return path.empty() ? fs::path(".") : path;
}

UserError not_written(const fs::path& place, const char* reason) {
  return UserError(fmt::format("cannot write {}: {}; nothing was written", place.string(), reason));
}

Staging::Staging(fs::path target) : target_(std::move(target)) {
  const fs::path there = existing_part(target_);
  std::error_code failed;
  for (fs::path made = target_; made != there && !made.empty(); made = made.parent_path()) made_ = made;
  path_ = target_ / fmt::format(".windrow-partial-{}", getpid());
  fs::create_directories(path_, failed);
  if (failed) throw UserError(fmt::format("cannot write to {}: {}", target_.string(), failed.message()));
}

Staging::~Staging() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (kept_ || made_.empty()) return;
  // Another run may have put its results beside ours by now: a folder goes only if it is empty.
  std::error_code stays;
  for (fs::path made = target_; fs::remove(made, stays), !stays && made != made_;) made = made.parent_path();
}

fs::path Staging::place_of(const std::string& name) const {
  const fs::path place = path_ / name;
  std::error_code ignored;  // who opens the file hears of it
  fs::create_directories(place.parent_path(), ignored);
  return place;
}

void Staging::move_in(const std::vector<std::string>& names) {
  kept_ = true;
  std::error_code failed;
  for (const std::string& name : names) {
    fs::create_directories((target_ / name).parent_path(), failed);
    fs::rename(path_ / name, target_ / name, failed);
    if (failed) throw UserError(fmt::format("cannot write {}: {}", (target_ / name).string(), failed.message()));
  }
}

}  // namespace windrow
