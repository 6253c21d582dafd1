#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/resolve/load_scenario.h"
#include "sim/size/key_roles.h"
#include "sim/size/matrix.h"

namespace windrow {

/// Makes the scenarios behind a matrix: the question's table with one stream that writes every regular column.
class SizeScenarios {
 public:
  /// Throws SizeError where the question does not fit the schema.
  explicit SizeScenarios(const SizeQuestion& question);

  const Table& table() const { return table_; }
  /// What was taken for granted, one sentence each.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Cells of a row beyond one a column: elements of collections.
  std::int64_t more_cells_per_row() const { return more_cells_per_row_; }
  /// A run over some buckets of this length. Throws SizeError.
  LoadedScenario make(const std::string& rate, const std::string& bucket, std::int64_t shards) const;

 private:
  void add_bucket_and_shard();
  void find_bucket();
  void plan_entity(Column& column);
  void plan_constant(Column& column);
  std::string entity_of_key(const std::vector<KeyRole>& roles) const;
  void plan_key();
  void plan_offsets();
  void plan_columns();
  void plan_statics();
  void note_indexes();
  std::string rule_of_complex(const Column& column);
  std::string entities_for(const std::string& rate) const;

  const SizeQuestion& question_;
  Table table_{};
  std::string cql_{};
  bool entity_is_text_ = false;
  std::string bucket_column_{};
  std::string shard_column_{};
  std::vector<std::pair<std::string, std::string>> coarser_{};  // other buckets of the key, and their lengths
  std::vector<std::string> column_lines_{};
  std::vector<std::string> unsaid_{};   // --column that a clustering column needs
  std::vector<std::string> offsets_{};  // small numbers that hold the time within a bucket
  std::vector<std::string> written_{};
  std::vector<std::string> notes_{};
  std::int64_t more_cells_per_row_ = 0;
};

}  // namespace windrow
