#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/base/check.h"
#include "sim/strategy/sstable_view.h"

namespace windrow {

/// Files by id. They keep their addresses until they are erased, and their places are used again: nothing is allocated
/// in a steady state. Ids are handed out in sequence: multiplied by the golden ratio (Knuth, The Art of Computer
/// Programming, volume 3, 6.4) they lie far from each other, whichever of them remain.
class FileStore {
 public:
  std::size_t size() const { return size_; }

  /// Null if there is no such file.
  SSTableView* find(std::int64_t id) {
    for (std::size_t at = home(id); cells_[at] != nullptr; at = next(at)) {
      if (cells_[at]->id == id) return cells_[at];
    }
    return nullptr;
  }
  const SSTableView* find(std::int64_t id) const { return const_cast<FileStore*>(this)->find(id); }

  SSTableView& insert(const SSTableView& file) {
    SIM_CHECK(find(file.id) == nullptr, "a file becomes live once");
    if ((size_ + 1) * 2 > cells_.size()) grow();
    if (free_.empty()) {
      files_.emplace_back();
      free_.push_back(&files_.back());
    }
    SSTableView* place = free_.back();
    free_.pop_back();
    *place = file;
    enter(place);
    ++size_;
    return *place;
  }

  void erase(std::int64_t id) {
    std::size_t hole = home(id);
    while (cells_[hole] == nullptr || cells_[hole]->id != id) {
      SIM_CHECK(cells_[hole] != nullptr, "the file is live");
      hole = next(hole);
    }
    free_.push_back(cells_[hole]);
    --size_;
    // Whatever probed past the hole moves back into it.
    for (std::size_t at = next(hole); cells_[at] != nullptr; at = next(at)) {
      const std::size_t wanted = home(cells_[at]->id);
      if (((at - wanted) & mask()) < ((at - hole) & mask())) continue;
      cells_[hole] = cells_[at];
      hole = at;
    }
    cells_[hole] = nullptr;
  }

 private:
  std::size_t mask() const { return cells_.size() - 1; }
  std::size_t home(std::int64_t id) const {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15ULL >> shift_);
  }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }

  void enter(SSTableView* file) {
    std::size_t at = home(file->id);
    while (cells_[at] != nullptr) at = next(at);
    cells_[at] = file;
  }
  void grow() {
    const std::vector<SSTableView*> entered = std::move(cells_);
    cells_.assign(entered.size() * 2, nullptr);
    --shift_;
    for (SSTableView* file : entered) {
      if (file != nullptr) enter(file);
    }
  }

  std::vector<SSTableView*> cells_ = std::vector<SSTableView*>(64, nullptr);
  int shift_ = 64 - 6;  // leaves as many bits as number the cells
  std::deque<SSTableView> files_{};
  std::vector<SSTableView*> free_{};
  std::size_t size_ = 0;
};

}  // namespace windrow
