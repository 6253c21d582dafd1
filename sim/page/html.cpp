#include "sim/page/html.h"

#include "sim/report/text.h"

namespace windrow {

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string html_lines(std::string_view text) {
  std::string safe;
  std::size_t from = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] != '\n' && text[at] != '\t' && text[at] != '\r') continue;
    safe += html_text(text.substr(from, at - from));
    if (at < text.size() && text[at] != '\r') safe += text[at];
    from = at + 1;
  }
  return safe;
}

std::string html_json(const nlohmann::json& json) {
  std::string safe;
  for (const char c : json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) {
    switch (c) {
      case '<':
        safe += "\\u003c";
        break;
      case '>':
        safe += "\\u003e";
        break;
      case '&':
        safe += "\\u0026";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace windrow
