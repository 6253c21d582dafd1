#include "sim/record/lifelines.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace windrow {

std::optional<Seconds> LifelineBook::window_s(const SSTable& file) const {
  const auto start_ms = strategy_->window_ms(file.extremes().max_timestamp_us);
  return start_ms ? std::optional(*start_ms / ms_per_s) : std::nullopt;
}

LifelineBook::Parents LifelineBook::parents(std::span<const std::int64_t> ids) {
  const Parents added{parents_.size(), parents_.size() + ids.size()};
  parents_.insert(parents_.end(), ids.begin(), ids.end());
  return added;
}

SharedIds LifelineBook::shared(Parents parents) {
  if (parents.from == parents.to) return nullptr;
  if (parents != shared_of_) {
    const auto first = parents_.begin();
    shared_of_ = parents;
    shared_ = std::make_shared<const std::vector<std::int64_t>>(first + static_cast<std::ptrdiff_t>(parents.from),
                                                                first + static_cast<std::ptrdiff_t>(parents.to));
  }
  return shared_;
}

void LifelineBook::keep(const Newborn& born, const SSTable& file) {
  const FileExtremes& extremes = file.extremes();
  living_.emplace(born.id, Lifeline{.id = born.id,
                                    .born_us = born.born_us,
                                    .why_born = born.why,
                                    .parents = shared(born.parents),
                                    .level = born.level,
                                    .window_s = born.window_s,
                                    .bytes = file.bytes_on_disk(),
                                    .rows = extremes.rows,
                                    .partitions = extremes.partitions,
                                    .min_timestamp_us = extremes.min_timestamp_us,
                                    .max_timestamp_us = extremes.max_timestamp_us,
                                    .min_local_deletion_time_s = extremes.min_local_deletion_time_s,
                                    .max_local_deletion_time_s = extremes.max_local_deletion_time_s});
}

const LifelineBook::Newborn* LifelineBook::newborn(std::int64_t id) const {
  if (newborns_.empty() || id < newborns_.front().id) return nullptr;
  // Most ids follow each other.
  const auto dense = static_cast<std::size_t>(id - newborns_.front().id);
  if (dense < newborns_.size() && newborns_[dense].id == id) return &newborns_[dense];
  const auto place = std::ranges::lower_bound(newborns_, id, {}, &Newborn::id);
  return place != newborns_.end() && place->id == id ? &*place : nullptr;
}

std::string_view LifelineBook::why_born(std::int64_t id) const {
  const Newborn* born = newborn(id);
  return born != nullptr ? born->why : living_.at(id).why_born;
}

void LifelineBook::born(const SSTable& file, Micros now_us, std::string_view why, Parents parents) {
  const Newborn born{.id = file.id(),
                     .born_us = now_us,
                     .why = why,
                     .parents = parents,
                     .level = file.identity().level,
                     .window_s = window_s(file)};
  if (all_) {
    keep(born, file);
  } else {
    newborns_.push_back(born);
  }
}

void LifelineBook::level_changed(std::int64_t id, int level) {
  if (const Newborn* born = newborn(id)) {
    newborns_[static_cast<std::size_t>(born - newborns_.data())].level = level;
  } else {
    kept(id).level = level;
  }
}

void LifelineBook::died(std::int64_t id, Micros now_us, std::string_view why, Seconds gc_grace_s) {
  if (newborn(id) != nullptr) return;
  const auto place = living_.find(id);
  SIM_CHECK(place != living_.end(), "an SSTable dies that was never born");
  Lifeline& line = place->second;
  line.died_us = now_us;
  line.why_died = why;
  line.gc_grace_s = gc_grace_s;
  done_.add(line);
  living_.erase(place);
}

void LifelineBook::sampled(const SSTablesById& files, const BlockReport& report) {
  for (const Newborn& born : newborns_) {
    if (files.contains(born.id)) keep(born, *files.at(born.id));
  }
  newborns_.clear();
  parents_.clear();
  shared_of_ = {};
  for (const BlockedFile& file : report.blocked) {
    Lifeline& line = kept(file.id);
    line.blocked = true;
    line.blocked_by = file.blocked_by;
    line.goes_at_s = file.goes_at_s;
  }
  for (const Blocker& blocker : report.blockers) {
    if (blocker.id == memtable_id) continue;
    Lifeline& line = kept(blocker.id);
    line.blocker = true;
    line.frees_bytes = std::max(line.frees_bytes, blocker.frees_bytes);
    line.holds_bytes = std::max(line.holds_bytes, blocker.holds_bytes);
  }
}

Lifelines LifelineBook::finish(std::span<const AliveFile> alive, Seconds gc_grace_s) {
  for (const AliveFile& file : alive) {
    Lifeline& line = kept(file.id);
    line.readable_rows = file.readable_rows;
    line.gc_grace_s = gc_grace_s;
    done_.add(line);
    living_.erase(file.id);
  }
  SIM_CHECK(living_.empty(), "an SSTable that has left its table has died");
  done_.sort();
  return std::move(done_);
}

}  // namespace windrow
