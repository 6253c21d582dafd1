#pragma once

#include <optional>

#include "sim/content/measure.h"

namespace windrow {

/// measure_by_intervals of smooth content some of which is cut by tokens, for less: each cohort's place on its lattice
/// is found once, dates and sizes of rows once for those of a kind. Nothing of content that has rows of other forms.
std::optional<ClosedMeasure> measure_smooth(const ContentSpace& space, const Content& content, MeasureParts* parts);

}  // namespace windrow
