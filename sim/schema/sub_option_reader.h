#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "sim/schema/compaction_options.h"

namespace windrow {

/// The value of a sub-option, if it is given.
std::optional<std::string_view> sub_option(const OptionMap& map, std::string_view name);

/// Reads sub-options of one strategy with the engine's parsers. What is not given stays as it was; what cannot be read
/// throws CompactionOptionError with the server's message and what the strategy accepts.
class SubOptionReader {
 public:
  SubOptionReader(const OptionMap& map, std::string_view strategy) : map_(map), strategy_(strategy) {}

  std::optional<std::string_view> text(std::string_view name) const { return sub_option(map_, name); }

  /// true or false in any case; `message` has a place for the value.
  void read_flag(std::string_view name, bool& value, std::string_view message) const;
  /// Boolean.parseBoolean: everything but "true" is false.
  void read_lenient_flag(std::string_view name, bool& value) const;
  void read_integer(std::string_view name, std::int32_t& value) const;
  void read_integer(std::string_view name, std::int64_t& value, std::string_view what = "int") const;
  void read_double(std::string_view name, double& value, std::string_view what) const;
  /// Whichever of `values` stands in the map, as written.
  std::string_view read_name(std::string_view name, std::string_view otherwise,
                             std::initializer_list<std::string_view> values) const;

  [[noreturn]] void refuse(std::string_view name, std::string message, bool server_error = false) const;
  void refuse_unknown() const;

 private:
  const OptionMap& map_;
  std::string_view strategy_;
};

}  // namespace windrow
