#pragma once

#include <string>
#include <vector>

namespace windrow {

/// What the server's answers depend on beside the statements. The defaults suit a schema that is known to work
/// somewhere: what a node's configuration may allow is allowed.
struct CqlSettings {
  /// A table in a keyspace that was never created makes the keyspace too; a table without keyspace goes to this one.
  bool create_missing_keyspaces = true;
  /// A DROP of what is not there changes nothing: a script that makes its tables anew finds none the first time.
  bool pass_over_missing_drops = false;
  std::string implicit_keyspace = "windrow";
  /// cassandra.allow_unsafe_aggressive_sstable_expiration
  bool allow_unsafe_aggressive_sstable_expiration = true;
  bool materialized_views_enabled = true;
  bool sasi_indexes_enabled = true;
  bool dynamic_data_masking_enabled = true;
  bool drop_compact_storage_enabled = true;
  /// Names that NetworkTopologyStrategy may be given; empty: any.
  std::vector<std::string> datacenters{};
  /// Configurations that memtable = '…' may name; empty: any.
  std::vector<std::string> memtables{};
  int default_keyspace_rf = 1;
};

/// A single node of Cassandra 5.0.9 with the configuration it is shipped with.
CqlSettings shipped_settings();

}  // namespace windrow
