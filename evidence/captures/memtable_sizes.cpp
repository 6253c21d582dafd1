#include "evidence/captures/memtable_sizes.h"

namespace windrow {

std::string_view memtable_sizes() {
  return R"({
  "text20_p100": {"a": 20},
  "text200_p100": {"a": 200},
  "text200_p100_over10": {"a": 200},
  "text200_p100_ttl": {"a": 200},
  "text200_p1": {"a": 200},
  "text2000_p100": {"a": 2000},
  "text30x4_p100": {"a": 30, "b": 30, "c": 30, "e": 30},
  "doubles10_5null_p100": {"c5": null, "c6": null, "c7": null, "c8": null, "c9": null},
  "clust_text_ts_p100": {"s": 8},
  "clust_timeuuid_p100": {"a": 20},
  "pk_text60_p10": {"d": 60},
  "uuid_pk_blob500_p1": {"a": 500},
  "map5_p100": {"a": [5, 7, 12]},
  "set5_p100": {"a": [5, 10, 0]},
  "list10_p100": {"a": [10, 16, 4]},
  "frozenmap5_p100": {"a": 139},
  "set_append1_p100": {"a": [1, 10, 0]},
  "h1_5cols_update_ttl_p30": {"a": 50, "c": 7},
  "h2_map20_p20": {"a": [20, 7, 4]},
  "h3_3clustering_p50": {"q": 6},
  "h4_list3_ttl_p5": {"a": [3, 16, 15]},
  "h6_text80_null2_p1000": {"a": 80, "b": null, "c": null},
  "n_two_maps_a_set": {"a": [3, 8, 20], "b": [7, 5, 4], "c": [2, 30, 0]},
  "n_map_and_plain_ttl": {"b": [4, 6, 10], "c": 33},
  "n_map40": {"a": [40, 9, 11]},
  "n_map100": {"a": [100, 9, 11]},
  "n_map_put1": {"a": [1, 12, 17]},
  "n_map_put3_over5": {"a": [3, 12, 17]},
  "n_set_whole_over4": {"a": [5, 10, 0]},
  "n_frozen_list_and_tuple": {"a": 52, "b": 27, "c": 79},
  "n_key300_clust100": {"d": 300, "q": 100, "a": 40},
  "n_clust3_desc": {"q": 6},
  "n_clust5": {"q": 6},
  "n_noclust20_ttl": {"a": 7, "b": 7, "c": 7, "e": 7, "f": 7, "g": 7, "h": 7, "i": 7, "j": 7, "k": 7},
  "n_delete_rows_clust3": {"q": 6},
  "n_delete_partitions_key150": {"d": 150},
  "n_delete_ranges_clust2": {"q": 6},
  "n_empty_text": {"a": 0},
  "n_null_map": {"a": null},
  "n_all_null": {"a": null, "b": null},
  "n_update_null": {"b": null},
  "n_blob100000": {"a": 100000},
  "n_inet_uuid_decimal": {"a": 4, "c": 3}
})";
}

}  // namespace windrow
