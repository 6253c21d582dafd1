#pragma once

#include <string_view>

namespace windrow {

/// What moves a limit's value, why it matters, and what to do when it is broken.
struct Knob {
  std::string_view limit{};
  std::string_view knob{};
  std::string_view why{};
  std::string_view fix{};
};

/// Of a limit by its name; one without a knob of its own gets a general word.
const Knob& knob_of(std::string_view limit);

}  // namespace windrow
