#include "sim/engine/executor.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sim/base/check.h"

namespace windrow {

Executor::Executor(const NodeSettings& node, int tables)
    : threads_(node.concurrent_compactors),
      throughput_bytes_per_us_(node.compaction_throughput_bytes_per_s / 1e6),
      merge_speed_bytes_per_us_(node.merge_speed_bytes_per_s / 1e6),
      candidates_(static_cast<std::size_t>(tables), 0) {}

void Executor::add_candidates(int table, int number) {
  int& candidates = candidates_[static_cast<std::size_t>(table)];
  const bool had_some = candidates > 0;
  candidates += number;
  if ((candidates > 0) == had_some) return;
  const auto place = std::ranges::lower_bound(with_candidates_, table);
  if (had_some) {
    with_candidates_.erase(place);
  } else {
    with_candidates_.insert(place, table);
  }
}

void Executor::enqueue(int table) {
  add_candidates(table, 1);
  queue_.push_back(table);
}

std::optional<int> Executor::take() {
  if (queue_.empty() || !has_idle_thread()) return std::nullopt;
  const int table = queue_.front();
  queue_.pop_front();
  return table;
}

double Executor::rate() const {
  const double share = throughput_bytes_per_us_ / static_cast<double>(std::max<std::size_t>(1, jobs_.size()));
  if (throughput_bytes_per_us_ == 0) return merge_speed_bytes_per_us_;
  return merge_speed_bytes_per_us_ > 0 ? std::min(share, merge_speed_bytes_per_us_) : share;
}

void Executor::advance(Micros now_us) {
  SIM_CHECK(now_us >= advanced_us_, "compactions go back in time");
  const double read = rate() * static_cast<double>(now_us - advanced_us_);
  for (Job& job : jobs_) job.bytes_left = std::max(0.0, job.bytes_left - read);
  advanced_us_ = now_us;
}

void Executor::plan(Micros now_us) {
  next_end_us_ = never;
  const double bytes_per_us = rate();
  for (const Job& job : jobs_) {
    const double takes_us = bytes_per_us > 0 ? std::ceil(job.bytes_left / bytes_per_us) : 0.0;
    next_end_us_ = std::min(next_end_us_, now_us + static_cast<Micros>(takes_us));
  }
}

void Executor::start(Job job, Micros now_us) {
  advance(now_us);
  jobs_.push_back(std::move(job));
  plan(now_us);
}

Job Executor::take_ended(Micros now_us) {
  advance(now_us);
  const auto ended = std::ranges::min_element(jobs_, {}, &Job::bytes_left);
  SIM_CHECK(ended != jobs_.end(), "no compaction has ended");
  Job job = std::move(*ended);
  jobs_.erase(ended);
  plan(now_us);
  return job;
}

std::vector<Job> Executor::abort_all() {
  std::vector<Job> aborted = std::move(jobs_);
  jobs_.clear();
  queue_.clear();
  std::ranges::fill(candidates_, 0);
  with_candidates_.clear();
  next_end_us_ = never;
  return aborted;
}

std::vector<Job> Executor::abort(int table, Micros now_us, const std::function<bool(const Job&)>& which) {
  advance(now_us);
  const auto of_table = std::stable_partition(jobs_.begin(), jobs_.end(),
                                              [&](const Job& job) { return job.table != table || !which(job); });
  std::vector<Job> aborted(std::make_move_iterator(of_table), std::make_move_iterator(jobs_.end()));
  jobs_.erase(of_table, jobs_.end());
  add_candidates(table, -static_cast<int>(aborted.size()));
  plan(now_us);
  return aborted;
}

double Executor::bytes_left(Micros now_us) const {
  const double read = rate() * static_cast<double>(now_us - advanced_us_);
  double left = 0;
  for (const Job& job : jobs_) left += std::max(0.0, job.bytes_left - read);
  return left;
}

double Executor::bytes_read(Micros now_us) const {
  double all = 0;
  for (const Job& job : jobs_) all += static_cast<double>(job.task.bytes_to_read);
  return all - bytes_left(now_us);
}

}  // namespace windrow
