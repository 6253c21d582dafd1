#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/keys/stream_values.h"

namespace windrow {

/// Names of a stream's entities, by number: from a pattern, a list, or plain numbers.
class EntityList {
 public:
  EntityList() = default;
  /// `from_file`: names of Entities::Kind::file, in ascending order of rate.
  EntityList(Entities entities, std::vector<std::string> from_file);

  std::int64_t count() const { return count_; }
  /// How long each writes, until another one takes its place; 0: for ever.
  Seconds living_s() const { return entities_.living_s; }
  std::string name(std::int64_t entity) const;
  int name_length(std::int64_t entity) const;
  /// What integer columns hold; nothing for names that are no numbers.
  std::optional<std::int64_t> number(std::int64_t entity) const;
  /// Length of all names if it is the same, else 0.
  int constant_length() const { return constant_length_; }
  double mean_length() const { return mean_length_; }
  /// True if every entity has a number.
  bool numbers() const;

  /// A name that both lists have, or nothing.
  static std::optional<std::string> shared_name(const EntityList& a, const EntityList& b);

 private:
  std::optional<std::int64_t> find(const std::string& name) const;
  bool listed() const { return entities_.kind == Entities::Kind::named || entities_.kind == Entities::Kind::file; }
  void measure();

  Entities entities_{};
  std::vector<std::string> names_{};
  std::int64_t count_ = 0;
  int constant_length_ = 0;
  double mean_length_ = 0;
};

}  // namespace windrow
