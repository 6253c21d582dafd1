#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "sim/content/content.h"
#include "sim/content/file_statistics.h"

namespace windrow {

/// What is known of a content that has neither keyed partitions nor keys drawn at random: its rows are all that counted_rows
/// (sim/content/merge.h) counts.
struct ContentFacts {
  FileExtremes extremes{};
  std::pair<Token, Token> token_span{};
};

/// One of several files that come from one writer.
struct CutContent {
  Content content{};
  std::optional<ContentFacts> facts{};  // if the cut has found them out
};

/// Cuts smooth content (ContentSpace::use_lattice) without keyed partitions into files of a size: an output ends with
/// the partition that makes it longer than `limit_bytes`, uncompressed. The facts of several outputs come from those of
/// all: rows by their tokens, bytes as the rows of each cohort, partitions as tokens.
std::vector<CutContent> cut_smooth(const ContentSpace& space, Content content, double limit_bytes);

}  // namespace windrow
