#include "evidence/captures/capture_statements.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "sim/base/arithmetic.h"

namespace windrow {
namespace {

using Json = nlohmann::json;

std::int64_t square_root(std::int64_t x) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(x)));
  while (root * root > x) --root;
  while ((root + 1) * (root + 1) <= x) ++root;
  return root;
}

// The formula of row_sizes/README.md.
std::string variable(const Json& rule, std::int64_t i) {
  if (rule.contains("text")) {
    std::string text;
    const std::int64_t times = std::stoll(variable(rule.at("times"), i));
    for (std::int64_t n = 0; n < times; ++n) text += rule.at("text").get<std::string>();
    return text;
  }
  const auto number = [&](const char* name, std::int64_t otherwise) { return rule.value(name, otherwise); };
  std::int64_t x = floor_div(i * number("mul", 1) + number("add", 0), number("div", 1));
  if (rule.contains("mod")) x %= rule.at("mod").get<std::int64_t>();
  if (rule.contains("isqrt")) x = square_root(x);
  return std::to_string(rule.at("base").get<std::int64_t>() +
                        floor_div(rule.at("step").get<std::int64_t>() * x, number("post_div", 1)));
}

using Variables = std::map<std::string, std::string>;

std::string filled(const std::string& text, const Variables& variables) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('{', at);
    const std::size_t close = open == std::string::npos ? open : text.find('}', open);
    if (close == std::string::npos) break;
    const auto found = variables.find(text.substr(open + 1, close - open - 1));
    out += text.substr(at, open - at);
    if (found == variables.end()) {
      out += '{';
      at = open + 1;
    } else {
      out += found->second;
      at = close + 1;
    }
  }
  return out + text.substr(at);
}

Json filled(const Json& value, const Variables& variables) {
  if (value.is_string()) return filled(value.get_ref<const std::string&>(), variables);
  if (!value.is_structured()) return value;
  Json copy = value;
  for (Json& item : copy) item = filled(item, variables);
  return copy;
}

}  // namespace

void each_statement(const Json& step, const std::function<void(const Json&)>& apply) {
  if (step.at("op") != "gen") {
    apply(step);
    return;
  }
  Json statement = step.at("stmt");
  statement.erase("cql");
  const auto count = step.at("n").get<std::int64_t>();
  for (std::int64_t i = 0; i < count; ++i) {
    Variables variables;
    for (const auto& [name, rule] : step.at("vars").items()) variables.emplace(name, variable(rule, i));
    apply(filled(statement, variables));
  }
}

}  // namespace windrow
