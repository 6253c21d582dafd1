#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace windrow {

/// The binary heap of java.util.PriorityQueue (JDK 17): what matters is the order in which it holds its elements, by
/// which collections made from it are filled. `less(a, b)` is the comparator.
template <typename T, typename Less>
class JavaPriorityQueue {
 public:
  explicit JavaPriorityQueue(Less less) : less_(std::move(less)) {}

  bool empty() const { return heap_.empty(); }
  const T& peek() const { return heap_.front(); }
  const std::vector<T>& elements() const { return heap_; }

  void add(const T& element) {
    heap_.push_back(element);
    std::size_t at = heap_.size() - 1;
    while (at > 0) {
      const std::size_t parent = (at - 1) / 2;
      if (!less_(element, heap_[parent])) break;
      heap_[at] = heap_[parent];
      at = parent;
    }
    heap_[at] = element;
  }

  void poll() {
    const T last = heap_.back();
    heap_.pop_back();
    const std::size_t size = heap_.size();
    if (size == 0) return;
    std::size_t at = 0;
    while (at < size / 2) {
      std::size_t child = 2 * at + 1;
      if (child + 1 < size && less_(heap_[child + 1], heap_[child])) ++child;
      if (!less_(heap_[child], last)) break;
      heap_[at] = heap_[child];
      at = child;
    }
    heap_[at] = last;
  }

 private:
  Less less_;
  std::vector<T> heap_{};
};

}  // namespace windrow
