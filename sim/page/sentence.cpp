#include "sim/page/sentence.h"

#include <fmt/format.h>

#include "sim/page/html.h"
#include "sim/text/text.h"

namespace windrow {

Sentence& Sentence::say(std::string_view words) {
  parts_.push_back({.text = std::string(words)});
  return *this;
}

Sentence& Sentence::put(const Fact& fact, std::string text) {
  parts_.push_back({.text = std::move(text), .fact = fact.name, .value = fact.text()});
  return *this;
}

Sentence& Sentence::name(const Fact& fact) { return put(fact, printable(fact.text())); }
Sentence& Sentence::count(const Fact& fact) { return put(fact, human_count(fact.number())); }
Sentence& Sentence::bytes(const Fact& fact) { return put(fact, human_bytes(fact.number())); }
Sentence& Sentence::megabytes(const Fact& fact) { return put(fact, human_count(fact.number() / 1e6) + " MB"); }
Sentence& Sentence::share(const Fact& fact) { return put(fact, human_share(fact.number())); }
Sentence& Sentence::span(const Fact& seconds) { return put(seconds, human_span(seconds.number())); }
Sentence& Sentence::day(const Fact& time) { return put(time, time.text().substr(0, 10)); }

Sentence& Sentence::count_of(double unit, const Fact& fact) { return put(fact, human_count(fact.number() / unit)); }

Sentence& Sentence::in_unit(std::string_view unit, const Fact& fact) {
  if (unit == "bytes") return bytes(fact);
  if (unit == "share") return share(fact);
  if (unit == "seconds") return span(fact);
  if (unit == "days") return put(fact, human_count(fact.number()) + " d");
  if (unit == "rows" || unit == "cells") return put(fact, fmt::format("{} {}", human_count(fact.number()), unit));
  return count(fact);
}

std::string Sentence::text() const {
  std::string all;
  for (const Part& part : parts_) all += part.text;
  return all;
}

std::string Sentence::html() const {
  std::string all;
  for (const Part& part : parts_) {
    if (part.fact.empty()) {
      all += html_text(part.text);
    } else {
      all += fmt::format("<data data-fact=\"{}\" value=\"{}\">{}</data>", html_text(part.fact), html_text(part.value),
                         html_text(part.text));
    }
  }
  return all;
}

}  // namespace windrow
