#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/node.h"
#include "sim/resolve/load_scenario.h"
#include "tests/witness/lib/meaning.h"
#include "tests/witness/lib/words.h"

namespace windrow::witness {
namespace {

constexpr Seconds table_ttl_s = 21'600;
constexpr Seconds late_s = 20'000;

/// One stream of which so many rows of a million never expire, and as many are late.
ScenarioWords rare(std::int64_t ppm, std::int64_t rows, const std::string& compaction) {
  ScenarioWords words;
  words.hours = 48;
  words.tables.push_back({.name = "t0",
                          .options = fmt::format("compaction = {{{}}} AND default_time_to_live = {} AND "
                                                 "gc_grace_seconds = 3600 AND compression = {{'enabled': 'false'}}",
                                                 compaction, table_ttl_s),
                          .flush_bytes = rows / 2});
  StreamWords stream;
  stream.name = "a";
  stream.table = "t0";
  stream.entities = 50;
  stream.rows_per_day = {{rows / 2 / stream.entities, 0}};
  stream.v0_bytes = 1;
  stream.only_v0 = true;
  stream.late_parts = {{.ppm = ppm, .seconds = late_s}};
  stream.ttl_parts = {{.ppm = ppm, .seconds = 0}};
  words.streams.push_back(std::move(stream));
  return words;
}

using RowsByTtl = std::map<Seconds, std::int64_t>;

/// Holds what is flushed to rows that were told apart one by one, and at the end what never expires to what there is.
class CountedRows final : public RunObserver {
 public:
  explicit CountedRows(const std::vector<MeantRow>& rows) : rows_(rows) {}

  void flushed(const Node& node, const FlushEvent& event) override {
    for (const SSTablePtr& file : event.change->added) add(node, file->content().cohorts, flushed_);
    for (; next_ < rows_.size() && rows_[next_].arrival_us < event.at_us; ++next_) ++meant_[ttl_of(rows_[next_])];
    if (flushed_ != meant_) ++different_;
    ++flushes_;
  }
  void sampled(const Node& node) override {
    RowsByTtl there;
    for (const auto& [id, file] : node.table(0).sstables()) add(node, file->content().cohorts, there);
    if (there[0] != never_expiring()) ++different_;
  }

  int different() const { return different_; }
  int flushes() const { return flushes_; }
  std::int64_t never_expiring() const { return meant_.contains(0) ? meant_.at(0) : 0; }
  std::int64_t all() const {
    std::int64_t rows = 0;
    for (const auto& [ttl_s, each] : meant_) rows += each;
    return rows;
  }

 private:
  static Seconds ttl_of(const MeantRow& row) { return row.ttl_s < 0 ? table_ttl_s : row.ttl_s; }
  static void add(const Node& node, const std::vector<Cohort>& cohorts, RowsByTtl& rows) {
    for (const Cohort& cohort : cohorts) rows[cohort.ttl_s] += node.table(0).space().rows(cohort);
  }

  const std::vector<MeantRow>& rows_;
  std::size_t next_ = 0;
  RowsByTtl flushed_{};
  RowsByTtl meant_{};
  int different_ = 0;
  int flushes_ = 0;
};

}  // namespace

TEST_CASE("1 to 1,000 rows of a million are there, flush by flush, as often as they were written one by one") {
  const std::vector<std::string> strategies = {
      "'class': 'SizeTieredCompactionStrategy'",
      "'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS', 'compaction_window_size': '4'",
      "'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '1'", "'class': 'UnifiedCompactionStrategy'"};
  struct Share {
    std::int64_t ppm = 0;
    std::int64_t rows = 0;
  };
  for (const Share& share : {Share{1, 2'200'000}, Share{10, 400'000}, Share{100, 100'000}, Share{1'000, 50'000}}) {
    const std::int64_t ppm = share.ppm;
    const std::int64_t rows = share.rows;
    const std::vector<MeantRow> meant = meant_rows(rare(ppm, rows, strategies.front()), "t0");
    for (const std::string& compaction : strategies) {
      CAPTURE(ppm);
      CAPTURE(compaction);
      const ScenarioWords words = rare(ppm, rows, compaction);
      const LoadedScenario loaded = load_scenario("test.ini", ini_text(words), {},
                                                  [&](const std::string& name) { return file_text(words, name); });
      CountedRows counted(meant);
      run_node(loaded.scenario, counted, {});
      CHECK(counted.different() == 0);
      CHECK(counted.flushes() > 20);
      CHECK(counted.all() > rows * 9 / 10);
      CHECK(counted.never_expiring() >= rows * ppm / 1'000'000 - 2);
      CHECK(counted.never_expiring() >= 1);
    }
  }
}

}  // namespace windrow::witness
