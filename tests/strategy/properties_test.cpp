#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <vector>

#include "sim/strategy/expiry.h"
#include "sim/strategy/size_tiered.h"
#include "sim/strategy/worth_dropping_tombstones.h"
#include "tests/strategy/random_table.h"

namespace windrow {
namespace {

using test::random_gc_grace_s;
using test::RandomFile;
using test::RandomTable;
using test::sorted;

Answer ask(const CompactionOptions& options, const RandomTable& table, Seconds now_s,
           Micros memtable_us = no_timestamp) {
  TableView view = table.view(now_s, random_gc_grace_s);
  view.memtable_min_timestamp_us = memtable_us;
  const StrategyPtr strategy = make_strategy(options);
  return strategy->next_task(strategy->new_state(0, &table.live().unrepaired()), view);
}

Seconds some_now_s() { return *rc::gen::inRange<Seconds>(0, 1'500) * 60; }

TEST_CASE("asked twice, a strategy answers the same, also after it was asked about another time") {
  CHECK(rc::check([] {
    const CompactionOptions options = *test::any_strategy();
    const RandomTable table(options, *test::random_files());
    const Seconds now_s = some_now_s();
    const Answer first = ask(options, table, now_s);
    ask(options, table, some_now_s());
    const Answer second = ask(options, table, now_s);
    RC_ASSERT(first.pick.inputs == second.pick.inputs);
    RC_ASSERT(first.pick.estimated_remaining == second.pick.estimated_remaining);
    RC_ASSERT(first.state == second.state);
  }));
}

TEST_CASE("a pick never takes a compacting or unknown file, or one twice") {
  CHECK(rc::check([] {
    const CompactionOptions options = *test::any_strategy();
    const RandomTable table(options, *test::random_files());
    const Pick pick = ask(options, table, some_now_s()).pick;
    RC_ASSERT((pick.kind == PickKind::none) == pick.inputs.empty());
    for (const std::int64_t id : pick.inputs) {
      RC_ASSERT(table.live().contains(id));
      RC_ASSERT(!table.live().at(id).compacting);
    }
    RC_ASSERT(std::set(pick.inputs.begin(), pick.inputs.end()).size() == pick.inputs.size());
  }));
}

TEST_CASE("the order in which different files came does not matter") {
  CHECK(rc::check([] {
    const CompactionOptions options = *test::any_strategy();
    std::vector<RandomFile> files = *test::random_files();
    for (std::size_t i = 0; i < files.size(); ++i) {  // all different, and told apart by their sizes
      const int place = static_cast<int>(i);
      files[i].size = files[i].size * 16 + place;
      files[i].newest_min = files[i].newest_min * 16 + place;
      files[i].hash = place;  // equal droppable ratios follow the hash set of level 0
      files[i].level = 0;
    }
    std::vector<RandomFile> shuffled = files;
    const auto seed = *rc::gen::inRange<std::size_t>(1, 100);
    for (std::size_t i = 0; i + 1 < shuffled.size(); ++i)
      std::swap(shuffled[i], shuffled[i + seed * 31 % (shuffled.size() - i)]);
    const auto sizes = [&](const std::vector<RandomFile>& order) {
      const RandomTable table(options, order);
      std::vector<Bytes> bytes;
      for (const std::int64_t id : ask(options, table, 160'000).pick.inputs)
        bytes.push_back(table.live().at(id).data_bytes);
      std::ranges::sort(bytes);
      return bytes;
    };
    RC_ASSERT(sizes(files) == sizes(shuffled));
  }));
}

TEST_CASE("moving all times by whole windows moves no time-window pick") {
  CHECK(rc::check([] {
    const CompactionOptions options = test::small_strategies()[*rc::gen::inRange<std::size_t>(2, 5)];
    const std::vector<RandomFile> files = *test::random_files();
    const Seconds now_s = some_now_s();
    const Seconds shift_s = *rc::gen::inRange<Seconds>(0, 1'000) * 7'200;
    const Pick before = ask(options, RandomTable(options, files), now_s).pick;
    const Pick after = ask(options, RandomTable(options, files, shift_s), now_s + shift_s).pick;
    // The very first check for expired files is due at once at any real time, but not in the first minutes of 1970.
    RC_PRE(now_s > 600);
    RC_ASSERT(before.inputs == after.inputs);
  }));
}

TEST_CASE("scaling every size and min_sstable_size alike moves no size-tiered pick") {
  CHECK(rc::check([] {
    auto options = std::get<SizeTieredOptions>(test::small_strategies()[*rc::gen::inRange<std::size_t>(0, 2)]);
    const std::vector<RandomFile> files = *test::random_files();
    const Seconds now_s = some_now_s();
    const Bytes scale = *rc::gen::inRange<Bytes>(1, 1'000);
    const Pick before = ask(options, RandomTable(options, files), now_s).pick;
    options.min_sstable_size_bytes *= scale;
    const Pick after = ask(options, RandomTable(options, files, 0, scale), now_s).pick;
    RC_ASSERT(before.inputs == after.inputs);
  }));
}

/// A hash set never shrinks, and a new one does not know how large another was: holds so many for a moment that
/// `some` make no difference.
void hold_many(LiveSet& live, const std::vector<SSTableView>& some) {
  if (some.empty()) return;
  constexpr std::int64_t many = 100;
  std::vector<std::int64_t> ids;
  for (std::int64_t id = 1'000; id < 1'000 + many; ++id) {
    SSTableView file = some.front();
    file.id = id;
    file.level = 0;
    file.compacting = false;
    live.add({&file, 1});
    ids.push_back(id);
  }
  live.remove(ids);
}

TEST_CASE("orders kept through changes are the orders of a set built anew") {
  CHECK(rc::check([] {
    const CompactionOptions options = *test::any_strategy();
    RandomTable table(options, *test::random_files());
    const Seconds now_s = some_now_s();
    hold_many(table.live(), table.files());
    ask(options, table, some_now_s());  // leaves memories behind
    std::vector<SSTableView> rest;
    for (const SSTableView& file : table.files()) {
      const int change = *rc::gen::inRange(0, 4);
      if (change == 0) {
        table.live().remove({&file.id, 1});
        continue;
      }
      if (change == 1) table.live().set_compacting({&file.id, 1}, !table.live().at(file.id).compacting);
      if (change == 2) ask(options, table, some_now_s());
      rest.push_back(table.live().at(file.id));
    }
    LiveSet anew;
    anew.use(options);
    hold_many(anew, table.files());
    for (const SSTableView& file : rest) anew.add({&file, 1});
    const StrategyState state = anew.strategy().new_state(0, &anew.unrepaired());
    TableView view = table.view(now_s, random_gc_grace_s);
    const Answer kept = anew.strategy().next_task(state, view);
    view.live = &anew;
    const Answer built = anew.strategy().next_task(state, view);
    RC_ASSERT(kept.pick.inputs == built.pick.inputs);
    RC_ASSERT(kept.pick.estimated_remaining == built.pick.estimated_remaining);
    RC_ASSERT(kept.state == built.state);
  }));
}

TEST_CASE("the check for expired files finds what the plain rule 4.3 finds") {
  CHECK(rc::check([] {
    const CompactionOptions options = test::small_strategies()[2];
    const RandomTable table(options, *test::random_files());
    TableView view = table.view(some_now_s(), random_gc_grace_s);
    if (*rc::gen::arbitrary<bool>())
      view.memtable_min_timestamp_us = *rc::gen::inRange<Seconds>(0, 600) * 60 * us_per_s;
    const bool ignore_overlaps = *rc::gen::arbitrary<bool>();
    std::vector<std::int64_t> idle;
    for (const SSTableView& file : table.files()) {
      if (!file.compacting) idle.push_back(file.id);
    }
    std::vector<std::int64_t> found;
    Millis last_ms = view.now_ms - 1;
    const ExpiredCheck check(common_options(options), 0, ignore_overlaps);
    for (const SSTableView* file : check.expired(view, last_ms)) found.push_back(file->id);
    RC_ASSERT(last_ms == view.now_ms);
    const auto plain =
        FullyExpired(table.live(), view.gc_before_s, view.memtable_min_timestamp_us, ignore_overlaps).among(idle);
    RC_ASSERT(sorted(found) == sorted(plain));
  }));
}

TEST_CASE("files that are newer than all that is asked about are left out of what overlaps it") {
  CHECK(rc::check([] {
    const RandomTable table(*test::any_strategy(), *test::random_files());
    RC_PRE(!table.files().empty());
    const SSTableView& file = table.files()[*rc::gen::inRange<std::size_t>(0, table.files().size())];
    const std::span<const std::int64_t> ids(&file.id, 1);
    std::vector<std::int64_t> others = overlapping(table.live(), ids);
    std::erase_if(others,
                  [&](std::int64_t id) { return table.live().at(id).min_timestamp_us > file.max_timestamp_us; });
    RC_ASSERT(overlapping(table.live(), ids, ids, file.max_timestamp_us) == others);
  }));
}

/// Rules 5.2 to 5.7 word by word.
bool plainly_worth(const CommonCompactionOptions& options, const SSTableView& file, const TableView& view) {
  if (view.now_ms < file.created_ms + options.tombstone_compaction_interval_s * ms_per_s) return false;
  const double threshold = static_cast<double>(options.tombstone_threshold);
  const Estimates& e = *file.estimates;
  const double ratio = e.droppable_tombstone_ratio(view.gc_before_s);
  if (ratio <= threshold) return false;
  const std::vector<std::int64_t> others = overlapping(*view.live, {&file.id, 1});
  if (others.empty()) return true;
  if (!FullyExpired(*view.live, view.gc_before_s, view.memtable_min_timestamp_us, false).among({&file.id, 1}).empty())
    return true;
  if (!e.estimation_informative()) return false;
  std::vector<std::pair<Token, Token>> spans;
  for (const std::int64_t id : others) spans.push_back(view.live->at(id).estimates->token_span());
  std::ranges::sort(spans);
  std::vector<TokenRange> ranges;
  for (const auto& [first, last] : spans) {
    if (first == last) return 0.0 > threshold;  // the whole ring: nothing remains
    if (!ranges.empty() && first <= ranges.back().right) {
      ranges.back().right = std::max(ranges.back().right, last);
    } else {
      ranges.push_back({first, last});
    }
  }
  const std::int64_t remaining = e.estimated_keys() - e.estimated_keys_for_ranges(ranges);
  const double share =
      static_cast<double>(remaining * e.cells_mean()) / static_cast<double>(e.cells_count() * e.cells_mean());
  return share * ratio > threshold;
}

TEST_CASE("shortcuts and memories of rule 5 change no answer") {
  CHECK(rc::check([] {
    const auto options = std::get<SizeTieredOptions>(test::small_strategies()[1]);
    RandomTable table(options, *test::random_files());
    Seconds now_s = 0;
    std::vector<SSTableView> files = table.files();
    while (!files.empty()) {
      now_s += *rc::gen::inRange<Seconds>(0, 200) * 60;
      const TableView view = table.view(now_s, random_gc_grace_s);
      std::vector<std::int64_t> found;
      for_each_worth_dropping(options.common, view, [&](const SSTableView& file) {
        found.push_back(file.id);
        return true;
      });
      std::vector<std::int64_t> plain;
      for (const SSTableView& file : files) {
        const SSTableView& live = table.live().at(file.id);
        if (!live.compacting && plainly_worth(options.common, live, view)) plain.push_back(file.id);
      }
      RC_ASSERT(sorted(found) == plain);
      if (*rc::gen::arbitrary<bool>()) {
        table.live().remove({&files.back().id, 1});
        files.pop_back();
      }
    }
  }));
}

/// Rule 6.3 word by word, with its average at every step.
std::vector<std::size_t> plain_bucket_ends(const std::vector<Bytes>& ascending, const SizeTieredOptions& options) {
  std::vector<std::size_t> ends;
  Bytes average = 0;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    const auto size = static_cast<double>(ascending[i]);
    const auto mean = static_cast<double>(average);
    const bool similar = size > mean * options.bucket_low && size < mean * options.bucket_high;
    const bool small = ascending[i] < options.min_sstable_size_bytes && average < options.min_sstable_size_bytes;
    if (count > 0 && !similar && !small) {
      ends.push_back(i);
      count = average = 0;
    }
    average = (count * average + ascending[i]) / (count + 1);
    ++count;
  }
  ends.push_back(ascending.size());
  return ends;
}

TEST_CASE("size tiers without needless averages are those of the plain rule") {
  CHECK(rc::check([] {
    auto options = std::get<SizeTieredOptions>(test::small_strategies()[1]);
    options.min_sstable_size_bytes = *rc::gen::inRange<Bytes>(0, 60);
    options.bucket_high = 1.0 + *rc::gen::inRange(1, 12) / 10.0;
    const std::size_t threshold = *rc::gen::inRange<std::size_t>(2, 6);
    options.common.min_threshold = static_cast<int>(threshold);
    options.common.max_threshold = 1'000;
    auto sizes = *rc::gen::container<std::vector<Bytes>>(rc::gen::inRange<Bytes>(1, 200));
    std::ranges::sort(sizes);
    std::vector<SSTableView> files(sizes.size());
    std::vector<FilePlace> places;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      files[i].bytes_on_disk = files[i].data_bytes = sizes[i];
      places.push_back({.key = sizes[i], .tie = static_cast<std::int64_t>(i), .file = &files[i]});
    }
    std::int64_t full_buckets = 0;
    std::size_t last_begin = 0;
    std::size_t last_end = 0;
    std::size_t begin = 0;
    for (const std::size_t end : plain_bucket_ends(sizes, options)) {
      if (end - begin >= threshold) {
        ++full_buckets;
        last_begin = begin;  // ascending: the last one has the largest average
        last_end = end;
      }
      begin = end;
    }
    const SizeTier tier = most_interesting_tier(places, options);
    RC_ASSERT(tier.estimated_remaining == full_buckets);
    RC_ASSERT(tier.begin == last_begin);
    RC_ASSERT(tier.end == last_end);
  }));
}

}  // namespace
}  // namespace windrow
