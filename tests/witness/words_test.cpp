#include "tests/witness/lib/words.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>

#include "sim/engine/node.h"
#include "sim/resolve/load_scenario.h"
#include "tests/witness/lib/follower.h"

namespace windrow::witness {
namespace {

struct PlayedWords {
  std::string difference{};
  std::int64_t rows = 0;
  std::int64_t picks = 0;
};

/// Runs the text through the loader with cohorts, and holds that to the rows the words mean.
PlayedWords play_words(const ScenarioWords& words) {
  try {
    const LoadedScenario loaded =
        load_scenario("test.ini", ini_text(words), {}, [&](const std::string& name) { return file_text(words, name); });
    Follower follower(words, loaded.scenario);
    run_node(loaded.scenario, follower, {});
    return {.difference = follower.difference(), .rows = follower.rows(), .picks = follower.picks()};
  } catch (const std::exception& error) {
    return {.difference = error.what()};
  }
}

struct Sums {
  std::int64_t rows = 0;
  std::int64_t picks = 0;
};

/// Plays what `words_of` makes of seeds 1 to `seeds`, each shown to `look` before; of what fails the fewest words.
template <class Look>
Sums play_seeds(std::uint64_t seeds, ScenarioWords (*words_of)(std::uint64_t), const Look& look) {
  Sums sums;
  int failed = 0;
  for (std::uint64_t seed = 1; seed <= seeds && failed < 3; ++seed) {
    const ScenarioWords words = words_of(seed);
    look(words);
    const PlayedWords played = play_words(words);
    sums.rows += played.rows;
    sums.picks += played.picks;
    if (played.difference.empty()) continue;
    ++failed;
    const ScenarioWords fewest =
        shrink_words(words, [](const ScenarioWords& fewer) { return !play_words(fewer).difference.empty(); });
    FAIL_CHECK("seed ", seed, ": ", played.difference, "\nfewest words that fail:\n", cql_text(fewest),
               ini_text(fewest), "there ", play_words(fewest).difference);
  }
  return sums;
}

TEST_CASE("`copies`, `like`, `of` and `then` are the rows they mean, in every field of every file") {
  int copies = 0;
  int like = 0;
  int of = 0;
  int per = 0;
  int then = 0;
  int then_in_bucket = 0;
  int clock = 0;
  const auto [rows, picks] = play_seeds(600, random_words, [&](const ScenarioWords& words) {
    for (const StreamWords& stream : words.streams) {
      copies += stream.copies > 1 ? 1 : 0;
      like += stream.like >= 0 ? 1 : 0;
      of += stream.of >= 0 ? 1 : 0;
      per += stream.per_min > 0 ? 1 : 0;
      then += stream.rows_per_day.size() + stream.ttl_s.size() + stream.bucket.size() > 3 ? 1 : 0;
      const bool days = stream.bucket.size() == 1 && stream.bucket.front().value == StreamWords::Bucket::day;
      then_in_bucket += days && stream.ttl_s.size() > 1 && stream.ttl_s[1].from_h % 24 != 0 ? 1 : 0;
      clock += stream.own_clock ? 1 : 0;
    }
  });
  // The property is worth something only if the words were said and the tables did things.
  CHECK(then_in_bucket > 50);
  for (const int said : {copies, like, of, per, then, clock}) CHECK(said > 200);
  CHECK(rows > 100'000);
  CHECK(picks > 5'000);
}

TEST_CASE("shares of late rows and of TTLs are the rows they mean, in every field of every file") {
  int late = 0;
  int ttl = 0;
  int both = 0;
  const auto [rows, picks] = play_seeds(700, random_words_of_shares, [&](const ScenarioWords& words) {
    for (const StreamWords& stream : words.streams) {
      late += stream.late_parts.empty() ? 0 : 1;
      ttl += stream.ttl_parts.empty() ? 0 : 1;
      both += stream.late_parts.empty() || stream.ttl_parts.empty() ? 0 : 1;
    }
  });
  for (const int said : {late, ttl, both}) CHECK(said > 200);
  CHECK(rows > 60'000);
  CHECK(picks > 3'000);
}

TEST_CASE("shards, also of fast entities only, are the rows they mean, in every field of every file") {
  int shards = 0;
  int fast = 0;
  int slow = 0;
  int mixed = 0;
  const auto [rows, picks] = play_seeds(500, random_words_of_shards, [&](const ScenarioWords& words) {
    for (const StreamWords& stream : words.streams) {
      shards += stream.shards > 1 ? 1 : 0;
      const bool above = stream.rows_per_day.front().value > stream.fast_per_day;
      if (stream.fast_shards > 0) ++(above ? fast : slow);
      mixed += stream.late_parts.size() + stream.ttl_parts.size() > 0 ? 1 : 0;
    }
  });
  for (const int said : {shards, fast, slow, mixed}) CHECK(said > 100);
  CHECK(rows > 50'000);
  CHECK(picks > 2'000);
}

TEST_CASE("static columns, with each row or once, are the rows they mean, in every field of every file") {
  using Statics = StreamWords::Statics;
  int each = 0;
  int once = 0;
  int mixed = 0;
  const auto [rows, picks] = play_seeds(500, random_words_of_statics, [&](const ScenarioWords& words) {
    for (const StreamWords& stream : words.streams) {
      each += stream.statics == Statics::each ? 1 : 0;
      once += stream.statics == Statics::once ? 1 : 0;
      mixed += stream.late_parts.size() + stream.ttl_parts.size() > 0 ? 1 : 0;
    }
  });
  for (const int said : {each, once, mixed}) CHECK(said > 100);
  CHECK(rows > 50'000);
  CHECK(picks > 2'000);
}

TEST_CASE("entities that live shortly are the rows they mean, in every field of every file") {
  int hours = 0;
  int mixed = 0;
  const auto [rows, picks] = play_seeds(400, random_words_of_short_lives, [&](const ScenarioWords& words) {
    for (const StreamWords& stream : words.streams) {
      hours += stream.living_s >= 3600 ? 1 : 0;
      mixed += stream.late_parts.size() + stream.ttl_parts.size() > 0 ? 1 : 0;
    }
  });
  for (const int said : {hours, mixed}) CHECK(said > 100);
  CHECK(rows > 20'000);
  CHECK(picks > 1'000);
}

TEST_CASE("keys written again in turn, with TTLs and late rows, are the rows they mean, in every field of every file") {
  int again = 0;
  int shares = 0;
  int by_token = 0;
  const auto [rows, picks] = play_seeds(500, random_words_of_overwrites, [&](const ScenarioWords& words) {
    for (const StreamWords& stream : words.streams) {
      again += stream.keys_in_partition < 20 ? 1 : 0;
      shares += stream.late_parts.size() + stream.ttl_parts.size() > 0 ? 1 : 0;
    }
    for (const TableWords& table : words.tables) {
      const bool cut =
          table.options.find("Leveled") != std::string::npos || table.options.find("Unified") != std::string::npos;
      by_token += cut ? 1 : 0;
    }
  });
  for (const int said : {again, shares, by_token}) CHECK(said > 100);
  CHECK(rows > 50'000);
  CHECK(picks > 2'000);
}

}  // namespace
}  // namespace windrow::witness
