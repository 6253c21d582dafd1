#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/arithmetic.h"
#include "sim/base/ratio.h"

namespace windrow {

/// When the rows of one writer happen: row numbers g = 0, 1, 2, … to event times and back, by arithmetic alone.
/// Times are in the writer's clock units (whole seconds in recorded traces, microseconds in scenarios).
/// N entities take turns, each writes once per period P; a rate that changes is a list of stretches with their own N /
/// P.
class Rhythm {
  /// Rows due grow linearly: first + fraction / 2^32 at `begin`. A row happens when what is due passes its number.
  struct Stretch {
    std::int64_t begin = 0;
    std::int64_t first = 0;
    std::int64_t fraction = 0;  // of a row, carried over from the stretch before, in 2^-32
    std::int64_t period = 1;
    std::int64_t turns = 1;
    std::int64_t behind = 0;                                  // the fraction of a period, rounded up
    Ratio rows = turns > 0 ? Ratio(turns, period) : Ratio();  // of a time; none of no turns
    std::int64_t rows_before() const { return first + (fraction > 0 ? 1 : 0); }
  };

 public:
  /// Row g happens at begin + floor(g * period / turns) (spread), or begin + floor(g / turns) * period (all at once).
  Rhythm(std::int64_t begin, std::int64_t period, std::int64_t turns, bool spread);

  /// From `begin` on, rows follow at `turns` per `period`, evenly spread; the row numbers go on. Units as before.
  void change_at(std::int64_t begin, std::int64_t period, std::int64_t turns);
  /// From `begin` on: `turns` rows, as many as stated, evenly in `period`; or at once, and again after each `period`
  /// until something else follows. Row numbers go on from `first`, which is how many rows there are before.
  void follow_with(std::int64_t begin, std::int64_t first, std::int64_t period, std::int64_t turns);
  /// No row happens from here on.
  void stop_at(std::int64_t end);

  /// Tells of events one after another: of rows that follow each other, quicker than the rhythm itself.
  class Cursor {
   public:
    explicit Cursor(const Rhythm& rhythm) : rhythm_(&rhythm) {}
    std::int64_t event(std::int64_t g) {
      if (rhythm_->stretches_.size() == 1) return rhythm_->event(g);
      if (g < from_ || g >= to_) find(g);
      return rhythm_->event_in(*stretch_, g);
    }

   private:
    void find(std::int64_t g);

    const Rhythm* rhythm_;
    const Stretch* stretch_ = nullptr;
    std::int64_t from_ = 0;  // rows [from, to) are of the stretch
    std::int64_t to_ = 0;
  };

  /// Tells how many rows happen before times one after another: of times that are not far apart, quicker than the
  /// rhythm itself.
  class Counter {
   public:
    explicit Counter(const Rhythm& rhythm) : rhythm_(&rhythm) {}
    bool counts(const Rhythm& rhythm) const { return rhythm_ == &rhythm; }
    std::int64_t count_before(std::int64_t time) {
      if (time < from_ || time >= to_) {
        if (time >= rhythm_->end_) return rhythm_->total_;
        if (time <= rhythm_->begin()) return 0;
        find(time);
      }
      return rhythm_->count_in(*stretch_, time - stretch_->begin);
    }

   private:
    void find(std::int64_t time);

    const Rhythm* rhythm_;
    const Stretch* stretch_ = nullptr;
    std::int64_t from_ = 0;  // times [from, to) are of the stretch
    std::int64_t to_ = 0;
  };

  std::int64_t event(std::int64_t g) const {
    if (stretches_.size() == 1 && spread_) return begin() + mul_div_floor(g, stretches_[0].period, stretches_[0].turns);
    return event_in_stretches(g);
  }
  /// How many rows happen before `time`: monotone, additive, exact.
  std::int64_t count_before(std::int64_t time) const {
    if (time >= end_) return total_;
    if (time <= begin()) return 0;
    if (stretches_.size() == 1 && spread_)
      return mul_div_ceil(time - begin(), stretches_[0].turns, stretches_[0].period);
    return count_in_stretches(time);
  }
  std::int64_t total() const;
  bool spread() const { return spread_; }
  /// When its pace changes, its begin first.
  std::vector<std::int64_t> changes() const;
  /// What rows [from, to), all of one pace, take: from the first to the one after the last.
  std::int64_t length(std::int64_t from, std::int64_t to) const;
  /// Rows at each instant, and the time to the next, where all come at once.
  std::int64_t turns_at(std::int64_t g) const { return stretch_of(g).turns; }
  std::int64_t period_at(std::int64_t g) const { return stretch_of(g).period; }
  std::int64_t begin() const { return stretches_.front().begin; }
  std::int64_t end() const { return end_; }

 private:
  /// The last that begins at row g or before; `stretches_` are not empty.
  std::vector<Stretch>::const_iterator begun_by(std::int64_t g) const;
  /// The same, or the last before it in which rows happen.
  std::vector<Stretch>::const_iterator with_rows(std::vector<Stretch>::const_iterator stretch) const;
  const Stretch& stretch_of(std::int64_t g) const { return *with_rows(begun_by(g)); }
  std::int64_t event_in(const Stretch& stretch, std::int64_t g) const;
  std::int64_t event_in_stretches(std::int64_t g) const;
  /// The last that begins at `time` or before; one does.
  std::size_t begun_at(std::int64_t time) const;
  std::int64_t count_in_stretches(std::int64_t time) const {
    const Stretch& stretch = stretches_[begun_at(time)];
    return count_in(stretch, time - stretch.begin);
  }
  void add(const Stretch& stretch);
  std::int64_t count_in(const Stretch& stretch, std::int64_t elapsed) const {
    if (elapsed <= 0 || stretch.turns == 0) return stretch.rows_before();
    if (!spread_) return stretch.first + ceil_div(elapsed, stretch.period) * stretch.turns;
    const auto [whole, over] = stretch.rows.of(elapsed);
    // What is over of a row, and what was carried over, are each less than one; together they may be more.
    const bool two = over > stretch.period - stretch.behind;
    return stretch.first + whole + (two ? 2 : over > 0 || stretch.fraction > 0 ? 1 : 0);
  }

  std::vector<Stretch> stretches_;
  double stretches_per_time_ = 0;  // from the first beginning to the last
  bool spread_ = true;
  std::int64_t end_ = 0;
  std::int64_t total_ = 0;
};

}  // namespace windrow
