#pragma once

namespace windrow {

/// Function objects side by side, for std::visit: the compiler names the missing case.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace windrow
