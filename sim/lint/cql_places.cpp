#include "sim/lint/cql_places.h"

#include <algorithm>

#include "sim/cql/parser.h"

namespace windrow {

void CqlPlaces::add(std::shared_ptr<const SourceText> cql) {
  cql_ = std::move(cql);
  for (const std::vector<CqlToken>& tokens : split_statements(cql_->text)) {
    try {
      add_statement(parse_statement(tokens));
    } catch (const Refused&) {
      continue;  // a finding of its own
    }
  }
}

void CqlPlaces::add_statement(const Statement& statement) {
  if (const auto* create = std::get_if<CreateTable>(&statement)) {
    add(create->name, {}, create->name.name.at);
    for (const ColumnDefinition& column : create->columns)
      add(create->name, "column " + column.name.text, column.name.at);
    for (const ColumnOrder& order : create->clustering_order)
      add(create->name, "option clustering_order", order.column.at);
    add_properties(create->name, create->properties);
  } else if (const auto* alter = std::get_if<AlterTable>(&statement)) {
    if (const auto* options = std::get_if<AlterOptions>(&alter->action))
      add_properties(alter->name, options->properties);
    if (const auto* columns = std::get_if<AddColumns>(&alter->action)) {
      for (const ColumnDefinition& column : columns->columns)
        add(alter->name, "column " + column.name.text, column.name.at);
    }
  } else if (const auto* index = std::get_if<CreateIndex>(&statement)) {
    for (const IndexTarget& target : index->targets) add(index->table, "index " + target.column.text, target.column.at);
  }
}

void CqlPlaces::add(const QualifiedName& table, std::string what, Span at) {
  spots_.push_back({.keyspace = table.keyspace ? table.keyspace->text : std::string(),
                    .table = table.name.text,
                    .what = std::move(what),
                    .at = at,
                    .cql = cql_});
}

void CqlPlaces::add_properties(const QualifiedName& table, const Properties& properties) {
  for (const Property& property : properties) {
    add(table, "option " + property.name.text, property.name.at);
    const auto* entries = std::get_if<std::vector<MapEntry>>(&property.value);
    if (entries == nullptr) continue;
    for (const MapEntry& entry : *entries) add(table, "option " + property.name.text + " " + entry.key, entry.key_at);
  }
}

Place CqlPlaces::option(const Table& table, std::string_view option, std::string_view entry) const {
  const std::string name = "option " + std::string(option);
  if (!entry.empty()) {
    const std::string whole = name + " " + std::string(entry);
    const bool said =
        std::ranges::any_of(spots_, [&](const Spot& spot) { return spot.table == table.name && spot.what == whole; });
    if (said) return find(table, whole);
  }
  return find(table, name);
}

Place CqlPlaces::find(const Table& table, const std::string& what) const {
  const Spot* named = nullptr;
  // The last word on an option counts; a table is made once.
  for (auto at = spots_.rbegin(); at != spots_.rend(); ++at) {
    const Spot& spot = *at;
    const bool same = spot.table == table.name && (spot.keyspace.empty() || spot.keyspace == table.keyspace);
    if (!same) continue;
    if (spot.what == what) return place_in(spot.cql, spot.at);
    if (spot.what.empty()) named = &spot;
  }
  return named != nullptr ? place_in(named->cql, named->at) : Place{.source = cql_, .line = 1, .column = 1};
}

Place place_in(const std::shared_ptr<const SourceText>& cql, Span at) {
  if (!cql) return {};
  const std::string_view text = cql->text;
  const std::size_t offset = std::min(at.offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  std::string_view on_line = before.substr(line_begin);
  if (line_begin == 0 && on_line.starts_with("\xEF\xBB\xBF")) on_line.remove_prefix(3);
  std::string_view covered = text.substr(offset, at.length);
  covered = covered.substr(0, covered.find('\n'));
  return {.source = cql,
          .line = 1 + static_cast<int>(std::ranges::count(before, '\n')),
          .column = 1 + count_characters(on_line),
          .length = std::max(1, count_characters(covered))};
}

}  // namespace windrow
