#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/page/csv_columns.h"
#include "sim/page/sentence.h"

namespace windrow {

// One sentence or two that state what a chart shows; `table` is the table's part of the summary. Everything in them is
// computed from it, so that another run says something else.

Sentence node_load_caption(const Facts& summary);
Sentence node_peaks_caption(const Facts& summary);
Sentence node_disks_caption(const Facts& summary);
Sentence repairs_caption(const Facts& summary, const std::vector<std::string>& tables);
/// `reads`: rows of reads.csv.
Sentence reads_caption(const Facts& summary, const CsvColumns& reads);
Sentence node_buckets_caption(const Facts& summary);
Sentence node_disk_caption(const Facts& summary, const std::vector<std::string>& tables);
Sentence disk_caption(const Facts& table);
Sentence lifelines_caption(const Facts& table);
Sentence windows_caption(const Facts& table);
Sentence partition_sizes_caption(const Facts& table);
Sentence partition_spread_caption(const Facts& table);
Sentence growth_caption(const Facts& table);
Sentence decision_caption(const Facts& table);
Sentence tombstone_drops_caption(const Facts& table);
Sentence droppable_ratio_caption(const Facts& table);
Sentence sstables_caption(const Facts& table);
Sentence sstables_per_partition_caption(const Facts& table);
Sentence pending_caption(const Facts& table);
Sentence compactions_caption(const Facts& table);

/// "boiler-7", "jon_haddad 2026-01-01 shard 0".
void say_largest_partition(Sentence& sentence, const Facts& table);

}  // namespace windrow
