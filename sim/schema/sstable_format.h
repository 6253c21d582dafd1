#pragma once

#include <string_view>

namespace windrow {

/// On-disk versions of Cassandra 5.0: BIG "nb" (storage compatibility CASSANDRA_4, the shipped default), BIG "oa", BTI
/// "da".
enum class SSTableFormat { nb, oa, da };

constexpr std::string_view version_name(SSTableFormat format) {
  return format == SSTableFormat::nb ? "nb" : format == SSTableFormat::oa ? "oa" : "da";
}
constexpr std::string_view format_name(SSTableFormat format) { return format == SSTableFormat::da ? "bti" : "big"; }

}  // namespace windrow
