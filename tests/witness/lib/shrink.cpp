#include "tests/witness/lib/shrink.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace windrow::witness {
namespace {

using Step = std::function<void(OracleScenario&)>;

void cut_length(OracleScenario& scenario, Seconds length_s) {
  if (length_s < 60) return;
  const Seconds was_s = scenario.end_s - scenario.start_s;
  scenario.end_s = scenario.start_s + length_s;
  for (OracleStream& stream : scenario.streams)
    if (stream.to_s >= was_s || stream.to_s > length_s) stream.to_s = length_s;
  std::erase_if(scenario.alters, [&](const OracleAlter& alter) { return alter.at_s >= scenario.end_s; });
}

/// Steps that remove something from a list: each makes the others' places wrong.
std::vector<Step> removals(const OracleScenario& scenario) {
  std::vector<Step> steps;
  for (std::size_t i = 0; scenario.streams.size() > 1 && i < scenario.streams.size(); ++i) {
    steps.emplace_back([i](OracleScenario& s) {
      s.streams.erase(s.streams.begin() + static_cast<std::ptrdiff_t>(i));
      for (std::size_t k = i; k < s.streams.size(); ++k) s.streams[k].index = static_cast<int>(k);
    });
  }
  for (std::size_t i = 0; i < scenario.alters.size(); ++i)
    steps.emplace_back([i](OracleScenario& s) { s.alters.erase(s.alters.begin() + static_cast<std::ptrdiff_t>(i)); });
  return steps;
}

void add_table_steps(std::vector<Step>& steps) {
  const OracleScenario plain;
  steps.emplace_back([](OracleScenario& s) { cut_length(s, (s.end_s - s.start_s) / 2); });
  steps.emplace_back([](OracleScenario& s) { cut_length(s, (s.end_s - s.start_s) * 9 / 10); });
  steps.emplace_back([plain](OracleScenario& s) { s.format = plain.format; });
  steps.emplace_back([plain](OracleScenario& s) { s.compat = plain.compat; });
  steps.emplace_back([plain](OracleScenario& s) { s.tick_s = plain.tick_s; });
  steps.emplace_back([](OracleScenario& s) { s.flush_phase_s = 0; });
  steps.emplace_back([](OracleScenario& s) {
    if (s.flush_every_s > 0) s.flush_every_rows = 0;
  });
  steps.emplace_back([](OracleScenario& s) { s.compaction_bytes_per_s = 0; });
  steps.emplace_back([](OracleScenario& s) { s.compaction_delay_s = s.compaction_bytes_per_s = 0; });
  steps.emplace_back([](OracleScenario& s) { s.compaction_slots = 1; });
  steps.emplace_back([](OracleScenario& s) { s.statics = std::min(1, s.statics); });
  steps.emplace_back([](OracleScenario& s) {
    s.columns = 1;
    for (OracleStream& stream : s.streams) {
      stream.columns = 1;
      stream.null_columns = std::min(1, stream.null_columns);
    }
  });
}

bool deletes_buckets(const OracleStream& stream) {
  return stream.delete_kind == DeleteKind::partition || stream.delete_kind == DeleteKind::range;
}

void add_stream_steps(std::vector<Step>& steps, std::size_t i) {
  const OracleStream plain;
  const auto add = [&](auto change) { steps.emplace_back([i, change](OracleScenario& s) { change(s.streams[i]); }); };
  add([](OracleStream& s) { s.entities = (s.entities + 1) / 2; });
  steps.emplace_back([i](OracleScenario& s) {
    if (s.streams[i].period_s < s.end_s - s.start_s) s.streams[i].period_s *= 2;
  });
  add([](OracleStream& s) { s.delete_kind = DeleteKind::none; });
  add([](OracleStream& s) { s.pauses.clear(); });
  add([](OracleStream& s) { s.pauses_delay = false; });
  add([](OracleStream& s) { s.late_every = s.late_s = 0; });
  add([](OracleStream& s) { s.ttl_alt_every = 0; });
  add([](OracleStream& s) { s.ttl_alt_s.reset(); });
  add([](OracleStream& s) { s.ttl_s.reset(); });
  add([](OracleStream& s) { s.timestamp_offset_us = 0; });
  add([](OracleStream& s) { s.timestamp_from_event = false; });
  add([](OracleStream& s) { s.ck_mod = 0; });
  add([](OracleStream& s) { s.shards = 1; });
  add([](OracleStream& s) {
    if (!deletes_buckets(s)) s.bucket = OracleStream::Bucket::none;
  });
  add([](OracleStream& s) { s.phase_s = 0; });
  add([](OracleStream& s) { s.from_s = 0; });
  add([](OracleStream& s) { s.spread = true; });
  add([](OracleStream& s) { s.op = OracleStream::Op::insert; });
  add([](OracleStream& s) { s.value_jitter = 0; });
  add([](OracleStream& s) { s.mixed_values = false; });
  add([plain](OracleStream& s) { s.value_size = std::min(s.value_size, plain.value_size); });
  add([](OracleStream& s) {
    s.columns = 1;
    s.null_columns = std::min(1, s.null_columns);
  });
  add([](OracleStream& s) { s.delete_age_s = 0; });
  add([](OracleStream& s) { s.delete_count = 1; });
  add([](OracleStream& s) { s.delete_from_s = 0; });
  add([](OracleStream& s) { s.delete_to_s.reset(); });
  add([](OracleStream& s) { s.history_s = s.history_from_s = 0; });
  add([](OracleStream& s) { s.statics = OracleStream::Statics::none; });
  add([](OracleStream& s) { s.null_columns = 0; });
  add([](OracleStream& s) { s.elements = std::min<std::int64_t>(s.elements, 1); });
  add([](OracleStream& s) { s.elements = -1; });
  add([](OracleStream& s) { s.delete_every = s.delete_remainder + 1; });
}

/// Tries steps one after another, each on what the ones before it left.
class Shrinking {
 public:
  Shrinking(OracleScenario scenario, const std::function<bool(const OracleScenario&)>& fails, int most_tries)
      : scenario_(std::move(scenario)), fails_(fails), tries_left_(most_tries) {}

  OracleScenario run() {
    for (bool smaller = true; smaller;) {
      smaller = false;
      while (remove_one()) smaller = true;
      std::vector<Step> steps;
      add_table_steps(steps);
      for (std::size_t i = 0; i < scenario_.streams.size(); ++i) add_stream_steps(steps, i);
      for (const Step& step : steps) smaller |= take(step);
    }
    return std::move(scenario_);
  }

 private:
  bool remove_one() {
    const std::vector<Step> steps = removals(scenario_);
    return std::ranges::any_of(steps, [this](const Step& step) { return take(step); });
  }

  bool take(const Step& step) {
    OracleScenario smaller = scenario_;
    step(smaller);
    if (oracle_scenario_text(smaller) == oracle_scenario_text(scenario_)) return false;
    if (tries_left_-- <= 0 || !fails_(smaller)) return false;
    scenario_ = std::move(smaller);
    return true;
  }

  OracleScenario scenario_;
  const std::function<bool(const OracleScenario&)>& fails_;
  int tries_left_ = 0;
};

}  // namespace

OracleScenario shrink(OracleScenario scenario, const std::function<bool(const OracleScenario&)>& fails,
                      int most_tries) {
  return Shrinking(std::move(scenario), fails, most_tries).run();
}

}  // namespace windrow::witness
