#include "sim/record/off_heap.h"

#include "sim/base/arithmetic.h"
#include "sim/stats/bloom_filter.h"

namespace windrow {

OffHeap off_heap_of(const TableStore& store, const TableOptions& options) {
  OffHeap off_heap;
  const SSTableSettings& settings = store.settings().sstables;
  const Bytes chunk_bytes = options.chunk_bytes();
  std::int64_t key_bytes = 0;
  for (const Writer& writer : store.space().workload().writers()) {
    if (writer.rhythm.total() == 0) continue;
    const std::int64_t constant = writer.keys->constant_length();
    // A node's partition is named by hashing all keys of its bucket.
    key_bytes = std::max(key_bytes, constant > 0 ? constant : std::ssize(writer.key(0, writer.bucket_of(0))));
  }
  const bool filtered = settings.bloom_filter_fp_chance < 1;
  const BloomSpec filter = filtered ? bloom_spec(settings.bloom_filter_fp_chance) : BloomSpec{};
  for (const auto& [id, file] : store.sstables()) {
    const FileExtremes& extremes = file->extremes();
    if (filtered) off_heap.bloom_filter_bytes += bloom_filter_file_bytes(extremes.partitions, filter);
    if (settings.format != SSTableFormat::da) {
      off_heap.index_summary_bytes += ceil_div(extremes.partitions, settings.min_index_interval) * (key_bytes + 12);
    }
    if (chunk_bytes > 0) off_heap.compression_metadata_bytes += 8 * ceil_div(extremes.uncompressed_bytes, chunk_bytes);
  }
  return off_heap;
}

}  // namespace windrow
