#include "sim/verdict/read_verdict.h"

#include <fmt/format.h>

#include "sim/text/aligned.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

std::string two(const ReadSample::Spread& spread) {
  return fmt::format("{}, {}", human_count(static_cast<double>(spread.p99)),
                     human_count(static_cast<double>(spread.max)));
}

std::string too_many(const ReadRecord& read) {
  if (!read.warned_us) return {};
  std::string text =
      fmt::format("  {}: from {} on a read of a partition meets more than 1,000 tombstones; the server warns",
                  printable(read.spec->name), iso_day(*read.warned_us));
  if (read.refused_us) text += fmt::format("; from {} on more than 100,000, and it refuses", iso_day(*read.refused_us));
  return text + "\n";
}

}  // namespace

std::string reads_verdict(const RunRecord& record) {
  using Side = AlignedText::Side;
  AlignedText lines({Side::left, Side::right, Side::right, Side::right, Side::right, Side::right, Side::right});
  lines.add_texts({"p99, max; the worst of the run", "requests/s", "partitions a request", "SSTables a partition",
                   "rows", "tombstones", "bytes"});
  std::string remarks;
  for (const ReadRecord& read : record.reads) {
    const ReadSample& worst = read.worst;
    lines.add_texts({printable(read.spec->name), human_count(read.spec->rate_per_s), two(worst.partitions),
                     two(worst.sstables), two(worst.rows), two(worst.tombstones),
                     fmt::format("{}, {}", human_bytes(static_cast<double>(worst.bytes.p99)),
                                 human_bytes(static_cast<double>(worst.bytes.max)))});
    remarks += too_many(read);
  }
  return lines.text(2) + remarks;
}

}  // namespace windrow
