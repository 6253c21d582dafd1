#include "sim/size/span_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace windrow {

namespace {

constexpr Seconds minute_s = 60;
constexpr Seconds hour_s = 3'600;
constexpr Seconds day_s = seconds_per_day;
constexpr Seconds week_s = 7 * seconds_per_day;
constexpr Seconds mean_month_s = 2'629'746;  // a twelfth of the Gregorian year
constexpr Seconds quarter_s = 3 * mean_month_s;
constexpr Seconds year_s = 12 * mean_month_s;

constexpr Languages spanish = 1;
constexpr Languages portuguese = 2;
constexpr Languages french = 4;
constexpr Languages german = 8;
constexpr Languages italian = 16;
constexpr Languages dutch = 32;
constexpr std::array<std::string_view, 6> language_names = {"Spanish", "Portuguese", "French",
                                                            "German",  "Italian",    "Dutch"};

constexpr NamedSpan english(std::string_view word, Seconds length_s) { return {.word = word, .length_s = length_s}; }
constexpr NamedSpan of(Languages languages, std::string_view word, Seconds length_s) {
  return {.word = word, .length_s = length_s, .languages = languages};
}
constexpr NamedSpan perhaps(Languages languages, std::string_view word, Seconds length_s, bool of_numbers = false) {
  return {.word = word, .length_s = length_s, .languages = languages, .doubtful = true, .of_numbers = of_numbers};
}

constexpr std::array spans{
    english("minute", minute_s),
    english("minutes", minute_s),
    english("min", minute_s),
    english("hour", hour_s),
    english("hours", hour_s),
    english("hourly", hour_s),
    english("day", day_s),
    english("days", day_s),
    english("daily", day_s),
    english("date", day_s),
    english("ymd", day_s),
    english("yyyymmdd", day_s),
    english("week", week_s),
    english("weekly", week_s),
    english("month", mean_month_s),
    english("monthly", mean_month_s),
    english("yyyymm", mean_month_s),
    english("quarter", quarter_s),
    english("year", year_s),
    english("yyyy", year_s),
    english("bucket", 0),
    english("epoch", 0),
    english("period", 0),
    english("timebucket", 0),
    english("partition", 0),
    english("dpart", 0),
    english("slice", 0),
    english("timeslice", 0),
    english("slot", 0),
    english("timeslot", 0),
    english("interval", 0),
    english("yyyymmddhh", hour_s),
    english("ymdh", hour_s),
    english("yyyyww", week_s),
    english("ym", mean_month_s),
    of(spanish | portuguese | italian, "minuto", minute_s),
    of(dutch, "minuut", minute_s),
    of(spanish | portuguese, "hora", hour_s),
    of(french, "heure", hour_s),
    of(german, "stunde", hour_s),
    of(dutch, "uur", hour_s),
    perhaps(italian, "ora", hour_s),
    of(spanish, "fecha", day_s),
    of(spanish, "día", day_s),
    of(french, "jour", day_s),
    of(french, "journee", day_s),
    of(french, "journée", day_s),
    of(italian, "giorno", day_s),
    perhaps(spanish | portuguese, "dia", day_s),
    perhaps(portuguese | italian, "data", day_s),
    perhaps(german | dutch, "datum", day_s),
    perhaps(german, "tag", day_s, true),
    perhaps(dutch, "dag", day_s, true),
    of(spanish | portuguese, "semana", week_s),
    of(french, "semaine", week_s),
    of(german, "woche", week_s),
    of(italian, "settimana", week_s),
    of(portuguese, "mês", mean_month_s),
    of(french, "mois", mean_month_s),
    of(german, "monat", mean_month_s),
    of(italian, "mese", mean_month_s),
    of(dutch, "maand", mean_month_s),
    perhaps(spanish | portuguese, "mes", mean_month_s),
    of(spanish | portuguese | french | italian, "trimestre", quarter_s),
    of(german, "quartal", quarter_s),
    of(spanish, "anio", year_s),
    of(spanish, "año", year_s),
    of(french, "annee", year_s),
    of(french, "année", year_s),
    of(german, "jahr", year_s),
    of(dutch, "jaar", year_s),
    perhaps(spanish | portuguese, "ano", year_s),
    perhaps(italian, "anno", year_s),
    of(spanish | portuguese | italian, "periodo", 0),
    of(french | german, "periode", 0),
    of(german, "zeitraum", 0),
};

// What stands before a span in names that are written in one word: epochday, eventdate, logdate.
constexpr std::array<std::string_view, 9> before_spans = {"epoch",  "event", "log", "trade", "reading",
                                                          "record", "time",  "utc", "local"};

constexpr std::array<std::string_view, 17> words_of_time = {
    "time", "timestamp",   "ts",        "timeuuid", "at",    "when",       "created", "epoch",   "millis",
    "zeit", "zeitstempel", "zeitpunkt", "tiempo",   "temps", "horodatage", "tempo",   "istante",
};
constexpr std::array<std::string_view, 3> words_of_a_time_of_day = {"time", "zeit", "uhrzeit"};
constexpr std::array<std::string_view, 3> words_of_a_date = {"fecha", "data", "datum"};

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

const NamedSpan* find_span(std::string_view word) {
  const auto* found = std::ranges::find(spans, word, &NamedSpan::word);
  return found == spans.end() ? nullptr : found;
}

/// The finer of two spans; one without a length is the coarser.
const NamedSpan* finer(const NamedSpan* a, const NamedSpan* b) {
  if (a->length_s == 0 || b->length_s == 0) return a->length_s == 0 ? b : a;
  return b->length_s < a->length_s ? b : a;
}

/// The certain word of the length of a doubtful one that another makes certain.
const NamedSpan* certain(const NamedSpan* span) {
  if (!span->doubtful) return span;
  for (const NamedSpan& each : spans)
    if (each.length_s == span->length_s && !each.doubtful) return &each;
  return span;
}

enum class Letter { lower, upper, digit, other };
Letter letter_kind(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (std::isdigit(byte) != 0) return Letter::digit;
  if (std::isupper(byte) != 0) return Letter::upper;
  return std::isalpha(byte) != 0 || byte >= 0x80 ? Letter::lower : Letter::other;
}

}  // namespace

