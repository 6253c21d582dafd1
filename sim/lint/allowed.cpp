#include "sim/lint/allowed.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "sim/base/nearest.h"
#include "sim/lint/catalog.h"

namespace windrow {

namespace {

/// Lines [from, to] of a text in which a rule is allowed.
struct Allowance {
  std::string file{};
  const LintRule* rule = nullptr;
  int from = 0;
  int to = 0;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") + 1 - from);
}

/// What stands behind `windrow: allow` in a comment of this line; empty if nothing does.
std::string_view allowance_in(std::string_view line) {
  static constexpr std::string_view words = "windrow: allow ";
  const std::size_t at = line.find(words);
  if (at == std::string_view::npos) return {};
  const std::string_view before = trimmed(line.substr(0, at));
  const bool comment =
      before.ends_with("--") || before.ends_with("//") || before.ends_with("#") || before.ends_with("/*");
  return comment ? trimmed(line.substr(at + words.size())) : std::string_view();
}

/// The last line of what a comment in `line` speaks of.
int end_of(const SourceText& text, int line, int lines) {
  const bool ini = text.name.ends_with(".ini");
  for (int each = ini ? line + 1 : line; each <= lines; ++each) {
    const std::string_view here = trimmed(text.line(each));
    if (ini && here.starts_with('[')) return each - 1;
    const std::size_t comment = std::min(here.find("--"), here.find("//"));
    if (!ini && here.substr(0, comment).find(';') != std::string_view::npos) return each;
  }
  return lines;
}

std::vector<Allowance> allowances_of(const SourceText& text) {
  std::vector<Allowance> found;
  const int lines = 1 + static_cast<int>(std::ranges::count(text.text, '\n'));
  for (int line = 1; line <= lines; ++line) {
    std::string_view said = allowance_in(text.line(line));
    if (said.empty()) continue;
    if (said.ends_with("*/")) said = trimmed(said.substr(0, said.size() - 2));
    const std::string where = fmt::format("{}:{}", text.name, line);
    const std::size_t end = said.find(' ');
    const LintRule& rule = rule_named(said.substr(0, end), where);
    if (end == std::string_view::npos)
      throw AllowError(
          fmt::format("{}: allow {}: says no reason; accepts windrow: allow {} REASON", where, rule.id, rule.id));
    found.push_back({.file = text.name, .rule = &rule, .from = line, .to = end_of(text, line, lines)});
  }
  return found;
}

}  // namespace

const LintRule& rule_named(std::string_view id, std::string_view where) {
  if (const LintRule* rule = find_rule(id)) return *rule;
  std::vector<std::string_view> names;
  for (const LintRule* rule : lint_rules()) names.push_back(rule->id);
  const std::string_view nearest = nearest_name(id, names);
  throw AllowError(fmt::format("{}: there is no rule '{}'{}; windrow lint --catalog lists them", where, id,
                               nearest.empty() ? std::string() : fmt::format("; did you mean {}?", nearest)));
}

void leave_out_allowed(std::vector<Finding>& findings, const std::vector<std::shared_ptr<const SourceText>>& texts) {
  std::vector<Allowance> all;
  for (const auto& text : texts) {
    const std::vector<Allowance> here = allowances_of(*text);
    all.insert(all.end(), here.begin(), here.end());
  }
  std::erase_if(findings, [&](const Finding& finding) {
    return std::ranges::any_of(all, [&](const Allowance& each) {
      return each.rule == finding.rule && each.file == finding.place.file() && finding.place.line >= each.from &&
             finding.place.line <= each.to;
    });
  });
}

void leave_out_rules(std::vector<Finding>& findings, std::span<const std::string> rules) {
  for (const std::string& id : rules) {
    const LintRule& rule = rule_named(id, "--allow");
    std::erase_if(findings, [&](const Finding& finding) { return finding.rule == &rule; });
  }
}

void leave_out_known(std::vector<Finding>& findings, std::string_view baseline_json, const std::string& file) {
  using Known = std::tuple<std::string, std::string, std::string, std::string>;
  std::set<Known> known;
  try {
    const auto json = nlohmann::json::parse(baseline_json);
    for (const auto& each : json.at("findings"))
      known.emplace(each.at("id"), each.at("file"), each.at("table"), each.at("message"));
  } catch (const nlohmann::json::exception&) {
    throw AllowError(fmt::format("--baseline {}: is no report of windrow lint --format json", file));
  }
  std::erase_if(findings, [&](const Finding& finding) {
    return known.contains({std::string(finding.rule->id), finding.place.file(), finding.table, finding.message});
  });
}

}  // namespace windrow
