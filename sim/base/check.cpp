#include "sim/base/check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace windrow {
namespace {
thread_local std::string check_context;
}

void set_check_context(std::string_view context) { check_context = context; }

void broken_invariant(const char* file, int line, std::string_view what) {
  std::fprintf(stderr, "windrow: broken invariant: %.*s\n  at %s:%d%s%s\n  Please report this with the scenario.\n",
               static_cast<int>(what.size()), what.data(), file, line, check_context.empty() ? "" : "\n  in ",
               check_context.c_str());
  std::_Exit(3);
}

}  // namespace windrow
