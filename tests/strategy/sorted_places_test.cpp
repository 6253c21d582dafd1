#include "sim/strategy/sorted_places.h"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

namespace windrow {
namespace {

TEST_CASE("places are those of a set, however many files come and go between two looks") {
  std::mt19937 dice(18);
  const auto draw = [&dice](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(dice); };
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    SortedPlaces places;
    std::set<FilePlace> expected;
    std::vector<FilePlace> gone;
    const std::int64_t between_looks = draw(40);
    for (std::int64_t step = 0; step < 400; ++step) {
      const std::int64_t what = draw(9);
      if (what < 5 || expected.empty()) {
        const FilePlace place{.key = draw(20), .tie = step};
        places.add(place);
        expected.insert(place);
      } else if (what < 7 && !gone.empty()) {  // freed
        places.add(gone.back());
        expected.insert(gone.back());
        gone.pop_back();
      } else {
        gone.push_back(*std::next(expected.begin(), draw(std::ssize(expected) - 1)));
        places.remove(gone.back());
        expected.erase(gone.back());
      }
      REQUIRE(places.size() == expected.size());
      if (between_looks > 0 && step % between_looks > 0) continue;
      const auto alike = [](const FilePlace& a, const FilePlace& b) { return a.key == b.key && a.tie == b.tie; };
      REQUIRE(std::ranges::equal(places.look(), expected, alike));
    }
  }
}

TEST_CASE("of a file that comes again after it went the one that came last is left, looked at in between or not") {
  const std::vector<SSTableView> files(3);
  for (const bool looked_at : {true, false}) {
    CAPTURE(looked_at);
    SortedPlaces places;
    for (std::size_t i = 0; i < files.size(); ++i) {
      places.add({.key = 4, .tie = 2, .file = &files[i]});
      if (looked_at) CHECK(places.look_at_all().back().file == &files[i]);
      if (i + 1 < files.size()) places.remove({.key = 4, .tie = 2, .file = &files[i]});
    }
    REQUIRE(places.look().size() == 1);
    CHECK(places.look()[0].file == &files.back());
  }
}

TEST_CASE("among many places a few come and go in blocks, and are those of a set") {
  std::mt19937 dice(35);
  const auto draw = [&dice](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(dice); };
  const auto alike = [](const FilePlace& a, const FilePlace& b) { return a.key == b.key && a.tie == b.tie; };
  for (int round = 0; round < 8; ++round) {
    CAPTURE(round);
    SortedPlaces places;
    std::set<FilePlace> expected;
    const std::int64_t most = 1000 * (1 + draw(8));
    const std::int64_t most_key = round % 2 == 0 ? 20 : 1'000'000;
    std::int64_t come = 0;
    for (const bool grows : {true, false, true}) {
      for (std::int64_t step = 0; step < most; ++step) {
        const bool comes = expected.empty() || (draw(9) < 8) == grows;
        if (comes) {
          const FilePlace place{.key = draw(most_key), .tie = ++come};
          places.add(place);
          expected.insert(place);
        } else {
          const auto gone = std::next(expected.begin(), draw(std::min<std::int64_t>(std::ssize(expected) - 1, 3000)));
          places.remove(*gone);
          expected.erase(gone);
        }
        if (draw(3) == 0) REQUIRE(places.look().size() == expected.size());
        if (step % 500 == 0) REQUIRE(std::ranges::equal(places.look(), expected, alike));
        if (step % 2500 == 0) REQUIRE(std::ranges::equal(places.look_at_all(), expected, alike));
      }
    }
    const InOrder<FilePlace> all = places.look();
    const std::size_t half = all.size() / 2;
    REQUIRE(alike(all[half], *std::next(expected.begin(), std::ssize(expected) / 2)));
    CHECK(place_behind(all, 3, [&](const FilePlace& place) { return place < all[half]; }) == half);
  }
}

TEST_CASE("files that are placed anew lie as they are placed") {
  std::vector<SSTableView> files(100);
  for (std::size_t i = 0; i < files.size(); ++i) files[i].id = static_cast<std::int64_t>(i);
  SortedPlaces places;
  for (const SSTableView& file : files) places.add({.key = file.id, .file = &file});
  places.remove({.key = files[7].id, .file = &files[7]});
  places.place_anew([](const SSTableView& file) { return FilePlace{.key = -file.id, .file = &file}; });
  REQUIRE(places.size() == files.size() - 1);
  CHECK(places.look_at_all().front().file == &files.back());
  CHECK(places.look_at_all().back().file == &files.front());
  places.remove({.key = -files[99].id, .file = &files[99]});
  CHECK(places.look()[0].file == &files[98]);
}

}  // namespace
}  // namespace windrow
