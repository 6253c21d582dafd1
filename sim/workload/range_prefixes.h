#pragma once

#include <span>

#include "sim/workload/table_workload.h"

namespace windrow {

struct WriterFate {
  const Writer* writer = nullptr;
  const FateRule* fate = nullptr;
};

/// True if the ranges that writers of one group delete are what comes first in partitions of one writer, all of it
/// there before and no newer: then they lie beside its rows, which stay intervals.
bool ranges_are_prefixes(std::span<const WriterFate> group);

}  // namespace windrow
