#include "tests/witness/lib/shrink.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace windrow::witness {
namespace {

void cut_length(OracleScenario& scenario, Seconds length_s) {
  const Seconds was_s = scenario.end_s - scenario.start_s;
  scenario.end_s = scenario.start_s + length_s;
  for (OracleStream& stream : scenario.streams)
    if (stream.to_s >= was_s || stream.to_s > length_s) stream.to_s = length_s;
  std::erase_if(scenario.alters, [&](const OracleAlter& alter) { return alter.at_s >= scenario.end_s; });
}

/// Every scenario that is a step smaller, largest steps first.
class Smaller {
 public:
  explicit Smaller(const OracleScenario& from) : from_(from) {}

  std::vector<OracleScenario> all() {
    leave_out();
    halve();
    plain_table();
    for (std::size_t i = 0; i < from_.streams.size(); ++i) plain_stream(i);
    return std::move(found_);
  }

 private:
  template <class Change>
  void add(Change change) {
    OracleScenario smaller = from_;
    change(smaller);
    if (oracle_scenario_text(smaller) != oracle_scenario_text(from_)) found_.push_back(std::move(smaller));
  }

  void leave_out() {
    for (std::size_t i = 0; from_.streams.size() > 1 && i < from_.streams.size(); ++i) {
      add([i](OracleScenario& s) {
        s.streams.erase(s.streams.begin() + static_cast<std::ptrdiff_t>(i));
        for (std::size_t k = i; k < s.streams.size(); ++k) s.streams[k].index = static_cast<int>(k);
      });
    }
    for (std::size_t i = 0; i < from_.alters.size(); ++i)
      add([i](OracleScenario& s) { s.alters.erase(s.alters.begin() + static_cast<std::ptrdiff_t>(i)); });
  }

  void halve() {
    const Seconds length_s = from_.end_s - from_.start_s;
    for (const Seconds part_s : {length_s / 2, length_s * 3 / 4, length_s * 9 / 10})
      if (part_s >= 60) add([part_s](OracleScenario& s) { cut_length(s, part_s); });
    for (std::size_t i = 0; i < from_.streams.size(); ++i) {
      add([i](OracleScenario& s) { s.streams[i].entities = (s.streams[i].entities + 1) / 2; });
      add([i](OracleScenario& s) { s.streams[i].period_s *= 2; });
    }
  }

  void plain_table() {
    const OracleScenario plain;
    add([&](OracleScenario& s) { s.format = plain.format; });
    add([&](OracleScenario& s) { s.compat = plain.compat; });
    add([&](OracleScenario& s) { s.tick_s = plain.tick_s; });
    add([&](OracleScenario& s) { s.flush_phase_s = 0; });
    add([&](OracleScenario& s) {
      if (s.flush_every_s > 0) s.flush_every_rows = 0;
    });
    add([&](OracleScenario& s) { s.compaction_bytes_per_s = 0; });
    add([&](OracleScenario& s) { s.compaction_delay_s = s.compaction_bytes_per_s = 0; });
    add([&](OracleScenario& s) { s.compaction_slots = 1; });
    add([&](OracleScenario& s) {
      s.columns = 1;
      for (OracleStream& stream : s.streams) stream.columns = 1;
    });
  }

  void plain_stream(std::size_t i) {
    const OracleStream plain;
    const auto change = [&](auto set) { add([&](OracleScenario& s) { set(s.streams[i]); }); };
    change([](OracleStream& s) { s.delete_kind = OracleStream::Delete::none; });
    change([](OracleStream& s) { s.pauses.clear(); });
    change([](OracleStream& s) { s.late_every = s.late_s = 0; });
    change([](OracleStream& s) { s.ttl_alt_every = 0; });
    change([](OracleStream& s) { s.ttl_s.reset(); });
    change([](OracleStream& s) { s.timestamp_offset_us = 0; });
    change([](OracleStream& s) { s.timestamp_from_event = false; });
    change([](OracleStream& s) { s.ck_mod = 0; });
    change([](OracleStream& s) { s.shards = 1; });
    change([](OracleStream& s) {
      if (s.delete_kind != OracleStream::Delete::partition && s.delete_kind != OracleStream::Delete::range)
        s.bucket = OracleStream::Bucket::none;
    });
    change([](OracleStream& s) { s.phase_s = s.from_s = 0; });
    change([](OracleStream& s) { s.spread = true; });
    change([](OracleStream& s) { s.op = OracleStream::Op::insert; });
    change([](OracleStream& s) { s.value_jitter = 0; });
    change([](OracleStream& s) { s.mixed_values = false; });
    change([&](OracleStream& s) { s.value_size = std::min(s.value_size, plain.value_size); });
    change([](OracleStream& s) { s.columns = 1; });
    change([](OracleStream& s) { s.delete_every = s.delete_remainder + 1; });
  }

  const OracleScenario& from_;
  std::vector<OracleScenario> found_;
};

}  // namespace

OracleScenario shrink(OracleScenario scenario, const std::function<bool(const OracleScenario&)>& fails,
                      int most_tries) {
  int tries = 0;
  for (bool smaller_fails = true; smaller_fails;) {
    smaller_fails = false;
    for (OracleScenario& candidate : Smaller(scenario).all()) {
      if (++tries > most_tries) return scenario;
      if (!fails(candidate)) continue;
      scenario = std::move(candidate);
      smaller_fails = true;
      break;
    }
  }
  return scenario;
}

}  // namespace windrow::witness
