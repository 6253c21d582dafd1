#include "sim/words/scenario_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace windrow {

namespace {

constexpr int widest_excerpt = 100;
constexpr int longest_value = 60;

std::string shortened(const std::string& text) {
  return count_characters(text) <= longest_value ? text : text.substr(0, byte_of_character(text, longest_value)) + "…";
}

std::string excerpt(const Place& place) {
  const std::string_view whole = place.source->line(place.line);
  const int first = std::max(0, place.column - 1 - widest_excerpt * 3 / 4);
  const std::size_t begin = byte_of_character(whole, first);
  const std::size_t end = byte_of_character(whole, first + widest_excerpt);
  const int before = place.column - 1 - first;
  const int covered = std::clamp(place.length, 1, std::max(1, widest_excerpt - before));
  return fmt::format("{:5} | {}\n      | {:{}}{:^<{}}\n", place.line, shown_in_place(whole.substr(begin, end - begin)),
                     "", before, "", covered);
}

}  // namespace

std::string format_mistake(const Mistake& mistake) {
  std::string text;
  const Place& place = mistake.place;
  if (place.source) text += shown_in_place(place.source->name) + ":";
  if (place.line > 0) text += fmt::format("{}:{}:", place.line, place.column);
  if (!text.empty()) text += ' ';
  if (!mistake.key.empty()) text += shown_in_place(mistake.key) + ": ";
  if (!mistake.value.empty()) text += "`" + shortened(shown_in_place(mistake.value)) + "` ";
  text += shown_in_place(mistake.problem) + '\n';
  if (place.source && place.line > 0) text += excerpt(place);
  if (!mistake.accepted.empty()) text += "  accepted: " + shown_in_place(mistake.accepted) + '\n';
  if (!mistake.nearest.empty()) text += "  did you mean `" + shown_in_place(mistake.nearest) + "`?\n";
  if (!mistake.note.empty()) text += "  " + mistake.note + '\n';
  text.pop_back();
  return text;
}

ScenarioError::ScenarioError(Mistake mistake)
    : std::runtime_error(format_mistake(mistake)), mistake_(std::move(mistake)) {}

void refuse_missing(const Place& place, const std::string& key, const std::string& accepted) {
  throw ScenarioError({.place = place, .key = key, .problem = "is missing", .accepted = accepted});
}

}  // namespace windrow
