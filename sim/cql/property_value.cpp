#include "sim/cql/property_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/base/nearest.h"
#include "sim/cql/token_cursor.h"
#include "sim/schema/compression_options.h"
#include "sim/schema/identifier.h"
#include "sim/schema/java_number.h"

namespace windrow {

namespace {

// Where in the map of `property` the sub-option stands: its value, else the whole map.
Span place_of(const Property& property, const OptionError& error) {
  const auto* entries = std::get_if<std::vector<MapEntry>>(&property.value);
  if (entries == nullptr) return property.value_at;
  for (const MapEntry& entry : *entries) {
    if (entry.key != error.key) continue;
    const bool unknown = std::string_view(error.what()).find("not understood") != std::string_view::npos ||
                         std::string_view(error.what()).starts_with("Unknown compression");
    return unknown ? entry.key_at : entry.value_at;
  }
  return property.value_at;
}

// The word of `accepted` that a value was probably meant to be: values in capitals are taken in capitals only.
std::string nearest_value(std::string_view written, std::string_view accepted) {
  std::vector<std::string> words(1);
  for (const char letter : accepted) {
    const bool capital = letter >= 'A' && letter <= 'Z';
    if (capital) words.back() += letter;
    if (!capital && !words.back().empty()) words.emplace_back();
  }
  std::erase_if(words, [](const std::string& word) { return word.size() < 3; });
  return std::string(nearest_name(written, words));
}

// What helps with names of older versions.
std::string_view replaced_name(const std::vector<MapEntry>& entries) {
  for (const MapEntry& entry : entries) {
    if (entry.key == "sstable_compression")
      return "'sstable_compression' became 'class' and 'chunk_length_kb' became 'chunk_length_in_kb' with Cassandra "
             "3.0; to switch "
             "compression off write {'enabled': 'false'}";
    if (entry.value.ends_with("DateTieredCompactionStrategy"))
      return "DateTieredCompactionStrategy went with Cassandra 5.0: use TimeWindowCompactionStrategy";
  }
  return {};
}

}  // namespace

void refuse_option(const Property& property, CqlErrorClass error_class, std::string message, std::string accepted,
                   std::string server_message) {
  refuse({.error_class = error_class,
          .at = property.value_at,
          .message = std::move(message),
          .accepted = std::move(accepted),
          .server_message = std::move(server_message)});
}

const Property* find_property(const Properties& properties, std::string_view name) {
  const auto found =
      std::ranges::find(properties, name, [](const Property& each) -> std::string_view { return each.name.text; });
  return found == properties.end() ? nullptr : &*found;
}

const std::string& text_value(const Property& property) {
  if (const std::string* text = std::get_if<std::string>(&property.value)) return *text;
  refuse_option(property, CqlErrorClass::syntax, fmt::format("{} takes one value, not a map", property.name.text), {},
                fmt::format("Invalid value for property '{}'. It should be a string", property.name.text));
}

OptionMap map_value(const Property& property) {
  const auto* entries = std::get_if<std::vector<MapEntry>>(&property.value);
  if (entries == nullptr) {
    const std::string& text = std::get<std::string>(property.value);
    const std::string example = property.name.text == "caching" ? "{'keys': 'ALL', 'rows_per_partition': 'NONE'}"
                                                                : fmt::format("{{'class': {}}}", quoted_string(text));
    refuse({.error_class = CqlErrorClass::syntax,
            .at = property.value_at,
            .message = fmt::format("{} takes a map of sub-options", property.name.text),
            .fix = fmt::format("write {} = {}", property.name.text, example),
            .server_message = fmt::format("Invalid value for property '{}'. It should be a map.", property.name.text)});
  }
  OptionMap map;
  for (const MapEntry& entry : *entries) map.emplace(entry.key, entry.value);
  return map;
}

bool boolean_value(const Property& property) {
  const std::string text = lower_case(text_value(property));
  if (text == "true" || text == "1" || text == "yes") return true;
  if (text == "false" || text == "0" || text == "no") return false;
  refuse_option(
      property, CqlErrorClass::syntax, fmt::format("{} takes true or false", property.name.text), "true or false",
      fmt::format(
          "Invalid boolean value {} for '{}'. Positive values can be '1', 'true' or 'yes'. Negative values can be "
          "'0', 'false' or 'no'.",
          text_value(property), property.name.text));
}

std::int32_t integer_value(const Property& property) {
  const std::string& text = text_value(property);
  const std::optional<std::int32_t> value = parse_java_int(text);
  if (value) return *value;
  refuse_option(property, CqlErrorClass::syntax,
                fmt::format("{} takes a whole number, not {}", property.name.text, text), "a whole number",
                fmt::format("Invalid integer value {} for '{}'", text, property.name.text));
}

double number_value(const Property& property) {
  const std::string& text = text_value(property);
  const std::optional<double> value = parse_java_double(text);
  if (value) return *value;
  refuse_option(property, CqlErrorClass::syntax, fmt::format("{} takes a number, not {}", property.name.text, text),
                "a number", fmt::format("Invalid double value {} for '{}'", text, property.name.text));
}

// A sub-option's error at its place, with the nearest name or value.
void refuse_sub_option(const Property& property, const OptionError& error, std::span<const std::string_view> known) {
  CqlComplaint complaint{.error_class = error.server_error ? CqlErrorClass::server : CqlErrorClass::configuration,
                         .at = place_of(property, error),
                         .message = error.what(),
                         .accepted = error.accepted};
  static const std::vector<MapEntry> none;
  const auto* given = std::get_if<std::vector<MapEntry>>(&property.value);
  const std::vector<MapEntry>& entries = given == nullptr ? none : *given;
  const bool is_known = std::ranges::find(known, error.key) != known.end();
  for (const MapEntry& entry : entries) {
    if (entry.key != error.key) continue;
    if (entry.key == "class") {
      complaint.nearest = nearest_name(entry.value.substr(entry.value.rfind('.') + 1),
                                       property.name.text == "compaction" ? strategy_names() : compressor_names());
    } else {
      complaint.nearest =
          is_known ? nearest_value(entry.value, error.accepted) : std::string(nearest_name(error.key, known));
    }
  }
  if (!complaint.nearest.empty()) complaint.fix = fmt::format("write '{}'", complaint.nearest);
  if (const std::string_view fix = replaced_name(entries); !fix.empty()) {
    complaint.fix = fix;
    complaint.nearest.clear();  // what took its place is no name that it was meant to be
  }
  refuse(std::move(complaint));
}

}  // namespace windrow
