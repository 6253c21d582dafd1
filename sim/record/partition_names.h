#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/content/census_partitions.h"
#include "sim/record/run_record.h"
#include "sim/scenario/scenario.h"
#include "sim/workload/table_workload.h"

namespace windrow {

/// A bucket as its own column would say it: local time, as fine as its length.
std::string bucket_name(const BucketRule& rule, std::int64_t number);

/// The scenario's writer of a table by its place among those of the table (Writer::spec); null: there is none.
const WriterSpec* spec_of(const Scenario& scenario, int table, int writer);

/// Names of partitions: entity, bucket and shard as the scenario calls them.
NamedPartition named_partition(const Scenario& scenario, int table, const TableWorkload& workload,
                               const LargestPartition& partition);

/// Partitions that a day brings, on the average of the run: those of unbounded partitions not counted.
double new_partitions_per_day(const TableWorkload& workload, Micros start_us, Micros end_us);

/// From when to when streams write a table in a run that has come to `now_us`: a month's table is not written all the
/// time.
std::pair<Micros, Micros> written_span(const Scenario& scenario, int table, Micros now_us);

/// Rows that the partition had at a time, given those it has at `now_us`.
double rows_at(const ContentSpace& space, const LargestPartition& partition, Micros at_us, Micros now_us);

/// The first moment in (after_us, now_us] at which the partition had more than `rows` rows, given what it has now;
/// nothing if it has no more than that.
std::optional<Micros> first_above(const ContentSpace& space, const LargestPartition& partition, double rows,
                                  Micros after_us, Micros now_us);

}  // namespace windrow
