#include <cstddef>
#include <cstdint>

#include "fuzz/any_scenario.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  windrow::AnyScenario({reinterpret_cast<const char*>(data), size});
  return 0;
}
