#pragma once

#include <cstdint>
#include <string>

#include "sim/base/units.h"

namespace windrow {

// Numbers and times as the engine's tools print them, time zone UTC.

/// Double.toString: "0.5", "1.0E7", "NaN".
std::string java_double(double value);

/// String.format("%.<decimals>f"): the shortest digits of the double, rounded half up; "NaN".
std::string java_fixed(double value, int decimals);

/// FBUtilities.prettyPrintMemory: "17B", "39.637KiB".
std::string pretty_memory(Bytes bytes);

/// FileUtils.stringifyFileSize: "17 bytes", "39.64 KiB".
std::string file_size(Bytes bytes);

/// Util.toByteString of the SSTable tools: "17 B", "1.6 kB".
std::string short_bytes(Bytes bytes);

/// "11/20/2026 18:40:00".
std::string tool_date(Seconds s);

/// LocalDateTime.toString: "2026-11-21T10:05:12.882", without what is zero at its end.
std::string local_date_time(Millis ms);

/// DurationFormatUtils.formatDurationWords: "23 hours 19 minutes 32 seconds", no zeros at either end.
std::string duration_words(Seconds s);

}  // namespace windrow