std::vector<std::string> words_of_name(std::string_view name) {
  std::vector<std::string> words;
  Letter before = Letter::other;
  for (const char c : name) {
    const Letter kind = letter_kind(c);
    const bool goes_on = kind == before || (before == Letter::upper && kind == Letter::lower);
    if (kind != Letter::other) {
      if (!goes_on) words.emplace_back();
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    before = kind;
  }
  return words;
}

const NamedSpan* span_named(std::string_view word) {
  if (const NamedSpan* found = find_span(word)) return found;
  for (std::size_t cut = 2; cut + 2 < word.size(); ++cut) {
    const std::string_view front = word.substr(0, cut);
    const NamedSpan* back = find_span(word.substr(cut));
    if (back == nullptr) continue;
    if (is_one_of(before_spans, front) && !back->doubtful) return back;
    const NamedSpan* first = find_span(front);
    if (first == nullptr) continue;
    const bool sure = (!first->doubtful || supports(*back, *first)) && (!back->doubtful || supports(*first, *back));
    if (sure) return certain(finer(first, back));
  }
  return word.ends_with("dt") ? find_span("date") : nullptr;
}

bool supports(const NamedSpan& other, const NamedSpan& doubtful) {
  return (other.languages & doubtful.languages) != 0 && other.length_s != doubtful.length_s;
}

std::string languages_text(Languages languages) {
  std::string text;
  for (std::size_t i = 0; i < language_names.size(); ++i) {
    if ((languages >> i & 1U) != 0) text += (text.empty() ? "" : " or ") + std::string(language_names[i]);
  }
  return text;
}

bool is_word_of_time(std::string_view word) { return is_one_of(words_of_time, word); }

bool names_day_and_time(std::span<const std::string> words) {
  bool day = false;
  bool time = false;
  for (const std::string& word : words) {
    const NamedSpan* span = span_named(word);
    day = day || (span != nullptr && span->length_s == day_s);
    const bool hour = span != nullptr && span->length_s == hour_s && span->languages != 0;
    time = time || hour || is_one_of(words_of_a_time_of_day, word);
  }
  return day && time;
}

bool names_date(std::span<const std::string> words) {
  bool date = false;
  for (const std::string& word : words) {
    const NamedSpan* span = span_named(word);
    if (span == nullptr) continue;
    const bool says_when = is_one_of(words_of_a_date, word) || word.ends_with("date") || word.ends_with("dt");
    if (!says_when || span->length_s != day_s) return false;
    date = true;
  }
  return date;
}

}  // namespace windrow
