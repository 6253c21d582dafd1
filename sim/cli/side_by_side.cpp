#include "sim/cli/side_by_side.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <mutex>
#include <numeric>
#include <vector>

#include "sim/cli/progress.h"

namespace windrow {
namespace {

class InOrder {
 public:
  InOrder(std::size_t count, Console& console, const std::string& what)
      : texts_(count), shares_(count, 0.0), console_(&console), progress_(console, what) {}

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
  void advance(std::size_t number, double share) {
    const std::scoped_lock lock(mutex_);
    shares_[number] = share;
    if (done_ == texts_.size()) return;
    progress_.show(std::accumulate(shares_.begin(), shares_.end(), 0.0) / static_cast<double>(shares_.size()));
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
  Console* console_ = nullptr;
  Progress progress_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

std::size_t side_by_side(std::size_t count, int threads, Console& console, const std::string& what,
                         const PieceOfWork& work) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  InOrder texts(count, console, what);
  const auto each = [&](const tbb::blocked_range<std::size_t>& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      if (stop_requested()) return;
      texts.put(i, work(i, [&texts, i](double share) { texts.advance(i, share); }));
      texts.advance(i, 1.0);
    }
  };
  tbb::task_arena arena(threads);
  arena.execute(
      [&] { tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1), each, tbb::simple_partitioner()); });
  texts.print_rest();
  return texts.done();
}

}  // namespace windrow
