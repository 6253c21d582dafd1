#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evidence/timelines/timeline_case.h"

namespace windrow {

/// A row whose old value is not where the recording saw it, or all is well (`difference` empty).
struct RowFate {
  std::string row{};
  std::size_t step = 0;
  std::string expected{};
  std::string difference{};
};

/// Follows the rows that a delete or a newer value should hide: on which replicas the old value shows, and what brought
/// it there.
class RowFates {
 public:
  /// The cell of column v that a replica's own fragments show; nothing if they show none.
  using ShownCell = std::function<std::optional<KeyedCell>(int node, Token token, std::int64_t clustering)>;

  explicit RowFates(const TimelineCase& of);

  /// A write may be what hides the rows' values from now on.
  void wrote(const TimelineStep& step);
  void looked(std::size_t step, const ShownCell& shown);
  /// At the end: a fate for each row that the recording concludes about.
  std::vector<RowFate> finish() const;

 private:
  struct Followed {
    std::string partition{};
    std::int64_t clustering = 0;
    std::optional<Micros> hidden_by_us{};      // the newest delete or value
    std::map<int, bool> shows{};               // by node, when last looked at
    bool followed = false;                     // the recording speaks of it:
    std::vector<int> expected{};               // where it shows now
    std::optional<std::vector<int>> before{};  // where we had it show
    std::vector<RowVerdict::Copy> came_back_on{};
    std::optional<RowFate> wrong{};
  };
  static void settle(std::size_t step, const std::vector<int>& shows_on, Followed& row);

  const TimelineCase& case_;
  std::map<std::string, Followed> rows_{};
};

}  // namespace windrow
