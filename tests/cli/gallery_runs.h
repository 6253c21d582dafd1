#pragma once

#include <string>

namespace windrow::test {

/// A scenario run as tools/gallery runs it: with growth search, advice and result files.
struct GalleryRun {
  int code = -1;
  std::string section{};  // what tools/gallery prints of it
  std::string error{};
  std::string folder{};  // of the results
  /// What `windrow run` printed.
  std::string printed() const;
};

/// Each scenario is run once a process. The folder goes when the process ends.
const GalleryRun& gallery_run(const std::string& name);

}  // namespace windrow::test
