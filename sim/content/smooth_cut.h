#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/content/content.h"
#include "sim/content/cut_piece.h"
#include "sim/content/file_statistics.h"
#include "sim/content/swath.h"

namespace windrow {

/// One of several files that come from one writer, with what the cut has found out of it.
struct CutContent {
  Content content{};
  CutPiece piece{};                      // in the content's place, if it has rows
  std::unique_ptr<const Swath> swath{};  // the same, if there is one
  /// Only of a content without keyed partitions and keys drawn at random: its rows are all that counted_rows
  /// (sim/content/merge.h) counts.
  std::optional<FileExtremes> extremes{};
  std::optional<std::pair<Token, Token>> token_span{};
  std::unique_ptr<ByRows> by_rows{};  // if somebody has looked at its rows

  Content whole() const { return swath ? swath->content() : piece.empty() ? content : piece.content(); }
};

/// Cuts smooth content (ContentSpace::use_lattice) without keyed partitions into files of a size: an output ends with
/// the partition that makes it longer than `limit_bytes`, uncompressed. The facts of several outputs come from those of
/// all: rows by their tokens, bytes as the rows of each cohort, partitions as tokens.
std::vector<CutContent> cut_smooth(const ContentSpace& space, Content content, double limit_bytes);

}  // namespace windrow
