#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace windrow {

/// A column that a table's partition key gets.
struct KeyColumn {
  std::string table{};
  std::string name{};
  std::string type{};
};

/// What is done to a scenario to see whether it helps.
struct Remedy {
  std::vector<std::string> settings{};  // KEY=VALUE of --set
  std::optional<KeyColumn> key_column{};
  std::vector<std::string>
      judged_by{};  // limits that the scenario does not have: set for the trial, no part of the fix
};

/// The CQL with the column in the table's partition key; nothing where its PRIMARY KEY is not found.
std::optional<std::string> with_key_column(std::string_view cql, const KeyColumn& column);

/// "bucket text in the partition key of readings".
std::string key_column_text(const KeyColumn& column);

}  // namespace windrow
