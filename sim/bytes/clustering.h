#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/bytes/byte_sink.h"

namespace windrow {

/// One clustering value; no value: null.
struct ClusteringValue {
  std::optional<ByteRun> value{};
  bool fixed_length = false;  // of the column's type; DESC changes nothing
};

/// ClusteringPrefix.Serializer: values in groups of 32, each group below a header with two bits a value (storage
/// rule 1.5).
template <typename Out>
void serialize_clustering(Out& out, std::span<const ClusteringValue> values) {
  for (std::size_t group = 0; group < values.size(); group += 32) {
    const auto members = values.subspan(group, std::min<std::size_t>(32, values.size() - group));
    std::uint64_t header = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!members[i].value) {
        header |= std::uint64_t{1} << (2 * i + 1);
      } else if (members[i].value->size == 0) {
        header |= std::uint64_t{1} << (2 * i);
      }
    }
    out.unsigned_vint(header);
    for (const ClusteringValue& member : members) {
      if (!member.value || member.value->size == 0) continue;
      if (!member.fixed_length) out.unsigned_vint(static_cast<std::uint64_t>(member.value->size));
      out.run(*member.value);
    }
  }
}

inline std::int64_t clustering_size(std::span<const ClusteringValue> values) {
  SizeSink size;
  serialize_clustering(size, values);
  return size.size();
}

}  // namespace windrow
