#pragma once

#include <cstddef>
#include <string>
#include <variant>

#include "evidence/recordings/trace.h"

namespace windrow {

/// Walks along the events of a recording.
class RecordedEvents {
 public:
  explicit RecordedEvents(const Trace& trace) : trace_(&trace) {}

  /// The next event if it is of this kind; nullptr if not.
  template <class Event>
  const Event* next_if() const {
    return done() ? nullptr : std::get_if<Event>(&trace_->events[at_]);
  }
  /// The same, and at this time.
  template <class Event>
  const Event* next_if(Seconds t_s) const {
    const auto* event = next_if<Event>();
    return event != nullptr && event->t_s == t_s ? event : nullptr;
  }
  void take() { ++at_; }
  bool done() const { return at_ == trace_->events.size(); }
  /// The next event in a few words.
  std::string next_text() const;

 private:
  const Trace* trace_ = nullptr;
  std::size_t at_ = 0;
};

}  // namespace windrow
