#pragma once

#include <string>
#include <string_view>

namespace windrow {

/// Every key of the scenario language, or those of one section (`run`, `stream`, …), from the descriptions that the
/// parser uses. A section that does not exist is a ScenarioError.
std::string keys_as_text(std::string_view section = {});
std::string keys_as_markdown(std::string_view section = {});
std::string keys_as_json(std::string_view section = {});

}  // namespace windrow
