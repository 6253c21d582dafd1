#include "sim/page/html.h"

#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/page/bundle.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

/// `text` with its marks replaced, in their order: what is put in is not searched again.
std::string filled(std::string_view text, const std::vector<std::pair<std::string_view, std::string>>& marks) {
  std::string page;
  for (const auto& [mark, with] : marks) {
    const std::size_t at = text.find(mark);
    SIM_CHECK(at != std::string_view::npos, "the page's template has its marks");
    page += text.substr(0, at);
    page += with;
    text.remove_prefix(at + mark.size());
  }
  return page.append(text);
}

}  // namespace

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

std::string whole_page(std::string_view title, const std::string& body, const nlohmann::json& data) {
  return filled(page_template(), {{"{{title}}", html_text(title)}, {"{{body}}", body}, {"{{data}}", html_json(data)}});
}

}  // namespace windrow
