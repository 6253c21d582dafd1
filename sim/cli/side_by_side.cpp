#include "sim/cli/side_by_side.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <numeric>
#include <vector>

namespace windrow {
namespace {

class InOrder {
 public:
  InOrder(std::size_t count, Console& console, const std::string& what, std::span<const double> weights)
      : texts_(count), shares_(count, 0.0), weights_(count, 1.0), console_(&console), progress_(console, what) {
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (weights.size() == count && all > 0) weights_.assign(weights.begin(), weights.end());
  }

  void put(std::size_t number, std::optional<std::string> text) {
    if (!text) return;
    const std::scoped_lock lock(mutex_);
    texts_[number] = std::move(text);
    ++done_;
    if (number == next_) progress_.clear();
    for (; next_ < texts_.size() && texts_[next_]; ++next_) print(next_);
  }
  /// What is done behind a gap that will stay.
  void print_rest() {
    for (std::size_t number = next_; number < texts_.size(); ++number) {
      if (texts_[number]) print(number);
    }
  }
  void advance(std::size_t number, const Step& step) {
    const std::scoped_lock lock(mutex_);
    shares_[number] = step.of_all();
    if (done_ == texts_.size()) return;
    if (texts_.size() == 1) return progress_.show(step);
    progress_.show({.share = std::inner_product(shares_.begin(), shares_.end(), weights_.begin(), 0.0) /
                             std::accumulate(weights_.begin(), weights_.end(), 0.0)});
  }
  std::size_t done() const { return done_; }

 private:
  void print(std::size_t number) {
    console_->print(*texts_[number]);
    texts_[number]->clear();
  }

  std::mutex mutex_{};
  std::vector<std::optional<std::string>> texts_;
  std::vector<double> shares_;
  std::vector<double> weights_;
  Console* console_ = nullptr;
  Progress progress_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

std::size_t side_by_side(std::size_t count, int threads, Console& console, const std::string& what,
                         const PieceOfWork& work, std::span<const double> weights) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  InOrder texts(count, console, what, weights);
  // The longest begin first: none of them is left alone at the end.
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (weights.size() == count)
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return weights[i]; });
  std::atomic<std::size_t> begun = 0;
  const auto work_on = [&](int) {
    for (std::size_t next = begun++; next < count && !stop_requested(); next = begun++) {
      const std::size_t i = order[next];
      texts.put(i, work(i, [&texts, i](const Step& step) { texts.advance(i, step); }));
      texts.advance(i, {.share = 1.0});
    }
  };
  tbb::task_arena arena(threads);
  arena.execute([&] { tbb::parallel_for(0, threads, work_on); });
  texts.print_rest();
  return texts.done();
}

}  // namespace windrow
