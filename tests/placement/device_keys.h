#pragma once

#include <fmt/format.h>

#include <string>

#include "sim/workload/writer.h"

namespace windrow::test {

/// A component of a composite partition key: length, bytes, a zero.
inline std::string component(const std::string& bytes) {
  return std::string(1, '\0') + static_cast<char>(bytes.size()) + bytes + std::string(1, '\0');
}

/// Partition key (text, text) of `device-%04d` and day 1, 2, … of January, February, March 2026; with shards (text,
/// text, int).
class DeviceKeys : public PartitionKeys {
 public:
  std::string key(std::int64_t entity, std::int64_t day, std::int64_t shard) const override {
    const int month = day > 59 ? 3 : (day > 31 ? 2 : 1);
    const std::int64_t before = month == 3 ? 59 : (month == 2 ? 31 : 0);
    std::string bytes = component(name(entity)) + component(fmt::format("2026-{:02}-{:02}", month, day - before));
    if (sharded) bytes += component(std::string(3, '\0') + static_cast<char>(shard));
    return bytes;
  }
  bool sharded = false;
  std::string only{};  // a single entity of this name

 private:
  std::string name(std::int64_t entity) const { return only.empty() ? fmt::format("device-{:04}", entity) : only; }
};

}  // namespace windrow::test
