#pragma once

#include "sim/stats/key_sketch.h"

namespace windrow::witness {

using windrow::KeySketch;
using windrow::murmur2;

}  // namespace windrow::witness
