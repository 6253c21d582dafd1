#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/keys/scenario_text.h"

namespace windrow {

/// Fills each stream with the keys of the one that it is `like`. Refuses unknown streams and circles.
void resolve_like(std::vector<Named<StreamSection>>& streams);

/// Positions of the streams, those with `of` after the one they are derived from. Refuses unknown streams and circles.
std::vector<std::size_t> order_of_derivation(const std::vector<Named<StreamSection>>& streams);

/// Position of a stream by its name; refuses a name that is none, naming the nearest and all but the stream that asks.
std::size_t find_stream(const std::vector<Named<StreamSection>>& streams, const Setting<ReferredName>& name,
                        std::string_view asking = {});

}  // namespace windrow
