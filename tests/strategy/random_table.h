#pragma once

#include <rapidcheck.h>

#include <deque>
#include <ostream>
#include <string>
#include <vector>

#include "sim/strategy/strategy.h"
#include "tests/strategy/pick_text.h"

namespace windrow::test {

/// As long as the times of such a table are apart.
inline constexpr Seconds random_gc_grace_s = 3'600;

/// One SSTable of a random table: small numbers, so that equal ones and edges are common.
struct RandomFile {
  int size = 1;        // of units below
  int newest_min = 0;  // minutes
  int oldest_before_min = 0;
  int expires_min = 0;  // 0: never
  int created_min = 0;
  int first_percent = 0;
  int width_percent = 0;
  int level = 0;
  int hash = 0;
  int ratio_tenths = 0;
  int ratio_later_tenths = 0;
  int droppable_min = 0;
  bool many_keys = false;
  bool compacting = false;
  int status = 0;  // 0: unrepaired, 1: repaired, above: pending in that session
};
std::ostream& operator<<(std::ostream& out, const RandomFile& file);

/// Divisible by every number of files up to 16, so that averages are whole.
inline constexpr Bytes size_unit_bytes = 720'720;

/// Files live together with what they say of themselves.
class RandomTable {
 public:
  RandomTable(const CompactionOptions& options, const std::vector<RandomFile>& files, Seconds shift_s = 0,
              Bytes scale = 1);

  const LiveSet& live() const { return live_; }
  LiveSet& live() { return live_; }
  const std::vector<SSTableView>& files() const { return files_; }
  TableView view(Seconds now_s, Seconds gc_grace_s) const;

 private:
  std::deque<TextEstimates> estimates_{};
  std::vector<SSTableView> files_{};
  LiveSet live_{};
};

/// Every strategy with options whose times are minutes and hours.
std::vector<CompactionOptions> small_strategies();
/// The same, but they merge hardly ever: what remains is expiry and tombstones.
std::vector<CompactionOptions> patient_strategies();
rc::Gen<CompactionOptions> any_strategy();

rc::Gen<RandomFile> random_file();
rc::Gen<std::vector<RandomFile>> random_files();

std::vector<std::int64_t> sorted(std::vector<std::int64_t> ids);

}  // namespace windrow::test
