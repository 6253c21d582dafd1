#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/units.h"

namespace windrow {

/// MurmurHash.hash2_64 of Cassandra 5.0.9 with seed 0, for ASCII keys.
std::uint64_t murmur2(std::string_view key);

/// The sketch of a file's keys by which the engine estimates how many different keys a compaction will write:
/// HyperLogLogPlus(13, 25) of stream-lib 2.5.2, as Cassandra 5.0.9 stores it (CompactionMetadata). Followed with its
/// peculiarity: the sparse form sorts by one order and merges by another, so that keys common to two sketches may be
/// counted twice. Filters of compaction outputs are sized by the estimate (rule 3.7a).
class KeySketch {
 public:
  void add(std::string_view key) { add_hash(murmur2(key)); }
  /// Of a key, by murmur2.
  void add_hash(std::uint64_t hash);
  /// What reading it back from a file gives.
  void close() { merge_pending(); }
  /// Both must be closed.
  void merge(const KeySketch& other);
  std::int64_t estimate() const;

 private:
  friend KeySketch sketch_of_file(std::vector<std::pair<Token, std::uint64_t>> keys);
  void merge_pending();
  void to_registers();
  void register_sparse(std::int32_t encoded);

  bool sparse_ = true;
  std::vector<std::int32_t> list_;  // the sparse form: one encoded hash for each place of 25 bits
  std::vector<std::int32_t> pending_;
  std::vector<std::uint8_t> registers_;  // the normal form: 2^13
};

/// The closed sketch of a file with these keys: their tokens, which order them in the file, and their murmur2.
KeySketch sketch_of_file(std::vector<std::pair<Token, std::uint64_t>> keys);

/// Bias of the raw estimate at precision 13 (Heule, Nunkesser, Hall: HyperLogLog in Practice, appendix).
double hyperloglog_bias(double raw_estimate);

}  // namespace windrow
