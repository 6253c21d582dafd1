#include <cstddef>
#include <cstdint>

#include "fuzz/any_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  windrow::check_any_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
