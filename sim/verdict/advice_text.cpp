#include "sim/verdict/advice_text.h"

#include <fmt/format.h>

#include "sim/results/tried_fix.h"
#include "sim/text/aligned.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

using Side = AlignedText::Side;

Unit unit_of(const Advice& advice) {
  const Limit* limit = find_limit(advice.limit);
  return limit == nullptr ? Unit::count : limit->unit;
}

std::string one(const Advice& advice) {
  std::string text = "  " + advice.limit;
  if (!advice.table.empty()) text += " of " + printable(advice.table);
  text += advice.cause.empty() ? "\n" : ": " + advice.cause + "\n";
  AlignedText lines({Side::right, Side::left, Side::left});
  for (const TriedFix& fix : advice.tried) {
    lines.add_texts({in_unit(unit_of(advice), fix.value), ending_text(fix), settings_text(fix.settings)});
    if (!fix.key_column.empty()) lines.add_texts({"", "", "with " + printable(fix.key_column)});
  }
  text += lines.text(4);
  if (advice.tried.empty() && advice.not_tried == 0) text += "    no fix that could be tried\n";
  if (advice.not_tried > 0)
    text += fmt::format("    {} more not tried: {}\n", advice.not_tried,
                        advice.at_length ? "they take longer than --advice full may" : "--advice full");
  return text;
}

}  // namespace

std::string advice_text(const std::vector<Advice>& advice) {
  std::string text;
  for (const Advice& each : advice) text += one(each);
  return text;
}

}  // namespace windrow
