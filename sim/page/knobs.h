#pragma once

#include <string_view>

#include "sim/page/facts.h"

namespace windrow {

/// What moves a limit's value, why it matters, and what to do when it is broken.
struct Knob {
  std::string_view limit{};
  std::string_view knob{};
  std::string_view why{};
  std::string_view fix{};
  std::string_view strategy{};  // of the table; empty: of any, or of a node
};

/// Of a limit by its name, for a table of this strategy; one without a knob of its own gets a general word.
const Knob& knob_of(std::string_view limit, std::string_view strategy = {});
/// Of one of the limits of summary.json.
const Knob& knob_of(const Facts& summary, const Facts& limit);

}  // namespace windrow
