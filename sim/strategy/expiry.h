#pragma once

#include <cstdint>
#include <vector>

#include "sim/strategy/strategy.h"

namespace windrow {

/// The periodic check of TWCS and UCS for expired files (rules 7.6, 9.10). The time of the last check is the
/// instance's.
class ExpiredCheck {
 public:
  ExpiredCheck(const CommonCompactionOptions& common, Seconds frequency_s, bool ignores_overlaps)
      : common_(common), frequency_s_(frequency_s), ignores_overlaps_(ignores_overlaps) {}

  bool ignores_overlaps() const { return ignores_overlaps_; }
  /// If a check is due: the instance's files that are not compacting and fully expired, by ascending maximum local
  /// deletion time.
  std::vector<const SSTableView*> expired(const TableView& view, Millis& last_ms) const;
  /// Earliest time of an ask at which it could find something, seen from an ask at view.now_ms that found nothing;
  /// no_deletion_time if never.
  Millis next_ms(const TableView& view, Millis last_ms) const;
  /// The time of the last check after these asks.
  void skip(const FruitlessAsks& asks, Millis& last_ms) const;

 private:
  const CommonCompactionOptions& common_;
  Seconds frequency_s_ = 600;
  bool ignores_overlaps_ = false;
};

}  // namespace windrow
