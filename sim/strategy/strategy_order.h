#pragma once

#include "sim/strategy/sorted_places.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// The order in which a strategy needs the files of an instance: of those that are not compacting, unless it says
/// otherwise. A file is told of before its `compacting` changes.
class StrategyOrder {
 public:
  StrategyOrder() = default;
  StrategyOrder(const StrategyOrder&) = delete;
  StrategyOrder& operator=(const StrategyOrder&) = delete;
  virtual ~StrategyOrder() = default;

  virtual void enter(SSTableView& file) {  // the instance; LCS may set its level to 0
    if (!file.compacting) add(file);
  }
  virtual void leave(const SSTableView& file) {
    if (!file.compacting) remove(file);
  }
  virtual void taken(const SSTableView& file) { remove(file); }  // begins to compact
  virtual void freed(const SSTableView& file) { add(file); }

 protected:
  virtual void add(const SSTableView& file) = 0;
  virtual void remove(const SSTableView& file) = 0;
};

/// By data bytes, ties in live-set order: the files of a table or a window that wait for others of their size.
class SizeOrder final : public StrategyOrder {
 public:
  InOrder<FilePlace> places() const { return files_.look(); }
  std::size_t size() const { return files_.size(); }
  bool empty() const { return files_.size() == 0; }
  void add(const SSTableView& file) override { files_.add(place_of(file)); }
  void remove(const SSTableView& file) override { files_.remove(place_of(file)); }

 private:
  static FilePlace place_of(const SSTableView& file) {
    return {.key = file.data_bytes, .tie = -file.live_rank, .file = &file};
  }
  SortedPlaces files_{};
};

}  // namespace windrow
