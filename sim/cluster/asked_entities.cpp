#include <algorithm>
#include <string>

#include "sim/base/power.h"
#include "sim/cluster/read_repair.h"
#include "sim/stats/random_stream.h"

// What a scenario's reads ask for, before anybody answers.

namespace windrow {

namespace {

/// Places, among the writers of the table, of those that write the stream's entities at this time, or did last.
std::vector<int> last_writers(const std::vector<const WriterSpec*>& writers, const ReadSpec& read, Micros now_us) {
  std::vector<int> last;
  for (int i = 0; i < std::ssize(writers); ++i) {
    const WriterSpec& writer = *writers[static_cast<std::size_t>(i)];
    const auto writes = [&](const WriterSpec& each) {
      return each.stream == read.stream && each.op != WriteOp::remove && each.from_us < now_us;
    };
    const auto follows = [&](const WriterSpec* other) {
      return writes(*other) && other->entity_group == writer.entity_group && other->from_us > writer.from_us;
    };
    if (writes(writer) && std::ranges::none_of(writers, follows)) last.push_back(i);
  }
  return last;
}

}  // namespace

std::vector<AskedEntities> asked_entities(const Scenario& scenario, const ReadSpec& read,
                                          const std::vector<int>& coordinators, Micros from_us, Micros to_us) {
  std::vector<const WriterSpec*> writers;
  for (const WriterSpec& writer : scenario.writers) {
    if (writer.table == read.table) writers.push_back(&writer);
  }
  const std::vector<int> last = last_writers(writers, read, to_us);
  double choices = 0;  // of an entity and a coordinator
  for (const int writer : last)
    choices += static_cast<double>(writers[static_cast<std::size_t>(writer)]->entities * std::ssize(coordinators));
  const auto until = [&](Micros at_us) {
    return static_cast<std::int64_t>(read.rate_per_s * static_cast<double>(at_us - scenario.start_us) / us_per_s);
  };
  const std::int64_t requests = until(to_us) - until(from_us);
  std::vector<AskedEntities> all;
  if (requests <= 0 || choices <= 0) return all;
  const double left_out = whole_power(1 - 1 / choices, requests * read.entities);
  RandomStream dice(scenario.seed, "reads " + read.name + " until " + std::to_string(to_us));
  for (const int coordinator : coordinators) {
    for (const int writer : last) {
      AskedEntities asked{.coordinator = coordinator, .writer = writer};
      const std::int64_t entities = writers[static_cast<std::size_t>(writer)]->entities;
      for (std::int64_t entity = 0; entity < entities; ++entity)
        asked.entities.push_back(static_cast<double>(dice.next() >> 11) * 0x1p-53 >= left_out);
      all.push_back(std::move(asked));
    }
  }
  return all;
}

std::pair<std::int64_t, std::int64_t> rows_asked(const Writer& writer, const ReadSpec& read, Micros now_us) {
  const auto before = [&](Micros at_us) { return writer.rhythm.count_before(at_us / writer.unit_us); };
  if (read.latest_rows == 0) {
    const Micros to_us = now_us - read.ago_us;
    return {before(to_us - read.range_us), before(to_us)};
  }
  const std::int64_t to = before(now_us);
  std::int64_t from = to - std::min(to, read.latest_rows * writer.most_slots());
  if (read.back_us > 0) from = std::max(from, before(now_us - read.back_us));
  return {std::min(from, to), to};
}

}  // namespace windrow
