#include "sim/cql/placeholder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace windrow {

namespace {

/// `set<text>` holds a type, `<text>` does not.
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '"'; }

}  // namespace

std::string_view placeholder_at(std::string_view text, std::size_t at) {
  constexpr std::size_t widest = 200;
  const std::size_t near_begin = at - std::min(at, widest);
  const std::size_t line_begin = std::max(near_begin, text.substr(0, at).rfind('\n') + 1);
  const std::size_t line_end = std::min({text.find('\n', at), text.size(), at + widest});
  const std::string_view line = text.substr(line_begin, line_end - line_begin);
  const auto covers = [&](std::size_t begin, std::size_t length) {
    const std::size_t from = line_begin + begin;
    return at + 3 >= from && at <= from + length;
  };
  struct Pair {
    std::string_view open{};
    std::string_view close{};
  };
  static constexpr std::array pairs{Pair{"{{", "}}"}, Pair{"${", "}"}, Pair{"<%", "%>"}, Pair{"@", "@"},
                                    Pair{"<", ">"},   Pair{"{", "}"},  Pair{"[[", "]]"}};
  for (const Pair& pair : pairs) {
    for (std::size_t begin = line.find(pair.open); begin != std::string_view::npos;
         begin = line.find(pair.open, begin + 1)) {
      const std::size_t end = line.find(pair.close, begin + pair.open.size());
      if (end == std::string_view::npos) break;
      const std::string_view inner = line.substr(begin + pair.open.size(), end - begin - pair.open.size());
      const bool name = !inner.empty() && inner.find_first_of(":'\",()") == std::string_view::npos &&
                        !(pair.open == "<" && begin > 0 && continues_name(line[begin - 1]));
      const std::size_t length = end + pair.close.size() - begin;
      if (name && covers(begin, length)) return line.substr(begin, length);
    }
  }
  for (const std::string_view mark : {"%s", "%d", "%v", "%(", "$", "?", ":"}) {
    for (std::size_t begin = line.find(mark); begin != std::string_view::npos; begin = line.find(mark, begin + 1)) {
      const std::size_t end = std::min(line.find_first_of(" \t,;().", begin + mark.size()), line.size());
      const bool plain = mark != "?" && mark != ":" && !(mark == "$" && line.substr(begin).starts_with("$$"));
      if (plain && covers(begin, end - begin)) return line.substr(begin, end - begin);
    }
  }
  return {};
}

CqlComplaint with_placeholder(CqlComplaint complaint, std::string_view text) {
  const std::string_view open = placeholder_at(text, std::min(complaint.at.offset, text.size()));
  if (open.empty()) return complaint;
  complaint.message = fmt::format("{} is a placeholder of a template, not CQL", open);
  complaint.accepted.clear();
  complaint.nearest.clear();
  complaint.fix = "give what the template makes of it";
  return complaint;
}

}  // namespace windrow
