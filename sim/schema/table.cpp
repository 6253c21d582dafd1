#include "sim/schema/table.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "sim/base/check.h"
#include "sim/schema/compression_options.h"
#include "sim/schema/identifier.h"

namespace windrow {

const char* kind_name(Column::Kind kind) {
  switch (kind) {
    case Column::Kind::partition_key:
      return "partition_key";
    case Column::Kind::clustering:
      return "clustering";
    case Column::Kind::static_:
      return "static";
    case Column::Kind::regular:
      return "regular";
  }
  SIM_CHECK(false, "a column of no kind");
}

bool TableOptions::is_compressed() const {
  const auto enabled = compression.find("enabled");
  return enabled == compression.end() || equals_ignore_case(enabled->second, "true");
}

Bytes TableOptions::chunk_bytes() const { return is_compressed() ? chunk_length_bytes(compression) : 0; }

bool Index::is_sai() const {
  return kind == Kind::custom &&
         (equals_ignore_case(class_name, "sai") || equals_ignore_case(class_name, "StorageAttachedIndex") ||
          class_name == "org.apache.cassandra.index.sai.StorageAttachedIndex");
}

bool Table::is_counter() const {
  return std::ranges::any_of(columns, [](const Column& column) { return column.type.is_counter(); });
}

const Column* Table::find_column(std::string_view name_sought) const {
  const auto found = std::ranges::find(columns, name_sought, &Column::name);
  return found == columns.end() ? nullptr : &*found;
}

// ColumnMetadata.comparisonOrder: kind, position, simple before complex, name.
static auto place_of(const Column& column) {
  return std::tuple(column.kind, column.position, column.type.is_multi_cell(), std::string_view(column.name));
}

void Table::sort_columns() { std::ranges::sort(columns, {}, place_of); }

void Table::add_columns(std::vector<Column> added) {
  std::ranges::sort(added, {}, place_of);
  const auto known = std::ssize(columns);
  std::ranges::move(added, std::back_inserter(columns));
  std::ranges::inplace_merge(columns, columns.begin() + known, {}, place_of);
}

std::span<const Column> Table::of_kind(Column::Kind kind) const {
  const auto first = std::ranges::lower_bound(columns, kind, {}, &Column::kind);
  const auto last = std::ranges::upper_bound(columns, kind, {}, &Column::kind);
  return {first, last};
}

}  // namespace windrow
