#pragma once

#include <stdexcept>
#include <string>

#include "sim/words/source_text.h"

namespace windrow {

/// What the user got wrong, in parts; empty parts are left out of the message.
struct Mistake {
  Place place{};
  std::string key{};  // stream.readings.rate
  std::string value{};
  std::string problem{};   // "is not a rate"
  std::string accepted{};  // "rows per time, such as 1/s"
  std::string nearest{};   // a valid name close to the wrong one
  std::string note{};      // a line of its own: where else to look, what to add
};

/// A mistake in a scenario or in a file that it names. what() is the whole message: position, problem, the source line
/// with a caret, what is accepted, the nearest valid name.
class ScenarioError : public std::runtime_error {
 public:
  explicit ScenarioError(Mistake mistake);

  const Mistake& mistake() const { return mistake_; }
  std::string file() const { return mistake_.place.file(); }
  int line() const { return mistake_.place.line; }
  int column() const { return mistake_.place.column; }
  const std::string& key() const { return mistake_.key; }
  const std::string& value() const { return mistake_.value; }
  const std::string& accepted() const { return mistake_.accepted; }
  const std::string& nearest() const { return mistake_.nearest; }

 private:
  Mistake mistake_{};
};

/// A key that the section at this place must have; `accepted` says how it is written.
[[noreturn]] void refuse_missing(const Place& place, const std::string& key, const std::string& accepted);

/// "file:line:column: key: problem", the line with a caret, and the rest.
std::string format_mistake(const Mistake& mistake);

}  // namespace windrow
