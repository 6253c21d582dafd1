#pragma once

#include "sim/scenario/scenario.h"

namespace windrow {

/// True if the keys that a writer overwrites are held one by one: they are written in turn (`cyclic`) and expire, come
/// late, or are cut by token, so that it matters which write of a key is the newest. Of others only how many different
/// keys there are is known (Writer::drawn_keys).
bool overwrites_one_by_one(const Scenario& scenario, const WriterSpec& spec);

/// True if the stream asks for more than counts of different keys.
bool needs_each_key(const Scenario& scenario, const WriterSpec& spec);

}  // namespace windrow
