#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/workload/bucket_rule.h"
#include "sim/workload/node_slots.h"
#include "sim/workload/rhythm.h"
#include "sim/workload/slot_sets.h"
#include "sim/workload/zipf_keys.h"

namespace windrow {

/// Serialized partition keys of one writer's (entity, bucket, shard).
class PartitionKeys {
 public:
  virtual ~PartitionKeys() = default;
  virtual std::string key(std::int64_t entity, std::int64_t bucket_label, std::int64_t shard) const = 0;
  /// Length in bytes if it is the same for all, else 0.
  virtual int constant_length() const { return 0; }
  /// So many of a key's bytes follow from the entity and the shard; all others are as many in every key of a bucket.
  /// Nothing if the whole key has to be made to tell.
  virtual std::optional<int> varying_length(std::int64_t /*entity*/, std::int64_t /*shard*/) const { return {}; }
};

/// What a write puts into a collection or user type that is not frozen: a cell for each element.
struct ElementsWrite {
  int count = 0;
  bool whole = true;            // the old elements are deleted first: a complex deletion a microsecond before the write
  std::int32_t path_bytes = 0;  // an element's key
};

/// Sizes of one column's values, repeating along row numbers: row g has sizes[(g * step) mod sizes.size()], element i
/// of its collection the size of row g * count + i.
struct ColumnWrite {
  int column = 0;  // position among the table's regular columns, in name order
  std::int32_t name_bytes = 1;
  bool fixed_length = false;              // no length prefix on disk
  std::vector<std::int32_t> sizes = {0};  // bytes of the value itself
  std::int64_t step = 7919;
  bool null = false;  // written as null: a tombstone from the start
  std::optional<ElementsWrite> elements{};

  std::int32_t size_of(std::int64_t g) const {
    return sizes.size() == 1 ? sizes[0]
                             : sizes[static_cast<std::size_t>(g * step % static_cast<std::int64_t>(sizes.size()))];
  }
};

/// Static columns are numbered from here, so that the number of a column says which row of the partition it is in.
inline constexpr int first_static_column = 1 << 14;

/// Byte i of what row g writes into a column: settles ties of equal timestamps.
using ValueByte = std::uint8_t (*)(std::int64_t g, int column, std::int64_t i);
inline std::uint8_t ramp_byte(std::int64_t g, int column, std::int64_t i) {
  return static_cast<std::uint8_t>((g * 31 + column * 13 + i) % 251);
}

/// How write timestamps follow from a row.
struct TimestampRule {
  bool from_event = false;  // else from the arrival
  Micros offset_us = 0;
  bool add_row_number = false;  // recorded traces add g mod 1000 microseconds
};

/// Where the clustering value of a row comes from.
struct ClusteringRule {
  std::int64_t modulus =
      0;          // 0: the event time, every row its own; M: the entity's row count modulo M, keys are written again
  int bytes = 9;  // clustering header and values on disk (storage rule 1.5)
  int columns = 1;
  int value_bytes = 8;  // of all columns
};

/// Times [from, to) of arrivals in which nothing arrives: rows are lost, or come all at once at `to`.
struct Pause {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// One class of entities that write by one rule. Times in units of `unit_us`.
struct Writer {
  std::string name{};
  int index = 0;  // position in the workload: rows of one instant arrive in this order
  std::int64_t unit_us = us_per_s;
  Rhythm rhythm{0, 1, 1, true};      // of events
  std::optional<Rhythm> arrivals{};  // of arrivals, where they do not follow their events: history that is loaded later
  std::int64_t entities = 1;
  std::int64_t shards = 1;
  std::int64_t key_bytes = 8;  // of a partition key; of the longest, if they differ
  BucketRule bucket = BucketRule::none();
  bool insert = true;  // INSERT writes row liveness, UPDATE does not
  bool writes = true;  // false: only deletes
  std::vector<ColumnWrite> columns{};
  std::vector<ColumnWrite> statics{};  // the static columns that its statements write
  bool statics_once = false;           // only with the first row of a partition, else with each
  std::int64_t rows_per_event = 1;     // rows of one partition that every event brings
  int spec = 0;                        // place among the scenario's writers of the table
  std::int64_t turn = -1;              // rolling buckets: this writer's, a bucket number that comes back; else -1
  std::int64_t drawn_keys = 0;         // > 0: writes draw from so many keys, and a later one replaces an earlier one
  bool drawn_in_turn = false;          // in turn, or at random
  std::shared_ptr<const ZipfKeys> zipf{};  // at random, some more often than others; null: all alike
  bool key_is_partition = true;            // of drawn keys: each is a partition of its own
  ValueByte value_byte = ramp_byte;
  TimestampRule timestamp{};
  ClusteringRule clustering{};
  std::vector<Pause> pauses{};  // disjoint, ascending
  bool pauses_delay = false;
  int key_group = 0;  // writers of one group may meet in a partition
  std::shared_ptr<const PartitionKeys> keys{};
  std::shared_ptr<const NodeSlots> node{};  // of one node of several: its partitions; null: all
  std::shared_ptr<const SlotSets> sets{};   // who holds each; null: nobody asks

