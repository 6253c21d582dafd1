#include "tests/witness/lib/settings.h"

#include <fmt/format.h>

#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace windrow::witness {
namespace {

OptionMap option_map(const std::string& text) {
  static const std::regex entry("'([^']*)'\\s*:\\s*'([^']*)'");
  OptionMap map;
  for (std::sregex_iterator match(text.begin(), text.end(), entry); match != std::sregex_iterator(); ++match)
    map[(*match)[1].str()] = (*match)[2].str();
  return map;
}

}  // namespace

bool Settings::apply(std::string_view with, bool allow_unsafe_expiration) {
  static const std::regex option("(\\w+)\\s*=\\s*(\\{[^}]*\\}|[^\\s]+)(\\s+AND\\s+|\\s*$)");
  const std::string text(with);
  bool new_strategy = false;
  for (std::sregex_iterator match(text.begin(), text.end(), option); match != std::sregex_iterator(); ++match) {
    const std::string name = (*match)[1].str();
    const std::string value = (*match)[2].str();
    if (name == "gc_grace_seconds") {
      gc_grace_s = std::stoll(value);
    } else if (name == "default_time_to_live") {
      default_ttl_s = std::stoll(value);
    } else if (name == "bloom_filter_fp_chance") {
      fp_chance = std::stod(value);
    } else if (name == "min_index_interval") {
      min_index_interval = std::stoll(value);
    } else if (name == "compression") {
      const OptionMap map = option_map(value);
      const auto enabled = map.find("enabled");
      const bool compressed = enabled == map.end() || enabled->second != "false";
      const auto chunk_kib = map.find("chunk_length_in_kb");
      chunk_bytes = compressed ? 1024 * (chunk_kib == map.end() ? 16 : std::stoll(chunk_kib->second)) : 0;
    } else if (name == "compaction") {
      OptionMap map = effective_compaction_map(option_map(value));
      if (map == compaction_map) continue;
      compaction = parse_compaction_options(map, allow_unsafe_expiration);
      compaction_map = std::move(map);
      new_strategy = true;
    } else {
      throw std::invalid_argument(fmt::format("table option {} is not known here", name));
    }
  }
  return new_strategy;
}

Settings create_settings(std::string_view with, bool allow_unsafe_expiration) {
  Settings settings;
  settings.apply(with, allow_unsafe_expiration);
  if (settings.compaction_map.empty())
    settings.apply("compaction = {'class': 'SizeTieredCompactionStrategy'}", allow_unsafe_expiration);
  if (std::holds_alternative<LeveledOptions>(settings.compaction) &&
      with.find("bloom_filter_fp_chance") == std::string_view::npos)
    settings.fp_chance = 0.1;
  return settings;
}

}  // namespace windrow::witness
