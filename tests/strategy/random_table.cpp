#include "tests/strategy/random_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace windrow::test {
namespace {

Token token_at(int percent) {
  const auto step = static_cast<std::uint64_t>(184'467'440'737'095'516);
  return static_cast<Token>(static_cast<std::uint64_t>(min_token) + step * static_cast<std::uint64_t>(percent) + 1);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const RandomFile& f) {
  return out << fmt::format(
             "{{size {} newest {} oldest -{} expires {} created {} first {} width {} level {} hash {} ratio {} then {} "
             "from "
             "{} keys {} compacting {} status {}}}",
             f.size, f.newest_min, f.oldest_before_min, f.expires_min, f.created_min, f.first_percent, f.width_percent,
             f.level, f.hash, f.ratio_tenths, f.ratio_later_tenths, f.droppable_min, f.many_keys, f.compacting,
             f.status);
}

RandomTable::RandomTable(const CompactionOptions& options, const std::vector<RandomFile>& files, Seconds shift_s,
                         Bytes scale) {
  live_.use(options);
  for (const RandomFile& random : files) {
    TextEstimates& estimates = estimates_.emplace_back();
    estimates.first = token_at(random.first_percent);
    estimates.last = token_at(std::min(99, random.first_percent + random.width_percent));
    estimates.keys = random.many_keys ? 1000 : 100;
    const Seconds droppable_s = shift_s + random.droppable_min * 60 + 30;
    estimates.droppable = {
        {.from_s = droppable_s, .ratio = random.ratio_tenths / 10.0},
        {.from_s = droppable_s + 3'600, .ratio = (random.ratio_tenths + random.ratio_later_tenths) / 10.0}};
    SSTableView& file = files_.emplace_back();
    file.id = std::ssize(files_);
    file.hash = random.hash;
    file.data_bytes = random.size * size_unit_bytes * scale;
    file.bytes_on_disk = file.data_bytes + scale;
    file.max_timestamp_us = (shift_s + random.newest_min * 60) * us_per_s;
    file.min_timestamp_us = file.max_timestamp_us - random.oldest_before_min * 60 * us_per_s;
    file.max_local_deletion_time_s = random.expires_min == 0 ? no_deletion_time : shift_s + random.expires_min * 60;
    file.created_ms = (shift_s + random.created_min * 60) * ms_per_s;
    file.level = random.level;
    file.compacting = random.compacting;
    file.repair = {.repaired_at_ms = random.status == 1 ? 1 : 0,
                   .pending_session = random.status > 1 ? random.status : 0};
    file.estimates = &estimates;
    live_.add({&file, 1});
  }
}

TableView RandomTable::view(Seconds now_s, Seconds gc_grace_s) const {
  TableView view;
  view.now_ms = now_s * ms_per_s;
  view.gc_before_s = now_s - gc_grace_s;
  view.live = &live_;
  view.flush_average_bytes = static_cast<double>(MiB(2));
  return view;
}

std::vector<CompactionOptions> small_strategies() {
  const auto parse = [](OptionMap map) { return parse_compaction_options(map, true); };
  std::vector<CompactionOptions> strategies = {
      parse({{"class", "SizeTieredCompactionStrategy"},
             {"min_sstable_size", "4000000"},
             {"tombstone_compaction_interval", "1800"}}),
      parse({{"class", "SizeTieredCompactionStrategy"},
             {"min_threshold", "3"},
             {"max_threshold", "4"},
             {"min_sstable_size", "0"},
             {"tombstone_compaction_interval", "600"}}),
      parse({{"class", "TimeWindowCompactionStrategy"},
             {"compaction_window_unit", "HOURS"},
             {"expired_sstable_check_frequency_seconds", "600"}}),
      parse({{"class", "TimeWindowCompactionStrategy"},
             {"compaction_window_unit", "HOURS"},
             {"compaction_window_size", "2"},
             {"min_threshold", "2"},
             {"max_threshold", "3"},
             {"tombstone_compaction_interval", "1200"},
             {"expired_sstable_check_frequency_seconds", "90"}}),
      parse({{"class", "TimeWindowCompactionStrategy"},
             {"compaction_window_unit", "HOURS"},
             {"unsafe_aggressive_sstable_expiration", "true"}}),
      parse({{"class", "LeveledCompactionStrategy"},
             {"sstable_size_in_mb", "1"},
             {"fanout_size", "4"},
             {"tombstone_compaction_interval", "900"}}),
      parse({{"class", "UnifiedCompactionStrategy"}, {"target_sstable_size", "1MiB"}, {"min_sstable_size", "0B"}}),
      parse({{"class", "UnifiedCompactionStrategy"},
             {"scaling_parameters", "T3,L4"},
             {"overlap_inclusion_method", "SINGLE"},
             {"max_sstables_to_compact", "4"}}),
  };
  for (const std::string_view name : strategy_names()) {
    const auto known = [&](const CompactionOptions& options) { return strategy_name(options) == name; };
    if (std::ranges::none_of(strategies, known)) strategies.push_back(parse({{"class", std::string(name)}}));
  }
  return strategies;
}

std::vector<CompactionOptions> patient_strategies() {
  const auto parse = [](OptionMap map) { return parse_compaction_options(map, true); };
  const auto patient = [&](OptionMap map) {
    map["min_threshold"] = "30";
    map["tombstone_compaction_interval"] = "24000";
    return parse(std::move(map));
  };
  return {
      patient({{"class", "SizeTieredCompactionStrategy"}}),
      patient({{"class", "TimeWindowCompactionStrategy"}, {"compaction_window_size", "10"}}),
      patient({{"class", "LeveledCompactionStrategy"}}),
      parse({{"class", "TimeWindowCompactionStrategy"}, {"min_threshold", "30"}, {"compaction_window_size", "10"}}),
      parse({{"class", "TimeWindowCompactionStrategy"},
             {"min_threshold", "30"},
             {"compaction_window_size", "10"},
             {"unsafe_aggressive_sstable_expiration", "true"},
             {"expired_sstable_check_frequency_seconds", "4000"}}),
      parse({{"class", "UnifiedCompactionStrategy"}, {"scaling_parameters", "T30"}}),
  };
}

rc::Gen<CompactionOptions> any_strategy() { return rc::gen::elementOf(small_strategies()); }

rc::Gen<RandomFile> random_file() {
  const auto below = [](int end) { return rc::gen::inRange(0, end); };
  return rc::gen::build<RandomFile>(
      rc::gen::set(&RandomFile::size, rc::gen::inRange(1, 12)), rc::gen::set(&RandomFile::newest_min, below(600)),
      rc::gen::set(&RandomFile::oldest_before_min, below(120)),
      rc::gen::set(&RandomFile::expires_min, rc::gen::oneOf(rc::gen::just(0), below(1'200))),
      rc::gen::set(&RandomFile::created_min, below(700)), rc::gen::set(&RandomFile::first_percent, below(90)),
      rc::gen::set(&RandomFile::width_percent, below(90)),
      rc::gen::set(&RandomFile::level, rc::gen::weightedElement<int>({{5, 0}, {3, 1}, {2, 2}, {1, 3}})),
      rc::gen::set(&RandomFile::hash, below(64)), rc::gen::set(&RandomFile::ratio_tenths, below(6)),
      rc::gen::set(&RandomFile::ratio_later_tenths, below(12)), rc::gen::set(&RandomFile::droppable_min, below(1'000)),
      rc::gen::set(&RandomFile::many_keys),
      rc::gen::set(&RandomFile::compacting, rc::gen::weightedElement<bool>({{6, false}, {1, true}})));
}

rc::Gen<std::vector<RandomFile>> random_files() {
  return rc::gen::resize(14, rc::gen::container<std::vector<RandomFile>>(rc::gen::resize(100, random_file())));
}

std::vector<std::int64_t> sorted(std::vector<std::int64_t> ids) {
  std::ranges::sort(ids);
  return ids;
}

}  // namespace windrow::test