  /// Different keys among `writes` successive ones: of random draws N (1 - e^(-n/N)) in expectation, rounded.
  std::int64_t different_keys(std::int64_t writes) const;

  /// How many partitions a bucket has at the most: all, or those of one node of several.
  std::int64_t most_slots() const { return entities * shards; }
  bool slots_differ() const { return node != nullptr && node->by_bucket(); }
  std::int64_t slots(std::int64_t bucket_number) const {
    return slots_differ() ? node->of(bucket_number).slots : most_slots();
  }
  /// Of the mean bucket.
  std::int64_t mean_slots() const { return slots_differ() ? node->mean() : most_slots(); }
  /// The partition of row g, which is of this bucket: shard * entities + entity, or the number among those of the node.
  std::int64_t slot_in(std::int64_t bucket_number, std::int64_t g) const {
    return slots_differ() ? node->of(bucket_number).slot(g) : g % most_slots();
  }
  std::int64_t slot(std::int64_t g) const { return slot_in(slots_differ() ? bucket_of(g) : 0, g); }
  NodeSlots::Place place_of(std::int64_t slot_number, std::int64_t bucket_number) const {
    if (node != nullptr) return node->place(bucket_number, slot_number);
    return {.entity = slot_number % entities, .shard = slot_number / entities};
  }
  std::int64_t event_units(std::int64_t g) const { return rhythm.event(g); }
  Seconds event_s(std::int64_t g) const { return rhythm.event(g) * unit_us / us_per_s; }
  std::int64_t bucket_of(std::int64_t g) const { return bucket.number(event_s(g)); }
  /// Rows of buckets before this one, where there are several.
  std::int64_t rows_before_bucket(std::int64_t bucket_number) const {
    return rhythm.count_before(bucket.begin(bucket_number) * us_per_s / unit_us);
  }
  /// True if the statement that writes row g writes the static columns.
  bool writes_statics(std::int64_t g) const {
    if (statics.empty() || !statics_once) return !statics.empty();
    const std::int64_t number = bucket_of(g);
    const std::int64_t before = g - slots(number);
    return before < 0 || bucket_of(before) != number;
  }
  std::int64_t clustering_of(std::int64_t g) const {
    return clustering_at(g, clustering.modulus > 0 ? 0 : rhythm.event(g));
  }
  /// The same of a row that happens at `event`, in units.
  std::int64_t clustering_at(std::int64_t g, std::int64_t event) const {
    return clustering.modulus > 0 ? g / entities % clustering.modulus : event * unit_us / 1000;
  }
  std::string key(std::int64_t slot_number, std::int64_t bucket_number) const {
    const NodeSlots::Place place = place_of(slot_number, bucket_number);
    return keys->key(place.entity, bucket.label(bucket_number), place.shard);
  }
};

}  // namespace windrow
