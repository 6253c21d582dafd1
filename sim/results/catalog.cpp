#include "sim/results/catalog.h"

#include <array>

#include "sim/record/growth.h"
#include "sim/record/key_choices.h"
#include "sim/results/faults.h"
#include "sim/results/node_load.h"
#include "sim/results/reads.h"
#include "sim/results/windows.h"

namespace windrow {

namespace {

constexpr std::array files = {
    ResultFile{"summary.json", "every headline number, unit in its name", write_summary},
    ResultFile{"timeline.csv", "per sample and table: bytes by stage of life, SSTables, tombstones, amplification",
               write_timeline},
    ResultFile{"partitions.csv", "histograms of partitions in the engine's offsets, logical and per SSTable",
               write_partitions},
    ResultFile{"largest.csv", "the 20 largest partitions with entity, bucket, date", write_largest},
    ResultFile{"sstables.csv", "lives of SSTables, what blocks them, and what each blocker holds", write_sstables},
    ResultFile{"compactions.csv", "compactions: the large ones singly, others summed per day and reason",
               write_compactions},
    ResultFile{"growth.csv", "the largest partitions while they grow", write_growth},
    ResultFile{"windows.csv", "time windows: how many SSTables hold each, over time", write_windows},
    ResultFile{"tombstones.csv", "tombstones at the end by kind, day on which they may go, and why they stay",
               write_tombstones},
    ResultFile{"sizes.csv", "the decision matrix: buckets and shards against partition sizes", write_key_choices},
};

constexpr std::array of_nodes = {
    ResultFile{"load.csv",
               "of each node and day the hour with the most writes, and what is behind it (`--all`: every hour)",
               write_load},
    ResultFile{"nodes.csv", "each node's peaks: when, how far above the mean node, because of which partition",
               write_nodes},
    ResultFile{"ring.csv", "tokens of all nodes, as `tokens = ring.csv` reads them", write_ring},
    ResultFile{"nodetool/ring.txt", "what `nodetool ring` prints", write_nodetool_ring},
    ResultFile{"nodetool/status.txt", "what `nodetool status` prints", write_nodetool_status},
};

constexpr std::array files_of_faults = {
    ResultFile{"resurrections.csv", "rows whose delete a replica missed: who, and what became of them",
               write_resurrections},
    ResultFile{"repairs.csv", "what each repair brought each node, and its margin to gc_grace", write_repairs},
    ResultFile{"outages.csv", "when which node was away", write_outages},
    ResultFile{"replacements.csv", "where nodes were replaced: what each got of each table, and from whom",
               write_replacements},
};

bool is_there(const ResultFile& file, const RunRecord& record) {
  return file.write != write_replacements || !record.faults->replacements.empty();
}

constexpr std::array of_reads = {
    ResultFile{"reads.csv", "what each kind of read costs, over time: partitions, SSTables, rows, tombstones, bytes",
               write_reads},
};

}  // namespace

std::span<const ResultFile> result_files() { return files; }
std::span<const ResultFile> node_files() { return of_nodes; }
std::span<const ResultFile> fault_files() { return files_of_faults; }
std::span<const ResultFile> read_files() { return of_reads; }

void write_results(const RunRecord& record, Sink& sink) {
  for (const ResultFile& file : files) file.write(record, sink);
  if (record.load) {
    for (const ResultFile& file : of_nodes) file.write(record, sink);
  }
  if (!record.reads.empty()) {
    for (const ResultFile& file : of_reads) file.write(record, sink);
  }
  if (record.faults) {
    for (const ResultFile& file : files_of_faults) {
      if (is_there(file, record)) file.write(record, sink);
    }
  }
}

}  // namespace windrow
