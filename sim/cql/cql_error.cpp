#include "sim/cql/cql_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/check.h"

namespace windrow {

namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return !continues_character(byte); }));
}

struct Place {
  int line = 1;
  int column = 1;
  std::string_view line_text{};
  std::size_t in_line = 0;  // bytes before the place in its line
};

Place place_of(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  Place place;
  const std::size_t newline = offset == 0 ? text.npos : text.rfind('\n', offset - 1);
  const std::size_t line_start = newline == text.npos ? 0 : newline + 1;
  place.line = 1 + static_cast<int>(std::ranges::count(text.substr(0, line_start), '\n'));
  place.in_line = offset - line_start;
  place.line_text = text.substr(line_start, text.find_first_of("\r\n", line_start) - line_start);
  place.in_line = std::min(place.in_line, place.line_text.size());
  place.column = 1 + static_cast<int>(characters(place.line_text.substr(0, place.in_line)));
  return place;
}

// The source line and carets under the part meant. A long line is cut around the place.
std::string with_carets(const Place& place, std::size_t length) {
  constexpr std::size_t widest = 110;
  std::string_view line = place.line_text;
  std::size_t start = 0;
  if (line.size() > widest && place.in_line > widest / 2)
    start = std::min(place.in_line - widest / 2, line.size() - widest);
  while (start < place.in_line && continues_character(line[start])) ++start;
  std::size_t end = std::min(line.size(), start + widest);
  while (end < line.size() && continues_character(line[end])) ++end;
  const std::string_view shown = line.substr(start, end - start);
  const std::string_view before = line.substr(start, place.in_line - start);
  std::string blanks;
  for (const char byte : before)
    if (!continues_character(byte)) blanks += byte == '\t' ? '\t' : ' ';
  const std::string_view meant = line.substr(place.in_line, std::min(length, end - place.in_line));
  const std::string cut = start > 0 ? "…" : "";
  return fmt::format("  {}{}{}\n  {}{}{}", cut, shown, end < line.size() ? "…" : "", cut.empty() ? "" : " ", blanks,
                     std::string(std::max<std::size_t>(1, characters(meant)), '^'));
}

std::string help_lines(const CqlComplaint& complaint) {
  std::string text;
  if (!complaint.accepted.empty()) text += "\n  accepted: " + complaint.accepted;
  if (!complaint.nearest.empty()) text += "\n  did you mean: " + complaint.nearest;
  if (!complaint.fix.empty()) text += "\n  fix: " + complaint.fix;
  if (!complaint.server_message.empty() && complaint.server_message != complaint.message)
    text += "\n  server: " + complaint.server_message;
  return text;
}

std::string whole_text(const CqlComplaint& complaint, std::string_view text) {
  const Place place = place_of(text, complaint.at.offset);
  return fmt::format("{}:{}: {}\n{}{}", place.line, place.column, complaint.message,
                     with_carets(place, complaint.at.length), help_lines(complaint));
}

}  // namespace

std::string_view error_class_name(CqlErrorClass error_class) {
  switch (error_class) {
    case CqlErrorClass::syntax:
      return "SyntaxError";
    case CqlErrorClass::invalid:
      return "Invalid";
    case CqlErrorClass::unauthorized:
      return "Unauthorized";
    case CqlErrorClass::configuration:
      return "ConfigError";
    case CqlErrorClass::already_exists:
      return "AlreadyExists";
    case CqlErrorClass::server:
      return "ServerError";
  }
  SIM_CHECK(false, "an error of no class");
}

std::string_view error_code(CqlErrorClass error_class) {
  switch (error_class) {
    case CqlErrorClass::syntax:
      return "2000";
    case CqlErrorClass::invalid:
      return "2200";
    case CqlErrorClass::unauthorized:
      return "2100";
    case CqlErrorClass::configuration:
      return "2300";
    case CqlErrorClass::already_exists:
      return "2400";
    case CqlErrorClass::server:
      return "0000";
  }
  SIM_CHECK(false, "an error of no class");
}

CqlError::CqlError(CqlComplaint complaint_made, std::string_view text_given)
    : std::runtime_error(whole_text(complaint_made, text_given)), complaint(std::move(complaint_made)) {
  const Place place = place_of(text_given, complaint.at.offset);
  line = place.line;
  column = place.column;
  source_line = place.line_text;
}

std::string CqlError::text(std::string_view file) const { return fmt::format("{}:{}", file, what()); }

}  // namespace windrow
