#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/cql/statement.h"
#include "sim/schema/compaction_options.h"

namespace windrow {

// Options by name and their values in the form that is asked for (PropertyDefinitions, Cassandra 5.0.9). A value of
// another form is a syntax error: all throw Refused.

/// nullptr if it is not given.
const Property* find_property(const Properties& properties, std::string_view name);

const std::string& text_value(const Property& property);
OptionMap map_value(const Property& property);
bool boolean_value(const Property& property);
std::int32_t integer_value(const Property& property);
double number_value(const Property& property);

/// Refuses the value of an option.
[[noreturn]] void refuse_option(const Property& property, CqlErrorClass error_class, std::string message,
                                std::string accepted, std::string server_message);

/// Refuses a sub-option at its place in the map; `known`: the names that could stand there.
[[noreturn]] void refuse_sub_option(const Property& property, const OptionError& error,
                                    std::span<const std::string_view> known);

}  // namespace windrow
