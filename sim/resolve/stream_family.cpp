#include "sim/resolve/stream_family.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/nearest.h"

namespace windrow {

namespace {

using Streams = std::vector<Named<StreamSection>>;

// Depth first along `reference`; a stream that is met again while it is open closes a circle.
class Walk {
 public:
  Walk(const Streams& streams, Setting<ReferredName> StreamSection::*reference)
      : streams_(streams), reference_(reference), state_(streams.size(), State::fresh) {}

  std::vector<std::size_t> run() {
    for (std::size_t i = 0; i < streams_.size(); ++i) visit(i);
    return std::move(order_);
  }

 private:
  enum class State { fresh, open, done };

  // Follows one chain of references at a time, so that its length needs no stack.
  void visit(std::size_t from) {
    std::vector<std::size_t> chain;
    for (std::size_t at = from; state_[at] == State::fresh;) {
      state_[at] = State::open;
      chain.push_back(at);
      const Setting<ReferredName>& next = streams_[at].section.*reference_;
      if (!next.present()) break;
      at = find_stream(streams_, next, streams_[at].name);
      if (state_[at] == State::open)
        refuse(next, fmt::format("leads back to stream {} itself", streams_[at].name),
               "a stream that does not lead back");
    }
    for (auto each = chain.rbegin(); each != chain.rend(); ++each) {
      state_[*each] = State::done;
      order_.push_back(*each);
    }
  }

  const Streams& streams_;
  Setting<ReferredName> StreamSection::*reference_;
  std::vector<State> state_;
  std::vector<std::size_t> order_{};
};

}  // namespace

std::size_t find_stream(const Streams& streams, const Setting<ReferredName>& name, std::string_view asking) {
  const auto found = std::ranges::find(streams, name->name, &Named<StreamSection>::name);
  if (found != streams.end()) return static_cast<std::size_t>(found - streams.begin());
  std::vector<std::string> names;
  for (const auto& stream : streams) {
    if (stream.name != asking) names.push_back(stream.name);
  }
  refuse(name, "is no stream of this scenario", fmt::format("{}", fmt::join(names, ", ")),
         std::string(nearest_name(name->name, names)));
}

void resolve_like(Streams& streams) {
  for (const std::size_t i : Walk(streams, &StreamSection::like).run()) {
    StreamSection& stream = streams[i].section;
    if (!stream.like.present()) continue;
    const StreamSection& model = streams[find_stream(streams, stream.like)].section;
    for (const Key<StreamSection>& key : StreamSection::keys()) {
      if (key.info().name != "like") key.copy(stream, model);
    }
  }
}

std::vector<std::size_t> order_of_derivation(const Streams& streams) { return Walk(streams, &StreamSection::of).run(); }

}  // namespace windrow
