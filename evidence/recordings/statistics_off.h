#pragma once

#include <map>
#include <string>
#include <string_view>

#include "evidence/recordings/recording_check.h"
#include "evidence/recordings/recording_check_file.h"

namespace windrow {

/// How far statistics lie from the recorded ones in a replay with the settings of a run: there they may differ, within
/// bounds, and decisions may not.
class StatisticsOff {
 public:
  /// False for what names an SSTable.
  static bool is_statistic(std::string_view field);

  void see(const SSTable& ours, const TraceSSTable& recorded, const FileComparison& comparison,
           const std::string& where);
  /// A sum or mean of Data bytes.
  void see_bytes(const char* what, double recorded, double ours, const std::string& where);
  void see_ratio(double recorded, double ours);

  /// Says what differed how far, and disagrees where that is beyond the bounds.
  void conclude(TestResult& result) const;

 private:
  struct Worst {
    double off = 0;  // relative
    std::string where{};
    std::string expected{};
    std::string ours{};
  };
  static void take(Worst& worst, double recorded, double ours, const std::string& where);

  Worst rows_{};
  Worst data_{};
  Worst all_{};
  double ratio_ = 0;
  std::map<std::string, std::int64_t> fields_{};  // SSTables in which they differ
};

}  // namespace windrow
