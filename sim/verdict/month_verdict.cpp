#include "sim/verdict/month_verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/text/aligned.h"
#include "sim/text/spark.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

using Side = AlignedText::Side;

TableSample last_of(const TableRecord& table) { return table.samples.empty() ? TableSample{} : table.samples.back(); }

/// A quantity of all months together, sample by sample.
template <typename Of>
std::vector<double> together(std::span<const TableRecord> months, const Of& of) {
  std::vector<double> sums;
  for (const TableRecord& month : months) {
    sums.resize(std::max(sums.size(), month.samples.size()));
    for (std::size_t i = 0; i < month.samples.size(); ++i) sums[i] += static_cast<double>(of(month.samples[i]));
  }
  return sums;
}

std::string in_snapshots(const TableRecord& month) {
  const Bytes now = last_of(month).snapshot_bytes;
  if (now > 0) return human_bytes(static_cast<double>(now));
  return month.snapshots.value > 0 ? fmt::format("0 B, peak {}", human_bytes(month.snapshots.value)) : "";
}

}  // namespace

std::vector<std::span<const TableRecord>> table_families(const RunRecord& record) {
  std::vector<std::span<const TableRecord>> families;
  const std::span<const TableRecord> all = record.tables;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && !all[begin].family.empty() && all[end].family == all[begin].family) ++end;
    families.push_back(all.subspan(begin, end - begin));
    begin = end;
  }
  return families;
}

const std::string& family_name(std::span<const TableRecord> family) {
  return family.front().family.empty() ? family.front().name : family.front().family;
}

std::string months_verdict(std::span<const TableRecord> months, const VerdictStyle& style) {
  AlignedText lines(
      {Side::left, Side::right, Side::right, Side::right, Side::right, Side::right, Side::left, Side::left});
  lines.add_texts({"", "rows", "partition max", "disk peak", "disk now", "SSTables", "only in snapshots", ""});
  Rows rows = 0;
  for (const TableRecord& month : months) {
    const TableSample last = last_of(month);
    rows += last.rows_written;
    lines.add_texts({printable(month.name), human_count(static_cast<double>(last.rows_written)),
                     human_bytes(static_cast<double>(month.partitions.bytes.max)), human_bytes(month.disk.value),
                     human_bytes(static_cast<double>(last.live_bytes)), human_count(static_cast<double>(last.sstables)),
                     in_snapshots(month), month.dropped_us ? "dropped " + iso_day(*month.dropped_us) : std::string()});
  }
  const std::vector<double> disk = together(months, [](const TableSample& s) { return s.disk_bytes_max; });
  const std::vector<double> snapshots = together(months, [](const TableSample& s) { return s.snapshot_bytes; });
  const std::vector<double> sstables = together(months, [](const TableSample& s) { return s.sstables; });
  const auto most = [](const std::vector<double>& values) { return values.empty() ? 0.0 : std::ranges::max(values); };
  const auto now = [](const std::vector<double>& values) { return values.empty() ? 0.0 : values.back(); };
  lines.add_texts({"together", human_count(static_cast<double>(rows)), "", human_bytes(most(disk)),
                   human_bytes(now(disk)), human_count(now(sstables)), human_bytes(now(snapshots)), ""});
  std::string text = lines.text(2);
  constexpr std::size_t beside = 40;  // the words left and right of a spark line
  if (style.width <= beside + 10 || disk.size() < 2) return text;
  const std::size_t width = std::min<std::size_t>(style.width - beside, 160);
  AlignedText sparks({Side::left, Side::left});
  sparks.add_texts({"disk", fmt::format("{}  0 to {}", spark_line(disk, width), human_bytes(most(disk)))});
  sparks.add_texts(
      {"only in snapshots", fmt::format("{}  0 to {}", spark_line(snapshots, width), human_bytes(most(snapshots)))});
  sparks.add_texts({"SSTables", fmt::format("{}  0 to {}", spark_line(sstables, width), human_count(most(sstables)))});
  return text + sparks.text(2);
}

}  // namespace windrow
