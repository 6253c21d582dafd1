#include "sim/schema/speculative_retry.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/schema/identifier.h"
#include "sim/schema/java_number.h"

namespace windrow {

namespace {

constexpr std::string_view accepted_policies =
    "'99p' (a percentile), '50ms', 'MIN(99p,50ms)', 'MAX(99p,50ms)', 'ALWAYS' or 'NEVER'";

[[noreturn]] void refuse(std::string message) {
  throw OptionError("", std::move(message), std::string(accepted_policies));
}
[[noreturn]] void refuse_value(std::string_view text) {
  refuse(fmt::format("Invalid value {} for option 'speculative_retry'", text));
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

// The part before one of the endings, if digits and points only.
std::optional<std::string_view> number_before(std::string_view text, std::string_view ending) {
  if (text.size() <= ending.size()) return std::nullopt;
  const std::string_view number = text.substr(0, text.size() - ending.size());
  if (!equals_ignore_case(text.substr(number.size()), ending) || !is_number(number)) return std::nullopt;
  return number;
}

std::string percentile_text(std::string_view number, std::string_view text) {
  const std::optional<double> percentile = parse_java_double(number);
  if (!percentile) refuse_value(text);
  if (*percentile <= 0 || *percentile >= 100)
    refuse(fmt::format("Invalid value {} for PERCENTILE option 'speculative_retry': must be between (0.0 and 100.0)",
                       text));
  std::string digits = fmt::format("{:.4f}", *percentile);  // DecimalFormat "#.####"
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
  return digits + "p";
}

std::string fixed_text(std::string_view number, std::string_view text) {
  const std::optional<double> milliseconds = parse_java_double(number);
  if (!milliseconds) refuse_value(text);
  return fmt::format("{}ms", static_cast<std::int32_t>(std::min(*milliseconds, 2147483647.0)));
}

struct Simple {
  std::string text;
  bool percentile = false;
};

std::optional<Simple> simple_policy(std::string_view text) {
  for (const std::string_view ending : {"p", "percentile"})
    if (const auto number = number_before(text, ending)) return Simple{percentile_text(*number, text), true};
  if (const auto number = number_before(text, "ms")) return Simple{fixed_text(*number, text), false};
  return std::nullopt;
}

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// MIN(99p, 50ms): blanks are allowed around the comma only.
std::string hybrid_policy(std::string_view text) {
  const bool function = text.size() > 5 && (equals_ignore_case(text.substr(0, 4), "MIN(") ||
                                            equals_ignore_case(text.substr(0, 4), "MAX("));
  const std::size_t comma = text.find(',');
  if (!function || !text.ends_with(')') || comma == text.npos) refuse_value(text);
  std::string_view first = text.substr(4, comma - 4);
  std::string_view second = text.substr(comma + 1, text.size() - comma - 2);
  while (!first.empty() && is_blank(first.back())) first.remove_suffix(1);
  while (!second.empty() && is_blank(second.front())) second.remove_prefix(1);
  const std::optional<Simple> one = simple_policy(first);
  const std::optional<Simple> two = simple_policy(second);
  if (!one || !two) refuse_value(text);
  if (one->percentile == two->percentile)
    refuse(fmt::format(
        "Invalid value {} for option 'speculative_retry': MIN()/MAX() arguments should be of different types, but "
        "both are of type {}",
        text, one->percentile ? "PERCENTILE" : "FIXED"));
  return fmt::format("{}({},{})", upper_case(text.substr(0, 3)), one->percentile ? one->text : two->text,
                     one->percentile ? two->text : one->text);
}

}  // namespace

std::string effective_speculative_retry(std::string_view text) {
  if (equals_ignore_case(text, "ALWAYS")) return "ALWAYS";
  if (equals_ignore_case(text, "NEVER") || equals_ignore_case(text, "NONE")) return "NEVER";
  const std::optional<Simple> simple = simple_policy(text);
  return simple ? simple->text : hybrid_policy(text);
}

}  // namespace windrow
