#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"

namespace windrow {

/// Words of a name: `bucket_10min` gives bucket, 10, min.
std::vector<std::string> words_of_name(std::string_view name);

/// Languages of a word, a bit each; English words have none.
using Languages = unsigned;

/// A word that says "a span of time".
struct NamedSpan {
  std::string_view word{};
  Seconds length_s = 0;     // 0: a bucket of any length
  Languages languages = 0;  // in which it is one, of words that are not English
  bool doubtful = false;    // in English it is something else: tag, data
  bool of_numbers = false;  // doubtful, and as a text it is always the other: a tag
};

/// The span that a word speaks of, also of several in one word: day, yearmonth, epochday, event_dt, anomes; nullptr:
/// none.
const NamedSpan* span_named(std::string_view word);

/// Whether the other word makes a doubtful one certain: year and month of one language.
bool supports(const NamedSpan& other, const NamedSpan& doubtful);

/// "Spanish or Portuguese"
std::string languages_text(Languages languages);

/// A word that says "a moment": at, ts, timestamp, zeitpunkt.
bool is_word_of_time(std::string_view word);

/// A day and a time of day in one name: date_time, fecha_hora. Of a type that holds a moment it is one, and no span.
bool names_day_and_time(std::span<const std::string> words);
/// No other span than a day, in words that say when something happened as well: event_date, fecha.
bool names_date(std::span<const std::string> words);

}  // namespace windrow
