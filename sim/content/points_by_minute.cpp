#include "sim/content/points_by_minute.h"

#include <algorithm>

namespace windrow {

void PointsByMinute::add(const ContentSpace& space, std::span<const Dropping> all) {
  const TableWorkload& workload = space.workload();
  std::vector<LeftTogether> groups;
  std::vector<Alike> alike;
  for (const Dropping& each : all) {
    const Cohort& cohort = *each.cohort;
    const Together& together = workload.together()[static_cast<std::size_t>(workload.group_of(cohort.sub_stream))];
    auto group = std::ranges::find(groups, &together, &LeftTogether::together);
    if (group == groups.end()) group = groups.insert(groups.end(), {.together = &together});
    auto like = std::ranges::find_if(alike, [&](const Alike& other) {
      return other.after_write_s == each.after_write_s && other.points == each.points;
    });
    if (like == alike.end())
      like = alike.insert(alike.end(), {.after_write_s = each.after_write_s, .points = each.points});
    like->before += cohort.from;
    group->left.push_back({.sub_stream = cohort.sub_stream,
                           .place = workload.place_of(cohort.sub_stream) - together.first_place,
                           .alike = static_cast<std::size_t>(like - alike.begin()),
                           .next = cohort.from,
                           .to = cohort.to});
  }
  // The minute of the first member that is left, less the time after its write: so far before all others' minutes.
  const auto next_minute = [&] {
    Seconds minute = no_deletion_time;
    for (const LeftTogether& group : groups) {
      for (const Left& left : group.left) {
        const Seconds after_write_s = alike[left.alike].after_write_s;
        const Seconds point_s = space.sub_stream(left.sub_stream).arrival_s(left.next) + after_write_s;
        minute = std::min(minute, (point_s + 59) / 60 * 60 - after_write_s);
      }
    }
    return minute;
  };
  // Counts of several minutes wait for nothing from each other; where rows are rare, most of them would be in vain.
  std::size_t at_once = 1;
  std::vector<std::int64_t> ranks;
  for (Seconds minute = next_minute(); minute != no_deletion_time;) {
    for (Alike& each : alike) std::fill_n(each.upto.begin(), at_once, each.before);
    for (LeftTogether& group : groups) count(space, minute, at_once, group, alike, ranks);
    bool any_at_last = false;
    for (Alike& each : alike) any_at_last = put(minute + each.after_write_s, at_once, each) || any_at_last;
    std::erase_if(groups, [](const LeftTogether& group) { return group.left.empty(); });
    minute = any_at_last ? minute + static_cast<Seconds>(at_once) * 60 : next_minute();
    at_once = any_at_last ? std::min(2 * at_once, most_at_once) : 1;
  }
}

void PointsByMinute::count(const ContentSpace& space, Seconds minute, std::size_t minutes, LeftTogether& group,
                           std::vector<Alike>& alike, std::vector<std::int64_t>& ranks) {
  const Together& together = *group.together;
  const SubStream& any = space.sub_stream(together.sub_streams.front());
  Rhythm::Counter counter(any.writer().rhythm);
  std::array<std::int64_t, most_at_once> rows;
  for (std::size_t i = 0; i < minutes; ++i) {
    const Seconds second = minute + static_cast<Seconds>(i) * 60 + 1;
    rows[i] = any.rows_arrived_before(second * us_per_s / any.writer().unit_us, counter);
  }
  ranks.resize(together.shares.room() * minutes);
  together.shares.ranks({rows.data(), minutes}, ranks);
  for (Left& left : group.left) {
    const std::span<const std::int64_t> upto(ranks.data() + left.place * minutes, minutes);
    if (upto.back() <= left.next) continue;
    std::int64_t* const sums = alike[left.alike].upto.data();
    // All but the first and the last minutes: without a bound to keep to, several are counted at once.
    if (upto.front() >= left.next && upto.back() <= left.to) {
      for (std::size_t i = 0; i < minutes; ++i) sums[i] += upto[i] - left.next;
    } else {
      for (std::size_t i = 0; i < minutes; ++i) sums[i] += std::clamp(upto[i], left.next, left.to) - left.next;
    }
    left.next = std::min(upto.back(), left.to);
  }
  std::erase_if(group.left, [](const Left& left) { return left.next == left.to; });
}

bool PointsByMinute::put(Seconds minute, std::size_t minutes, Alike& alike) {
  const Seconds first = minute / 60;
  std::int64_t last = alike.before;
  for (std::size_t i = 0; i < minutes;) {
    const Seconds number = first + static_cast<Seconds>(i);
    std::vector<std::int64_t>& chunk = chunks_[number / chunk_minutes];
    chunk.resize(chunk_minutes);
    for (auto at = static_cast<std::size_t>(number % chunk_minutes); at < chunk.size() && i < minutes; ++at, ++i) {
      last = alike.before;
      alike.before = alike.upto[i];
      chunk[at] += (alike.before - last) * alike.points;
    }
  }
  return alike.before > last;
}

}  // namespace windrow
