#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/witness/lib/rows.h"

namespace windrow::witness {

/// One write or delete of a scenario's stream.
struct Arrival {
  Seconds at_s = 0;
  int stream = 0;
  bool is_delete = false;
  std::int64_t number = 0;  // g, or seq of a partition or range delete
  std::int64_t entity = 0;
  std::int64_t bucket = 0;  // epoch second or year and month
  std::int64_t shard = 0;
};

/// Everything that arrives, in the harness's order ("Schedule formulas" of the harness's README).
std::vector<Arrival> schedule(const OracleScenario& scenario);

Seconds event_time_s(const OracleScenario& scenario, const OracleStream& stream, std::int64_t g);
/// When row g is due to arrive, before lateness and pauses: at its event, but for history.
Seconds due_s(const OracleScenario& scenario, const OracleStream& stream, std::int64_t g);
std::int64_t clustering_of(const OracleScenario& scenario, const OracleStream& stream, std::int64_t g);
/// The bucket that a time is in: epoch second, or year and month; 0 for none.
std::int64_t bucket_of(OracleStream::Bucket bucket, Seconds time_s);
Seconds bucket_begin_s(OracleStream::Bucket bucket, Seconds time_s);
/// Length of a bucket; 0 for none and month.
Seconds bucket_length_s(OracleStream::Bucket bucket);

/// Partition keys, each made once.
class Keys {
 public:
  const Key* key(const OracleStream& stream, const Arrival& arrival);

 private:
  std::map<std::string, std::unique_ptr<const Key>> keys_;
};

}  // namespace windrow::witness
