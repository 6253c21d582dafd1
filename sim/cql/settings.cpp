#include "sim/cql/settings.h"

namespace windrow {

CqlSettings shipped_settings() {
  return {.create_missing_keyspaces = false,
          .implicit_keyspace = {},
          .allow_unsafe_aggressive_sstable_expiration = false,
          .materialized_views_enabled = false,
          .sasi_indexes_enabled = false,
          .dynamic_data_masking_enabled = false,
          .drop_compact_storage_enabled = false,
          .datacenters = {"datacenter1"},
          .memtables = {"default"}};
}

}  // namespace windrow
