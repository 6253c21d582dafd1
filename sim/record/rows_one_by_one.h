#pragma once

#include "sim/content/content.h"

namespace windrow {

/// How many rows of a content are held one by one, of `all` that it has. Beside intervals these are static rows, as a
/// rule.
Rows rows_one_by_one(const Content& content, Rows all);

}  // namespace windrow
