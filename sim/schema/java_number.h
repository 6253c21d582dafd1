#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace windrow {

// Option values are read by the engine with Java's parsers: what they take decides whether a value is accepted.

/// String.trim: everything up to the space goes.
std::string_view java_trimmed(std::string_view text);

/// Integer.parseInt: digits with an optional sign, 32 bits; no spaces.
std::optional<std::int32_t> parse_java_int(std::string_view text);

/// Long.parseLong.
std::optional<std::int64_t> parse_java_long(std::string_view text);

/// Double.parseDouble: spaces around, exponent, suffix f or d, NaN and Infinity are all taken.
std::optional<double> parse_java_double(std::string_view text);

/// Double.toString: "1.0", "6.71E-5".
std::string java_double_text(double value);

/// FBUtilities.parseHumanReadable with unit "B": "1GiB", "100 MiB", "1e3B", "0B"; a unit is a must.
std::optional<double> parse_java_size(std::string_view text);

/// FBUtilities.parseHumanReadableBytes: as above, a long.
std::optional<std::int64_t> parse_java_bytes(std::string_view text);

/// FBUtilities.parsePercent: "0.333" or "33.3%".
std::optional<double> parse_java_percent(std::string_view text);

/// FBUtilities.prettyPrintMemory: "1.000MiB".
std::string java_size_text(std::int64_t bytes);

}  // namespace windrow
