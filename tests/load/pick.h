#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

namespace windrow::test {

/// One of them, each as often as another; within a property of rapidcheck.
inline std::string pick(const std::vector<std::string>& choices) { return *rc::gen::elementOf(choices); }

}  // namespace windrow::test
