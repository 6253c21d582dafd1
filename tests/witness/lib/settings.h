#pragma once

#include <string_view>

#include "sim/schema/compaction_options.h"

namespace windrow::witness {

/// The table options that a scenario sets, as they stand after its CREATE and the ALTERs so far.
struct Settings {
  Seconds gc_grace_s = 864'000;
  Seconds default_ttl_s = 0;
  double fp_chance = 0.01;
  std::int64_t min_index_interval = 128;
  Bytes chunk_bytes = 16'384;  // of compression; 0: plain files
  OptionMap compaction_map{};
  CompactionOptions compaction{};

  /// What follows WITH in a CREATE (after `id = ... AND`) or an ALTER. True if the compaction map changed: then the
  /// engine makes a new strategy instance. Throws std::invalid_argument on an option it does not know.
  bool apply(std::string_view with, bool allow_unsafe_expiration);
};

/// Settings of a CREATE; the filter's chance depends on the strategy if it is not given.
Settings create_settings(std::string_view with, bool allow_unsafe_expiration);

}  // namespace windrow::witness
