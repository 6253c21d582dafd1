#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "sim/cli/console.h"
#include "sim/cli/progress.h"

namespace windrow {

/// Tells how far a piece of work is. May be called as often as one likes, from any thread.
using Advance = std::function<void(const Step&)>;

/// A piece of work by its number: returns what to print, or nothing if it was asked to stop before it was done.
using PieceOfWork = std::function<std::optional<std::string>(std::size_t number, const Advance& advance)>;

/// Does work 0 … count - 1, `threads` at a time, and prints the texts in the order of the numbers, each as soon as
/// those before it are there. Once somebody asks to stop no further work begins. Returns how much was done. The first
/// exception ends it and is thrown again. `weights`: how long each takes beside the others; none: all alike.
std::size_t side_by_side(std::size_t count, int threads, Console& console, const std::string& what,
                         const PieceOfWork& work, std::span<const double> weights = {});

}  // namespace windrow
