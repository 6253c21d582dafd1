#include "sim/page/bundle.h"

// Files as they are, between two symbols each: a compiler would need minutes for strings of this size.
__asm__(
    ".section .rodata\n"
    ".global windrow_page_begin, windrow_page_end, windrow_specs_begin, windrow_specs_end\n"
    "windrow_page_begin:\n.incbin \"" WINDROW_PAGE_TEMPLATE
    "\"\n"
    "windrow_page_end:\n"
    "windrow_specs_begin:\n.incbin \"" WINDROW_CHART_SPECS
    "\"\n"
    "windrow_specs_end:\n"
    ".text\n");

extern "C" {
extern const char windrow_page_begin[];
extern const char windrow_page_end[];
extern const char windrow_specs_begin[];
extern const char windrow_specs_end[];
}

namespace windrow {

std::string_view page_template() { return {windrow_page_begin, windrow_page_end}; }
std::string_view chart_specs() { return {windrow_specs_begin, windrow_specs_end}; }

}  // namespace windrow
