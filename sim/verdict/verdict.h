#pragma once

#include <string>

#include "sim/record/run_record.h"

namespace windrow {

struct VerdictStyle {
  std::size_t width = 100;  // columns of the terminal
  bool color = false;
};

/// The verdict for the terminal: what was understood, each limit, the headline numbers of each table. Every text that
/// comes from outside is made printable.
std::string verdict(const RunRecord& record, const VerdictStyle& style);

/// A blocker in words: "SSTable 17", "the memtable".
std::string blocker_text(std::int64_t id);

}  // namespace windrow
