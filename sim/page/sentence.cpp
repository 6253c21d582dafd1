#include "sim/page/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/check.h"
#include "sim/page/html.h"
#include "sim/text/text.h"
#include "sim/text/unit.h"

namespace windrow {

namespace {

using Form = Sentence& (Sentence::*)(const Fact&);

/// What a fact's name says of how it reads.
std::string_view kind_of(std::string_view name) {
  if (name.find("bytes") != std::string_view::npos) return "bytes";
  if (name.ends_with("_share")) return "share";
  if (name.ends_with("_s")) return "span";
  return name.ends_with("_date") || name.starts_with("first_") ? "day" : "count";
}

Form form_of(std::string_view kind) {
  using S = Sentence;
  static const std::map<std::string_view, Form> forms = {{"name", &S::name},   {"count", &S::count},
                                                         {"bytes", &S::bytes}, {"share", &S::share},
                                                         {"span", &S::span},   {"day", &S::day}};
  return forms.at(kind);
}

}  // namespace

Sentence& Sentence::say(std::string_view words) {
  parts_.push_back({.text = std::string(words)});
  return *this;
}

Sentence& Sentence::new_line() {
  if (!parts_.empty()) parts_.push_back({.text = "\n"});
  return *this;
}

Sentence& Sentence::say(std::string_view words, const Facts& facts) {
  while (!words.empty()) {
    const std::size_t begin = std::min(words.find('{'), words.size());
    if (begin > 0) say(words.substr(0, begin));
    words.remove_prefix(begin);
    if (words.empty()) break;
    const std::size_t end = words.find('}');
    SIM_CHECK(end != std::string_view::npos, "a fact in braces");
    say_fact(words.substr(1, end - 1), facts);
    words.remove_prefix(end + 1);
  }
  return *this;
}

void Sentence::say_fact(std::string_view words, const Facts& facts) {
  const std::size_t bar = std::min(words.find('|'), words.size());
  const std::string_view fact = words.substr(0, bar);
  const std::size_t colon = std::min(fact.find(':'), fact.size());
  const std::string_view name = fact.substr(0, colon);
  const std::string_view kind = colon < fact.size() ? fact.substr(colon + 1) : kind_of(name);
  (this->*form_of(kind))(facts.of(name));
  if (bar == words.size()) return;
  const std::size_t many = words.find('|', bar + 1);
  say(facts.number(name) == 1 ? words.substr(bar + 1, many - bar - 1) : words.substr(many + 1));
}

Sentence& Sentence::put(const Fact& fact, std::string text) {
  parts_.push_back({.text = std::move(text), .fact = fact.name, .value = fact.text()});
  return *this;
}

Sentence& Sentence::name(const Fact& fact) { return put(fact, printable(fact.text())); }
Sentence& Sentence::count(const Fact& fact) { return put(fact, human_count(fact.number())); }
Sentence& Sentence::bytes(const Fact& fact) { return put(fact, human_bytes(fact.number())); }
Sentence& Sentence::share(const Fact& fact) { return put(fact, human_share(fact.number())); }
Sentence& Sentence::span(const Fact& seconds) {
  const double s = seconds.number();
  return put(seconds, s < 0 ? "-" + human_span(-s) : human_span(s));
}
Sentence& Sentence::day(const Fact& time) { return put(time, time.text().substr(0, 10)); }

Sentence& Sentence::count_of(double unit, const Fact& fact) { return put(fact, human_count(fact.number() / unit)); }

Sentence& Sentence::in_unit(std::string_view unit, const Fact& fact) {
  return put(fact, windrow::in_unit(unit_named(unit), fact.number()));
}

Sentence& Sentence::in_unit_beside(std::string_view unit, const Fact& fact, const Fact& other) {
  return put(fact, windrow::in_unit_beside(unit_named(unit), fact.number(), other.number()));
}

std::string Sentence::text() const {
  std::string all;
  for (const Part& part : parts_) all += part.text;
  return all;
}

std::string Sentence::html() const {
  std::string all;
  for (const Part& part : parts_) {
    if (part.fact.empty() && part.text == "\n") {
      all += "<br>\n";
    } else if (part.fact.empty()) {
      all += html_text(part.text);
    } else {
      all += fmt::format("<data data-fact=\"{}\" value=\"{}\">{}</data>", html_text(part.fact), html_text(part.value),
                         html_text(part.text));
    }
  }
  return all;
}

}  // namespace windrow
