#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace windrow {

/// One value of summary.json under its name there (a JSON pointer): whatever the page says in numbers is one of these.
struct Fact {
  std::string name{};
  nlohmann::json value{};

  bool known() const { return !value.is_null(); }
  double number() const;     // 0 if unknown
  std::string text() const;  // as the summary has it, without quotes
};

/// A part of summary.json: all of it, one table, one limit.
class Facts {
 public:
  explicit Facts(const nlohmann::json& summary) : summary_(&summary) {}

  /// The value below this part, "partition_bytes/p99". Throws PageError if the summary has no such name: it was written
  /// by another version.
  Fact of(std::string_view name) const;
  /// Names that only some tables have.
  bool has(std::string_view name) const;
  double number(std::string_view name) const { return of(name).number(); }
  std::string text(std::string_view name) const { return of(name).text(); }
  /// The part below this one; `key` is taken as it is, whatever characters it has.
  Facts below(std::string_view key) const;
  Facts below(std::size_t index) const { return below(std::to_string(index)); }
  /// How many there are in an array or object; 0 if there is none.
  std::size_t size() const;

 private:
  const nlohmann::json* summary_ = nullptr;
  std::string path_{};
};

/// The node whose tables these are: of several that were run the fullest.
Facts fullest_node(const Facts& summary);
/// Its number, where several were run; else nothing.
std::string fullest_node_name(const Facts& table);

/// A result that no page can be made of; what() says why.
struct PageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace windrow
