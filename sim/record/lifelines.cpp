#include "sim/record/lifelines.h"

#include <algorithm>

#include "sim/base/check.h"

namespace windrow {

std::string_view Lifeline::state(Micros end_us) const {
  if (died_us) return "gone";
  const Seconds end_s = end_us / us_per_s;
  if (max_local_deletion_time_s == no_deletion_time || max_local_deletion_time_s > end_s) return "live";
  if (droppable_at_s() > end_s) return "waiting for gc_grace";
  return goes_at_s && !blocked_by.empty() ? "blocked" : "past gc_grace";
}

std::optional<Seconds> LifelineBook::window_s(const SSTable& file) const {
  const auto start_ms = strategy_->window_ms(file.extremes().max_timestamp_us);
  return start_ms ? std::optional(*start_ms / ms_per_s) : std::nullopt;
}

Lifeline& LifelineBook::enter(std::int64_t id) {
  if (spare_.empty()) return living_[id];
  Living::node_type node = std::move(spare_.back());
  spare_.pop_back();
  std::vector<std::int64_t> parents = std::move(node.mapped().parents);
  node.key() = id;
  node.mapped() = {};
  node.mapped().parents = std::move(parents);
  return living_.insert(std::move(node)).position->second;
}

void LifelineBook::born(const SSTable& file, Micros now_us, std::string_view why,
                        std::span<const std::int64_t> parents) {
  const FileExtremes& extremes = file.extremes();
  Lifeline& line = enter(file.id());
  line.id = file.id();
  line.born_us = now_us;
  line.why_born = why;
  line.level = file.identity().level;
  line.window_s = window_s(file);
  line.bytes = file.bytes_on_disk();
  line.rows = extremes.rows;
  line.partitions = extremes.partitions;
  line.min_timestamp_us = extremes.min_timestamp_us;
  line.max_timestamp_us = extremes.max_timestamp_us;
  line.min_local_deletion_time_s = extremes.min_local_deletion_time_s;
  line.max_local_deletion_time_s = extremes.max_local_deletion_time_s;
  line.born_sample = samples_;
  line.parents.assign(parents.begin(), parents.end());
}

void LifelineBook::died(std::int64_t id, Micros now_us, std::string_view why, Seconds gc_grace_s) {
  const auto place = living_.find(id);
  SIM_CHECK(place != living_.end(), "an SSTable dies that was never born");
  Lifeline& line = place->second;
  if (all_ || line.born_sample < samples_ || line.blocked || line.blocker) {
    line.died_us = now_us;
    line.why_died = why;
    line.gc_grace_s = gc_grace_s;
    kept_.push_back(std::move(line));
  }
  spare_.push_back(living_.extract(place));
}

void LifelineBook::sampled(const BlockReport& report) {
  ++samples_;
  for (const BlockedFile& file : report.blocked) {
    Lifeline& line = living_.at(file.id);
    line.blocked = true;
    line.blocked_by = file.blocked_by;
    line.goes_at_s = file.goes_at_s;
  }
  for (const Blocker& blocker : report.blockers) {
    if (blocker.id == memtable_id) continue;
    Lifeline& line = living_.at(blocker.id);
    line.blocker = true;
    line.frees_bytes = std::max(line.frees_bytes, blocker.frees_bytes);
    line.holds_bytes = std::max(line.holds_bytes, blocker.holds_bytes);
  }
}

std::vector<Lifeline> LifelineBook::finish(std::span<const AliveFile> alive, Seconds gc_grace_s) {
  for (const AliveFile& file : alive) {
    Lifeline& line = living_.at(file.id);
    line.readable_rows = file.readable_rows;
    line.gc_grace_s = gc_grace_s;
    kept_.push_back(std::move(line));
  }
  living_.clear();
  std::ranges::sort(kept_, {}, &Lifeline::id);
  return std::move(kept_);
}

}  // namespace windrow
