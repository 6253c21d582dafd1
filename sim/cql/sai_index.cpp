#include "sim/cql/sai_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/cql/apply.h"
#include "sim/schema/identifier.h"

namespace windrow {

namespace {

using Kind = CqlType::Kind;

bool is_supported(const CqlType& type) {
  constexpr std::array supported = {Kind::ascii,    Kind::bigint,   Kind::date, Kind::double_, Kind::float_,
                                    Kind::int_,     Kind::smallint, Kind::text, Kind::time,    Kind::timestamp,
                                    Kind::timeuuid, Kind::tinyint,  Kind::uuid, Kind::inet,    Kind::varint,
                                    Kind::decimal,  Kind::boolean};
  const bool frozen = type.frozen || type.kind == Kind::tuple || type.kind == Kind::vector;
  return frozen || std::ranges::find(supported, type.kind) != supported.end();
}

// case_sensitive, normalize and ascii are for text outside the primary key.
void check_analysis(const Index& index, const Column& column, const std::vector<CqlType>& indexed, Span options_at) {
  const CqlType& first = indexed.front();
  const bool text = indexed.size() == 1 && (first.kind == Kind::text || first.kind == Kind::ascii);
  for (const std::string_view key : {"case_sensitive", "normalize", "ascii"}) {
    const auto found = index.options.find(key);
    if (found == index.options.end()) continue;
    if (column.position >= 0)
      refuse_invalid(options_at,
                     fmt::format("{} is part of the primary key: its index cannot be analyzed", column.name),
                     "Analysis options are not supported on primary key columns");
    if (!text)
      refuse_invalid(options_at,
                     fmt::format("{} is of type {}, which cannot be analyzed", column.name, first.to_string()),
                     fmt::format("CQL type {} cannot be analyzed.", first.to_string()));
    if (!equals_ignore_case(found->second, "true") && !equals_ignore_case(found->second, "false"))
      refuse_invalid(options_at, fmt::format("{} takes 'true' or 'false'", key),
                     fmt::format("Illegal value for boolean option {}: {}", key, found->second));
  }
}

void check_vector_options(const Index& index, const CqlType& type, Span at) {
  const auto check = [&](std::string_view key, std::initializer_list<std::string_view> values) {
    const auto found = index.options.find(key);
    if (found == index.options.end()) return;
    if (type.kind != Kind::vector)
      refuse_invalid(at, fmt::format("{} is for vectors", key),
                     fmt::format("CQL type {} cannot have vector options", type.to_string()));
    if (values.size() == 0)
      refuse_invalid(at, fmt::format("{} is fixed on a node with shipped settings", key),
                     fmt::format("{} cannot be set without enabling SAI_VECTOR_ALLOW_CUSTOM_PARAMETERS", key));
    if (std::ranges::none_of(values, [&](std::string_view value) { return equals_ignore_case(value, found->second); }))
      refuse_invalid(at, fmt::format("{} takes {}", key, fmt::join(values, ", ")),
                     fmt::format("{} '{}' was not recognized", key, found->second));
  };
  check("maximum_node_connections", {});
  check("construction_beam_width", {});
  check("similarity_function", {"DOT_PRODUCT", "COSINE", "EUCLIDEAN"});
  check("optimize_for", {"LATENCY", "RECALL"});
}

void check_type(const Index& index, const IndexTarget& target, const Column& column, Span options_at) {
  std::vector<CqlType> indexed = {column.type};
  if (target.kind == IndexTarget::Kind::values) indexed = {column.type.arguments.back()};
  if (target.kind == IndexTarget::Kind::keys) indexed = {column.type.arguments.front()};
  if (target.kind == IndexTarget::Kind::entries) indexed = column.type.arguments;
  const CqlType& first = indexed.front();
  check_analysis(index, column, indexed, options_at);
  check_vector_options(index, first, options_at);
  for (const CqlType& type : indexed)
    if (!is_supported(type))
      refuse_invalid(target.column.at, fmt::format("a storage-attached index cannot hold {}", type.to_string()),
                     fmt::format("Unsupported type: {}", type.to_string()));
  if (first.kind == Kind::vector && first.arguments.front().kind != Kind::float_)
    refuse_invalid(target.column.at, "only vectors of floats can be indexed",
                   "SAI ANN indexes are only allowed on vector columns with float elements");
  const auto similarity = index.options.find("similarity_function");
  const bool cosine = similarity == index.options.end() || equals_ignore_case(similarity->second, "cosine");
  if (first.kind == Kind::vector && first.dimension == 1 && cosine)
    refuse_invalid(target.column.at, "the cosine of vectors with one element says nothing",
                   "Cosine similarity is not supported for single-dimension vectors",
                   "add 'similarity_function': 'dot_product'");
}

}  // namespace

void check_sai_index(const Index& index, std::span<const IndexTarget> targets, const Table& table, Span index_at,
                     Span options_at) {
  constexpr std::array known =
      std::to_array<std::string_view>({"case_sensitive", "normalize", "ascii", "similarity_function", "optimize_for",
                                       "maximum_node_connections", "construction_beam_width"});
  for (const auto& [key, value] : index.options)
    if (std::ranges::find(known, key) == known.end())
      refuse(
          {.error_class = CqlErrorClass::configuration,
           .at = options_at,
           .message = fmt::format("a storage-attached index has no option {}", quoted_string(key)),
           .accepted = fmt::format("{}", fmt::join(known, ", ")),
           .nearest = std::string(nearest_name(key, known)),
           .server_message = fmt::format("Properties specified [{}] are not understood by StorageAttachedIndex", key)});
  if (targets.size() != 1)
    refuse_invalid(index_at, "a storage-attached index has one column",
                   targets.empty() ? "Missing target column"
                                   : fmt::format("A storage-attached index cannot be created over multiple columns: {}",
                                                 index.target));
  for (const Index& other : table.indexes)
    if (other.is_sai() && other.target == index.target)
      refuse_invalid(targets.front().column.at, fmt::format("{} has the index {} already", index.target, other.name),
                     fmt::format("Cannot create more than one storage-attached index on the same column: {}",
                                 targets.front().column.text));
  check_type(index, targets.front(), *table.find_column(targets.front().column.text), options_at);
}

}  // namespace windrow
