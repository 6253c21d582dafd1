#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace windrow {

/// Text for HTML, between tags or in a quoted attribute: printable() first, then & < > " ' as entities.
std::string html_text(std::string_view text);

/// The same for text of several lines: line ends and tabs stay.
std::string html_lines(std::string_view text);

/// JSON for a <script> element that is no script: no character of it can end the element.
std::string html_json(const nlohmann::json& json);

/// The page's template with its parts put in: `body` is HTML, `data` what page.js draws.
std::string whole_page(std::string_view title, const std::string& body, const nlohmann::json& data);

}  // namespace windrow
