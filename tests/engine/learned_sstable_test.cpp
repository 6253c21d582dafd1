#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/engine/node.h"
#include "sim/scenario/scenario_workload.h"
#include "tests/engine/random_node.h"

namespace {

using namespace windrow;

constexpr double threshold = 0.2;

/// What rules ask an SSTable for.
struct Answers {
  std::vector<double> ratios{};
  Seconds crosses_s = 0;
  std::int64_t cells_mean = 0;
  std::int64_t cells_count = 0;
  std::vector<std::int64_t> keys{};
  friend bool operator==(const Answers&, const Answers&) = default;
};

Answers answers_of(const SSTable& file, Seconds now_s) {
  Answers answers{.crosses_s = file.ratio_crosses_at(threshold),
                  .cells_mean = file.cells_mean(),
                  .cells_count = file.cells_count()};
  for (const Seconds at_s : {now_s - 20'000, now_s - 2'000, now_s, now_s + 5'000, now_s + 100'000})
    answers.ratios.push_back(file.droppable_tombstone_ratio(at_s));
  const auto [first, last] = file.token_span();
  const Token middle = first / 2 + last / 2;
  for (const TokenRange& range : {TokenRange{first, middle}, TokenRange{middle, last}})
    answers.keys.push_back(file.estimated_keys_for_ranges({&range, 1}));
  return answers;
}

/// Answers of each file of a table, and again of each that it was rewritten to by itself; `asked`: before that.
struct Rewritten {
  std::vector<Answers> answers{};
  int as_before = 0;
  int with_fewer_rows = 0;
};

Rewritten rewritten(const Scenario& scenario, bool asked) {
  const TableWorkload workload = scenario_workload(scenario, 0);
  const Seconds start_s = scenario.start_us / us_per_s;
  TableStore store(workload, table_settings(scenario.tables[0].schema, scenario, 9), start_s,
                   DiskSizer{.bytes = [](const DiskSize& size) { return size.uncompressed; }});
  std::vector<SSTablePtr> files;
  Seconds now_s = start_s;
  for (int i = 0; i < 8; ++i) {
    now_s += 1'000 * (1 + i % 3);
    store.write_until({.time = now_s * us_per_s});
    const Change change = store.plan_flush(now_s);
    store.apply_flush(change);
    files.insert(files.end(), change.added.begin(), change.added.end());
  }
  Rewritten result;
  for (const Seconds later_s : {100, 20'000}) {
    std::vector<SSTablePtr> outputs;
    for (const SSTablePtr& file : files) {
      if (asked) answers_of(*file, now_s);
      Pick pick{.kind = PickKind::tombstone, .inputs = {file->id()}, .level = file->identity().level, .rule = "test"};
      const Task task = store.start(std::move(pick), now_s + later_s);
      const Change change = store.plan_commit(task, now_s + later_s);
      store.apply_commit(task, change);
      if (change.added.empty()) continue;
      const SSTablePtr& output = outputs.emplace_back(change.added.front());
      ++(output->extremes().rows == file->extremes().rows ? result.as_before : result.with_fewer_rows);
      result.answers.push_back(answers_of(*output, now_s));
    }
    files = std::move(outputs);
  }
  return result;
}

TEST_CASE("an SSTable that was rewritten by itself says the same, whether the one before it had been asked or not") {
  int as_before = 0;
  int with_fewer_rows = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = windrow_test::random_node(seed);
    const Rewritten learned = rewritten(scenario, true);
    const Rewritten alone = rewritten(scenario, false);
    CHECK(learned.answers == alone.answers);
    as_before += learned.as_before;
    with_fewer_rows += learned.with_fewer_rows;
  }
  CHECK(as_before > 200);
  CHECK(with_fewer_rows > 50);
}

}  // namespace
