#include "sim/results/tried_fix.h"

#include <fmt/format.h>

#include "sim/text/text.h"

namespace windrow {

namespace {

std::string shell_word(const std::string& text) {
  const std::string safe = printable(text);
  const bool plain = safe.find_first_of(" ()*?[]{}$&|;<>'\"\\`!#~") == std::string::npos;
  return plain ? safe : fmt::format("'{}'", safe);
}

}  // namespace

std::string_view ending_name(TriedFix::Ending ending) {
  switch (ending) {
    case TriedFix::Ending::holds:
      return "holds";
    case TriedFix::Ending::warned:
      return "lint warns";
    case TriedFix::Ending::breaks_another:
      return "breaks another";
    case TriedFix::Ending::helps:
      return "helps";
    case TriedFix::Ending::nothing:
      return "changes nothing";
    case TriedFix::Ending::worse:
      return "worse";
  }
  return "";
}

namespace {

std::string bare_ending(const TriedFix& fix) {
  const std::string breaks = fix.note.empty() ? std::string() : ", and breaks " + printable(fix.note);
  switch (fix.ending) {
    case TriedFix::Ending::holds:
      return fix.rises ? "holds until the end of the run, and still rises" : "holds";
    case TriedFix::Ending::breaks_another:
      return "holds, but breaks " + printable(fix.note);
    case TriedFix::Ending::warned:
      return "holds, but windrow lint warns of it: " + printable(fix.warned);
    case TriedFix::Ending::helps:
      return "less, but still broken" + breaks;
    case TriedFix::Ending::nothing:
      return "changes nothing" + breaks;
    case TriedFix::Ending::worse:
      return "makes it worse" + breaks;
  }
  return "";
}

}  // namespace

std::string ending_text(const TriedFix& fix) {
  return fix.remark.empty() ? bare_ending(fix) : fmt::format("{}; {}", bare_ending(fix), printable(fix.remark));
}

std::string settings_text(std::span<const std::string> settings) {
  std::string text;
  for (const std::string& setting : settings) text += (text.empty() ? "--set " : " --set ") + shell_word(setting);
  return text;
}

}  // namespace windrow
