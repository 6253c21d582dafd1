#pragma once

#include <stdexcept>
#include <string>

namespace windrow {

/// A ring that cannot be: what the user asked for, and why the engine (or we) refuse it.
class RingError : public std::runtime_error {
 public:
  explicit RingError(const std::string& what) : std::runtime_error(what) {}
};

}  // namespace windrow
