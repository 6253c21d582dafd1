#pragma once

#include <string_view>

namespace windrow {

/// Stops the program: the simulator itself is wrong. Prints file, line, what was broken, and the context set for this
/// run.
[[noreturn]] void broken_invariant(const char* file, int line, std::string_view what);

/// What a broken invariant prints beside itself: the scenario and its seed. Thread-local.
void set_check_context(std::string_view context);

}  // namespace windrow

/// On in every build. For the simulator's own mistakes only; a user's mistake is an exception of the layer that reads
/// input.
#define SIM_CHECK(condition, what) \
  ((condition) ? static_cast<void>(0) : ::windrow::broken_invariant(__FILE__, __LINE__, what))
