#include "sim/schema/compaction_options.h"

#include <doctest/doctest.h>

namespace windrow {
namespace {

OptionMap with_class(const std::string& name, OptionMap map = {}) {
  map["class"] = name;
  return map;
}

std::string refusal(const OptionMap& map) {
  try {
    parse_compaction_options(map);
  } catch (const CompactionOptionError& error) {
    return error.key + ": " + error.what();
  }
  return "accepted";
}

TEST_CASE("defaults of every strategy are the engine's") {
  const auto size_tiered =
      std::get<SizeTieredOptions>(parse_compaction_options(with_class("SizeTieredCompactionStrategy")));
  CHECK(size_tiered.min_sstable_size_bytes == 52'428'800);
  CHECK(size_tiered.common.min_threshold == 4);
  CHECK(size_tiered.common.max_threshold == 32);
  const auto window = std::get<TimeWindowOptions>(parse_compaction_options(with_class("TimeWindowCompactionStrategy")));
  CHECK(window.window_unit_s == 86'400);
  CHECK(window.window_size == 1);
  CHECK_FALSE(window.tombstone_compactions);
  const auto leveled = std::get<LeveledOptions>(parse_compaction_options(with_class("LeveledCompactionStrategy")));
  CHECK(leveled.sstable_size_in_mb == 160);
  const auto unified = std::get<UnifiedOptions>(parse_compaction_options(with_class("UnifiedCompactionStrategy")));
  CHECK(unified.scaling_parameters == std::vector<int>{2});
  CHECK(unified.min_sstable_size_bytes == MiB(100));
}

TEST_CASE("values are read as the engine reads them") {
  const auto window = std::get<TimeWindowOptions>(parse_compaction_options(with_class(
      "org.apache.cassandra.db.compaction.TimeWindowCompactionStrategy",
      {{"compaction_window_unit", "HOURS"}, {"compaction_window_size", "+6"}, {"tombstone_threshold", "0.5"}})));
  CHECK(window.window_unit_s == 3'600);
  CHECK(window.window_size == 6);
  CHECK(window.tombstone_compactions);
  CHECK(window.size_tiered.common.tombstone_threshold == 0.5F);
  const auto unified = std::get<UnifiedOptions>(
      parse_compaction_options(with_class("UnifiedCompactionStrategy", {{"scaling_parameters", "L4, T8,N,-3"},
                                                                        {"target_sstable_size", "512 MiB"},
                                                                        {"sstable_growth", "25%"},
                                                                        {"overlap_inclusion_method", "single"}})));
  CHECK(unified.scaling_parameters == std::vector<int>{-2, 6, 0, -3});
  CHECK(unified.target_sstable_size_bytes == MiB(512));
  CHECK(unified.sstable_growth == 0.25);
  CHECK(unified.overlap_inclusion_method == UnifiedOptions::Overlap::single);
}

TEST_CASE("tombstone compactions of TWCS are on unless all three sub-options are absent or 'false'") {
  const auto on = [](OptionMap map) {
    return std::get<TimeWindowOptions>(
               parse_compaction_options(with_class("TimeWindowCompactionStrategy", std::move(map))))
        .tombstone_compactions;
  };
  CHECK_FALSE(on({{"unchecked_tombstone_compaction", "false"}}));
  CHECK(on({{"unchecked_tombstone_compaction", "true"}}));
  CHECK(on({{"tombstone_compaction_interval", "86400"}}));
}

TEST_CASE("what the server refuses is refused, with its words") {
  CHECK(refusal({{"min_threshold", "4"}}) == "class: Missing sub-option 'class' for the 'compaction' option");
  CHECK(refusal(with_class("SizeTieredCompactionStrategy", {{"min_threshold", "1"}})) ==
        "min_threshold: Min compaction threshold cannot be less than 2 (got 1)");
  CHECK(refusal(with_class("TimeWindowCompactionStrategy", {{"compaction_window_unit", "days"}})) ==
        "compaction_window_unit: days is not valid for compaction_window_unit");
  CHECK(refusal(with_class("LeveledCompactionStrategy", {{"fanout_size", "0"}})) ==
        "fanout_size: fanout_size must be larger than 0, but was 0");
  CHECK(refusal(with_class("UnifiedCompactionStrategy", {{"target_sstable_size", "1KiB"}})) ==
        "target_sstable_size: target_sstable_size 1KiB is not acceptable, size must be at least 1.000MiB");
  CHECK(refusal(with_class("SizeTieredCompactionStrategy", {{"bucket_hihg", "2"}})) ==
        "bucket_hihg: Properties specified [bucket_hihg] are not understood by SizeTieredCompactionStrategy");
}

TEST_CASE("a class name gives the options of its own strategy, an unknown one nobody's") {
  for (const std::string_view name : strategy_names()) {
    CHECK(strategy_name(parse_compaction_options(with_class(std::string(name)))) == name);
    const std::string full = "org.apache.cassandra.db.compaction." + std::string(name);
    CHECK(strategy_name(parse_compaction_options(with_class(full))) == name);
    CHECK_FALSE(compaction_sub_options(name).empty());
    for (const std::string& other : {std::string(name) + "2", "com.example." + std::string(name),
                                     std::string(name.substr(1)), std::string(name.substr(0, 4)), std::string()}) {
      CHECK(refusal(with_class(other)).starts_with("class: Unable to find compaction strategy class '"));
      CHECK(compaction_sub_options(other).empty());
    }
  }
}

TEST_CASE("aggressive expiration needs the JVM property") {
  const OptionMap map = with_class("TimeWindowCompactionStrategy", {{"unsafe_aggressive_sstable_expiration", "true"}});
  CHECK_THROWS_AS(parse_compaction_options(map), CompactionOptionError);
  CHECK(std::get<TimeWindowOptions>(parse_compaction_options(map, true)).unsafe_aggressive_sstable_expiration);
}

TEST_CASE("the effective map has the full class and the thresholds") {
  CHECK(effective_compaction_map({{"class", "LeveledCompactionStrategy"}, {"max_threshold", "16"}}) ==
        OptionMap{{"class", "org.apache.cassandra.db.compaction.LeveledCompactionStrategy"},
                  {"min_threshold", "4"},
                  {"max_threshold", "16"}});
  CHECK(effective_compaction_map({{"class", "UnifiedCompactionStrategy"}}).size() == 1);
}

TEST_CASE("each documented default is what parsing an empty map gives") {
  for (const std::string_view strategy : strategy_names())
    for (const CompactionSubOption& option : compaction_sub_options(strategy)) {
      CAPTURE(strategy);
      CAPTURE(option.name);
      if (option.default_value.empty()) continue;
      const OptionMap map =
          with_class(std::string(strategy), {{std::string(option.name), std::string(option.default_value)}});
      CHECK(refusal(map) == "accepted");
    }
}

}  // namespace
}  // namespace windrow
