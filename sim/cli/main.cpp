#include <fmt/core.h>

int main() {
  fmt::print("windrow {}\n", WINDROW_VERSION);
  return 0;
}
